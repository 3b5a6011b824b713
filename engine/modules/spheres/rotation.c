#include "modules/spheres/rotation.h"

#include <math.h>

#include "base/grain_size.h"
#include "base/pose.h"
#include "step/step_size.h"

// particles in a piece of work: some microseconds
#define ROTATION_GRAIN WEFT__GRAIN(256u, 1u)

// Share left by damping; the motion's own share includes a change of the step.
static float kept_of(const weft__step_context* step, uint32_t environment) {
  weft__physics physics = *step->physics;
  physics.damping = step->environments[environment].damping;
  return weft__step_size_motion(&physics).kept;
}

static void damp(void* context, weft__range own, uint32_t worker) {
  (void)worker;
  weft__step_context* step = context;
  weft__particles* p = step->particles;
  uint32_t environment = weft__environment_of(step->schedule, own.begin);
  float kept = kept_of(step, environment);
  for (uint32_t i = own.begin; i < own.end; ++i) {
    if (weft__environment_of(step->schedule, i) != environment) {
      environment = weft__environment_of(step->schedule, i);
      kept = kept_of(step, environment);
    }
    if (!(p->inv_mass[i] > 0.0f)) continue;
    for (int axis = 0; axis < 3; ++axis) p->spin[axis][i] *= kept;
  }
}

void weft__rotation_begin(weft__step_context* step) {
  weft__step_for(step, step->particles->count, ROTATION_GRAIN, damp, step);
}

static void rotate(void* context, weft__range own, uint32_t worker) {
  (void)worker;
  weft__step_context* step = context;
  weft__particles* p = step->particles;
  const weft__vec3 none = {0.0, 0.0, 0.0};
  for (uint32_t i = own.begin; i < own.end; ++i) {
    const weft__vec3 spin = weft__vec3_at(p->spin, i);
    const double square = weft__dot(spin, spin);
    // infinite and NaN: no rotation
    if (weft__step_is_paused(step, i)) continue;
    if (!(p->roll_factor[i] > 0.0f) || !(square > 0.0 && square < (double)INFINITY)) continue;
    weft__pose now = {.position = none};
    weft__particles_orientation(p, i, now.rotation);
    const weft__pose after = weft__pose_after(&now, none, spin, (double)step->h);
    weft__particles_set_orientation(p, i, after.rotation);
  }
}

void weft__rotation_end(weft__step_context* step) {
  weft__step_for(step, step->particles->count, ROTATION_GRAIN, rotate, step);
}
