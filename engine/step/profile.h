/* Profile of the step: wall-clock time of each stage, as the calling thread sees it. No computed
 * result depends on it. */
#ifndef WEFT_STEP_PROFILE_H
#define WEFT_STEP_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "weft/weft.h"

typedef struct weft__profile {
  bool on;
  int64_t last_ns;                    /* time of the last record */
  int64_t spent_ns[WEFT_STAGE_COUNT]; /* total of each stage */
} weft__profile;

/* Starts the clock. */
void weft__profile_start(weft__profile* profile);

/* Adds the time since the last record to a stage. */
void weft__profile_record(weft__profile* profile, weft_stage stage);

#endif
