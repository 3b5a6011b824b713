/* Links that tear, and updates of solvers that represent them. */
#include "support/lanes.h"
#include "support/rig.h"
#include "support/test.h"

// ---- detection ----

static float lane_value(const float* column, uint32_t first, uint32_t stride, uint32_t lane) {
  return column[first + lane / WEFT__LANES * stride + lane % WEFT__LANES];
}

// relative excess of a link's length over its tear length; -1 if it cannot tear
static double overstretch(const rig* r, uint32_t number, uint32_t lane) {
  const weft__schedule* s = &r->schedule;
  const weft__run* run = &s->runs[number];
  const double ratio =
      (double)lane_value(s->links.tear_ratio, run->tear_ratio, run->tear_ratio_stride, lane);
  const double rest = (double)lane_value(s->links.rest_length, run->rest, run->rest_stride, lane);
  if (ratio == 0.0) return -1.0;
  double longest = rest;
  if (weft__run_has_slack(run)) {
    const float above =
        lane_value(s->links.slack_above, run->slack_above, run->slack_above_stride, lane);
    if (isfinite(above)) longest += (double)above;
  }
  uint32_t a = 0, b = 0;
  weft__schedule_ends(s, number, run, run->first_group + lane / WEFT__LANES, lane % WEFT__LANES, &a,
                      &b);
  const weft__particles* p = &r->particles;
  const double x = (double)p->pos_x[b] - (double)p->pos_x[a];
  const double y = (double)p->pos_y[b] - (double)p->pos_y[a];
  const double z = (double)p->pos_z[b] - (double)p->pos_z[a];
  return sqrt(x * x + y * y + z * z) / (ratio * longest) - 1.0;
}

static void compare_run(const rig* r, uint32_t number) {
  const weft__run* run = &r->schedule.runs[number];
  for (uint32_t lane = 0; lane < run->group_count * WEFT__LANES; ++lane) {
    const uint32_t group = run->first_group + lane / WEFT__LANES;
    const bool torn = ((uint32_t)r->schedule.links.torn[group] >> lane % WEFT__LANES & 1u) != 0;
    const bool can_tear = weft__run_can_tear(run) && holds_link(&r->schedule, group, lane % 16);
    require(can_tear || !torn);
    if (!can_tear) continue;
    const double over = overstretch(r, number, lane);
    require(fabs(over) < 1e-5 || torn == (over > 0.0));
  }
}

RANDOM_TEST(every_isa_finds_the_links_that_are_too_long_and_no_others, ROUNDS(50, 10)) {
  rig r = new_rig(&random, RIG_PLAIN, 8);
  for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
    memset(r.schedule.links.torn, 0, r.schedule.links.group_count * sizeof(*r.schedule.links.torn));
    for (uint32_t run = 0; run < r.schedule.run_count; ++run) {
      const weft__kernels* kernels = weft__kernels_select((weft_isa)isa);
      (void)kernels->find_torn(&r.particles, &r.schedule, run, NULL);
      compare_run(&r, run);
    }
  }
}

RANDOM_TEST(a_lane_whose_link_is_gone_pulls_nothing, 20) {
  rig r = new_rig(&random, RIG_PLAIN, 8);
  for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
    solve_rig(weft__kernels_select((weft_isa)isa), &r.particles, &r.schedule, 2);
    for (uint32_t run = 0; run < r.schedule.run_count; ++run) {
      const weft__run* here = &r.schedule.runs[run];
      if (!weft__run_is_compliant(here)) continue;
      for (uint32_t lane = 0; lane < here->group_count * WEFT__LANES; ++lane) {
        const uint32_t slot = here->first_group * WEFT__LANES + lane;
        const bool acts = weft__is_marked(r.schedule.links.lane_mask, slot);
        require(acts || r.schedule.links.multiplier[slot] == 0.0f);
      }
    }
  }
}

LOOP_TEST(a_link_breaks_past_its_tear_length_and_not_before, 0, 1) {
  for (int pull = 0; pull < 2; ++pull) {
    const float positions[6] = {0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f};
    const weft_link_def link = {.a = 0,
                                .b = 1,
                                .rest_length = 1.0f,
                                .relaxation = 1.0f,
                                .tear_ratio = pull == 0 ? 1.21f : 1.19f};
    weft_scene* scene = new_points_scene(positions, (const float[2]){0.0f, 0.0f}, 2);
    expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
    weft_world* world = new_world_of(scene);
    place_particle(world, 1, (const float[3]){1.2f, 0.0f, 0.0f}, NULL);
    weft_world_step(world, 1);
    bool torn = pull == 0;
    expect_get(world, WEFT_ATTRIBUTE_LINK_TORN, 0, 1, &torn);
    ck_assert(torn == (pull == 1));
  }
}

// ---- cloth torn in two ----

enum { SIDE = 65, CUT = 33 };

static weft_world* new_curtain(uint32_t coarse_iterations, float tear_ratio, uint32_t workers,
                               weft_isa isa, weft_scene** scene) {
  weft_sheet_def sheet = sheet_def(.side = SIDE, .spacing = 0.03f, .tear_ratio = tear_ratio);
  // material that resists bending
  weft_material_def material = material_def(.bend_stiffness = 1e-3f, .stretch_stiffness = INFINITY,
                                            .shear_stiffness = INFINITY);
  sheet.material = &material;
  *scene = new_scene();
  expect_ok(weft_scene_add_sheet(*scene, &sheet, NULL));
  for (uint32_t i = 0; i < SIDE; ++i) expect_ok(weft_scene_pin(*scene, weft_range(i, 1)));
  return new_plain_world(*scene, .iterations = coarse_iterations > 0 ? 4 : 100,
                         .coarse_iterations = coarse_iterations, .undamped = true,
                         .worker_count = workers, .isa = isa);
}

// sets the inverse mass of all particles but those of the first row, which stay pinned
static void hold(weft_world* world, float inverse_mass) {
  expect_set(world, WEFT_ATTRIBUTE_INVERSE_MASS, SIDE, SIDE * SIDE - SIDE, &inverse_mass,
             WEFT_SAME);
}

// moves the rows from CUT on half a metre away, so that all links to them tear
static void tear_in_two(weft_world* world) {
  hold(world, 0.0f);
  for (uint32_t i = CUT * SIDE; i < SIDE * SIDE; ++i) {
    float position[3];
    expect_get(world, WEFT_ATTRIBUTE_POSITION, i, 1, position);
    position[1] -= 0.5f;
    place_particle(world, i, position, NULL);
  }
  weft_world_step(world, 1);
  hold(world, 1000.0f);
}

static void check_cut(const weft_world* world, const weft_scene* scene) {
  uint32_t crossing = 0;
  for (uint32_t i = 0; i < weft_scene_link_count(scene); ++i) {
    weft_link_def link;
    bool torn = false;
    expect_ok(weft_scene_get_links(scene, i, 1, &link));
    expect_get(world, WEFT_ATTRIBUTE_LINK_TORN, i, 1, &torn);
    const bool crosses = (link.a < CUT * SIDE) != (link.b < CUT * SIDE);
    require(torn == crosses);
    crossing += crosses;
  }
  ck_assert_uint_eq(stats_of(world).torn_count, crossing);
}

LOOP_TEST(the_links_across_a_cut_break_what_is_torn_off_falls_freely_and_what_is_left_hangs, 0, 2) {
  weft_scene* scene = NULL;
  weft_world* world = new_curtain((uint32_t)_i * 8, 2.0f, 1, WEFT_ISA_AUTO, &scene);
  tear_in_two(world);
  weft_world_step(world, 40);
  check_cut(world, scene);
  double fall = 0.0;
  for (uint32_t i = CUT * SIDE; i < SIDE * SIDE; ++i) {
    float velocity[3];
    expect_get(world, WEFT_ATTRIBUTE_VELOCITY, i, 1, velocity);
    fall += (double)velocity[1] / (double)((SIDE - CUT) * SIDE);
  }
  ck_assert_double_eq_tol(fall, -9.81 * 40.0 / 60.0, 0.01);
  float position[3];
  expect_get(world, WEFT_ATTRIBUTE_POSITION, (CUT - 1) * SIDE + SIDE / 2, 1, position);
  ck_assert_float_gt(position[1], -1.1f);
}

TEST(asking_for_torn_links_that_are_not_there_is_an_error) {
  weft_scene* scene = NULL;
  weft_world* world = new_curtain(0, 2.0f, 1, WEFT_ISA_AUTO, &scene);
  bool torn[2] = {true, true};
  const uint32_t count = weft_scene_link_count(scene);
  ck_assert_int_eq(weft_world_get(NULL, WEFT_ATTRIBUTE_LINK_TORN, weft_range(0, 1), torn, 0).error,
                   WEFT_ERROR_NULL);
  ck_assert_int_eq(weft_world_get(world, WEFT_ATTRIBUTE_LINK_TORN, weft_range(0, 1), NULL, 0).error,
                   WEFT_ERROR_NULL);
  ck_assert_int_eq(
      weft_world_get(world, WEFT_ATTRIBUTE_LINK_TORN, weft_range(count - 1, 2), torn, 0).error,
      WEFT_ERROR_INDEX);
  ck_assert(torn[0] && torn[1]);
  expect_get(world, WEFT_ATTRIBUTE_LINK_TORN, count, 0, NULL);
}
