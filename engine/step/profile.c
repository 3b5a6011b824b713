#include "step/profile.h"

#include "base/clock.h"

static bool is_off(const weft__profile* profile) {
  return !profile->on && profile->spans == NULL;
}

bool weft__profile_record_spans(weft__profile* profile, uint32_t workers, uint32_t capacity) {
  weft__spans* spans = capacity > 0 ? weft__spans_create(workers, capacity) : NULL;
  if (capacity > 0 && spans == NULL) return false;
  weft__spans_destroy(profile->spans);
  profile->spans = spans;
  return true;
}

static void start(weft__profile* profile, weft_stage stage, int64_t time) {
  profile->stage = stage;
  profile->begin_ns = time;
  if (profile->spans != NULL) weft__spans_begin_stage(profile->spans, stage, time);
}

void weft__profile_begin_step(weft__profile* profile) {
  if (is_off(profile) || profile->is_within_step) return;
  profile->is_within_step = true;
  if (profile->spans != NULL) weft__spans_begin_step(profile->spans);
  start(profile, WEFT_STAGE_FORCES, weft__clock_ns());
}

void weft__profile_begin_stage(weft__profile* profile, weft_stage stage) {
  if (is_off(profile)) return;
  const int64_t time = weft__clock_ns();
  profile->spent_ns[profile->stage] += time - profile->begin_ns;
  start(profile, stage, time);
}

void weft__profile_end_step(weft__profile* profile) {
  if (is_off(profile)) return;
  const int64_t time = weft__clock_ns();
  profile->spent_ns[profile->stage] += time - profile->begin_ns;
  profile->is_within_step = false;
  if (profile->spans != NULL) weft__spans_end_step(profile->spans, time);
}
