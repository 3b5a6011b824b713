/* Cuts and tears by shape: links affected, determinism and refused arguments. */
#include "support/bend_scenes.h"
#include "support/near.h"
#include "support/ropes.h"
#include "support/test.h"
#include "support/torn.h"

// ---- links that touch a shape ----

typedef struct shape {
  bool is_blade;
  float corner[9], radius;
} shape;

// shape near a random particle, with an extent of 0.5 or 10 metres along each axis
static shape draw_shape(random_source* random, const float* positions, uint32_t count) {
  shape s = {.is_blade = random_chance(random, 2), .radius = random_float(random, 0.01f, 0.3f)};
  const float size = random_chance(random, 3) ? 10.0f : 0.5f;
  const float* at = positions + (size_t)3 * random_below(random, count);
  for (int k = 0; k < 9; ++k) s.corner[k] = at[k % 3] + random_float(random, -size, size);
  // one in three capsules is a sphere; one shape in four starts at a particle
  if (random_chance(random, 3)) memcpy(s.corner + 3, s.corner, sizeof(float[3]));
  if (random_chance(random, 4)) memcpy(s.corner, at, sizeof(float[3]));
  return s;
}

static double apart(const shape* s, const weft_link_def* link, const float* positions) {
  const point a = point_of(positions + (size_t)3 * link->a);
  const point b = point_of(positions + (size_t)3 * link->b);
  const point corner[3] = {point_of(s->corner), point_of(s->corner + 3), point_of(s->corner + 6)};
  if (s->is_blade) return segment_to_triangle(a, b, corner);
  return segment_to_segment(a, b, corner[0], corner[1]) - (double)s->radius;
}

static uint32_t apply(weft_world* world, const shape* s) {
  uint32_t torn = UINT32_MAX;
  if (s->is_blade) {
    expect_ok(weft_world_cut(world, s->corner, &torn));
  } else {
    expect_ok(weft_world_tear_near(world, s->corner, s->corner + 3, s->radius, &torn));
  }
  return torn;
}

// distance bound that skips the expensive search for most links
static bool may_touch(const shape* s, const weft_link_def* link, const float* positions) {
  const float* a = positions + (size_t)3 * link->a;
  double reach = distance(a, positions + (size_t)3 * link->b) + (double)s->radius;
  for (int i = 3; i < 9; i += 3) reach += distance(s->corner, s->corner + i);
  return distance(a, s->corner) <= reach;
}

// compares a random sample of at most about 1000 links
static void compare(const weft_scene* scene, weft_world* world, const shape* s, bool* torn,
                    random_source* random) {
  float* positions = new_positions(world);
  const uint32_t count = apply(world, s);
  const bool is_flat = s->is_blade && memcmp(s->corner, s->corner + 3, sizeof(float[3])) == 0;
  const uint32_t links = weft_scene_link_count(scene);
  uint32_t expected = 0;
  for (uint32_t i = 0; i < links; ++i) {
    const weft_link_def link = link_of(scene, i);
    const bool now = is_torn(world, i);
    const bool before = torn[i];
    torn[i] = now;
    expected += now && !before;
    if (before) require(now);
    if (before || (!now && !may_touch(s, &link, positions))) continue;
    if (random_below(random, links + 1) > 1000) continue;
    const double distance = is_flat ? 1.0 : apart(s, &link, positions);
    if (fabs(distance) < 1e-6 && !(s->is_blade && distance < 1e-8)) continue;
    require(now == (distance < 1e-7));
  }
  require(count == expected);
}

RANDOM_TEST(what_a_search_finds_to_touch_is_torn_and_nothing_else, ROUNDS(16, 8)) {
  weft_scene* scene = new_scene_case(_i % scene_case_count());
  const uint32_t count = weft_scene_link_count(scene);
  bool* torn = test_alloc((count + 1) * sizeof(*torn));
  weft_world* world = new_plain_world(scene, .worker_count = 1 + (uint32_t)_i % 3);
  weft_world_step(world, 2);
  for (int round = 0; round < ROUNDS(4, 2); ++round) {
    float* positions = new_positions(world);
    const shape s = draw_shape(&random, positions, particle_count_of(world));
    compare(scene, world, &s, torn, &random);
    weft_world_step(world, 1);
  }
  uint32_t all = 0;
  for (uint32_t i = 0; i < count; ++i) all += torn[i];
  ck_assert_uint_eq(stats_of(world).torn_count, all);
}

// ---- determinism ----

// sheet and mesh that bend, a rope between them, and links that hang from it
static weft_scene* new_mixed_scene(void) {
  random_source random = {5};
  weft_scene* scene = new_scene();
  weft_body sheet = add_bend_sheet(scene, 70, 65, 1e-4f);
  expect_ok(weft_scene_pin(scene, weft_range(sheet.first_particle, 70)));
  const weft_material_def material = material_def(.bend_stiffness = 1e-3f);
  const weft_body mesh = add_random_mesh_of(scene, &random, 30, &material, 0.2f);
  for (uint32_t i = 0; i < 5; ++i)
    expect_ok(weft_scene_pin(scene, weft_range(mesh.first_particle + 7 * i, 1)));
  rope_def def = hanging_rope(40, 3.0f);
  def.compliance = 1e-4f;
  def.from[2] = 0.1f;
  (void)add_rope(scene, def);
  add_random_links(scene, &random, 60);
  return scene;
}

TEST(off_and_on_before_a_step_changes_no_bit) {
  weft_scene* scene = new_mixed_scene();
  uint64_t hash[2];
  for (int turn = 0; turn < 2; ++turn) {
    weft_world* world = new_world_of(scene);
    // links of the rope only: no other constraints are built on them
    for (uint32_t i = 0; i < weft_scene_link_count(scene); ++i) {
      const weft_link_def link = link_of(scene, i);
      if (turn == 0 || link.kind != WEFT_LINK_STRUCTURAL || link.b < 70 * 65 + 900) continue;
      expect_set(world, WEFT_ATTRIBUTE_LINK_ENABLED, i, 1, &(bool){false}, 0);
      expect_set(world, WEFT_ATTRIBUTE_LINK_ENABLED, i, 1, &(bool){true}, 0);
    }
    weft_world_step(world, 5);
    hash[turn] = weft_world_hash(world);
  }
  ck_assert_uint_eq(hash[0], hash[1]);
}

// ---- invalid input ----

TEST(what_is_wrong_is_named_and_changes_nothing) {
  weft_scene* scene = new_scene();
  const weft_body sheet = add_sheet(scene, 9, 9, ALL_FAMILIES);
  weft_world* world = new_world_of(scene);
  const uint32_t count = sheet.link_count;
  expect_null(weft_world_set(NULL, WEFT_ATTRIBUTE_LINK_TORN, weft_range(0, 1), &(bool){true}, 0),
              "world");
  expect_past_end(
      weft_world_set(world, WEFT_ATTRIBUTE_LINK_TORN, weft_range(count, 1), &(bool){true}, 0));
  expect_null(
      weft_world_set(NULL, WEFT_ATTRIBUTE_LINK_ENABLED, weft_range(0, 1), &(bool){false}, 0),
      "world");
  expect_past_end(
      weft_world_set(world, WEFT_ATTRIBUTE_LINK_ENABLED, weft_range(count, 1), &(bool){false}, 0));
  float from[9] = {0.0f};
  uint32_t torn = 77;
  expect_null(weft_world_tear_near(NULL, from, from, 1.0f, &torn), "world");
  expect_null(weft_world_tear_near(world, NULL, from, 1.0f, &torn), "from");
  expect_null(weft_world_tear_near(world, from, NULL, 1.0f, &torn), "to");
  expect_null(weft_world_cut(NULL, from, &torn), "world");
  expect_null(weft_world_cut(world, NULL, &torn), "triangle");
  const float good[3] = {0.0f, 0.0f, 0.0f};
  const float bad[] = {NAN, INFINITY, -INFINITY};
  for (int b = 0; b < 3; ++b) {
    for (uint64_t i = 0; i < 9; ++i) {
      from[i] = bad[b];
      expect_error_at(weft_world_cut(world, from, &torn), WEFT_ERROR_NOT_FINITE, "triangle", i);
      if (i < 3) {
        expect_error_at(weft_world_tear_near(world, from, good, 1.0f, &torn), WEFT_ERROR_NOT_FINITE,
                        "from", i);
        expect_error_at(weft_world_tear_near(world, good, from, 1.0f, &torn), WEFT_ERROR_NOT_FINITE,
                        "to", i);
      }
      from[i] = 0.0f;
    }
    expect_error(weft_world_tear_near(world, good, good, bad[b], &torn), WEFT_ERROR_NOT_FINITE,
                 "radius");
  }
  expect_error(weft_world_tear_near(world, good, good, 0.0f, &torn), WEFT_ERROR_RANGE, "radius");
  expect_error(weft_world_tear_near(world, good, good, -1.0f, &torn), WEFT_ERROR_RANGE, "radius");
  expect_null(weft_world_remove_body(NULL, &sheet), "world");
  expect_null(weft_world_remove_body(world, NULL), "body");
  const weft_body beyond[] = {{1, 81, 0, 0},
                              {0, 0, count, 1},
                              {UINT32_MAX, UINT32_MAX, 0, 0},
                              {0, 0, UINT32_MAX, UINT32_MAX}};
  for (int i = 0; i < 4; ++i) {
    expect_error(weft_world_remove_body(world, &beyond[i]), WEFT_ERROR_INDEX, "body");
  }
  ck_assert_uint_eq(torn, 77);
  for (uint32_t i = 0; i < count; ++i) ck_assert(!is_torn(world, i));
  // the count argument is optional
  expect_ok(weft_world_tear_near(world, good, good, 0.01f, NULL));
  expect_ok(weft_world_cut(world, from, NULL));
}

TEST(places_that_are_no_numbers_or_far_away_are_passed_over) {
  weft_world* world = new_world_of(new_sheet_scene(9, 9, ALL_FAMILIES));
  const float far[3] = {1e9f, -1e9f, 1e9f};
  place_particle(world, 4, far, NULL);
  place_particle(world, 50, far, NULL);
  weft_world_step(world, 3);
  const float from[9] = {-3e38f, 0.0f, 0.0f, 3e38f, 0.0f, 3e38f, 0.0f, 3e38f, 1.0f};
  uint32_t torn = 0;
  expect_ok(weft_world_tear_near(world, from, from + 3, 3e38f, &torn));
  expect_ok(weft_world_cut(world, from, &torn));
}
