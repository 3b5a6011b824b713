#include "step/fixed_step.h"

#include "base/host.h"

// largest float below 1
#define BELOW_ONE 0x1.fffffep-1f

// nanoseconds: holds the longest elapsed time at the largest scale
__extension__ typedef unsigned __int128 long_time;

weft__fixed_step weft__fixed_step_of(const weft_world_def* def) {
  return (weft__fixed_step){
      .step_ns = def->step_ns,
      .max_steps = def->max_steps,
      .remainder = def->remainder,
      .min_elapsed_ns = def->min_elapsed_ns,
      .max_elapsed_ns = def->max_elapsed_ns,
      .smooth = def->smooth_elapsed,
      .scale = 1,
  };
}

void weft__fixed_step_set_scale(weft__fixed_step* fixed_step, float scale) {
  WEFT__ASSERT(scale >= 0.0f && scale <= 1000.0f);
  fixed_step->scale = (uint64_t)scale;
  fixed_step->scale_part = (uint64_t)((double)(scale - (float)fixed_step->scale) * 0x1p64);
}

static bool is_stopped(const weft__fixed_step* fixed_step) {
  return fixed_step->scale == 0 && fixed_step->scale_part == 0;
}

static uint64_t clamp(const weft__fixed_step* fixed_step, uint64_t elapsed) {
  const uint64_t min_elapsed = (uint64_t)fixed_step->min_elapsed_ns;
  const uint64_t max_elapsed = (uint64_t)fixed_step->max_elapsed_ns;
  if (elapsed < min_elapsed) return min_elapsed;
  return max_elapsed > 0 && elapsed > max_elapsed ? max_elapsed : elapsed;
}

static uint64_t smooth(weft__fixed_step* fixed_step, uint64_t elapsed) {
  if (!fixed_step->smooth) return elapsed;
  const uint64_t last = fixed_step->has_last ? fixed_step->last_ns : elapsed;
  const uint64_t sum = last + elapsed + fixed_step->half;
  fixed_step->half = sum % 2;
  fixed_step->last_ns = sum / 2;
  fixed_step->has_last = true;
  return sum / 2;
}

static long_time scale(weft__fixed_step* fixed_step, uint64_t elapsed) {
  const long_time part = (long_time)elapsed * fixed_step->scale_part + fixed_step->part;
  fixed_step->part = (uint64_t)part;
  return (long_time)elapsed * fixed_step->scale + (part >> 64);
}

// Below 1: conversion to float would round shares above 1 - 2^-25 up.
static float share_of_step(int64_t left, int64_t step) {
  const float share = (float)((double)left / (double)step);
  return share < BELOW_ONE ? share : BELOW_ONE;
}

static int64_t signed_time(long_time time) {
  return time < INT64_MAX ? (int64_t)time : INT64_MAX;
}

weft_advance weft__fixed_step_add(weft__fixed_step* fixed_step, int64_t elapsed_ns) {
  WEFT__ASSERT(elapsed_ns >= 0 && fixed_step->step_ns > 0);
  const uint64_t step = (uint64_t)fixed_step->step_ns;
  const uint64_t elapsed = (uint64_t)elapsed_ns;
  const uint64_t clamped = clamp(fixed_step, elapsed);
  long_time dropped = elapsed > clamped ? elapsed - clamped : 0;
  long_time left =
      scale(fixed_step, smooth(fixed_step, clamped)) + (uint64_t)fixed_step->leftover_ns;

  long_time steps = is_stopped(fixed_step) ? 0 : left / step;
  left -= steps * step;
  if (steps > fixed_step->max_steps) {
    dropped += (steps - fixed_step->max_steps) * step;
    steps = fixed_step->max_steps;
  }

  const bool is_carried = fixed_step->remainder == WEFT_REMAINDER_CARRY;
  const bool is_stepped = !is_carried && left >= WEFT__MIN_STEP_NS;
  fixed_step->leftover_ns = is_stepped ? 0 : (int64_t)left;
  return (weft_advance){
      .steps = (uint32_t)steps,
      .interpolation =
          is_carried ? share_of_step(fixed_step->leftover_ns, fixed_step->step_ns) : 1.0f,
      .remainder_ns = is_stepped ? (int64_t)left : 0,
      .dropped_ns = signed_time(dropped),
  };
}
