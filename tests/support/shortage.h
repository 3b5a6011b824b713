/* Memory and threads that run out.
 *
 * The linker sends malloc and its relatives to shortage.c (--wrap), where the one that a test has
 * chosen fails. A test lets the first one fail, then the second, and so on until the call succeeds;
 * that nothing leaks on the way is for the address sanitizer to see. */
#ifndef TESTS_SUPPORT_SHORTAGE_H
#define TESTS_SUPPORT_SHORTAGE_H

#include <stdbool.h>

#include "weft/weft.h"

/* How many calls still succeed before one fails; below 0 all do. Only the test's thread allocates.
 */
extern int allocations_left;
extern int threads_left;

/* Tries to make a world; false when it could not be had, and then nothing must have changed. All
 * calls succeed again afterwards. */
bool try_world(const weft_world_def* with, const weft_scene* scene);

/* With attachments, and so many sweeps over each coarse level. */
weft_world_def held_def(uint32_t coarse);

/* Makes a world again and again, with one allocation more each time, until it can be had. */
void make_world_of_what_there_is(const weft_world_def* with, const weft_scene* scene);

/* A soft sheet and a soft mesh, tied together. */
weft_scene* new_soft_scene(void);

#endif
