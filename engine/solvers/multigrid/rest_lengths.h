#ifndef WEFT_SOLVERS_MULTIGRID_REST_LENGTHS_H
#define WEFT_SOLVERS_MULTIGRID_REST_LENGTHS_H

#include <stdbool.h>
#include <stddef.h>

#include "tables/coarse_rest_lengths.h"
#include "tables/schedule.h"

/* Replaces the schedule's rest lengths by one per lane, and adds to *bytes. */
bool weft__rests_create(weft__coarse_rest_lengths* rests, weft__schedule* schedule, size_t* bytes);
void weft__rests_destroy(weft__coarse_rest_lengths* rests);

#endif
