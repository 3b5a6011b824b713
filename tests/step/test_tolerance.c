/* Relaxation until a tolerance. */
#include "support/test.h"

// cloth that hangs by a row, a ball with gas, a rope of the direct solver, and a joint
enum { SHEET, WITH_LEVELS, WITH_JOINT, EVERYTHING, CASES };

// sweeps of a substep
typedef struct sweep_rule {
  weft_sweeps order;
  uint32_t iterations;
} sweep_rule;

static const sweep_rule sixty = {WEFT_SWEEPS_SYMMETRIC, 60};

static weft_world* new_ruled(int kind, sweep_rule rule, float tolerance, weft_isa isa,
                             uint32_t workers) {
  weft_scene* scene = new_sheet_scene(60, 50, ALL_FAMILIES);
  expect_ok(weft_scene_pin(scene, weft_range(0, 60)));
  if (kind == EVERYTHING) {
    weft_ball_def ball = bare_ball_def();
    ball.origin[1] = 3.0f;
    ball.pressure = 300.0f;
    expect_ok(weft_scene_add_ball(scene, &ball, NULL));
    weft_rope_def rope = bare_rope_def();
    rope.pin_origin = true;
    expect_ok(weft_scene_add_rope(scene, &rope, NULL));
  }
  weft_world_def def =
      plain_def(.iterations = rule.iterations, .coarse_iterations = kind == WITH_LEVELS ? 2 : 0,
                .isa = isa, .worker_count = workers);
  def.solver.sweeps = rule.order;
  def.solver.tolerance = tolerance;
  weft_world* world = new_world(&def, scene);
  if (kind < WITH_JOINT) return world;
  weft_joint_def joint = weft_default_joint_def();
  joint.particle = 2990;
  joint.to[0] = 700;
  joint.rest_length = 1.0f;
  weft_joint joined;
  expect_ok(weft_world_add_joint(world, &joint, &joined));
  return world;
}

static weft_world* new_relaxed(int kind, float tolerance, weft_isa isa, uint32_t workers) {
  return new_ruled(kind, sixty, tolerance, isa, workers);
}

// Symmetric sweeps of a fixed count are those of a tolerance if they are one pair: with joints
// between them or a tolerance they alternate, else one half follows the other.
static const sweep_rule same_rules[] = {
    {WEFT_SWEEPS_SYMMETRIC, 2}, {WEFT_SWEEPS_TEXTBOOK, 60}, {WEFT_SWEEPS_TEXTBOOK, 7}};
enum { SAME_RULES = sizeof(same_rules) / sizeof(*same_rules) };

LOOP_TEST(a_tolerance_that_is_never_met_gives_the_bits_of_the_fixed_count, 0,
          (SAME_RULES + 1) * CASES) {
  const int kind = _i % CASES;
  // joints make sweeps of a fixed count alternate too
  const sweep_rule rule = _i < CASES * SAME_RULES ? same_rules[_i / CASES]
                          : kind < WITH_JOINT     ? same_rules[0]
                                                  : sixty;
  weft_world* fixed = new_ruled(kind, rule, 0.0f, WEFT_ISA_AUTO, 2);
  weft_world* relaxed = new_ruled(kind, rule, 1e-30f, WEFT_ISA_AUTO, 2);
  for (int step = 0; step < 10; ++step) {
    weft_world_step(fixed, 1);
    weft_world_step(relaxed, 1);
    ck_assert_uint_eq(weft_world_hash(fixed), weft_world_hash(relaxed));
    ck_assert_uint_eq(stats_of(relaxed).sweeps, rule.iterations);
    ck_assert_uint_eq(stats_of(fixed).sweeps, rule.iterations);
    ck_assert(stats_of(relaxed).residual > 0.0f && stats_of(fixed).residual == 0.0f);
  }
}

TEST(sweeps_end_within_the_tolerance_or_at_the_cap) {
  uint32_t last = UINT32_MAX;
  for (float tolerance = 1e-4f; tolerance < 1e-2f; tolerance *= 4.0f) {
    weft_world* world = new_relaxed(SHEET, tolerance, WEFT_ISA_AUTO, 2);
    uint32_t all = 0;
    for (int step = 0; step < ROUNDS(60, 10); ++step) {
      weft_world_step(world, 1);
      const weft_world_stats stats = stats_of(world);
      ck_assert_uint_le(stats.sweeps, 60);
      ck_assert(stats.sweeps == 60 || stats.residual <= tolerance);
      all += stats.sweeps;
    }
    // a wider tolerance takes fewer sweeps
    ck_assert_uint_lt(all, last);
    last = all;
  }
}

// two particles: the first sweep removes the whole error, the second nothing
TEST(the_residual_is_the_root_mean_square_displacement_of_a_sweep) {
  const float positions[3][3] = {{0.0f, 0.0f, 0.0f}, {1.5f, 0.0f, 0.0f}, {9.0f, 0.0f, 0.0f}};
  weft_scene* scene = new_points_scene(positions[0], (const float[3]){1.0f, 1.0f, 0.0f}, 3);
  const weft_link_def link = {.a = 0, .b = 1, .rest_length = 1.0f, .relaxation = 1.0f};
  expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
  weft_world_def def = weft_plain_world_def();
  for (int axis = 0; axis < 3; ++axis) def.gravity[axis] = 0.0f;
  def.solver.direct_iterations = 0;
  def.solver.tolerance = 1e-4f;
  def.solver.sweeps = WEFT_SWEEPS_TEXTBOOK;
  def.solver.iterations = 1;
  weft_world* world = new_world(&def, scene);
  weft_world_step(world, 1);
  // both move by 0.25; the pinned one does not count
  ck_assert_float_eq_tol(stats_of(world).residual, 0.25f, 1e-6f);
  def.solver.iterations = 100;
  world = new_world(&def, scene);
  weft_world_step(world, 1);
  ck_assert_uint_eq(stats_of(world).sweeps, 2);
  // the second sweep of a pair is measured
  def.solver.sweeps = WEFT_SWEEPS_SYMMETRIC;
  world = new_world(&def, scene);
  weft_world_step(world, 1);
  ck_assert_uint_eq(stats_of(world).sweeps, 2);
  ck_assert_float_eq(stats_of(world).residual, 0.0f);
}
