#include "sim/oscillator.h"
#include "sim/particle.h"

#include <math.h>
#include <string.h>

sim_oscillator sim_pendulum_of(double length, double compliance, double angle) {
  return (sim_oscillator){.mass = 1.0,
                          .length = length,
                          .compliance = compliance,
                          .gravity = 9.81,
                          .pos = {length * sin(angle), -length * cos(angle), 0.0}};
}

static void narrow(const double from[3], float to[3]) {
  for (int k = 0; k < 3; ++k) to[k] = (float)from[k];
}

weft_result sim_oscillator_describe(const sim_oscillator* oscillator, weft_scene* scene,
                                    weft_world_def* def) {
  float positions[6] = {0.0f};
  narrow(oscillator->pos, positions + 3);
  const float inverse_masses[] = {0.0f, (float)(1.0 / oscillator->mass)};
  const weft_link_def link = {.a = 0,
                              .b = 1,
                              .rest_length = (float)oscillator->length,
                              .relaxation = 1.0f,
                              .compliance = (float)oscillator->compliance,
                              .spring_damping = (float)oscillator->damping};
  def->gravity[0] = def->gravity[2] = 0.0f;
  def->gravity[1] = -(float)oscillator->gravity;
  def->solver.springs = true;
  def->damping = 0.0f;
  def->solver.iterations = 0;
  const weft_result result = weft_scene_add_particles(scene, positions, inverse_masses, 2, NULL);
  return result.error != WEFT_OK ? result : weft_scene_add_links(scene, &link, 1, NULL);
}

weft_result sim_oscillator_push(const sim_oscillator* oscillator, weft_world* world) {
  float position[3], velocity[3];
  narrow(oscillator->pos, position);
  narrow(oscillator->vel, velocity);
  return sim_set_particle(world, 1, position, velocity);
}

weft_result sim_oscillator_read(const weft_world* world, sim_motion* motion) {
  float pos[3] = {0.0f}, vel[3] = {0.0f};
  weft_result result = weft_world_get(world, WEFT_ATTRIBUTE_POSITION, weft_range(1, 1), pos, 0);
  if (result.error == WEFT_OK)
    result = weft_world_get(world, WEFT_ATTRIBUTE_VELOCITY, weft_range(1, 1), vel, 0);
  for (int k = 0; k < 3; ++k) {
    motion->pos[k] = (double)pos[k];
    motion->vel[k] = (double)vel[k];
  }
  return result;
}

static double length_of(const double v[3]) {
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

sim_motion sim_oscillator_start(const sim_oscillator* oscillator) {
  sim_motion motion;
  memcpy(motion.pos, oscillator->pos, sizeof motion.pos);
  memcpy(motion.vel, oscillator->vel, sizeof motion.vel);
  return motion;
}

/* Derivatives of the state, per second. */
static sim_motion rates(const sim_oscillator* o, const sim_motion* at) {
  const double length = length_of(at->pos);
  double growth = 0.0;
  for (int k = 0; k < 3; ++k) growth += at->pos[k] / length * at->vel[k];
  const double tension = (length - o->length) / o->compliance + o->damping * growth;
  sim_motion rate;
  for (int k = 0; k < 3; ++k) {
    rate.pos[k] = at->vel[k];
    rate.vel[k] = -tension * at->pos[k] / length / o->mass - (k == 1 ? o->gravity : 0.0);
  }
  return rate;
}

static sim_motion ahead(const sim_motion* from, const sim_motion* rate, double h) {
  sim_motion motion;
  for (int k = 0; k < 3; ++k) {
    motion.pos[k] = from->pos[k] + h * rate->pos[k];
    motion.vel[k] = from->vel[k] + h * rate->vel[k];
  }
  return motion;
}

void sim_oscillator_follow(const sim_oscillator* oscillator, double seconds, sim_motion* motion) {
  // a thousandth of the spring's own time
  const double upper = 1e-3 * sqrt(oscillator->mass * oscillator->compliance);
  const double count = ceil(seconds / upper);
  const double h = seconds / count;
  for (double n = 0.0; n < count; ++n) {
    const sim_motion a = rates(oscillator, motion);
    const sim_motion at_b = ahead(motion, &a, 0.5 * h);
    const sim_motion b = rates(oscillator, &at_b);
    const sim_motion at_c = ahead(motion, &b, 0.5 * h);
    const sim_motion c = rates(oscillator, &at_c);
    const sim_motion at_d = ahead(motion, &c, h);
    const sim_motion d = rates(oscillator, &at_d);
    for (int k = 0; k < 3; ++k) {
      motion->pos[k] += h / 6.0 * (a.pos[k] + 2.0 * b.pos[k] + 2.0 * c.pos[k] + d.pos[k]);
      motion->vel[k] += h / 6.0 * (a.vel[k] + 2.0 * b.vel[k] + 2.0 * c.vel[k] + d.vel[k]);
    }
  }
}

double sim_oscillator_energy(const sim_oscillator* oscillator, const sim_motion* motion) {
  const sim_oscillator* o = oscillator;
  const double speed = length_of(motion->vel);
  const double excess = length_of(motion->pos) - o->length;
  return 0.5 * o->mass * speed * speed + 0.5 * excess * excess / o->compliance +
         o->mass * o->gravity * (motion->pos[1] + o->length);
}

double sim_fitted_order(const double* steps, const double* errors, int count) {
  double x = 0.0, y = 0.0, product = 0.0, square = 0.0;
  for (int i = 0; i < count; ++i) {
    x += log(steps[i]) / count;
    y += log(errors[i]) / count;
  }
  for (int i = 0; i < count; ++i) {
    product += (log(steps[i]) - x) * (log(errors[i]) - y);
    square += (log(steps[i]) - x) * (log(steps[i]) - x);
  }
  return product / square;
}
