/* Sheets at rest on each other, on themselves, on slopes and on particle shapes. */
#include "support/cloths.h"
#include "support/test.h"

// ---- sheets ----

static double least_distance(const weft_world* world, const weft_body* a, const weft_body* b) {
  float* positions = new_positions(world);
  double lower = INFINITY;
  for (uint32_t i = 0; i < a->particle_count; ++i) {
    for (uint32_t j = 0; j < b->particle_count; ++j) {
      const double d = distance_between(positions, a->first_particle + i, b->first_particle + j);
      if (d < lower) lower = d;
    }
  }
  return lower;
}

LOOP_TEST(sheets_that_fall_on_each_other_stay_apart, 0, 2) {
  // two sheets with one substep, three with four
  const int count = 2 + _i;
  const placed_sheet sheets[3] = {{14, 14, {0.0f, 0.02f, 0.0f}, SPACING},
                                  {14, 14, {0.013f, 0.12f, 0.021f}, SPACING},
                                  {14, 14, {0.007f, 0.22f, 0.005f}, SPACING}};
  weft_scene* scene = new_scene();
  weft_body bodies[3];
  for (int s = 0; s < count; ++s) bodies[s] = add_flat(scene, &sheets[s]);
  weft_world* world = new_plain_world(scene, .worker_count = 2, .substeps = _i == 0 ? 1 : 4);
  for (int s = 0; s < count; ++s) lay_out(world, &bodies[s], &sheets[s], 1.0f, 0.0f);
  add_floor(world, 0.5f);
  const float radius = 0.45f * SPACING;
  make_cloth(world, 0, particle_count_of(world), radius, 0.3f);
  double lower = INFINITY;
  for (int step = 0; step < 240; step += 10) {
    weft_world_step(world, 10);
    if (step < 120) continue;
    for (int s = 0; s < count; ++s) {
      const double d = least_distance(world, &bodies[s], &bodies[(s + 1) % count]);
      if (d < lower) lower = d;
    }
  }
  ck_assert_double_ge(lower, 0.9 * 2.0 * (double)radius);
}

// smallest distance of two particles of a strip that are no neighbours in it
static double least_within(const float* positions, uint32_t columns, uint32_t rows) {
  double lower = INFINITY;
  for (uint32_t a = 0; a < columns * rows; ++a) {
    for (uint32_t b = 0; b < a; ++b) {
      if (a / columns - b / columns < 3 && b % columns + 3 > a % columns &&
          a % columns + 3 > b % columns) {
        continue;
      }
      const double d = distance_between(positions, a, b);
      if (d < lower) lower = d;
    }
  }
  return lower;
}

TEST(a_strip_that_is_folded_over_itself_stays_in_its_layers) {
  enum { COLUMNS = 8, ROWS = 60 };
  weft_scene* scene = new_scene();
  const placed_sheet sheet = {COLUMNS, ROWS, {0.0f, 0.0f, 0.0f}, SPACING};
  (void)add_flat(scene, &sheet);
  weft_world* world = new_plain_world(scene, .substeps = 4);
  // three layers, with turns half a spacing wide
  for (uint32_t i = 0; i < COLUMNS * ROWS; ++i) {
    const uint32_t layer = i / COLUMNS / 20;
    const uint32_t along = i / COLUMNS % 20;
    const float position[3] = {SPACING * (float)(i % COLUMNS), 0.01f + SPACING * (float)layer,
                               SPACING * (float)(layer % 2 == 0 ? along : 19 - along)};
    place_particle(world, i, position, NULL);
  }
  add_floor(world, 0.8f);
  const float radius = 0.45f * SPACING;
  make_cloth(world, 0, COLUMNS * ROWS, radius, 0.4f);
  weft_world_step(world, 400);
  float* before = new_positions(world);
  weft_world_step(world, 60);
  float* after = new_positions(world);
  // sharp turns may still move, the rest is at rest
  double sum = 0.0;
  for (uint32_t i = 0; i < 3 * COLUMNS * ROWS; ++i) {
    sum += ((double)after[i] - (double)before[i]) * ((double)after[i] - (double)before[i]);
  }
  ck_assert_double_le(sqrt(sum / (COLUMNS * ROWS)), 0.3 * (double)SPACING);
  ck_assert_double_ge(least_within(after, COLUMNS, ROWS), 0.9 * 2.0 * (double)radius);
}

// A small sheet on a dense pinned one, inclined by the angle of this sine; returns its displacement
// down the slope in a second.
static double slide(float sine, float friction) {
  const float cosine = sqrtf(1.0f - sine * sine);
  const placed_sheet slope = {60, 30, {0.0f, 0.0f, 0.0f}, 0.02f};
  const placed_sheet rider = {8, 8, {0.6f, 0.0f, 0.13f}, SPACING};
  weft_scene* scene = new_scene();
  const weft_body under = add_flat(scene, &slope);
  const weft_body over = add_flat(scene, &rider);
  expect_ok(weft_scene_pin(scene, 0, under.particle_count));
  weft_world* world = new_plain_world(scene, .undamped = true);
  lay_out(world, &under, &slope, cosine, sine);
  placed_sheet above = rider;
  above.origin[1] = 0.0445f;
  lay_out(world, &over, &above, cosine, sine);
  make_cloth(world, 0, particle_count_of(world), 0.0225f, friction);
  float before[3];
  float after[3];
  expect_ok(weft_world_get_positions(world, over.first_particle + 27, 1, before));
  weft_world_step(world, 60);
  expect_ok(weft_world_get_positions(world, over.first_particle + 27, 1, after));
  return (double)(before[0] - after[0]) / (double)cosine;
}

TEST(friction_holds_a_sheet_on_a_slope_until_it_is_too_steep) {
  // friction of two coefficients of 0.4 combines to 0.57, which holds up to that tangent
  ck_assert_double_le(fabs(slide(0.3f, 0.4f)), 0.01);
  ck_assert_double_ge(slide(0.3f, 0.02f), 0.3);
  ck_assert_double_ge(slide(0.7f, 0.4f), 0.3);
}

TEST(cloth_lies_on_bodies) {
  // one pinned particle of each shape, and a sheet over it
  for (int shape = WEFT_PARTICLE_SHAPE_SPHERE; shape <= WEFT_PARTICLE_SHAPE_ELLIPSOID; ++shape) {
    const placed_sheet sheet = {9, 9, {-0.2f, 0.2f, -0.2f}, SPACING};
    weft_scene* scene = new_scene();
    const weft_body cloth = add_flat(scene, &sheet);
    const float origin[3] = {0.0f, 0.0f, 0.0f};
    const float pinned = 0.0f;
    expect_ok(weft_scene_add_particles(scene, origin, &pinned, 1, NULL));
    const weft_world_def def = weft_plain_world_def();
    weft_world* world = new_world(&def, scene);
    lay_out(world, &cloth, &sheet, 1.0f, 0.0f);
    make_cloth(world, 0, cloth.particle_count, 0.0225f, 1.0f);
    const weft_particle_shape_def body =
        shape_def(.shape = (weft_particle_shape)shape,
                  .half_size = {0.18f, shape == WEFT_PARTICLE_SHAPE_SPHERE ? 0.18f : 0.1f, 0.18f},
                  .friction = 1.0f);
    expect_ok(weft_world_set_particle_shape(world, cloth.particle_count, 1, &body));
    weft_world_step(world, 60);
    float middle[3];
    expect_ok(weft_world_get_positions(world, 40, 1, middle));
    const double top = (double)body.half_size[1] + 0.0225;
    ck_assert_double_eq_tol((double)middle[1], top, 0.003);
  }
}
