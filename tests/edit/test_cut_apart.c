/* Cloth cut in two, links switched off and on, and removed bodies. */
#include "support/bend_scenes.h"
#include "support/ropes.h"
#include "support/test.h"
#include "support/torn.h"

// ---- cut in two ----

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
  weft_sheet_def sheet = sheet_def(.side = SIDE, .spacing = SPACING);
  weft_material_def material = material_def(.bend_stiffness = 1e-3f, .stretch_stiffness = INFINITY,
                                            .shear_stiffness = INFINITY);
  if (bends) sheet.material = &material;
  weft_scene* scene = new_scene();
  expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
  expect_ok(weft_scene_pin(scene, weft_range(0, SIDE)));
  return scene;
}

static weft_world* new_hung_world(const weft_scene* scene, way w) {
  return new_plain_world(scene, .iterations = 4, .coarse_iterations = w.coarse,
                         .substeps = w.substeps, .attachments = w.attachments, .undamped = true);
}

typedef struct motion {
  double height, speed;
} motion;

// mean height and vertical speed of the rows from CUT on
static motion motion_below(const weft_world* world) {
  motion m = {0.0, 0.0};
  const uint32_t count = (SIDE - CUT) * SIDE;
  for (uint32_t i = CUT * SIDE; i < SIDE * SIDE; ++i) {
    float position[3], velocity[3];
    expect_get(world, WEFT_ATTRIBUTE_POSITION, i, 1, position);
    expect_get(world, WEFT_ATTRIBUTE_VELOCITY, i, 1, velocity);
    m.height += (double)position[1] / count;
    m.speed += (double)velocity[1] / count;
  }
  return m;
}

// height halfway between the two rows on either side of the cut
static float blade_height(const weft_world* world) {
  float low = INFINITY, high = -INFINITY;
  for (uint32_t i = 0; i < 2 * SIDE; ++i) {
    float position[3];
    expect_get(world, WEFT_ATTRIBUTE_POSITION, (CUT - 1) * SIDE + i, 1, position);
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

LOOP_TEST(the_lower_half_of_a_curtain_cut_in_two_falls_freely, 0, WAYS) {
  const way w = ways[_i];
  weft_scene* scene = new_curtain(w.bends);
  weft_world* world = new_hung_world(scene, w);
  weft_world_step(world, 3);
  const uint32_t torn = cut_level(world, blade_height(world));
  // one structural link a column, two diagonals a cell
  ck_assert_uint_eq(torn, SIDE + 2 * (SIDE - 1));
  const motion before = motion_below(world);
  weft_world_step(world, 60);
  const motion after = motion_below(world);
  // coarse levels do not conserve momentum beside a cut
  const double close = w.coarse > 0 ? 0.05 : 0.005;
  ck_assert_double_eq_tol(after.speed - before.speed, -9.81, close);
  // n substeps of h: v n h - g h^2 n (n + 1) / 2
  const double n = 60.0 * w.substeps;
  const double h = 1.0 / n;
  const double fall = before.speed - 9.81 * h * h * n * (n + 1.0) / 2.0;
  ck_assert_double_eq_tol(after.height - before.height, fall, close);
}

TEST(what_hangs_above_a_cut_keeps_its_attachments) {
  weft_scene* scene = new_curtain(false);
  weft_world* world = new_hung_world(scene, (way){.substeps = 1, .attachments = 1});
  weft_world_step(world, 3);
  (void)cut_level(world, blade_height(world));
  weft_world_step(world, 120);
  for (uint32_t i = 0; i < CUT * SIDE; ++i) {
    float position[3];
    expect_get(world, WEFT_ATTRIBUTE_POSITION, i, 1, position);
    const float row = (float)(i / SIDE);
    ck_assert_float_gt(position[1], -1.01f * SPACING * row - 0.001f);
  }
}

// ---- links switched off and on ----

static const rope_def ropes[] = {{.link_count = 50, .load = 5.0f},
                                 {.link_count = 50, .load = 5.0f, .compliance = 1e-5f}};

LOOP_TEST(a_rope_that_is_switched_off_falls_and_on_again_holds_its_load, 0, 2) {
  rope_def def = hanging_rope(50, 50.0f);
  def.compliance = ropes[_i].compliance;
  weft_scene* scene = new_scene();
  const rope r = add_rope(scene, def);
  weft_world* world = new_direct_world(scene, 6, 0.5f);
  weft_world_step(world, 60);
  const double before = worst_strain(world, r, 2.0 / 50.0);
  expect_set(world, WEFT_ATTRIBUTE_LINK_ENABLED, 20, 1, &(bool){false}, 0);
  ck_assert(!is_torn(world, 20));
  weft_world_step(world, 6);
  float end[3], velocity[3];
  expect_get(world, WEFT_ATTRIBUTE_VELOCITY, 50, 1, velocity);
  ck_assert_float_eq_tol(velocity[1], -9.81f * 0.1f, 0.06f);
  expect_set(world, WEFT_ATTRIBUTE_LINK_ENABLED, 20, 1, &(bool){true}, 0);
  weft_world_step(world, 600);
  expect_get(world, WEFT_ATTRIBUTE_POSITION, 50, 1, end);
  ck_assert_double_le(worst_strain(world, r, 2.0 / 50.0), before + 1e-3);
  ck_assert_float_gt(end[1], -2.0f * (1.0f + (float)before) - 0.01f);
}

TEST(a_sheet_whose_links_are_switched_off_and_on_holds_again) {
  weft_scene* scene = new_scene();
  const weft_body sheet = add_sheet(scene, 17, 17, STRUCTURAL | SHEAR);
  expect_ok(weft_scene_pin(scene, weft_range(0, 17)));
  weft_world* world = new_plain_world(scene, .iterations = 100, .damping = 2.0f);
  expect_set(world, WEFT_ATTRIBUTE_LINK_ENABLED, 0, sheet.link_count, &(bool){false}, WEFT_SAME);
  weft_world_step(world, 5);
  float corner[3];
  expect_get(world, WEFT_ATTRIBUTE_VELOCITY, 17 * 17 - 1, 1, corner);
  ck_assert_float_eq_tol(corner[1], -9.81f * 5.0f / 60.0f, 0.1f);
  for (uint32_t i = 0; i < sheet.link_count; ++i) ck_assert(!is_torn(world, i));
  expect_set(world, WEFT_ATTRIBUTE_LINK_ENABLED, 0, sheet.link_count, &(bool){true}, WEFT_SAME);
  weft_world_step(world, 600);
  expect_get(world, WEFT_ATTRIBUTE_POSITION, 17 * 17 - 1, 1, corner);
  ck_assert_float_gt(corner[1], -1.05f * 0.05f * 16.0f);
  ck_assert_uint_eq(stats_of(world).torn_count, 0);
}

TEST(a_torn_link_stays_torn_and_one_that_is_off_can_be_torn) {
  weft_world* world = new_world_of(new_sheet_scene(8, 8, ALL_FAMILIES));
  for (int i = 0; i < 2; ++i) {
    expect_set(world, WEFT_ATTRIBUTE_LINK_TORN, 3, 1, &(bool){true}, 0);
    expect_set(world, WEFT_ATTRIBUTE_LINK_ENABLED, 3, 1, &(bool){true}, 0);
    expect_set(world, WEFT_ATTRIBUTE_LINK_ENABLED, 3, 1, &(bool){false}, 0);
    ck_assert(is_torn(world, 3));
    ck_assert_uint_eq(stats_of(world).torn_count, 1);
  }
  expect_set(world, WEFT_ATTRIBUTE_LINK_ENABLED, 5, 1, &(bool){false}, 0);
  const float far[3] = {0.0f, 0.0f, 0.0f};
  uint32_t torn = 0;
  expect_ok(weft_world_tear_near(world, far, far, 100.0f, &torn));
  ck_assert_uint_eq(torn, stats_of(world).link_count - 2);
  ck_assert(!is_torn(world, 5) && is_torn(world, 4));
  expect_set(world, WEFT_ATTRIBUTE_LINK_TORN, 5, 1, &(bool){true}, 0);
  ck_assert(is_torn(world, 5));
  expect_set(world, WEFT_ATTRIBUTE_LINK_ENABLED, 5, 1, &(bool){true}, 0);
  ck_assert(is_torn(world, 5));
  ck_assert_uint_eq(stats_of(world).torn_count, stats_of(world).link_count);
}

// ---- removed bodies ----

LOOP_TEST(a_body_that_is_taken_out_stands_still_and_lets_go_of_all_others, 0, WAYS) {
  const way w = ways[_i];
  weft_scene* scene = new_curtain(w.bends);
  const uint32_t own_links = weft_scene_link_count(scene);
  // a second sheet hangs from the lower edge of the first
  const weft_sheet_def sheet =
      sheet_def(.columns = SIDE, .rows = 20, .spacing = SPACING, .origin = {0.0f, -SPACING * SIDE});
  weft_body lower;
  expect_ok(weft_scene_add_sheet(scene, &sheet, &lower));
  for (uint32_t i = 0; i < SIDE; ++i) {
    const weft_link_def thread = {.a = (SIDE - 1) * SIDE + i,
                                  .b = lower.first_particle + i,
                                  .rest_length = SPACING,
                                  .relaxation = 1.0f};
    expect_ok(weft_scene_add_links(scene, &thread, 1, NULL));
  }
  weft_world* world = new_hung_world(scene, w);
  weft_world_step(world, 2);
  const weft_body upper = {0, SIDE * SIDE, 0, own_links};
  expect_set(world, WEFT_ATTRIBUTE_LINK_ENABLED, 7, 1, &(bool){false}, 0);
  expect_ok(weft_world_remove_body(world, &upper));
  float* before = new_positions(world);
  float speed[3];
  expect_get(world, WEFT_ATTRIBUTE_VELOCITY, lower.first_particle + 700, 1, speed);
  weft_world_step(world, 30);
  float* after = new_positions(world);
  ck_assert_mem_eq(before, after, sizeof(float[3]) * SIDE * SIDE);
  double fallen = 0.0;
  for (uint32_t i = lower.first_particle; i < lower.first_particle + lower.particle_count; ++i) {
    fallen += (double)(after[3 * i + 1] - before[3 * i + 1]) / (double)lower.particle_count;
  }
  ck_assert_double_lt(fallen, -9.81 / 8.0);
  for (uint32_t i = 0; i < weft_scene_link_count(scene); ++i) {
    const weft_link_def link = link_of(scene, i);
    require(is_torn(world, i) == (link.a < SIDE * SIDE));
  }
  expect_set(world, WEFT_ATTRIBUTE_LINK_ENABLED, 7, 1, &(bool){true}, 0);
  ck_assert(is_torn(world, 7));
  // removal raises no event and counts as no tear
  uint32_t link = 0, count = 1;
  expect_ok(weft_world_take_torn(world, 1, &link, &count));
  ck_assert_uint_eq(count, 0);
  ck_assert_uint_eq(stats_of(world).torn_count, 0);
  // a freed particle of the removed body falls freely
  set_inverse_mass(world, SIDE * 5 + 9, 1000.0f);
  weft_world_step(world, 30);
  expect_get(world, WEFT_ATTRIBUTE_VELOCITY, SIDE * 5 + 9, 1, speed);
  ck_assert_float_eq_tol(speed[1], -9.81f / 2.0f, 0.001f);
}

TEST(a_body_of_links_alone_takes_these_out) {
  weft_scene* scene = new_sheet_scene(5, 5, STRUCTURAL);
  const weft_link_def thread = {.a = 0, .b = 24, .rest_length = 1.0f, .relaxation = 1.0f};
  weft_body body;
  expect_ok(weft_scene_add_links(scene, &thread, 1, &body));
  ck_assert_uint_eq(body.particle_count, 0);
  weft_world* world = new_world_of(scene);
  expect_ok(weft_world_remove_body(world, &body));
  for (uint32_t i = 0; i <= body.first_link; ++i) {
    ck_assert(is_torn(world, i) == (i == body.first_link));
  }
}
