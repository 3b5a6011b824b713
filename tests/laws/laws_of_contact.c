/* The third law, Coulomb's law, nothing passes, a way out. */
#include <math.h>
#include <string.h>

#include "laws/measures.h"
#include "laws/trial.h"
#include "libraries/bodies/turn.h"

static double length(const double v[3]) {
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

typedef void add_impulses(const law_trial* trial, double on_body[3]);

static void add_loads(const law_trial* trial, double on_body[3]) {
  weft_collider_load loads[TRIAL_COLLIDERS];
  must(weft_world_get_collider_loads(trial->world, trial->colliders, trial->collider_count, loads));
  for (uint32_t k = 0; k < trial->collider_count; ++k) {
    for (int axis = 0; axis < 3; ++axis) on_body[axis] -= (double)loads[k].impulse[axis];
  }
}

static void add_events(const law_trial* trial, double on_body[3]) {
  weft_contact_event event;
  for (uint32_t count = 1; count > 0;) {
    must(weft_world_take_contact_events(trial->world, 1, &event, &count));
    if (count == 0 || event.collider.generation == 0) continue;
    for (int axis = 0; axis < 3; ++axis) {
      on_body[axis] += (double)event.impulse * (double)event.normal[axis];
      on_body[axis] += (double)event.friction[axis];
    }
  }
}

// impulses missing from the change of momentum, as a share of the weight's
static double measure_impulses(const law_case* c, add_impulses* add) {
  trial_def def = default_trial();
  def.friction = 0.5f, def.loads = true;
  law_trial* trial = trial_open(c, &def);
  weft_contact_limits_def limits = weft_default_contact_limits_def();
  limits.max_events = 100000, limits.with_stays = true;
  must(weft_world_set_contact_limits(trial->world, &limits));
  double impulse[3] = {0}, missing[3];
  const uint32_t steps = trial_steps_of(trial, 0.6);
  for (uint32_t i = 0; i < steps; ++i) {
    trial_step(trial, 1);
    add(trial, impulse);
  }
  trial_read(trial);
  trial_momentum(trial, missing);
  const double time = steps * trial->step_time, mass = trial_mass(trial);
  for (int axis = 0; axis < 3; ++axis) {
    missing[axis] -= impulse[axis] + mass * time * (double)def.gravity[axis];
  }
  trial_close(trial);
  return length(missing) / (mass * time * 9.81);
}

double measure_loads(const law_case* c) {
  return measure_impulses(c, add_loads);
}

double measure_events(const law_case* c) {
  return measure_impulses(c, add_events);
}

static const double slope = 0.4;  // tangent

static law_trial* open_slope(const law_case* c, float friction) {
  trial_def def = default_trial();
  const double hypotenuse = sqrt(1.0 + slope * slope);
  def.gravity[0] = (float)(9.81 * slope / hypotenuse);
  def.gravity[1] = (float)(-9.81 / hypotenuse);
  def.friction = friction, def.gap = 0.0f;
  return trial_open(c, &def);
}

// mean position and velocity along x
static void read_along(law_trial* trial, double* place, double* speed) {
  double center[3], momentum[3];
  trial_read(trial);
  trial_center(trial, center);
  trial_momentum(trial, momentum);
  *place = center[0], *speed = momentum[0] / trial_mass(trial);
}

// displacement of half a second as a share of a slide without friction
double measure_holds(const law_case* c) {
  law_trial* trial = open_slope(c, 1.25f * (float)slope);
  double from, to, speed;
  trial_step(trial, trial_steps_of(trial, 0.3));
  read_along(trial, &from, &speed);
  trial_step(trial, trial_steps_of(trial, 0.5));
  read_along(trial, &to, &speed);
  const double free_slide = 0.5 * (double)trial->def.gravity[0] * 0.25;
  trial_close(trial);
  return fabs(to - from) / free_slide;
}

// error of the acceleration
double measure_slides(const law_case* c) {
  const float friction = 0.5f * (float)slope;
  law_trial* trial = open_slope(c, friction);
  double place, from, to;
  trial_step(trial, trial_steps_of(trial, 0.2));
  read_along(trial, &place, &from);
  trial_step(trial, trial_steps_of(trial, 0.4));
  read_along(trial, &place, &to);
  const double expected =
      (double)trial->def.gravity[0] + (double)friction * (double)trial->def.gravity[1];
  trial_close(trial);
  return fabs((to - from) / 0.4 / expected - 1.0);
}

// two pads close on a lying body; then it hangs between them
double measure_grips(const law_case* c) {
  trial_def def = default_trial();
  def.friction = 1.0f;
  law_trial* trial = trial_open(c, &def);
  double from, to, speed;
  trial_step(trial, trial_steps_of(trial, 0.7));
  must(weft_world_set_gravity(trial->world, (const float[3]){9.81f, 0.0f, 0.0f}));
  trial_step(trial, trial_steps_of(trial, 0.3));
  read_along(trial, &from, &speed);
  trial_step(trial, trial_steps_of(trial, 0.3));
  read_along(trial, &to, &speed);
  trial_close(trial);
  return fabs(to - from) / (0.5 * 9.81 * 0.27);
}

double measure_passes(const law_case* c) {
  trial_def def = default_trial();
  def.gravity[1] *= 2.0f, def.friction = 0.3f;
  law_trial* trial = trial_open(c, &def);
  trial_push(trial, 3.0f, 5);
  uint32_t most = 0;
  if (trial_crossings(trial) == 0) {
    for (uint32_t i = trial_steps_of(trial, 0.3); i > 0; --i) {
      trial_step(trial, 1);
      trial_read(trial);
      const uint32_t count = trial_crossings(trial);
      if (count > most) most = count;
    }
  }
  trial_close(trial);
  return most;
}

// Begins within its support, without gravity: speed and strain as shares of their bounds. For a
// part driven through the body the strain counts, once it has passed.
double measure_way_out(const law_case* c) {
  trial_def def = default_trial();
  const uint32_t traits = law_paths[c->path].traits;
  memset(def.gravity, 0, sizeof(def.gravity));
  def.gap = traits & TRAIT_GRIP ? 0.0f : -0.1f, def.friction = 0.3f;
  law_trial* trial = trial_open(c, &def);
  double most = 0.0;
  if (traits & TRAIT_PASSES) trial_step(trial, trial_steps_of(trial, 1.0));
  for (uint32_t i = trial_steps_of(trial, 0.5); i > 0 && most < 1e4; --i) {
    trial_step(trial, 1);
    trial_read(trial);
    const double speed = traits & TRAIT_PASSES ? 0.0 : trial_max_speed(trial) / 2.0;
    const double strain = trial_max_strain(trial, false) / 0.5;
    if (!(speed <= most)) most = speed;
    if (!(strain <= most)) most = strain;
  }
  trial_close(trial);
  return most;
}

// the largest strain of rigid links after a fall or a drive of a second
double measure_stretch(const law_case* c) {
  const trial_def def = default_trial();
  law_trial* trial = trial_open(c, &def);
  double most = 0.0;
  for (uint32_t i = trial_steps_of(trial, 1.0); i > 0 && most < 1e3; --i) {
    trial_step(trial, 1);
    trial_read(trial);
    const double strain = trial_max_strain(trial, true);
    if (!(strain <= most)) most = strain;
  }
  trial_close(trial);
  return most;
}
