/* Same shape at rest for any resolution of a cloth, with coarse levels. */
#include "support/hung.h"
#include "support/test.h"

static const uint32_t sides[] = {33, 65, 129};
enum { SIDES = ROUNDS(3, 2) };

static weft_world_def leveled(void) {
  return plain_def(.iterations = 8, .coarse_iterations = 8, .damping = 2.0f);
}

// ---- hung by the top row ----

// strip of 2 m by 0.25 m with `rows` particles along its length
static strip new_strip(uint32_t rows, float stiffness) {
  strip s = {.columns = (rows - 1) / 8 + 1,
             .rows = rows,
             .width = 0.25f,
             .length = 2.0f,
             .material = weft_default_material_def()};
  s.material.stretch_stiffness = stiffness;
  s.material.shear_stiffness = 0.1f * stiffness;
  return s;
}

static double strain_after(const strip* s, uint32_t steps) {
  const weft_world_def def = leveled();
  weft_world* world = new_strip_world(&def, s);
  weft_world_step(world, steps);
  return strain_between(world, s, 0, s->rows - 1);
}

LOOP_TEST(a_strip_stretches_as_far_as_the_closed_form_says_at_any_resolution, 0, 7) {
  static const float stiffnesses[] = {20.0f, 60.0f, 200.0f, 600.0f, 2000.0f, 20000.0f, 200000.0f};
  double first = 0.0;
  for (uint32_t i = 0; i < SIDES; ++i) {
    const strip s = new_strip(sides[i], stiffnesses[_i]);
    const double expected =
        strip_weight(&s) / (2.0 * (double)s.width * (double)s.material.stretch_stiffness);
    const double strain = strain_after(&s, 300);
    if (i == 0) first = strain;
    // the absolute tolerance covers the strain left by the few iterations
    ck_assert_msg(fabs(strain - expected) < 0.08 * expected + 4e-4, "%u rows of %g N/m: %g, not %g",
                  (unsigned)s.rows, (double)stiffnesses[_i], strain, expected);
    ck_assert_double_lt(fabs(strain - first), 0.08 * first + 1e-4);
  }
}

// ---- hung by two corners ----

// height of a hanging square of 2 m: lowest particle, and middle of the bottom edge
typedef struct sag {
  double lowest, middle;
} sag;

// small wrinkle that breaks the symmetry of the folds
static void wrinkle(weft_world* world, const weft_scene* scene) {
  for (uint32_t i = 0; i < weft_scene_particle_count(scene); ++i) {
    float place[3];
    expect_ok(weft_scene_get_particles(scene, i, 1, place, NULL));
    place[2] = 0.01f * sinf(3.0f * place[0]) * sinf(2.0f * place[1]);
    place_particle(world, i, place, NULL);
  }
}

static sag read_sag(const weft_world* world, uint32_t side) {
  sag s = {0.0, 0.0};
  float* places = new_positions(world);
  for (uint32_t i = 0; i < side * side; ++i) s.lowest = fmax(s.lowest, -(double)places[3 * i + 1]);
  s.middle = -(double)places[3 * ((side - 1) * side + side / 2) + 1];
  return s;
}

static sag hang_by_corners(uint32_t side, uint32_t steps) {
  weft_scene* scene = new_scene();
  const weft_material_def material = weft_default_material_def();
  (void)add_cloth(scene, .side = side, .spacing = 2.0f / (float)(side - 1), .material = &material);
  expect_ok(weft_scene_pin(scene, 0, 1));
  expect_ok(weft_scene_pin(scene, side - 1, 1));
  const weft_world_def def = leveled();
  weft_world* world = new_world(&def, scene);
  wrinkle(world, scene);
  weft_world_step(world, steps);
  return read_sag(world, side);
}

TEST(a_square_hung_by_two_corners_sags_as_far_at_any_resolution) {
  const sag first = hang_by_corners(sides[0], 300);
  ck_assert_double_gt(first.lowest, 2.0);
  for (uint32_t i = 1; i < SIDES; ++i) {
    const sag s = hang_by_corners(sides[i], 300);
    ck_assert_msg(fabs(s.lowest - first.lowest) < 0.05 * first.lowest &&
                      fabs(s.middle - first.middle) < 0.05 * first.middle,
                  "side %u: lowest %g, middle %g; side %u: %g, %g", (unsigned)sides[i], s.lowest,
                  s.middle, (unsigned)sides[0], first.lowest, first.middle);
  }
}
