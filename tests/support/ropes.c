#include "support/ropes.h"

#include <math.h>

rope_def hanging_rope(uint32_t link_count, float load_ratio) {
  return (rope_def){.link_count = link_count,
                    .length = 2.0f,
                    .mass = 0.1f,
                    .load = 0.1f * load_ratio,
                    .towards = {0.0f, -1.0f, 0.0f}};
}

rope add_rope(weft_scene* scene, rope_def def) {
  const rope made = {weft_scene_particle_count(scene), def.link_count};
  const float each = def.length / (float)def.link_count;
  for (uint32_t i = 0; i <= def.link_count; ++i) {
    float position[3];
    for (int k = 0; k < 3; ++k) position[k] = def.from[k] + (float)i * each * def.towards[k];
    float inverse_mass = (float)def.link_count / def.mass;
    if (i == 0 && !def.is_free) inverse_mass = 0.0f;
    if (i == def.link_count) inverse_mass = def.load > 0.0f ? 1.0f / def.load : 0.0f;
    expect_ok(weft_scene_add_particles(scene, position, &inverse_mass, 1, NULL));
    if (i == 0) continue;
    const weft_link_def link = {.a = made.first + i - 1,
                                .b = made.first + i,
                                .rest_length = each,
                                .relaxation = 1.0f,
                                .compliance = def.compliance};
    expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
  }
  return made;
}

double distance(const float* a, const float* b) {
  return hypot(hypot((double)a[0] - (double)b[0], (double)a[1] - (double)b[1]),
               (double)a[2] - (double)b[2]);
}

double worst_strain(const weft_world* world, rope r, double rest_length) {
  double worst = 0.0;
  float* positions = new_positions(world);
  for (uint32_t i = r.first; i < r.first + r.link_count; ++i) {
    const double length = distance(positions + (size_t)3 * i, positions + (size_t)3 * i + 3);
    require(isfinite(length));
    worst = fmax(worst, fabs(length / rest_length - 1.0));
  }
  return worst;
}

weft_world* new_direct_world(weft_scene* scene, uint32_t direct_iterations, float damping) {
  weft_world_def def = weft_plain_world_def();
  def.solver.sweeps = WEFT_SWEEPS_SYMMETRIC;
  def.solver.direct_iterations = direct_iterations;
  def.damping = damping;
  return new_world(&def, scene);
}

double worst_strain_in(weft_world* world, rope r, double rest_length, uint32_t steps) {
  double worst = 0.0;
  for (uint32_t i = 0; i < steps; ++i) {
    weft_world_step(world, 1);
    worst = fmax(worst, worst_strain(world, r, rest_length));
  }
  return worst;
}
