/* Substeps by body: a body does the same beside any other, and cloth and ropes that rest take one.
 */
#include "support/isas.h"
#include "support/saved.h"
#include "support/test.h"

enum { SIDE = 64, COUNT = SIDE * SIDE, STEPS = 30 };

// ---- beside each other ----

typedef enum body_kind { CURTAIN, LOOSE, ELASTIC, TEARING, ROPE, BALL, KINDS } body_kind;

static void add_body(weft_scene* scene, body_kind kind, float x) {
  const uint32_t first = weft_scene_particle_count(scene);
  const weft_material_def cotton = material_def(.bend_stiffness = 0.0f);
  weft_sheet_def sheet = sheet_def(.side = SIDE, .spacing = 0.03f);
  weft_rope_def rope = bare_rope_def();
  weft_ball_def ball = bare_ball_def();
  sheet.origin[0] = rope.origin[0] = ball.origin[0] = x;
  rope.segments = 3000;
  if (kind == ELASTIC) sheet.material = &cotton;
  if (kind == TEARING) sheet.tear_ratio = 1.02f;
  if (kind == ROPE) {
    expect_ok(weft_scene_add_rope(scene, &rope, NULL));
  } else if (kind == BALL) {
    expect_ok(weft_scene_add_ball(scene, &ball, NULL));
  } else {
    expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
  }
  if (kind != LOOSE && kind != BALL)
    expect_ok(weft_scene_pin(scene, weft_range(first, kind == ROPE ? 1 : SIDE)));
}

static weft_world* new_pair(body_kind own, body_kind other) {
  weft_scene* scene = new_scene();
  add_body(scene, own, 0.0f);
  if (other < KINDS) add_body(scene, other, 30.0f);
  return new_world_of(scene);
}

TEST(a_body_moves_beside_another_as_if_it_were_the_only_one) {
  for (body_kind own = CURTAIN; own < KINDS; ++own) {
    weft_world* single = new_pair(own, KINDS);
    const uint32_t count = particle_count_of(single);
    weft_world_step(single, STEPS);
    const float* expected = new_positions(single);
    for (body_kind other = CURTAIN; other < KINDS; ++other) {
      weft_world* pair = new_pair(own, other);
      weft_world_step(pair, STEPS);
      const float* found = new_positions(pair);
      for (uint32_t k = 0; k < 3 * count; ++k)
        ck_assert_msg(fabsf(found[k] - expected[k]) < 2e-4f, "body %d beside %d: coordinate %u",
                      own, other, k);
    }
  }
}

// ---- hung cloth ----

static weft_sheet_def hung_def(uint32_t side) {
  return sheet_def(.side = side, .spacing = 2.0f / (float)(side - 1));
}

static weft_world* new_hung(const weft_world_def* def, uint32_t side) {
  weft_scene* scene = new_scene();
  (void)add_sheet_by(scene, hung_def(side));
  expect_ok(weft_scene_pin(scene, weft_range(0, side)));
  return new_world(def, scene);
}

static uint32_t sweeps_of_next_step(weft_world* world) {
  weft_world_step(world, 1);
  return stats_of(world).sweeps;
}

static void strike(weft_world* world) {
  const float velocity[3] = {0.0f, 0.0f, 5.0f};
  expect_set(world, WEFT_ATTRIBUTE_VELOCITY, COUNT / 2, 1, velocity, 0);
}

TEST(cloth_at_rest_takes_one_substep_until_it_is_struck) {
  const weft_world_def def = weft_default_world_def();
  weft_world* world = new_hung(&def, SIDE);
  ck_assert_uint_eq(sweeps_of_next_step(world), 8);
  weft_world_step(world, 90);
  ck_assert_uint_eq(sweeps_of_next_step(world), 2);
  const weft_measures rest = measures_of(world);
  ck_assert(rest.mean_strain < 1e-4 && fabs((double)rest.lower[1] + 2.0) < 1e-3);
  strike(world);
  ck_assert_uint_eq(sweeps_of_next_step(world), 8);
}

static void touch(weft_world* world) {
  shape_particles(world, COUNT / 2, 1, .radius = 0.01f);
}

static void move_pin(weft_world* world) {
  const float target[3] = {0.0f, 0.001f, 0.0f};
  expect_set(world, WEFT_ATTRIBUTE_TARGET, 0, 1, target, 0);
}

static void join(weft_world* world) {
  weft_joint_def joint = weft_default_joint_def();
  weft_joint made;
  joint.particle = COUNT - 1;
  joint.to[0] = COUNT - SIDE;
  joint.rest_length = 1.0f;
  expect_ok(weft_world_add_joint(world, &joint, &made));
}

static void bound(weft_world* world) {
  const weft_bounds_def bounds = floor_bounds(-9.0f, 0.0f);
  expect_ok(weft_world_set_bounds(world, &bounds));
}

static void fix(weft_world* world) {
  expect_ok(weft_world_set_substeps(world, 5));
}

TEST(what_reads_positions_between_ends_long_substeps) {
  static const struct {
    void (*act)(weft_world* world);
    uint32_t sweeps;
  } readers[] = {{touch, 16}, {move_pin, 16}, {join, 16}, {bound, 16}, {fix, 10}};
  const weft_world_def def = weft_default_world_def();
  for (size_t k = 0; k < sizeof readers / sizeof *readers; ++k) {
    weft_world* world = new_hung(&def, SIDE);
    weft_world_step(world, 90);
    readers[k].act(world);
    const uint32_t sweeps = sweeps_of_next_step(world);
    ck_assert_msg(sweeps >= readers[k].sweeps, "%zu: %u sweeps", k, sweeps);
  }
}

TEST(a_snapshot_has_the_rungs) {
  const weft_world_def def = weft_default_world_def();
  weft_world* world = new_hung(&def, SIDE);
  weft_world_step(world, 40);
  strike(world);
  weft_world_step(world, 7);
  const saved_world saved = save_world(world);
  weft_world_step(world, 60);
  weft_world* fresh = new_hung(&def, SIDE);
  restore_world(fresh, &saved);
  weft_world_step(fresh, 60);
  ck_assert_uint_eq(weft_world_hash(fresh), weft_world_hash(world));
  ck_assert_uint_eq(stats_of(fresh).sweeps, stats_of(world).sweeps);
}

/* A chain's first mode, J0(j sqrt(1 - y / L)), has the frequency j / 2 sqrt(g / L), j the first
 * zero of J0 (Bernoulli 1738). By attachments without levels the period is 8 to 10 % too long. */
TEST(hung_cloth_swings_as_a_chain_does) {
  static const struct {
    uint32_t rows;
    int rate;
  } cases[] = {{65, 60}, {97, 60}, {65, 120}};
  const double zero = 2.404825557695773,
               period = 4.0 * 3.14159265358979323846 / zero / sqrt(9.81 / 2.0);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    const uint32_t rows = cases[k].rows, columns = 6;
    weft_world_def def = weft_default_world_def();
    def.damping = 0.0f;
    def.step_ns = 1000000000 / cases[k].rate;
    weft_sheet_def sheet = hung_def(rows);
    sheet.columns = columns;
    weft_scene* scene = new_scene_by(sheet);
    expect_ok(weft_scene_pin(scene, weft_range(0, columns)));
    weft_world* world = new_world(&def, scene);
    float* positions = new_positions(world);
    for (uint32_t i = 0; i < rows * columns; ++i) {
      const double height = 1.0 - (double)(i / columns) / (rows - 1);
      positions[3 * i + 2] = (float)(0.05 * j0(zero * sqrt(height)));
    }
    expect_set(world, WEFT_ATTRIBUTE_POSITION, 0, rows * columns, positions, 0);
    double last = 0.05, first = 0.0, end = 0.0;
    uint32_t crossings = 0;
    for (int step = 1; step <= 8 * cases[k].rate; ++step) {
      float tip[3];
      weft_world_step(world, 1);
      expect_get(world, WEFT_ATTRIBUTE_POSITION, rows * columns - 3, 1, tip);
      if (last > 0.0 && tip[2] <= 0.0f) {
        end = (step - 1 + last / (last - (double)tip[2])) / cases[k].rate;
        if (crossings++ == 0) first = end;
      }
      last = (double)tip[2];
    }
    ck_assert_uint_ge(crossings, 3);
    const double found = (end - first) / (crossings - 1);
    ck_assert_msg(fabs(found / period - 1.0) < 0.06, "case %zu: %g s, not %g s", k, found, period);
  }
}

// Largest mean strain in a second of a swing by half a radian, and sweeps.
static double swing_strain(weft_quality quality, uint32_t* sweeps) {
  weft_world_def def = weft_default_world_def();
  weft_sheet_def sheet = hung_def(SIDE);
  double largest = 0.0;
  sheet.down[1] = -cosf(0.5f);
  sheet.down[2] = sinf(0.5f);
  def.solver.quality = quality;
  weft_scene* scene = new_scene_by(sheet);
  expect_ok(weft_scene_pin(scene, weft_range(0, SIDE)));
  weft_world* world = new_world(&def, scene);
  *sweeps = 0;
  for (int step = 0; step < 60; ++step) {
    *sweeps += sweeps_of_next_step(world);
    largest = fmax(largest, measures_of(world).mean_strain);
  }
  return largest;
}

TEST(a_higher_quality_stretches_less_and_takes_longer) {
  uint32_t draft, fine, exact;
  const double coarse = swing_strain(WEFT_QUALITY_DRAFT, &draft);
  const double usual = swing_strain(WEFT_QUALITY_FINE, &fine);
  const double best = swing_strain(WEFT_QUALITY_EXACT, &exact);
  ck_assert_msg(best < usual && usual < coarse && best < 0.002 && usual < 0.005 && coarse < 0.015,
                "strain %g, %g, %g", best, usual, coarse);
  ck_assert_msg(draft < fine && fine < exact, "%u, %u, %u sweeps", draft, fine, exact);
}

// ---- trees ----

enum { LINKS = 10, TIP = LINKS, SECOND = 60, REST = 90 };

static void add_rope(weft_scene* scene, float angle, float compliance) {
  weft_rope_def rope = bare_rope_def();
  rope.segments = LINKS;
  rope.pin_origin = true;
  rope.end[0] = sinf(angle);
  rope.end[1] = -cosf(angle);
  rope.compliance = compliance;
  expect_ok(weft_scene_add_rope(scene, &rope, NULL));
}

static weft_world* new_rope(weft_world_def def, float angle) {
  weft_scene* scene = new_scene();
  add_rope(scene, angle, 0.0f);
  return new_world(&def, scene);
}

static weft_world* new_rope_at_rest(void) {
  weft_world* world = new_rope(weft_default_world_def(), 0.0f);
  weft_world_step(world, REST);
  return world;
}

static void push_tip(weft_world* world, float speed) {
  const float velocity[3] = {0.0f, 0.0f, speed};
  expect_set(world, WEFT_ATTRIBUTE_VELOCITY, TIP, 1, velocity, 0);
}

TEST(a_rope_at_rest_takes_one_substep_until_it_is_struck) {
  weft_world* world = new_rope(weft_default_world_def(), 0.0f);
  ck_assert_uint_eq(sweeps_of_next_step(world), 16);
  weft_world_step(world, REST);
  ck_assert_uint_eq(sweeps_of_next_step(world), 2);
  const weft_measures rest = measures_of(world);
  ck_assert(rest.max_strain < 1e-5 && fabs((double)rest.lower[1] + 1.0) < 1e-5);
  ck_assert(rest.kinetic < 1e-12);
  push_tip(world, 0.1f);
  ck_assert_uint_eq(sweeps_of_next_step(world), 16);
}

TEST(what_pushes_a_rope_without_a_call_ends_long_substeps) {
  weft_world* world = new_rope_at_rest();
  const float gravity[3] = {1.0f, -9.81f, 0.0f};
  expect_ok(weft_world_set_gravity(world, gravity));
  weft_world_step(world, 2);
  ck_assert_uint_eq(sweeps_of_next_step(world), 16);
}

static void touch_tip(weft_world* world) {
  shape_particles(world, TIP, 1, .radius = 0.01f);
}

static void join_tip(weft_world* world) {
  weft_joint_def joint = weft_default_joint_def();
  weft_joint made;
  joint.particle = TIP;
  joint.to[0] = TIP - 2;
  joint.rest_length = 0.2f;
  expect_ok(weft_world_add_joint(world, &joint, &made));
}

static void free_pin(weft_world* world) {
  const float inverse_mass = 100.0f;
  expect_set(world, WEFT_ATTRIBUTE_INVERSE_MASS, 0, 1, &inverse_mass, 0);
  weft_world_step(world, 1);
}

TEST(what_reads_a_rope_between_ends_long_substeps) {
  static const struct {
    void (*act)(weft_world* world);
    uint32_t sweeps;
  } readers[] = {{touch_tip, 16}, {move_pin, 16}, {join_tip, 16},
                 {bound, 16},     {fix, 10},      {free_pin, 16}};
  for (size_t k = 0; k < sizeof readers / sizeof *readers; ++k) {
    weft_world* world = new_rope_at_rest();
    readers[k].act(world);
    const uint32_t sweeps = sweeps_of_next_step(world);
    ck_assert_msg(sweeps >= readers[k].sweeps, "%zu: %u sweeps", k, sweeps);
  }
}

// A ready-made rope hangs; a second rope, or a cloth, is `apart` metres beside the middle of a
// link.
static weft_world* new_ready_rope(uint32_t segments, float apart, bool is_cloth) {
  weft_scene* scene = new_scene();
  weft_rope_def rope = weft_default_rope_def();
  rope.segments = segments;
  rope.pin_origin = true;
  expect_ok(weft_scene_add_rope(scene, &rope, NULL));
  if (is_cloth) {
    weft_cloth_def cloth = weft_default_cloth_def();
    cloth.columns = 9;
    cloth.hooks = 9;
    cloth.origin[0] = apart;
    cloth.origin[1] = 0.03f;
    expect_ok(weft_scene_add_cloth(scene, &cloth, NULL));
  } else if (apart > 0.0f) {
    rope.origin[0] = rope.end[0] = apart;
    rope.origin[1] += 0.05f;
    rope.end[1] += 0.05f;
    expect_ok(weft_scene_add_rope(scene, &rope, NULL));
  }
  const weft_world_def def = weft_default_world_def();
  return new_world(&def, scene);
}

TEST(ready_made_ropes_rest_in_long_substeps_where_nothing_is_near) {
  static const struct {
    uint32_t segments;
    float apart;
    bool is_cloth, rests;
  } cases[] = {{10, 0.0f, false, true},    {100, 0.0f, false, true}, {10, 0.2f, false, true},
               {10, 0.015f, false, false}, {10, 0.2f, true, true},   {10, 0.02f, true, false}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    weft_world* world = new_ready_rope(cases[k].segments, cases[k].apart, cases[k].is_cloth);
    weft_world_step(world, 600);
    const double work = (double)sweeps_of_next_step(world);
    ck_assert_msg((work <= 8) == cases[k].rests, "%zu: %g sweeps", k, work);
  }
}

TEST(a_ready_made_rope_in_a_heap_is_not_clear) {
  weft_scene* scene = new_scene();
  weft_rope_def rope = weft_default_rope_def();
  rope.segments = 40;
  weft_collider_def floor = weft_default_collider_def();
  floor.shape = WEFT_COLLIDER_SHAPE_HALF_SPACE;
  floor.position[1] = -1.2f;
  expect_ok(weft_scene_add_rope(scene, &rope, NULL));
  const weft_world_def def = weft_default_world_def();
  weft_world* world = new_world(&def, scene);
  weft_collider handle;
  expect_ok(weft_world_add_collider(world, &floor, &handle));
  weft_world_step(world, 200);
  ck_assert_uint_gt(sweeps_of_next_step(world), 2);
}

// Bodies whose links are swept, too, or can tear, or that fall.
static void add_ragdoll(weft_scene* scene) {
  const weft_ragdoll_def def = weft_default_ragdoll_def();
  expect_ok(weft_scene_add_ragdoll(scene, &def, NULL));
  expect_ok(weft_scene_pin(scene, weft_range(WEFT_RAGDOLL_HEAD, 1)));
}

static void add_tearing_rope(weft_scene* scene) {
  weft_rope_def rope = bare_rope_def();
  rope.pin_origin = true;
  rope.tear_ratio = 1.5f;
  expect_ok(weft_scene_add_rope(scene, &rope, NULL));
}

static void add_falling_rope(weft_scene* scene) {
  const weft_rope_def rope = bare_rope_def();
  expect_ok(weft_scene_add_rope(scene, &rope, NULL));
}

static void add_swinging_rope(weft_scene* scene) {
  add_rope(scene, 1.0f, 0.0f);
}

static void add_rod(weft_scene* scene) {
  weft_rod_def rod = bare_rod_def();
  rod.rope.pin_origin = true;
  expect_ok(weft_scene_add_rod(scene, &rod, NULL));
}

static void add_loop(weft_scene* scene) {
  const weft_link_def link = {.b = TIP - 3, .a = TIP, .rest_length = 0.3f, .relaxation = 1.0f};
  add_rope(scene, 0.0f, 0.0f);
  expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
}

TEST(swept_and_moving_bodies_take_every_substep) {
  static void (*const adders[])(weft_scene*) = {
      add_ragdoll, add_tearing_rope, add_falling_rope, add_swinging_rope, add_rod, add_loop};
  for (size_t k = 0; k < sizeof adders / sizeof *adders; ++k) {
    weft_scene* scene = new_scene();
    adders[k](scene);
    weft_world* world = new_default_world(scene, .undamped = true);
    for (int step = 0; step < 5 * SECOND; ++step) {
      const uint32_t sweeps = sweeps_of_next_step(world);
      ck_assert_msg(sweeps == 16, "body %zu, step %d: %u sweeps", k, step, sweeps);
    }
  }
}

TEST(a_rope_that_swings_is_the_one_with_all_substeps) {
  for (uint32_t k = 0; k < 2; ++k) {
    weft_world_def def = weft_default_world_def();
    weft_world* adaptive = new_rope(def, k == 0 ? 1.0f : 0.1f);
    def.solver.quality = WEFT_QUALITY_EXACT;
    weft_world* exact = new_rope(def, k == 0 ? 1.0f : 0.1f);
    weft_world_step(adaptive, 5 * SECOND);
    weft_world_step(exact, 5 * SECOND);
    ck_assert_uint_eq(weft_world_hash(adaptive), weft_world_hash(exact));
  }
}

// Seconds between the first and the last fall of the tip through the middle, by their number.
static double tip_period(weft_world* world, double amplitude, int steps) {
  double last = amplitude, first = 0.0, end = 0.0;
  int crossings = 0;
  for (int step = 1; step <= steps; ++step) {
    float tip[3];
    weft_world_step(world, 1);
    expect_get(world, WEFT_ATTRIBUTE_POSITION, TIP, 1, tip);
    if (last > 0.0 && tip[0] <= 0.0f) {
      end = (step - 1 + last / (last - (double)tip[0])) / SECOND;
      if (crossings++ == 0) first = end;
    }
    last = (double)tip[0];
  }
  ck_assert_int_ge(crossings, 3);
  return (end - first) / (crossings - 1);
}

// What counts as rest still swings, by tenths of a millimetre, as a chain does: see above.
TEST(a_rope_at_rest_keeps_its_smallest_swings) {
  const double zero = 2.404825557695773, period = 4.0 * 3.14159265358979323846 / zero / sqrt(9.81),
               amplitude = 5e-4;
  weft_world* world = new_rope(default_def(.undamped = true), 0.0f);
  float* positions = new_positions(world);
  for (uint32_t i = 0; i <= TIP; ++i)
    positions[3 * i] = (float)(amplitude * j0(zero * sqrt(1.0 - (double)i / TIP)));
  expect_set(world, WEFT_ATTRIBUTE_POSITION, 0, TIP + 1, positions, 0);
  weft_world_step(world, REST);
  const double found = tip_period(world, 0.0, 10 * SECOND);
  ck_assert_uint_eq(sweeps_of_next_step(world), 2);
  ck_assert_msg(fabs(found / period - 1.0) < 0.006, "%g s, not %g s", found, period);
}

// Multipliers are of the short substep, whichever was taken.
TEST(an_elastic_rope_keeps_its_length_as_substeps_change) {
  weft_scene* scene = new_scene();
  add_rope(scene, 0.0f, 0.05f);
  weft_world* world = new_default_world(scene, .damping = 20.0f);
  weft_world_step(world, 30 * SECOND);
  ck_assert_uint_eq(sweeps_of_next_step(world), 2);
  const weft_measures low = measures_of(world);
  ck_assert_msg(low.max_residual < 1e-6, "residual %g m", low.max_residual);
  push_tip(world, 0.0f);
  ck_assert_uint_eq(sweeps_of_next_step(world), 16);
  const weft_measures all = measures_of(world);
  ck_assert_msg(fabs((double)(all.lower[1] - low.lower[1])) < 1e-6 && all.max_residual < 1e-6,
                "%g m, residual %g m", (double)(all.lower[1] - low.lower[1]), all.max_residual);
}

// Ropes at rest, but for one, rigid and elastic ones by turns, beside cloth.
static weft_world* new_ropes(weft_isa isa, uint32_t workers, bool sleeps) {
  weft_world_def def = default_def(.isa = isa, .worker_count = workers);
  weft_scene* scene = new_scene();
  for (int k = 0; k < 40; ++k) add_rope(scene, k == 7 ? 0.004f : 0.0f, k % 2 == 0 ? 0.0f : 1e-3f);
  const weft_body sheet = add_sheet_by(scene, sheet_def(.side = 9, .origin = {9.0f}));
  expect_ok(weft_scene_pin(scene, weft_range(sheet.first_particle, 9)));
  if (sleeps) def.sleep_speed = 0.001f;
  return new_world(&def, scene);
}

static uint64_t hash_of_ropes(weft_isa isa, uint32_t workers, bool sleeps) {
  weft_world* world = new_ropes(isa, workers, sleeps);
  weft_world_step(world, 2 * SECOND);
  push_tip(world, 0.2f);
  weft_world_step(world, 10);
  const saved_world saved = save_world(world);
  weft_world_step(world, 2 * SECOND);
  const uint64_t hash = weft_world_hash(world);
  restore_world(world, &saved);
  weft_world_step(world, 2 * SECOND);
  ck_assert_uint_eq(weft_world_hash(world), hash);
  weft_world_destroy(&world);
  return hash;
}

TEST(ropes_at_rest_have_the_same_bits_for_any_isa_and_workers) {
  for (uint32_t sleeps = 0; sleeps < 2; ++sleeps) {
    const uint64_t expected = hash_of_ropes(WEFT_ISA_SCALAR, 1, sleeps == 1);
    for (int isa = next_isa(WEFT_ISA_AUTO); isa != ISA_END; isa = next_isa(isa)) {
      for (uint32_t workers = 1; workers <= 4; workers += 3)
        ck_assert_uint_eq(hash_of_ropes((weft_isa)isa, workers, sleeps == 1), expected);
    }
  }
}
