#include <math.h>

#include "base/float_mode.h"
#include "geometry/triangle.h"
#include "step/grips.h"
#include "world/world.h"

static weft_result check_handle(const weft_world* world, weft_grip handle) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  const weft__grip* grips = world->stepper.grips.grips;
  WEFT__FAIL_IF(handle.index >= WEFT_MAX_GRIPS ||
                    !weft__slot_matches(grips[handle.index].generation, handle.generation),
                WEFT_ERROR_STALE, "grip");
  return weft__ok();
}

// Capsule that a pointer sweeps on its path.
typedef struct pointer {
  weft__vec3 from, to;
  double radius;
} pointer;

// True for a free particle within the capsule; sets its offset from the nearest point of the path.
static bool is_grabbed(const weft_world* world, const pointer* p, uint32_t i, weft__vec3* offset) {
  if (!(weft__inverse_mass_of(world, i) > 0.0f)) return false;
  const weft__vec3 at = weft__vec3_at(world->stepper.particles.pos, i);
  const double share = weft__nearest_on_segment(at, p->from, p->to);
  const weft__vec3 path = weft__minus(p->to, p->from);
  *offset = weft__minus(at, weft__plus(p->from, weft__scaled(share, path)));
  return weft__dot(*offset, *offset) <= p->radius * p->radius;
}

// False if the target is out of range.
static bool compute_target(weft__vec3 place, const double offset[3], float target[3]) {
  target[0] = (float)(place.x + offset[0]);
  target[1] = (float)(place.y + offset[1]);
  target[2] = (float)(place.z + offset[2]);
  return fabsf(target[0]) <= WEFT_MAX_MAGNITUDE && fabsf(target[1]) <= WEFT_MAX_MAGNITUDE &&
         fabsf(target[2]) <= WEFT_MAX_MAGNITUDE;
}

static bool reserve(weft_world* world, size_t held_count, size_t moves) {
  weft__stepper* stepper = &world->stepper;
  const uint32_t count = stepper->particles.count;
  return weft__grips_reserve(&stepper->grips, count, held_count) &&
         weft__moves_reserve(&stepper->moves, count, moves);
}

// Grabs all particles that the pointer passes. On failure nothing changes.
static weft_result grab(weft_world* world, uint32_t grip, const pointer* p) {
  weft__stepper* stepper = &world->stepper;
  weft__particles* particles = &stepper->particles;
  weft__vec3 offset;
  size_t count = 0;
  for (uint32_t i = 0; i < particles->count; ++i) {
    if (!is_grabbed(world, p, i, &offset)) continue;
    float target[3];
    WEFT__FAIL_IF(!compute_target(p->to, (double[3]){offset.x, offset.y, offset.z}, target),
                  WEFT_ERROR_RANGE, "place");
    ++count;
  }
  WEFT__FAIL_IF(!reserve(world, count, count), WEFT_ERROR_OUT_OF_MEMORY, "world");
  for (uint32_t i = 0; i < particles->count && count > 0; ++i) {
    if (!is_grabbed(world, p, i, &offset)) continue;
    weft__wake(&stepper->stages, i);
    const weft__held held = {.particle = i,
                             .grip = grip,
                             .inv_mass = particles->inv_mass[i],
                             .offset = {offset.x, offset.y, offset.z}};
    weft__grips_add(&stepper->grips, &held);
    particles->inv_mass[i] = 0.0f;
    weft__particles_stop(particles, i);
    stepper->weighed = false;
    --count;
  }
  return weft__ok();
}

static weft_result grip_at(weft_world* world, const float* place, float radius, weft_grip* grip) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(place == NULL, WEFT_ERROR_NULL, "place");
  WEFT__FAIL_IF(grip == NULL, WEFT_ERROR_NULL, "grip");
  WEFT__TRY(weft__check_magnitude(place, 3, 1, "place"));
  WEFT__TRY(weft__check_plane(world, place, "place"));
  WEFT__TRY(weft__check_positive(radius, "radius"));
  weft__grip* grips = world->stepper.grips.grips;
  uint32_t index = 0;
  while (index < WEFT_MAX_GRIPS && weft__slot_is_used(grips[index].generation)) ++index;
  WEFT__FAIL_IF(index == WEFT_MAX_GRIPS, WEFT_ERROR_TOO_MANY, "world");
  const pointer p = {weft__vec3_of(place), weft__vec3_of(place), (double)radius};
  WEFT__TRY(grab(world, index, &p));
  weft__grip* added = &grips[index];
  ++added->generation;
  added->radius = radius;
  for (int axis = 0; axis < 3; ++axis) added->position[axis] = place[axis];
  *grip = (weft_grip){index, added->generation};
  return weft__ok();
}

weft_result weft_world_add_grip(weft_world* world, const float* place, float radius,
                                weft_grip* grip) {
  WEFT__RETURN_COMPUTED(grip_at, world, place, radius, grip);
}

static weft_result move_held(weft_world* world, uint32_t grip, weft__vec3 place) {
  weft__stepper* stepper = &world->stepper;
  const weft__grips* grips = &stepper->grips;
  float target[3];
  for (size_t n = 0; n < grips->count; ++n) {
    const weft__held* held = &grips->held[n];
    WEFT__FAIL_IF(held->grip == grip && !compute_target(place, held->offset, target),
                  WEFT_ERROR_RANGE, "place");
  }
  WEFT__FAIL_IF(!reserve(world, 0, grips->grips[grip].held_count), WEFT_ERROR_OUT_OF_MEMORY,
                "world");
  for (size_t n = 0; n < grips->count; ++n) {
    const weft__held* held = &grips->held[n];
    if (held->grip != grip) continue;
    (void)compute_target(place, held->offset, target);
    (void)weft__moves_set(&stepper->moves, stepper->particles.count, held->particle, target);
  }
  return weft__ok();
}

static weft_result move_grip(weft_world* world, weft_grip handle, const float* place) {
  WEFT__TRY(check_handle(world, handle));
  WEFT__FAIL_IF(place == NULL, WEFT_ERROR_NULL, "place");
  WEFT__TRY(weft__check_magnitude(place, 3, 1, "place"));
  WEFT__TRY(weft__check_plane(world, place, "place"));
  weft__grip* grip = &world->stepper.grips.grips[handle.index];
  const pointer p = {weft__vec3_of(grip->position), weft__vec3_of(place), (double)grip->radius};
  if (grip->held_count == 0) WEFT__TRY(grab(world, handle.index, &p));
  WEFT__TRY(move_held(world, handle.index, p.to));
  for (int axis = 0; axis < 3; ++axis) grip->position[axis] = place[axis];
  return weft__ok();
}

weft_result weft_world_move_grip(weft_world* world, weft_grip grip, const float* place) {
  WEFT__RETURN_COMPUTED(move_grip, world, grip, place);
}

// Releases a particle with the velocity of its last move.
static void release(weft_world* world, const weft__held* held) {
  weft__stepper* stepper = &world->stepper;
  weft__particles* particles = &stepper->particles;
  const double h = weft__last_substep(world);
  const uint32_t i = held->particle;
  weft__wake(&stepper->stages, i);
  float position[3];
  float velocity[3];
  for (int axis = 0; axis < 3; ++axis) {
    position[axis] = particles->pos[axis][i];
    velocity[axis] = (float)(((double)position[axis] - (double)particles->prev[axis][i]) / h);
  }
  weft__moves_cancel(&stepper->moves, i);
  particles->inv_mass[i] = held->inv_mass;
  if (held->inv_mass > 0.0f) {
    weft__particles_set_state(particles, i, position, velocity, (float)h);
  } else {
    weft__particles_stop(particles, i);
  }
  stepper->weighed = false;
}

static weft_result release_grip(weft_world* world, weft_grip handle) {
  WEFT__TRY(check_handle(world, handle));
  weft__grips* grips = &world->stepper.grips;
  for (size_t n = grips->count; n > 0; --n) {
    const weft__held held = grips->held[n - 1];
    if (held.grip != handle.index) continue;
    weft__grips_remove(grips, held.particle);
    release(world, &held);
  }
  grips->grips[handle.index] = (weft__grip){.generation = handle.generation + 1};
  return weft__ok();
}

weft_result weft_world_remove_grip(weft_world* world, weft_grip grip) {
  WEFT__RETURN_COMPUTED(release_grip, world, grip);
}

weft_result weft_world_get_grip(const weft_world* world, weft_grip handle, float* place,
                                float* radius, uint32_t* held) {
  WEFT__TRY(check_handle(world, handle));
  const weft__grip* grip = &world->stepper.grips.grips[handle.index];
  for (int axis = 0; axis < 3 && place != NULL; ++axis) place[axis] = grip->position[axis];
  if (radius != NULL) *radius = grip->radius;
  if (held != NULL) *held = grip->held_count;
  return weft__ok();
}
