/* Handles of colliders, joints and grips. */
#ifndef TESTS_SUPPORT_HANDLES_H
#define TESTS_SUPPORT_HANDLES_H

#define SAME_HANDLE(a, b) ((a).index == (b).index && (a).generation == (b).generation)
#define IS_NULL_HANDLE(a) ((a).index == 0 && (a).generation == 0)

#endif
