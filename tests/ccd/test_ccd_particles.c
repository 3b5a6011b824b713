/* CCD of particles that hit a sheet: they do not pass, and friction acts. */
#include "support/ccd_sheets.h"
#include "support/passing.h"
#include "support/test.h"

// sheet pinned along its rim, with bullets above it
static weft_world* new_range(const weft_world_def* def, uint32_t side, uint32_t bullets,
                             float friction, const weft_contact_limits_def* limits) {
  random_source random = {7};
  weft_scene* scene = new_scene();
  add_flat(scene, side, 0.0f);
  const float half = 0.5f * SPACING * (float)(side - 1);
  for (uint32_t b = 0; b < bullets; ++b) {
    const float place[3] = {random_float(&random, -0.9f * half, 0.9f * half),
                            random_float(&random, 0.5f, 3.0f),
                            random_float(&random, -0.9f * half, 0.9f * half)};
    const float inverse_mass = 1e4f;
    expect_ok(weft_scene_add_particles(scene, place, &inverse_mass, 1, NULL));
  }
  weft_world* world = new_world(def, scene);
  pin_rim(world, side);
  if (limits != NULL) expect_ok(weft_world_set_contact_limits(world, limits));
  weft_particle_shape_def contact = cloth_contact();
  contact.surface.static_friction = contact.surface.dynamic_friction = friction;
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, side * side), &contact));
  contact = weft_default_particle_shape_def();
  contact.shape = WEFT_PARTICLE_SHAPE_SPHERE;
  contact.half_size[0] = 0.002f;
  expect_ok(weft_world_set_particle_shape(world, weft_range(side * side, bullets), &contact));
  float* start = new_positions(world);
  for (uint32_t i = side * side; i < side * side + bullets; ++i) {
    const float velocity[3] = {random_float(&random, -10.0f, 10.0f), -100.0f,
                               random_float(&random, -10.0f, 10.0f)};
    place_particle(world, i, start + (size_t)3 * i, velocity);
  }
  return world;
}

// Number of bullets below the sheet: a vertical segment from there up crosses it an odd number of
// times. Bullets beyond the rim are skipped: there the parity says nothing.
static uint32_t count_below(const weft_world* world, uint32_t side, uint32_t bullets) {
  face_mesh mesh = new_sheet_mesh(side, side, 1);
  float* positions = new_positions(world);
  uint32_t below = 0;
  const float half = 0.5f * SPACING * (float)(side - 1);
  for (uint32_t i = side * side; i < side * side + bullets; ++i) {
    const float* from = positions + (size_t)3 * i;
    if (fabsf(from[0]) > half || fabsf(from[2]) > half) continue;
    const float up[3] = {from[0], 1000.0f, from[2]};
    below += count_passed(&mesh, positions, from, up) % 2;
  }
  return below;
}

TEST(bullets_do_not_pass_a_sheet) {
  enum { SIDE = ROUNDS(33, 9), BULLETS = ROUNDS(1000, 50) };
  const weft_world_def def = faces_def();
  weft_world* world = new_range(&def, SIDE, BULLETS, 0.0f, NULL);
  for (int s = 0; s < ROUNDS(8, 4); ++s) {
    weft_world_step(world, 1);
    require(count_below(world, SIDE, BULLETS) == 0);
  }
  require(contact_stats_of(world).lost_ccd_pairs == 0);
}

TEST(where_there_is_no_room_pairs_are_counted_and_nothing_passes) {
  weft_contact_limits_def limits = weft_default_contact_limits_def();
  limits.max_ccd_pairs = 10;
  for (uint32_t workers = 1; workers <= 3; ++workers) {
    weft_world_def def = faces_def();
    def.worker_count = workers;
    weft_world* world = new_range(&def, 9, 50, 0.0f, &limits);
    uint32_t over_budget = 0;
    for (int s = 0; s < 5; ++s) {
      weft_world_step(world, 1);
      over_budget += contact_stats_of(world).ccd_over_budget;
    }
    require(contact_stats_of(world).lost_ccd_pairs > 0 && over_budget > 0);
    require(count_below(world, 9, 50) == 0);
    static uint64_t first_hash;
    uint64_t hash = 0;
    hash = weft_world_hash(world);
    if (workers == 1) first_hash = hash;
    require(hash == first_hash);
  }
}

// displacement of a particle that slides over a pinned sheet
static float slide(float friction) {
  enum { SIDE = 17 };
  const weft_world_def def = faces_def();
  weft_scene* scene = new_scene();
  add_flat(scene, SIDE, 0.0f);
  const float place[3] = {-0.1f, 0.001f, 0.003f};
  const float inverse_mass = 1000.0f;
  expect_ok(weft_scene_add_particles(scene, place, &inverse_mass, 1, NULL));
  weft_world* world = new_world(&def, scene);
  pin_particles(world, 0, SIDE * SIDE);
  weft_particle_shape_def contact = cloth_contact();
  contact.surface.static_friction = contact.surface.dynamic_friction = friction;
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, SIDE * SIDE + 1), &contact));
  const float velocity[3] = {0.3f, 0.0f, 0.0f};
  place_particle(world, SIDE * SIDE, place, velocity);
  weft_world_step(world, 30);
  float end[3];
  expect_get(world, WEFT_ATTRIBUTE_POSITION, SIDE * SIDE, 1, end);
  require(end[1] > 0.0f);
  return end[0] - place[0];
}

TEST(friction_slows_what_slides) {
  const float free_way = slide(0.0f);
  const float slowed = slide(0.2f);
  require(free_way > 0.14f);
  // v^2 / 2 mu g = 0.023
  require(slowed < 0.05f && slowed > 0.005f);
}
