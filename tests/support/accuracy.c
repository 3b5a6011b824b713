#include "support/accuracy.h"

#include <math.h>

#include "support/worlds.h"

weft_world* new_oscillator_world(const weft_world_def* def, const sim_oscillator* o) {
  weft_scene* scene = new_scene();
  weft_world_def with = *def;
  expect_ok(sim_oscillator_describe(o, scene, &with));
  weft_world* world = new_world(&with, scene);
  expect_ok(sim_oscillator_push(o, world));
  return world;
}

sim_motion oscillator_read(const weft_world* world) {
  sim_motion motion;
  expect_ok(sim_oscillator_read(world, &motion));
  return motion;
}

sim_motion oscillator_solution(const sim_oscillator* o, double seconds) {
  sim_motion motion = sim_oscillator_start(o);
  sim_oscillator_follow(o, seconds, &motion);
  return motion;
}

static double distance(const double a[3], const double b[3]) {
  const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
  return sqrt(x * x + y * y + z * z);
}

motion_error oscillator_error(const sim_oscillator* o, weft_integrator integrator, int64_t step_ns,
                              uint32_t count) {
  const weft_world_def def = plain_def(.integrator = integrator, .step_ns = step_ns);
  weft_world* world = new_oscillator_world(&def, o);
  weft_world_step(world, count);
  const sim_motion is = oscillator_read(world);
  const sim_motion should = oscillator_solution(o, (double)step_ns * 1e-9 * count);
  return (motion_error){distance(is.pos, should.pos), distance(is.vel, should.vel)};
}
