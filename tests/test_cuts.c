/* Links that are torn and switched off by hand, and bodies that are taken out. */
#include <math.h>

#include "support/bend_scenes.h"
#include "support/isas.h"
#include "support/near.h"
#include "support/ropes.h"

static weft_link link_of(const weft_scene* scene, uint32_t number) {
  weft_link link;
  expect_ok(weft_scene_get_links(scene, number, 1, &link));
  return link;
}

static bool is_torn(const weft_world* world, uint32_t link) {
  bool torn = false;
  expect_ok(weft_world_get_torn(world, link, 1, &torn));
  return torn;
}

static weft_world_stats stats_of(const weft_world* world) {
  weft_world_stats stats;
  expect_ok(weft_world_get_stats(world, &stats));
  return stats;
}

// ---- what touches a shape, and nothing else ----

typedef struct shape {
  bool is_blade;
  float corner[9];
  float radius;
} shape;

// somewhere among the particles, as large as their surroundings or a little larger
static shape draw_shape(random_source* random, const float* positions, uint32_t count) {
  shape s = {.is_blade = random_chance(random, 2), .radius = random_float(random, 0.01f, 0.3f)};
  const float size = random_chance(random, 3) ? 10.0f : 0.5f;
  const float* at = positions + (size_t)3 * random_below(random, count);
  for (int k = 0; k < 9; ++k) s.corner[k] = at[k % 3] + random_float(random, -size, size);
  // a sphere, and points that are where particles are
  if (random_chance(random, 3)) memcpy(s.corner + 3, s.corner, sizeof(float[3]));
  if (random_chance(random, 4)) memcpy(s.corner, at, sizeof(float[3]));
  return s;
}

static double apart(const shape* s, const weft_link* link, const float* positions) {
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

// a search takes its time: most links are further from the middle of the shape than both are long
static bool may_touch(const shape* s, const weft_link* link, const float* positions) {
  const float* a = positions + (size_t)3 * link->a;
  double reach = distance(a, positions + (size_t)3 * link->b) + (double)s->radius;
  for (int i = 3; i < 9; i += 3) reach += distance(s->corner, s->corner + i);
  return distance(a, s->corner) <= reach;
}

// of many links only some are looked at, others each time
static void compare(const weft_scene* scene, weft_world* world, const shape* s, bool* torn,
                    random_source* random) {
  float* positions = new_positions(world);
  const uint32_t count = apply(world, s);
  const bool is_flat = s->is_blade && memcmp(s->corner, s->corner + 3, sizeof(float[3])) == 0;
  const uint32_t links = weft_scene_link_count(scene);
  uint32_t expected = 0;
  for (uint32_t i = 0; i < links; ++i) {
    const weft_link link = link_of(scene, i);
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
  free(positions);
}

START_TEST(what_a_search_finds_to_touch_is_torn_and_nothing_else) {
  random_source random = {(uint64_t)_i};
  weft_scene* scene = new_scene_case(_i % scene_case_count());
  const uint32_t count = weft_scene_link_count(scene);
  bool* torn = calloc(count + 1, sizeof(*torn));
  weft_world_def def = weft_default_world_def();
  def.worker_count = 1 + (uint32_t)_i % 3;
  weft_world* world = new_world(&def, scene);
  weft_world_step(world, 2);
  for (int round = 0; round < ROUNDS(4, 2); ++round) {
    float* positions = new_positions(world);
    const shape s = draw_shape(&random, positions, particle_count_of(world));
    free(positions);
    compare(scene, world, &s, torn, &random);
    weft_world_step(world, 1);
  }
  uint32_t all = 0;
  for (uint32_t i = 0; i < count; ++i) all += torn[i];
  ck_assert_uint_eq(stats_of(world).torn_count, all);
  free(torn);
  weft_scene_destroy(&scene);
  weft_world_destroy(&world);
}
END_TEST

// ---- any ISA, any number of workers ----

// a sheet and a mesh that bend, a rope between them, and what hangs from it
static weft_scene* new_mixed_scene(void) {
  random_source random = {5};
  weft_scene* scene = new_scene();
  weft_body sheet = add_bend_sheet(scene, 70, 65, 1e-4f);
  for (uint32_t i = 0; i < 70; ++i) expect_ok(weft_scene_pin(scene, sheet.first_particle + i));
  weft_material material = weft_default_material();
  material.bend_stiffness = 1e-3f;
  const weft_body mesh = add_random_mesh_of(scene, &random, 30, &material, 0.2f);
  for (uint32_t i = 0; i < 5; ++i) expect_ok(weft_scene_pin(scene, mesh.first_particle + 7 * i));
  rope_def def = hanging_rope(40, 3.0f);
  def.compliance = 1e-4f;
  def.from[2] = 0.1f;
  (void)add_rope(scene, def);
  add_random_links(scene, &random, 60);
  return scene;
}

static uint64_t hash_links(uint64_t hash, const uint32_t* links, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) hash = (hash ^ links[i]) * 0x100000001b3u;
  return hash;
}

static uint64_t cut_about(const weft_scene* scene, uint32_t workers, weft_isa isa) {
  weft_world_def def = weft_default_world_def();
  def.worker_count = workers;
  def.isa = isa;
  def.iterations = 3;
  def.coarse_iterations = 3;
  def.substeps = 2;
  def.attachments = 2;
  weft_world* world = new_world(&def, scene);
  random_source random = {8};
  uint32_t links[4096];
  uint32_t count = 0;
  uint64_t hash = 0;
  for (int round = 0; round < 6; ++round) {
    weft_world_step(world, 3);
    float* positions = new_positions(world);
    const shape s = draw_shape(&random, positions, particle_count_of(world));
    free(positions);
    (void)apply(world, &s);
    for (uint32_t i = 0; i < 20; ++i) {
      const uint32_t link = random_below(&random, weft_scene_link_count(scene));
      expect_ok(weft_world_set_link_enabled(world, link, random_chance(&random, 2)));
    }
    expect_ok(weft_world_take_torn(world, 4096, links, &count));
    hash = hash_links(hash, links, count) ^ weft_world_hash(world);
  }
  ck_assert_uint_gt(stats_of(world).torn_count, 50);
  const weft_body body = {70 * 65, 900, 0, 0};
  expect_ok(weft_world_remove_body(world, &body));
  weft_world_step(world, 3);
  hash ^= weft_world_hash(world);
  weft_world_destroy(&world);
  return hash;
}

START_TEST(cuts_are_the_same_for_every_isa_and_any_number_of_workers) {
  static const uint32_t worker_counts[] = {1, 2, 3, 7};
  weft_scene* scene = new_mixed_scene();
  const uint64_t expected = cut_about(scene, 1, WEFT_ISA_SCALAR);
  for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
    for (size_t w = 0; w < 4; ++w) {
      if (!goes_with(isa, w, 4, 0)) continue;
      ck_assert_uint_eq(cut_about(scene, worker_counts[w], (weft_isa)isa), expected);
    }
  }
  weft_scene_destroy(&scene);
}
END_TEST

// ---- in two ----

enum { SIDE = 65, CUT = 33 };
#define SPACING 0.03f

typedef struct way {
  uint32_t coarse, substeps, attachments;
  bool bends;
} way;

static const way ways[] = {{0, 1, 0, false}, {8, 1, 0, true},  {0, 1, 1, false},
                           {0, 4, 2, true},  {8, 2, 2, false}, {4, 1, 1, true}};
enum { WAYS = sizeof(ways) / sizeof(*ways) };

static weft_scene* new_curtain(bool bends) {
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.columns = sheet.rows = SIDE;
  sheet.spacing = SPACING;
  weft_material material = weft_default_material();
  material.stretch_stiffness = material.shear_stiffness = INFINITY;
  material.bend_stiffness = 1e-3f;
  if (bends) sheet.material = &material;
  weft_scene* scene = new_scene();
  expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
  for (uint32_t i = 0; i < SIDE; ++i) expect_ok(weft_scene_pin(scene, i));
  return scene;
}

static weft_world* new_hung_world(const weft_scene* scene, way w) {
  weft_world_def def = weft_default_world_def();
  def.iterations = 4;
  def.coarse_iterations = w.coarse;
  def.substeps = w.substeps;
  def.attachments = w.attachments;
  def.damping = 0.0f;
  return new_world(&def, scene);
}

typedef struct motion {
  double height, speed;
} motion;

// the mean of the rows from CUT on
static motion motion_below(const weft_world* world) {
  motion m = {0.0, 0.0};
  const uint32_t count = (SIDE - CUT) * SIDE;
  for (uint32_t i = CUT * SIDE; i < SIDE * SIDE; ++i) {
    float position[3];
    float velocity[3];
    expect_ok(weft_world_get_positions(world, i, 1, position));
    expect_ok(weft_world_get_velocities(world, i, 1, velocity));
    m.height += (double)position[1] / count;
    m.speed += (double)velocity[1] / count;
  }
  return m;
}

// between the lowest of what is above and the highest of what is below
static float blade_height(const weft_world* world) {
  float low = INFINITY;
  float high = -INFINITY;
  for (uint32_t i = 0; i < 2 * SIDE; ++i) {
    float position[3];
    expect_ok(weft_world_get_positions(world, (CUT - 1) * SIDE + i, 1, position));
    if (i < SIDE) low = fminf(low, position[1]);
    if (i >= SIDE) high = fmaxf(high, position[1]);
  }
  ck_assert_float_gt(low, high);
  return 0.5f * (low + high);
}

static uint32_t cut_level(weft_world* world, float height) {
  const float blade[9] = {-99.0f, height, -99.0f, 99.0f, height, -99.0f, 0.0f, height, 99.0f};
  uint32_t torn = 0;
  expect_ok(weft_world_cut(world, blade, &torn));
  return torn;
}

START_TEST(the_lower_half_of_a_curtain_cut_in_two_falls_freely) {
  const way w = ways[_i];
  weft_scene* scene = new_curtain(w.bends);
  weft_world* world = new_hung_world(scene, w);
  weft_world_step(world, 3);
  const uint32_t torn = cut_level(world, blade_height(world));
  // a thread for each column, two diagonals for each cell
  ck_assert_uint_eq(torn, SIDE + 2 * (SIDE - 1));
  const motion before = motion_below(world);
  weft_world_step(world, 60);
  const motion after = motion_below(world);
  // beside a cut, coarse levels do not keep momentum: what is there goes its own way
  const double close = w.coarse > 0 ? 0.05 : 0.005;
  ck_assert_double_eq_tol(after.speed - before.speed, -9.81, close);
  // n substeps of h: v n h - g h^2 n (n + 1) / 2
  const double n = 60.0 * w.substeps;
  const double h = 1.0 / n;
  const double fall = before.speed - 9.81 * h * h * n * (n + 1.0) / 2.0;
  ck_assert_double_eq_tol(after.height - before.height, fall, close);
  weft_scene_destroy(&scene);
  weft_world_destroy(&world);
}
END_TEST

START_TEST(what_hangs_above_a_cut_keeps_its_attachments) {
  weft_scene* scene = new_curtain(false);
  weft_world* world = new_hung_world(scene, (way){.substeps = 1, .attachments = 1});
  weft_world_step(world, 3);
  (void)cut_level(world, blade_height(world));
  weft_world_step(world, 120);
  for (uint32_t i = 0; i < CUT * SIDE; ++i) {
    float position[3];
    expect_ok(weft_world_get_positions(world, i, 1, position));
    const float row = (float)(i / SIDE);
    ck_assert_float_gt(position[1], -1.01f * SPACING * row - 0.001f);
  }
  weft_scene_destroy(&scene);
  weft_world_destroy(&world);
}
END_TEST

START_TEST(a_curtain_that_is_cut_halfway_still_hangs) {
  weft_scene* scene = new_curtain(false);
  weft_world* world = new_hung_world(scene, (way){.substeps = 1, .attachments = 1});
  const float height = blade_height(world);
  const float blade[9] = {-99.0f, height, -9.0f, 1.0f, height, -9.0f, 1.0f, height, 99.0f};
  uint32_t torn = 0;
  expect_ok(weft_world_cut(world, blade, &torn));
  ck_assert_uint_gt(torn, 50);
  ck_assert_uint_lt(torn, SIDE + 2 * (SIDE - 1));
  weft_world_step(world, 60);
  // beside the cut as if nothing had happened
  float corner[3];
  expect_ok(weft_world_get_positions(world, SIDE * SIDE - 1, 1, corner));
  ck_assert_float_gt(corner[1], -1.02f * SPACING * SIDE);
  weft_scene_destroy(&scene);
  weft_world_destroy(&world);
}
END_TEST

// ---- off and on again ----

static const rope_def ropes[] = {{.link_count = 50, .load = 5.0f},
                                 {.link_count = 50, .load = 5.0f, .compliance = 1e-5f}};

START_TEST(a_rope_that_is_switched_off_falls_and_on_again_holds_its_load) {
  rope_def def = hanging_rope(50, 50.0f);
  def.compliance = ropes[_i].compliance;
  weft_scene* scene = new_scene();
  const rope r = add_rope(scene, def);
  weft_world* world = new_direct_world(scene, 6, 0.5f);
  weft_world_step(world, 60);
  const double before = worst_strain(world, r, 2.0 / 50.0);
  expect_ok(weft_world_set_link_enabled(world, 20, false));
  ck_assert(!is_torn(world, 20));
  weft_world_step(world, 6);
  float end[3];
  float velocity[3];
  expect_ok(weft_world_get_velocities(world, 50, 1, velocity));
  ck_assert_float_eq_tol(velocity[1], -9.81f * 0.1f, 0.06f);
  expect_ok(weft_world_set_link_enabled(world, 20, true));
  weft_world_step(world, 600);
  expect_ok(weft_world_get_positions(world, 50, 1, end));
  ck_assert_double_le(worst_strain(world, r, 2.0 / 50.0), before + 1e-3);
  ck_assert_float_gt(end[1], -2.0f * (1.0f + (float)before) - 0.01f);
  weft_world_destroy(&world);
}
END_TEST

START_TEST(a_sheet_whose_links_are_switched_off_and_on_holds_again) {
  weft_scene* scene = new_scene();
  const weft_body sheet = add_sheet(scene, 17, 17, STRUCTURAL | SHEAR);
  for (uint32_t i = 0; i < 17; ++i) expect_ok(weft_scene_pin(scene, i));
  weft_world_def def = weft_default_world_def();
  def.iterations = 100;
  def.damping = 2.0f;
  weft_world* world = new_world(&def, scene);
  for (uint32_t i = 0; i < sheet.link_count; i += 1) {
    expect_ok(weft_world_set_link_enabled(world, i, false));
  }
  weft_world_step(world, 5);
  float corner[3];
  expect_ok(weft_world_get_velocities(world, 17 * 17 - 1, 1, corner));
  ck_assert_float_eq_tol(corner[1], -9.81f * 5.0f / 60.0f, 0.1f);
  for (uint32_t i = 0; i < sheet.link_count; ++i) {
    ck_assert(!is_torn(world, i));
    expect_ok(weft_world_set_link_enabled(world, i, true));
  }
  weft_world_step(world, 600);
  expect_ok(weft_world_get_positions(world, 17 * 17 - 1, 1, corner));
  ck_assert_float_gt(corner[1], -1.05f * 0.05f * 16.0f);
  ck_assert_uint_eq(stats_of(world).torn_count, 0);
  weft_scene_destroy(&scene);
  weft_world_destroy(&world);
}
END_TEST

START_TEST(off_and_on_before_a_step_changes_no_bit) {
  weft_scene* scene = new_mixed_scene();
  weft_world_def def = weft_default_world_def();
  uint64_t hash[2];
  for (int turn = 0; turn < 2; ++turn) {
    weft_world* world = new_world(&def, scene);
    // those of the rope: nothing else is built on them
    for (uint32_t i = 0; i < weft_scene_link_count(scene); ++i) {
      const weft_link link = link_of(scene, i);
      if (turn == 0 || link.kind != WEFT_LINK_STRUCTURAL || link.b < 70 * 65 + 900) continue;
      expect_ok(weft_world_set_link_enabled(world, i, false));
      expect_ok(weft_world_set_link_enabled(world, i, true));
    }
    weft_world_step(world, 5);
    hash[turn] = weft_world_hash(world);
    weft_world_destroy(&world);
  }
  ck_assert_uint_eq(hash[0], hash[1]);
  weft_scene_destroy(&scene);
}
END_TEST

START_TEST(a_torn_link_stays_torn_and_one_that_is_off_can_be_torn) {
  weft_scene* scene = new_scene();
  (void)add_sheet(scene, 8, 8, ALL_FAMILIES);
  weft_world* world = new_world_of(scene);
  for (int i = 0; i < 2; ++i) {
    expect_ok(weft_world_tear_link(world, 3));
    expect_ok(weft_world_set_link_enabled(world, 3, true));
    expect_ok(weft_world_set_link_enabled(world, 3, false));
    ck_assert(is_torn(world, 3));
    ck_assert_uint_eq(stats_of(world).torn_count, 1);
  }
  expect_ok(weft_world_set_link_enabled(world, 5, false));
  const float far[3] = {0.0f, 0.0f, 0.0f};
  uint32_t torn = 0;
  expect_ok(weft_world_tear_near(world, far, far, 100.0f, &torn));
  ck_assert_uint_eq(torn, stats_of(world).link_count - 2);
  ck_assert(!is_torn(world, 5) && is_torn(world, 4));
  expect_ok(weft_world_tear_link(world, 5));
  ck_assert(is_torn(world, 5));
  expect_ok(weft_world_set_link_enabled(world, 5, true));
  ck_assert(is_torn(world, 5));
  ck_assert_uint_eq(stats_of(world).torn_count, stats_of(world).link_count);
  weft_world_destroy(&world);
}
END_TEST

// ---- bodies ----

START_TEST(a_body_that_is_taken_out_stands_still_and_lets_go_of_all_others) {
  const way w = ways[_i];
  weft_scene* scene = new_curtain(w.bends);
  const uint32_t own_links = weft_scene_link_count(scene);
  // a second one hangs from the first one's lower edge
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.columns = SIDE;
  sheet.rows = 20;
  sheet.spacing = SPACING;
  sheet.origin[1] = -SPACING * SIDE;
  weft_body lower;
  expect_ok(weft_scene_add_sheet(scene, &sheet, &lower));
  for (uint32_t i = 0; i < SIDE; ++i) {
    const weft_link thread = {.a = (SIDE - 1) * SIDE + i,
                              .b = lower.first_particle + i,
                              .rest_length = SPACING,
                              .stiffness = 1.0f};
    expect_ok(weft_scene_add_links(scene, &thread, 1, NULL));
  }
  weft_world* world = new_hung_world(scene, w);
  weft_world_step(world, 2);
  const weft_body upper = {0, SIDE * SIDE, 0, own_links};
  expect_ok(weft_world_set_link_enabled(world, 7, false));
  expect_ok(weft_world_remove_body(world, &upper));
  float* before = new_positions(world);
  float speed[3];
  expect_ok(weft_world_get_velocities(world, lower.first_particle + 700, 1, speed));
  weft_world_step(world, 30);
  float* after = new_positions(world);
  ck_assert_mem_eq(before, after, sizeof(float[3]) * SIDE * SIDE);
  double fallen = 0.0;
  for (uint32_t i = lower.first_particle; i < lower.first_particle + lower.particle_count; ++i) {
    fallen += (double)(after[3 * i + 1] - before[3 * i + 1]) / (double)lower.particle_count;
  }
  ck_assert_double_lt(fallen, -9.81 / 8.0);
  for (uint32_t i = 0; i < weft_scene_link_count(scene); ++i) {
    const weft_link link = link_of(scene, i);
    require(is_torn(world, i) == (link.a < SIDE * SIDE));
  }
  expect_ok(weft_world_set_link_enabled(world, 7, true));
  ck_assert(is_torn(world, 7));
  // neither an event nor a tear
  uint32_t link = 0;
  uint32_t count = 1;
  expect_ok(weft_world_take_torn(world, 1, &link, &count));
  ck_assert_uint_eq(count, 0);
  ck_assert_uint_eq(stats_of(world).torn_count, 0);
  // one of its particles, freed, falls as if it had never been part of anything
  expect_ok(weft_world_set_inverse_mass(world, SIDE * 5 + 9, 1000.0f));
  weft_world_step(world, 30);
  expect_ok(weft_world_get_velocities(world, SIDE * 5 + 9, 1, speed));
  ck_assert_float_eq_tol(speed[1], -9.81f / 2.0f, 0.001f);
  free(before);
  free(after);
  weft_scene_destroy(&scene);
  weft_world_destroy(&world);
}
END_TEST

START_TEST(a_body_of_links_alone_takes_these_out) {
  weft_scene* scene = new_scene();
  (void)add_sheet(scene, 5, 5, STRUCTURAL);
  const weft_link thread = {.a = 0, .b = 24, .rest_length = 1.0f, .stiffness = 1.0f};
  weft_body body;
  expect_ok(weft_scene_add_links(scene, &thread, 1, &body));
  ck_assert_uint_eq(body.particle_count, 0);
  weft_world* world = new_world_of(scene);
  expect_ok(weft_world_remove_body(world, &body));
  for (uint32_t i = 0; i <= body.first_link; ++i) {
    ck_assert(is_torn(world, i) == (i == body.first_link));
  }
  weft_world_destroy(&world);
}
END_TEST

// ---- bad input ----

START_TEST(what_is_wrong_is_named_and_changes_nothing) {
  weft_scene* scene = new_scene();
  const weft_body sheet = add_sheet(scene, 9, 9, ALL_FAMILIES);
  weft_world* world = new_world_of(scene);
  const uint32_t count = sheet.link_count;
  expect_error(weft_world_tear_link(NULL, 0), WEFT_ERROR_NULL, "world");
  expect_error(weft_world_tear_link(world, count), WEFT_ERROR_INDEX, "link");
  expect_error(weft_world_set_link_enabled(NULL, 0, false), WEFT_ERROR_NULL, "world");
  expect_error(weft_world_set_link_enabled(world, count, false), WEFT_ERROR_INDEX, "link");
  float from[9] = {0.0f};
  uint32_t torn = 77;
  expect_error(weft_world_tear_near(NULL, from, from, 1.0f, &torn), WEFT_ERROR_NULL, "world");
  expect_error(weft_world_tear_near(world, NULL, from, 1.0f, &torn), WEFT_ERROR_NULL, "from");
  expect_error(weft_world_tear_near(world, from, NULL, 1.0f, &torn), WEFT_ERROR_NULL, "to");
  expect_error(weft_world_cut(NULL, from, &torn), WEFT_ERROR_NULL, "world");
  expect_error(weft_world_cut(world, NULL, &torn), WEFT_ERROR_NULL, "triangle");
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
  expect_error(weft_world_remove_body(NULL, &sheet), WEFT_ERROR_NULL, "world");
  expect_error(weft_world_remove_body(world, NULL), WEFT_ERROR_NULL, "body");
  const weft_body beyond[] = {{1, 81, 0, 0},
                              {0, 0, count, 1},
                              {UINT32_MAX, UINT32_MAX, 0, 0},
                              {0, 0, UINT32_MAX, UINT32_MAX}};
  for (int i = 0; i < 4; ++i) {
    expect_error(weft_world_remove_body(world, &beyond[i]), WEFT_ERROR_INDEX, "body");
  }
  ck_assert_uint_eq(torn, 77);
  for (uint32_t i = 0; i < count; ++i) ck_assert(!is_torn(world, i));
  // nobody need ask how many
  expect_ok(weft_world_tear_near(world, good, good, 0.01f, NULL));
  expect_ok(weft_world_cut(world, from, NULL));
  weft_world_destroy(&world);
}
END_TEST

START_TEST(places_that_are_no_numbers_or_far_away_are_passed_over) {
  weft_scene* scene = new_scene();
  (void)add_sheet(scene, 9, 9, ALL_FAMILIES);
  weft_world* world = new_world_of(scene);
  const float far[3] = {3e38f, -3e38f, 3e38f};
  expect_ok(weft_world_set_particle(world, 4, far, NULL));
  expect_ok(weft_world_set_particle(world, 50, far, NULL));
  weft_world_step(world, 3);
  const float from[9] = {-3e38f, 0.0f, 0.0f, 3e38f, 0.0f, 3e38f, 0.0f, 3e38f, 1.0f};
  uint32_t torn = 0;
  expect_ok(weft_world_tear_near(world, from, from + 3, 3e38f, &torn));
  expect_ok(weft_world_cut(world, from, &torn));
  weft_world_destroy(&world);
}
END_TEST

int main(void) {
  const test_suite suite = new_suite("cuts");
  TCase* tests = suite.tests;
  tcase_add_loop_test(tests, what_a_search_finds_to_touch_is_torn_and_nothing_else, 0,
                      ROUNDS(40, 20));
  tcase_add_test(tests, cuts_are_the_same_for_every_isa_and_any_number_of_workers);
  tcase_add_loop_test(tests, the_lower_half_of_a_curtain_cut_in_two_falls_freely, 0, WAYS);
  tcase_add_test(tests, what_hangs_above_a_cut_keeps_its_attachments);
  tcase_add_test(tests, a_curtain_that_is_cut_halfway_still_hangs);
  tcase_add_loop_test(tests, a_rope_that_is_switched_off_falls_and_on_again_holds_its_load, 0, 2);
  tcase_add_test(tests, a_sheet_whose_links_are_switched_off_and_on_holds_again);
  tcase_add_test(tests, off_and_on_before_a_step_changes_no_bit);
  tcase_add_test(tests, a_torn_link_stays_torn_and_one_that_is_off_can_be_torn);
  tcase_add_loop_test(tests, a_body_that_is_taken_out_stands_still_and_lets_go_of_all_others, 0,
                      WAYS);
  tcase_add_test(tests, a_body_of_links_alone_takes_these_out);
  tcase_add_test(tests, what_is_wrong_is_named_and_changes_nothing);
  tcase_add_test(tests, places_that_are_no_numbers_or_far_away_are_passed_over);
  return run_suite(suite);
}
