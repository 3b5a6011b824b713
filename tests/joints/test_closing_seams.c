/* Seams: pairs of particles that are drawn together and stay welded. */
#include "support/test.h"

enum { PAIRS = 8 };

// Two rows of particles, a rope each, beside each other at `gap` metres; the first row is pinned.
static weft_world* new_rows(float gap) {
  weft_scene* scene = new_scene();
  for (uint32_t row = 0; row < 2; ++row) {
    float places[3 * PAIRS] = {0.0f};
    float inverse_masses[PAIRS];
    for (uint32_t i = 0; i < PAIRS; ++i) {
      places[3 * i] = 0.1f * (float)i;
      places[3 * i + 1] = -gap * (float)row;
      inverse_masses[i] = row == 0 ? 0.0f : 100.0f;
    }
    expect_ok(weft_scene_add_particles(scene, places, inverse_masses, PAIRS, NULL));
  }
  for (uint32_t i = PAIRS; i + 1 < 2 * PAIRS; ++i) {
    weft_link_def link = weft_default_link_def();
    link.a = i;
    link.b = i + 1;
    link.rest_length = 0.1f;
    expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
  }
  return new_plain_world(scene, .max_joints = PAIRS, .substeps = 4);
}

static weft_seam_def seam_of(uint32_t pairs[2 * PAIRS]) {
  for (uint32_t i = 0; i < PAIRS; ++i) {
    pairs[2 * i] = PAIRS + i;
    pairs[2 * i + 1] = i;
  }
  weft_seam_def seam = weft_default_seam_def();
  seam.pairs = pairs;
  seam.count = PAIRS;
  return seam;
}

static double widest_gap(const weft_world* world) {
  float* at = new_positions(world);
  double widest = 0.0;
  for (uint32_t i = 0; i < PAIRS; ++i) {
    const float* a = at + (size_t)3 * i;
    const float* b = at + (size_t)3 * (PAIRS + i);
    widest = fmax(widest, hypot((double)(a[0] - b[0]), (double)(a[1] - b[1])));
  }
  return widest;
}

TEST(a_seam_closes_at_constant_speed_and_then_holds_like_a_weld) {
  weft_world* world = new_rows(0.2f);
  uint32_t pairs[2 * PAIRS];
  const weft_seam_def seam = seam_of(pairs);
  weft_joint joints[PAIRS];
  expect_ok(weft_world_add_seam(world, &seam, joints));
  // the loose row hangs on its threads
  for (int quarter = 1; quarter <= 3; ++quarter) {
    weft_world_step(world, 15);
    ck_assert_double_eq_tol(widest_gap(world), 0.2 * (1.0 - 0.25 * quarter), 0.002);
    weft_joint_def def;
    expect_ok(weft_world_get_joint(world, joints[0], &def, NULL, NULL));
    ck_assert_float_eq_tol(def.closing_time, 1.0f - 0.25f * (float)quarter, 0.001f);
  }
  weft_world_step(world, 60);
  ck_assert_double_le(widest_gap(world), 1e-5);
  weft_joint_def def;
  expect_ok(weft_world_get_joint(world, joints[0], &def, NULL, NULL));
  ck_assert(def.closing_time == 0.0f && def.rest_length == 0.0f);
}

TEST(a_bad_seam_is_named_and_adds_no_joint) {
  weft_world* world = new_rows(0.2f);
  uint32_t pairs[2 * PAIRS];
  weft_seam_def seam = seam_of(pairs);
  const struct {
    uint32_t pair[2];
    weft_error error;
  } bad[] = {
      {{3, 3}, WEFT_ERROR_SELF_LINK}, {{3, 99}, WEFT_ERROR_INDEX}, {{99, 3}, WEFT_ERROR_INDEX}};
  for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); ++i) {
    memcpy(pairs + 10, bad[i].pair, sizeof(bad[i].pair));
    expect_error_at(weft_world_add_seam(world, &seam, NULL), bad[i].error, "weft_seam_def.pairs",
                    5);
  }
  seam = seam_of(pairs);
  expect_ok(weft_world_add_seam(world, &seam, NULL));
  ck_assert_int_eq(weft_world_add_seam(world, &seam, NULL).error, WEFT_ERROR_TOO_MANY);
}
