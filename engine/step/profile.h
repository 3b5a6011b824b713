/* How long each stage of the step takes: the time from one note to the next, as the calling thread sees it. Read
 * by people only, it changes nothing that is computed. */
#ifndef WEFT_STEP_PROFILE_H
#define WEFT_STEP_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "weft/weft.h"

typedef struct weft__profile {
  bool on;
  int64_t last_ns;                    /* when the last note was taken */
  int64_t spent_ns[WEFT_STAGE_COUNT]; /* nanoseconds of each stage so far */
} weft__profile;

/* The time runs from here. */
void weft__profile_start(weft__profile* profile, uint32_t worker);

/* What went by since the last note was this stage. */
void weft__profile_note(weft__profile* profile, weft_stage stage, uint32_t worker);

#endif
