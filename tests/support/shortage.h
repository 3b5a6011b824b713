/* Failures of allocations and of thread creation. The linker sends malloc and its relatives to
 * shortage.c (--wrap), where the chosen call fails. A test lets the first call fail, then the
 * second, and so on until the tested call succeeds; the address sanitizer checks for leaks. */
#ifndef TESTS_SUPPORT_SHORTAGE_H
#define TESTS_SUPPORT_SHORTAGE_H

#include <stdbool.h>

#include "weft/weft.h"

/* Calls that succeed before one fails; negative = all succeed. Only the test's thread allocates. */
extern int allocations_left;
extern int threads_left;

/* True if the call fails at allocation n, from 0, which must be for lack of memory. */
#define fails_after(n, call) (allocations_left = (n), ran_out_of_memory(call))

/* Lets all calls succeed again; true if this one failed, which must be for lack of memory. */
bool ran_out_of_memory(weft_result result);

/* Makes and steps a world; false if creation fails, which must be for lack of memory and leave no
 * world. All calls succeed again afterwards. */
bool try_world(const weft_world_def* with, const weft_scene* scene);

/* World def with attachments, and `coarse` sweeps over each coarse level. */
weft_world_def held_def(uint32_t coarse);

/* Makes a world repeatedly, with one more allocation each time, until creation succeeds. */
void make_world_of_what_there_is(const weft_world_def* with, const weft_scene* scene);

/* A sheet and a mesh of a compliant material, linked to each other at random. */
weft_scene* new_soft_scene(void);

#endif
