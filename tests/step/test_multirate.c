/* Substeps by body: a body does the same beside any other, and cloth that rests takes one. */
#include "support/saved.h"
#include "support/test.h"

enum { SIDE = 64, COUNT = SIDE * SIDE, STEPS = 30 };

// ---- beside each other ----

typedef enum body_kind { CURTAIN, LOOSE, ELASTIC, TEARING, ROPE, BALL, KINDS } body_kind;

static void add_body(weft_scene* scene, body_kind kind, float x) {
  const uint32_t first = weft_scene_particle_count(scene);
  const weft_material_def cotton = material_def(.bend_stiffness = 0.0f);
  weft_sheet_def sheet = sheet_def(.side = SIDE, .spacing = 0.03f);
  weft_rope_def rope = weft_default_rope_def();
  weft_ball_def ball = weft_default_ball_def();
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
    expect_ok(weft_scene_pin(scene, first, kind == ROPE ? 1 : SIDE));
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
  expect_ok(weft_scene_pin(scene, 0, side));
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
    expect_ok(weft_scene_pin(scene, 0, columns));
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
  def.quality = quality;
  weft_scene* scene = new_scene_by(sheet);
  expect_ok(weft_scene_pin(scene, 0, SIDE));
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
