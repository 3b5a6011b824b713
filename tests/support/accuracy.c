#include "support/accuracy.h"

#include <math.h>

#include "support/worlds.h"

oscillator pendulum_of(double length, double compliance, double angle) {
  return (oscillator){.mass = 1.0,
                      .length = length,
                      .compliance = compliance,
                      .gravity = 9.81,
                      .pos = {length * sin(angle), -length * cos(angle), 0.0}};
}

weft_world* new_oscillator_world(const weft_world_def* def, const oscillator* o) {
  const float positions[] = {
      0.0f, 0.0f, 0.0f, (float)o->pos[0], (float)o->pos[1], (float)o->pos[2]};
  const float velocity[] = {(float)o->vel[0], (float)o->vel[1], (float)o->vel[2]};
  const float inverse_masses[] = {0.0f, (float)(1.0 / o->mass)};
  const weft_link link = {.a = 0,
                          .b = 1,
                          .rest_length = (float)o->length,
                          .stiffness = 1.0f,
                          .compliance = (float)o->compliance,
                          .spring_damping = (float)o->damping};
  weft_scene* scene = new_scene();
  expect_ok(weft_scene_add_particles(scene, positions, inverse_masses, 2, NULL));
  expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
  weft_world_def with = *def;
  with.gravity[0] = with.gravity[2] = 0.0f;
  with.gravity[1] = -(float)o->gravity;
  with.springs = true;
  with.damping = 0.0f;
  with.iterations = 0;
  weft_world* world = new_world(&with, scene);
  expect_ok(weft_world_set_particle(world, 1, positions + 3, velocity));
  weft_scene_destroy(&scene);
  return world;
}

motion_state oscillator_read(const weft_world* world) {
  float pos[3];
  float vel[3];
  expect_ok(weft_world_get_positions(world, 1, 1, pos));
  expect_ok(weft_world_get_velocities(world, 1, 1, vel));
  motion_state state;
  for (int k = 0; k < 3; ++k) {
    state.pos[k] = (double)pos[k];
    state.vel[k] = (double)vel[k];
  }
  return state;
}

// ---- how it moves ----

static double length_of(const double v[3]) {
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

// what changes, per second
static motion_state rates(const oscillator* o, const motion_state* at) {
  const double length = length_of(at->pos);
  double growth = 0.0;
  for (int k = 0; k < 3; ++k) growth += at->pos[k] / length * at->vel[k];
  const double tension = (length - o->length) / o->compliance + o->damping * growth;
  motion_state rate;
  for (int k = 0; k < 3; ++k) {
    rate.pos[k] = at->vel[k];
    rate.vel[k] = -tension * at->pos[k] / length / o->mass - (k == 1 ? o->gravity : 0.0);
  }
  return rate;
}

static motion_state ahead(const motion_state* from, const motion_state* rate, double h) {
  motion_state state;
  for (int k = 0; k < 3; ++k) {
    state.pos[k] = from->pos[k] + h * rate->pos[k];
    state.vel[k] = from->vel[k] + h * rate->vel[k];
  }
  return state;
}

motion_state oscillator_solution(const oscillator* o, double seconds) {
  // a thousandth of the spring's own time
  const double most = 1e-3 * sqrt(o->mass * o->compliance);
  const int count = (int)ceil(seconds / most);
  const double h = seconds / count;
  motion_state state;
  memcpy(state.pos, o->pos, sizeof(state.pos));
  memcpy(state.vel, o->vel, sizeof(state.vel));
  for (int n = 0; n < count; ++n) {
    const motion_state a = rates(o, &state);
    const motion_state at_b = ahead(&state, &a, 0.5 * h);
    const motion_state b = rates(o, &at_b);
    const motion_state at_c = ahead(&state, &b, 0.5 * h);
    const motion_state c = rates(o, &at_c);
    const motion_state at_d = ahead(&state, &c, h);
    const motion_state d = rates(o, &at_d);
    for (int k = 0; k < 3; ++k) {
      state.pos[k] += h / 6.0 * (a.pos[k] + 2.0 * b.pos[k] + 2.0 * c.pos[k] + d.pos[k]);
      state.vel[k] += h / 6.0 * (a.vel[k] + 2.0 * b.vel[k] + 2.0 * c.vel[k] + d.vel[k]);
    }
  }
  return state;
}

double oscillator_energy(const oscillator* o, const motion_state* state) {
  const double speed = length_of(state->vel);
  const double excess = length_of(state->pos) - o->length;
  return 0.5 * o->mass * speed * speed + 0.5 * excess * excess / o->compliance +
         o->mass * o->gravity * (state->pos[1] + o->length);
}

// ---- errors ----

motion_error oscillator_error(const oscillator* o, weft_integrator integrator, int64_t step_ns,
                              uint32_t count) {
  weft_world_def def = weft_default_world_def();
  def.integrator = integrator;
  def.step_ns = step_ns;
  weft_world* world = new_oscillator_world(&def, o);
  weft_world_step(world, count);
  const motion_state is = oscillator_read(world);
  const motion_state should = oscillator_solution(o, (double)step_ns * 1e-9 * count);
  weft_world_destroy(&world);
  double pos[3];
  double vel[3];
  for (int k = 0; k < 3; ++k) {
    pos[k] = is.pos[k] - should.pos[k];
    vel[k] = is.vel[k] - should.vel[k];
  }
  return (motion_error){length_of(pos), length_of(vel)};
}

double fitted_order(const double* steps, const double* errors, int count) {
  double x = 0.0;
  double y = 0.0;
  for (int i = 0; i < count; ++i) {
    x += log(steps[i]) / count;
    y += log(errors[i]) / count;
  }
  double product = 0.0;
  double square = 0.0;
  for (int i = 0; i < count; ++i) {
    product += (log(steps[i]) - x) * (log(errors[i]) - y);
    square += (log(steps[i]) - x) * (log(steps[i]) - x);
  }
  return product / square;
}
