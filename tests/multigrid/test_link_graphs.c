/* Links of any kind between any two particles of sheets, meshes and free particles: world creation
 * and stepping succeed for any options. */
#include "scene/scene.h"
#include "support/link_modes.h"
#include "support/test.h"

static float random_compliance(random_source* random) {
  return random_chance(random, 2) ? 0.0f : expf(random_float(random, -16.0f, 4.0f));
}

// random link; half of them between nearby particles, so that links cross cells in every direction
static weft_link_def random_link(random_source* random, uint32_t count) {
  const uint32_t a = random_below(random, count);
  const uint32_t apart = random_from(random, 1, random_chance(random, 2) ? 16 : count);
  weft_link_def link = {
      .a = a,
      .b = (a + apart) % count,
      .rest_length = expf(random_float(random, -5.0f, 1.0f)),
      .relaxation = random_chance(random, 4) ? random_float(random, 0.0f, 1.0f) : 1.0f,
      .kind = (weft_link_kind)random_below(random, 4),
      .compliance = random_compliance(random),
      .mode = (weft_link_mode)random_below(random, 4)};
  if (link.mode == WEFT_LINK_MODE_RANGE) link.max_length = 1.5f * link.rest_length;
  if (random_chance(random, 8)) link.tear_ratio = random_float(random, 1.5f, 20.0f);
  if (random_chance(random, 8)) link.spring_damping = random_float(random, 0.0f, 0.1f);
  return link;
}

static void add_any_links(weft_scene* scene, random_source* random) {
  const uint32_t particles = weft_scene_particle_count(scene);
  const uint32_t count = particles < 2 ? 0 : random_from(random, 1, 60);
  for (uint32_t i = 0; i < count; ++i) {
    const weft_link_def link = random_link(random, particles);
    // an existing pair is refused
    if (link.a != link.b) may_fail(weft_scene_add_links(scene, &link, 1, NULL));
  }
}

static void add_any_sheet(weft_scene* scene, random_source* random,
                          const weft_material_def* material) {
  weft_sheet_def def = sheet_def(.material = material);
  def.columns = random_from(random, 1, random_chance(random, 4) ? 3 : 24);
  def.rows = random_from(random, 1, random_chance(random, 4) ? 3 : 24);
  def.origin[2] = random_float(random, -1.0f, 1.0f);
  def.structural = !random_chance(random, 6);
  def.shear = random_chance(random, 2);
  def.bend = random_chance(random, 2);
  if (random_chance(random, 4)) def.relaxation = 1e-6f;
  if (random_chance(random, 4)) def.tear_ratio = 3.0f;
  expect_ok(weft_scene_add_sheet(scene, &def, NULL));
}

static weft_scene* new_any_scene(random_source* random) {
  weft_scene* scene = new_scene();
  const uint32_t bodies = random_from(random, 1, 4);
  for (uint32_t i = 0; i < bodies; ++i) {
    const weft_material_def made_of = random_material(random);
    const weft_material_def* material = random_chance(random, 2) ? &made_of : NULL;
    switch (random_below(random, 4)) {
      case 0:
        (void)add_random_mesh_of(scene, random, random_from(random, 2, 9), material, 0.2f);
        break;
      case 1:
        (void)add_cloud(scene, random, random_from(random, 1, 60), 1.0f);
        break;
      default:
        add_any_sheet(scene, random, material);
        break;
    }
  }
  add_any_links(scene, random);
  const uint32_t particles = weft_scene_particle_count(scene);
  for (uint32_t pins = random_below(random, 6); pins > 0; --pins) {
    expect_ok(weft_scene_pin(scene, random_below(random, particles), 1));
  }
  return scene;
}

static weft_world_def any_def(random_source* random) {
  weft_world_def def = weft_plain_world_def();
  def.iterations = random_below(random, 4);
  def.coarse_iterations = random_chance(random, 4) ? 0 : random_from(random, 1, 4);
  def.attachments = random_below(random, 5);
  def.substeps = random_from(random, 1, 3);
  def.direct_iterations = random_chance(random, 3) ? 0 : random_from(random, 1, 6);
  def.integrator = random_chance(random, 2) ? WEFT_INTEGRATOR_POSITION_VERLET
                                            : (weft_integrator)random_below(random, 5);
  def.springs = random_chance(random, 4);
  def.worker_count = random_from(random, 1, 2);
  return def;
}

RANDOM_TEST(links_of_any_kind_between_any_particles_go_through_every_builder, ROUNDS(150, 40)) {
  weft_scene* scene = new_any_scene(&random);
  for (uint32_t i = 0; i < 3; ++i) {
    const weft_world_def def = any_def(&random);
    weft_world* world = new_world(&def, scene);
    weft_world_step(world, 2);
    ck_assert_uint_eq(stats_of(world).link_count, weft_scene_link_count(scene));
  }
}
