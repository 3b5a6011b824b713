/* Loops whose last piece comes first: a dependence on the order in which workers begin pieces shows
 * on any machine. The linker sends weft__worker_pool_run_range() and weft__worker_pool_run_loop()
 * to backwards.c (--wrap). */
#ifndef TESTS_SUPPORT_BACKWARDS_H
#define TESTS_SUPPORT_BACKWARDS_H

#include <stdbool.h>

/* Loops run backwards, on the caller, while it is true. */
extern bool runs_backwards;

#endif
