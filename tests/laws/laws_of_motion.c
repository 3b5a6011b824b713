/* Energy, momentum, angular momentum, rest. */
#include <math.h>
#include <string.h>

#include "laws/measures.h"
#include "laws/trial.h"

static double squared_length(const double v[3]) {
  return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

// True once a figure tells enough: an exploded body takes long.
static bool is_hopeless(const law_case* c, double figure) {
  return !(figure < 1e4 * laws[c->law].bound);
}

static bool has_gravity(const law_trial* trial) {
  return trial->def.gravity[1] != 0.0f;
}

// gravity where something bears the body
static law_trial* open_moved(const law_case* c, const trial_def* base) {
  trial_def def = *base;
  const bool borne = !(law_paths[c->path].traits & (TRAIT_ALOFT | TRAIT_INNER)) ||
                     (law_bodies[c->body].traits & TRAIT_FLOOR) != 0;
  if (!borne) memset(def.gravity, 0, sizeof(def.gravity));
  return trial_open(c, &def);
}

double measure_poke(const law_case* c) {
  trial_def def = default_trial();
  memset(def.gravity, 0, sizeof(def.gravity));
  law_trial* trial = trial_open(c, &def);
  uint32_t poked = trial->count - 1;
  while (trial->mass[poked] == 0.0) --poked;
  const float velocity[3] = {6e-4f, 6e-4f, 5e-4f};
  must(weft_world_set(trial->world, WEFT_ATTRIBUTE_VELOCITY, weft_range(poked, 1), velocity, 0));
  trial_read(trial);
  const double first = trial_kinetic(trial);
  double most = 0.0;
  for (int i = 0; i < 30; ++i) {
    trial_step(trial, trial_steps_of(trial, 0.05));
    trial_read(trial);
    const double rise = trial_kinetic(trial) - first;
    if (!(rise <= most)) most = rise;
  }
  most /= trial_mass(trial);
  trial_close(trial);
  return most;
}

// Energy above its value after a tenth of a second, when links have taken their share of a random
// push; as a share of the energy exchanged. Elastic energy counts where it can be given, at the
// start: later it is never below 0, and errors of sweeps are none.
double measure_energy(const law_case* c) {
  const trial_def def = default_trial();
  law_trial* trial = open_moved(c, &def);
  trial_push(trial, 0.5f, 1);
  trial_step(trial, trial_steps_of(trial, 0.1));
  trial_read(trial);
  const double elastic = trial_elastic(trial), potential = trial_potential(trial);
  const double kinetic = trial_kinetic(trial), gas = trial_gas(trial);
  double exchange = kinetic + elastic, rise = 0.0;
  for (uint32_t i = trial_steps_of(trial, 0.7); i > 0 && !is_hopeless(c, rise / exchange); --i) {
    trial_step(trial, 1);
    trial_read(trial);
    const double fallen = potential - trial_potential(trial) + gas - trial_gas(trial);
    const double more = trial_kinetic(trial) - kinetic - fallen - elastic;
    if (!(more <= rise)) rise = more;
    exchange = fmax(exchange, fallen);
  }
  trial_close(trial);
  return rise / exchange;
}

double measure_momentum(const law_case* c) {
  const trial_def def = default_trial();
  law_trial* trial = open_moved(c, &def);
  trial_push(trial, 0.3f, 2);
  trial_throw(trial, (const float[3]){0.3f, 0.0f, 0.2f});
  double first[3], most = 0.0;
  trial_momentum(trial, first);
  for (uint32_t i = trial_steps_of(trial, 2.0); i > 0 && !is_hopeless(c, most); --i) {
    double now[3];
    trial_step(trial, 1);
    trial_read(trial);
    trial_momentum(trial, now);
    for (int axis = 0; axis < 3; ++axis) now[axis] -= first[axis];
    if (has_gravity(trial)) now[1] = 0.0;
    const double change = sqrt(squared_length(now)) / trial_mass(trial);
    if (!(change <= most)) most = change;
  }
  trial_close(trial);
  return most;
}

double measure_angular_momentum(const law_case* c) {
  const trial_def def = default_trial();
  law_trial* trial = open_moved(c, &def);
  const bool vertical = has_gravity(trial);
  const float spin[3] = {vertical ? 0.0f : 0.6f, 1.0f, vertical ? 0.0f : 0.4f};
  trial_push(trial, 0.1f, 3);
  trial_spin(trial, spin);
  double first[3], inertia, most = 0.0;
  trial_angular_momentum(trial, first, &inertia);
  for (uint32_t i = trial_steps_of(trial, 2.0); i > 0 && !is_hopeless(c, most); --i) {
    double now[3], present;
    trial_step(trial, 1);
    trial_read(trial);
    trial_angular_momentum(trial, now, &present);
    for (int axis = 0; axis < 3; ++axis) now[axis] -= first[axis];
    if (vertical) now[0] = now[2] = 0.0;
    const double change = sqrt(squared_length(now)) / inertia;
    if (!(change <= most)) most = change;
  }
  trial_close(trial);
  return most;
}

// largest rms speed of half a second, once within the bound; else of the last one
double measure_rest(const law_case* c) {
  trial_def def = default_trial();
  def.damping = 1.0f, def.friction = 0.6f;
  law_trial* trial = trial_open(c, &def);
  trial_push(trial, 0.3f, 4);
  double most = 0.0;
  for (int half = 0; half < 40; ++half) {
    most = 0.0;
    for (int i = 0; i < 10; ++i) {
      trial_step(trial, trial_steps_of(trial, 0.05));
      trial_read(trial);
      const double speed = trial_rms_speed(trial);
      if (!(speed <= most)) most = speed;
    }
    if (most < laws[c->law].bound || is_hopeless(c, most)) break;
  }
  trial_close(trial);
  return most;
}
