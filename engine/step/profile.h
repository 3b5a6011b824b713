/* Wall-clock time of each stage, as the calling thread sees it. No computed result depends on
 * it. */
#ifndef WEFT_STEP_PROFILE_H
#define WEFT_STEP_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "parallel/spans.h"
#include "weft/weft.h"

typedef struct weft__profile {
  bool on;            /* with totals */
  weft__spans* spans; /* the last step's; NULL = off */
  bool is_within_step;
  weft_stage stage;
  int64_t begin_ns; /* the present stage's */
  int64_t spent_ns[WEFT_STAGE_COUNT];
} weft__profile;

/* Records so many spans of each worker in a step, 0 = none. False when out of memory: nothing has
 * changed then. */
bool weft__profile_record_spans(weft__profile* profile, uint32_t workers, uint32_t capacity);

/* Begins a step with the stage of forces, unless it has begun. */
void weft__profile_begin_step(weft__profile* profile);

/* Ends the present stage, and begins another one. */
void weft__profile_begin_stage(weft__profile* profile, weft_stage stage);

void weft__profile_end_step(weft__profile* profile);

#endif
