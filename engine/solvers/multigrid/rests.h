/* The table of rest lengths of a coarse level: see tables/rests.h. */
#ifndef WEFT_SOLVERS_MULTIGRID_RESTS_H
#define WEFT_SOLVERS_MULTIGRID_RESTS_H

#include <stdbool.h>
#include <stddef.h>

#include "tables/rests.h"
#include "tables/schedule.h"

/* Gives each lane of a level's schedule a rest length of its own, and adds what that takes to *bytes. False when
 * memory cannot be had; what was made is to be destroyed either way. */
bool weft__rests_create(weft__rests* rests, weft__schedule* schedule, size_t* bytes);
void weft__rests_destroy(weft__rests* rests);

#endif
