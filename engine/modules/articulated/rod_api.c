#include <string.h>

#include "base/check.h"
#include "base/float_mode.h"
#include "base/pose.h"
#include "modules/articulated/rod_solve.h"
#include "world/ranges.h"
#include "world/world.h"

#define MAX_SPIN 1e4f

static const weft__rods* rods_of(const weft_world* world) {
  return world->stepper.stages.of[WEFT__STAGE_RODS];
}

static weft_result find_end(const weft_world* world, uint32_t particle, weft__rod_end** end) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(particle >= world->stepper.particles.count, WEFT_ERROR_INDEX, "particle");
  const weft__rods* rods = rods_of(world);
  const weft__rod_point at = weft__rods_find_point(rods, particle);
  WEFT__FAIL_IF(at.rod == WEFT__NONE, WEFT_ERROR_RANGE, "particle");
  const bool is_last = at.point == weft__rod_segments(rods, at.rod);
  WEFT__FAIL_IF(at.point != 0 && !is_last, WEFT_ERROR_RANGE, "particle");
  *end = &rods->end[2 * (size_t)at.rod + is_last];
  return weft__ok();
}

static weft_result check_end(const weft_rod_end* end) {
  if (end->clamped) WEFT__TRY(weft__check_rotation(end->frame, "weft_rod_end.frame"));
  for (uint32_t axis = 0; axis < 3; ++axis) {
    const weft_result result =
        weft__check_range(end->spin[axis], -MAX_SPIN, MAX_SPIN, "weft_rod_end.spin");
    if (result.error != WEFT_OK) return weft__fail_at(result.error, result.field, axis);
  }
  return weft__check_magnitude(end->torque, 3, 1, "weft_rod_end.torque");
}

static weft_result set_rod_end(weft_world* world, uint32_t particle, const weft_rod_end* given) {
  weft__rod_end* end = NULL;
  WEFT__FAIL_IF(given == NULL, WEFT_ERROR_NULL, "end");
  WEFT__TRY(find_end(world, particle, &end));
  WEFT__TRY(check_end(given));
  double former[4];
  memcpy(former, end->frame, sizeof(former));
  end->is_clamped = given->clamped;
  for (int axis = 0; axis < 3; ++axis) {
    end->spin[axis] = (double)given->spin[axis];
    end->torque[axis] = (double)given->torque[axis];
  }
  if (given->clamped) {
    // q or -q, whichever is nearer to the former frame: the twist goes on
    const weft__pose pose = weft__pose_of(NULL, given->frame);
    double cosine = 0.0;
    for (int k = 0; k < 4; ++k) cosine += pose.rotation[k] * former[k];
    for (int k = 0; k < 4; ++k) end->frame[k] = cosine < 0.0 ? -pose.rotation[k] : pose.rotation[k];
  }
  weft__wake_range(world, particle, 1);
  return weft__ok();
}

weft_result weft_world_set_rod_end(weft_world* world, uint32_t particle, const weft_rod_end* end) {
  WEFT__RETURN_COMPUTED(set_rod_end, world, particle, end);
}

static weft_result get_rod_end(const weft_world* world, uint32_t particle, weft_rod_end* taken) {
  weft__rod_end* end = NULL;
  WEFT__FAIL_IF(taken == NULL, WEFT_ERROR_NULL, "end");
  WEFT__TRY(find_end(world, particle, &end));
  *taken = (weft_rod_end){.clamped = end->is_clamped != 0};
  for (int k = 0; k < 4; ++k) taken->frame[k] = (float)end->frame[k];
  for (int axis = 0; axis < 3; ++axis) {
    taken->spin[axis] = (float)end->spin[axis];
    taken->torque[axis] = (float)end->torque[axis];
  }
  return weft__ok();
}

weft_result weft_world_get_rod_end(const weft_world* world, uint32_t particle, weft_rod_end* end) {
  WEFT__RETURN_COMPUTED(get_rod_end, world, particle, end);
}

static weft_result get_frames(const weft_world* world, uint32_t first, uint32_t count,
                              float* frames) {
  WEFT__TRY(weft__check_links_read(world, first, count, frames, "frames"));
  const weft__rods* rods = rods_of(world);
  for (uint32_t n = 0; n < count; ++n) {
    const uint32_t segment = weft__rods_find_segment(rods, first + n);
    if (segment == WEFT__NONE) return weft__fail_at(WEFT_ERROR_RANGE, "first", n);
    for (size_t k = 0; k < 4; ++k) frames[4 * (size_t)n + k] = (float)rods->frame[segment][k];
  }
  return weft__ok();
}

weft_result weft_world_get_rod_frames(const weft_world* world, uint32_t first, uint32_t count,
                                      float* frames) {
  WEFT__RETURN_COMPUTED(get_frames, world, first, count, frames);
}

static weft_result get_moments(const weft_world* world, uint32_t first, uint32_t count,
                               float* moments) {
  WEFT__TRY(weft__check_particles_read(world, first, count, moments, "moments"));
  const weft__rods* rods = rods_of(world);
  for (uint32_t n = 0; n < count; ++n) {
    const weft__rod_point at = weft__rods_find_point(rods, first + n);
    if (at.rod == WEFT__NONE) return weft__fail_at(WEFT_ERROR_RANGE, "first", n);
    const weft__vec3 moment = weft__rod_moment(rods, at.rod, at.point);
    float* to = moments + 3 * (size_t)n;
    to[0] = (float)moment.x;
    to[1] = (float)moment.y;
    to[2] = (float)moment.z;
  }
  return weft__ok();
}

weft_result weft_world_get_rod_moments(const weft_world* world, uint32_t first, uint32_t count,
                                       float* moments) {
  WEFT__RETURN_COMPUTED(get_moments, world, first, count, moments);
}
