/* Particles that are moved, pinned, freed and dragged by hand. */
#include <math.h>

#include "base/float_mode.h"
#include "world/world.h"

static weft_result set_particle(weft_world* world, uint32_t particle, const float* position,
                                const float* velocity) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(position == NULL, WEFT_ERROR_NULL, "position");
  weft__particles* particles = &world->stepper.particles;
  WEFT__FAIL_IF(particle >= particles->count, WEFT_ERROR_INDEX, "particle");
  const float h = (float)weft__substep_seconds(world);
  static const float still[3] = {0.0f, 0.0f, 0.0f};
  const float* start = velocity == NULL ? still : velocity;
  WEFT__TRY(weft__check_magnitude(position, 3, 1, "position"));
  WEFT__TRY(weft__check_magnitude(start, 3, 1, "velocity"));
  const uint32_t i = world->stepper.schedule.solver_of[particle];
  weft__particles_place(particles, i, position, start, h);
  world->changes += 1;
  return weft__ok();
}

weft_result weft_world_set_particle(weft_world* world, uint32_t particle, const float* position,
                                    const float* velocity) {
  WEFT__RETURN_COMPUTED(set_particle, world, particle, position, velocity);
}

static weft_result set_inverse_mass(weft_world* world, uint32_t particle, float inverse_mass) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  weft__particles* particles = &world->stepper.particles;
  WEFT__FAIL_IF(particle >= particles->count, WEFT_ERROR_INDEX, "particle");
  const weft_error error = weft__check_inverse_mass(inverse_mass);
  WEFT__FAIL_IF(error != WEFT_OK, error, "inverse_mass");
  const uint32_t i = world->stepper.schedule.solver_of[particle];
  particles->inv_mass[i] = inverse_mass;
  world->stepper.weighed = false;
  if (inverse_mass > 0.0f) {
    weft__moves_drop(&world->stepper.moves, i);
    return weft__ok();
  }
  // pinned where it is: without this, unpinning it later would set free the velocity it has now
  weft__particles_stop(particles, i);
  return weft__ok();
}

weft_result weft_world_set_inverse_mass(weft_world* world, uint32_t particle, float inverse_mass) {
  WEFT__RETURN_COMPUTED(set_inverse_mass, world, particle, inverse_mass);
}

weft_result weft_world_move_particle(weft_world* world, uint32_t particle, const float* target) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(target == NULL, WEFT_ERROR_NULL, "target");
  weft__stepper* stepper = &world->stepper;
  WEFT__FAIL_IF(particle >= stepper->particles.count, WEFT_ERROR_INDEX, "particle");
  WEFT__TRY(weft__check_magnitude(target, 3, 1, "target"));
  const uint32_t i = stepper->schedule.solver_of[particle];
  WEFT__FAIL_IF(stepper->particles.inv_mass[i] > 0.0f, WEFT_ERROR_RANGE, "particle");
  WEFT__FAIL_IF(!weft__moves_set(&stepper->moves, stepper->particles.count, i, target),
                WEFT_ERROR_OUT_OF_MEMORY, "world");
  return weft__ok();
}

// ---- many at once ----

// a pointer on its way
typedef struct drag {
  const float* from;
  double way[3];
  float velocity[3]; /* of a way that takes a step */
  float h;           /* seconds of the last substep */
  double radius_sq;
} drag;

static drag drag_of(const weft_world* world, const float* from, const float* to, float radius) {
  drag d = {.from = from,
            .h = (float)weft__substep_seconds(world),
            .radius_sq = (double)radius * (double)radius};
  const double step = (double)world->fixed_step.step_ns * 1e-9;
  for (int axis = 0; axis < 3; ++axis) {
    d.way[axis] = (double)to[axis] - (double)from[axis];
    d.velocity[axis] = (float)(d.way[axis] / step);
  }
  return d;
}

static bool takes(const drag* d, const weft__particles* particles, uint32_t i) {
  if (!(particles->inv_mass[i] > 0.0f)) return false;
  double sum = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double apart =
        (double)weft__particles_axis(particles, axis).pos[i] - (double)d->from[axis];
    sum += apart * apart;
  }
  return sum <= d->radius_sq;
}

// where it is taken to, [3]: false if that is too far
static bool drag_one(const drag* d, const weft__particles* particles, uint32_t i, float* position) {
  bool good = true;
  for (int axis = 0; axis < 3; ++axis) {
    const double here = (double)weft__particles_axis(particles, axis).pos[i];
    position[axis] = (float)(here + d->way[axis]);
    good = good && fabsf(position[axis]) <= WEFT_MAX_MAGNITUDE;
  }
  return good;
}

static weft_result drag_all(weft_world* world, const drag* d, uint32_t* dragged) {
  const weft__particles* particles = &world->stepper.particles;
  float position[3];
  // none may end up too far, before any is moved
  for (uint32_t i = 0; i < particles->count; ++i) {
    WEFT__FAIL_IF(takes(d, particles, i) && !drag_one(d, particles, i, position), WEFT_ERROR_RANGE,
                  "to");
  }
  uint32_t count = 0;
  for (uint32_t i = 0; i < particles->count; ++i) {
    if (!takes(d, particles, i)) continue;
    (void)drag_one(d, particles, i, position);
    weft__particles_place(particles, i, position, d->velocity, d->h);
    ++count;
  }
  world->changes += 1;
  if (dragged != NULL) *dragged = count;
  return weft__ok();
}

static weft_result check_drag(const weft_world* world, const float* from, const float* to,
                              float radius) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(from == NULL, WEFT_ERROR_NULL, "from");
  WEFT__FAIL_IF(to == NULL, WEFT_ERROR_NULL, "to");
  WEFT__TRY(weft__check_magnitude(from, 3, 1, "from"));
  WEFT__TRY(weft__check_magnitude(to, 3, 1, "to"));
  WEFT__FAIL_IF(!isfinite(radius), WEFT_ERROR_NOT_FINITE, "radius");
  WEFT__FAIL_IF(radius <= 0.0f, WEFT_ERROR_RANGE, "radius");
  return weft__ok();
}

static weft_result drag_checked(weft_world* world, const float* from, const float* to, float radius,
                                uint32_t* dragged) {
  WEFT__TRY(check_drag(world, from, to, radius));
  const drag d = drag_of(world, from, to, radius);
  return drag_all(world, &d, dragged);
}

weft_result weft_world_drag(weft_world* world, const float* from, const float* to, float radius,
                            uint32_t* dragged) {
  WEFT__RETURN_COMPUTED(drag_checked, world, from, to, radius, dragged);
}

// the way between the two stays, as far as floats have it
static void shift_one(const weft__axis* column, uint32_t i, float offset) {
  const float moved = column->pos[i] - column->prev[i];
  column->pos[i] += offset;
  column->prev[i] = column->pos[i] - moved;
}

static bool can_shift(const weft__axis* column, uint32_t i, float offset) {
  float position = column->pos[i];
  float previous = column->prev[i];
  const weft__axis copy = {&position, &previous};
  shift_one(&copy, 0, offset);
  return fabsf(position) <= WEFT_MAX_MAGNITUDE;
}

static weft_result shift_body(weft_world* world, const weft_body* body, const float* offset) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(body == NULL, WEFT_ERROR_NULL, "body");
  WEFT__FAIL_IF(offset == NULL, WEFT_ERROR_NULL, "offset");
  WEFT__TRY(weft__check_magnitude(offset, 3, 1, "offset"));
  const weft__particles* particles = &world->stepper.particles;
  const uint64_t end = (uint64_t)body->first_particle + body->particle_count;
  WEFT__FAIL_IF(end > particles->count, WEFT_ERROR_INDEX, "body");
  const uint32_t* solver_of = world->stepper.schedule.solver_of;
  for (int axis = 0; axis < 3; ++axis) {
    const weft__axis column = weft__particles_axis(particles, axis);
    for (uint32_t user = body->first_particle; user < end; ++user) {
      if (can_shift(&column, solver_of[user], offset[axis])) continue;
      return weft__fail_at(WEFT_ERROR_RANGE, "offset", (uint64_t)axis);
    }
  }
  for (int axis = 0; axis < 3; ++axis) {
    const weft__axis column = weft__particles_axis(particles, axis);
    for (uint32_t user = body->first_particle; user < end; ++user) {
      shift_one(&column, solver_of[user], offset[axis]);
    }
  }
  world->changes += 1;
  return weft__ok();
}

weft_result weft_world_shift_body(weft_world* world, const weft_body* body, const float* offset) {
  WEFT__RETURN_COMPUTED(shift_body, world, body, offset);
}
