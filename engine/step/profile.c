#include "step/profile.h"

#include <time.h>

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

void weft__profile_start(weft__profile* profile) {
  if (profile->on) profile->last_ns = now();
}

void weft__profile_record(weft__profile* profile, weft_stage stage) {
  if (!profile->on) return;
  const int64_t time = now();
  profile->spent_ns[stage] += time - profile->last_ns;
  profile->last_ns = time;
}
