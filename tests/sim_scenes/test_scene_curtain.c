/* The curtain: tears, rest on the floor, gravity off and on, and a restart. */
#include "sim/pieces.h"
#include "support/sim_runs.h"
#include "support/test.h"

// ---- connected pieces ----

TEST(pieces_are_what_links_join_that_have_not_broken) {
  // chains 0-1-2 and 3-4, particle 5, and a ring 6-7-8
  static const uint32_t ends[6][2] = {{1, 0}, {2, 1}, {4, 3}, {6, 7}, {7, 8}, {8, 6}};
  static const struct {
    uint32_t torn, pieces;
    uint32_t piece_of[9];
  } cases[] = {
      {UINT32_MAX, 4, {0, 0, 0, 3, 3, 5, 6, 6, 6}}, {3, 4, {0, 0, 0, 3, 3, 5, 6, 6, 6}},
      {0, 5, {0, 1, 1, 3, 3, 5, 6, 6, 6}},          {5, 6, {0, 1, 1, 3, 3, 5, 6, 7, 7}},
      {2, 7, {0, 1, 1, 3, 4, 5, 6, 7, 7}},
  };
  float positions[27] = {0}, inverse_masses[9];
  weft_scene* scene = NULL;
  weft_world* world = NULL;
  sim_pieces pieces;
  tool_message why;
  for (uint32_t i = 0; i < 9; ++i) positions[3 * i] = (float)i, inverse_masses[i] = 1.0f;
  expect_ok(weft_scene_create(&scene));
  expect_ok(weft_scene_add_particles(scene, positions, inverse_masses, 9, NULL));
  for (uint32_t i = 0; i < 6; ++i) {
    const weft_link_def link = {
        .a = ends[i][0], .b = ends[i][1], .rest_length = 1.0f, .relaxation = 1.0f};
    expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
  }
  const weft_world_def def = weft_plain_world_def();
  expect_ok(weft_world_create(&def, scene, &world));
  ck_assert(sim_pieces_create(&pieces, scene, &why));
  // each case tears one more link
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    if (cases[i].torn != UINT32_MAX)
      expect_set(world, WEFT_ATTRIBUTE_LINK_TORN, cases[i].torn, 1, &(bool){true}, 0);
    sim_pieces_find(&pieces, world);
    ck_assert_uint_eq(pieces.count, cases[i].pieces);
    ck_assert_mem_eq(pieces.piece_of, cases[i].piece_of, sizeof cases[i].piece_of);
  }
  sim_pieces_destroy(&pieces);
}

// ---- gravity switched ----

LOOP_TEST(without_gravity_nothing_falls_and_with_it_again_it_does, 0, 2) {
  const sim_case c = {.name = "curtain",
                      .seconds = 2.0,
                      .rate = _i == 0 ? 60 : 240,
                      .sets = {"pull=0", "damping=0", "release=0.5", "gravity_off=1",
                               "gravity_on=1.5", "drop=100", "columns=21", "rows=11"}};
  sim_run* run = new_sim_run(&c);
  run_until(run, 1.1);
  const weft_measures before = facts_of(run).measures;
  ck_assert_double_lt(before.momentum[1], -0.5 * before.mass * 9.81 * 0.5);
  run_until(run, 1.5);
  const weft_measures after = facts_of(run).measures;
  for (int axis = 0; axis < 3; ++axis) {
    ck_assert_double_eq_tol(after.momentum[axis] / after.mass, before.momentum[axis] / before.mass,
                            5e-3);
  }
  run_until(run, 2.0);
  const weft_measures last = facts_of(run).measures;
  const double gained = (last.momentum[1] - after.momentum[1]) / last.mass;
  ck_assert_double_eq_tol(gained, -9.81 * 0.5, 5e-3);
}

TEST(a_curtain_that_starts_without_gravity_hangs_in_the_air_until_it_comes) {
  const sim_case c = {
      .name = "curtain",
      .seconds = 3.0,
      .sets = {"pull=0", "sway=0", "gravity=false", "release=0.1", "gravity_on=1", "drop=2"}};
  sim_run* run = new_sim_run(&c);
  run_until(run, 0.2);
  const weft_measures first = facts_of(run).measures;
  run_until(run, 1.0);
  const weft_measures before = facts_of(run).measures;
  // residue of rounded rest lengths and positions: half a millimetre per second
  ck_assert_double_lt(before.kinetic, 1e-6);
  for (int axis = 0; axis < 3; ++axis) {
    ck_assert_double_eq_tol(before.center[axis], first.center[axis], 5e-4);
  }
  run_until(run, 1.4);
  ck_assert_double_lt(facts_of(run).measures.center[1], before.center[1] - 0.6);
}

// ---- repeat and restart ----

static const sim_case everything = {
    .name = "curtain",
    .seconds = 2.4,
    .rate = 50,
    .sets = {"columns=41", "rows=25", "pull=5", "pull_at=0.1", "cut=0.9", "hole=1.1",
             "gravity_off=1.3", "gravity_on=1.6", "release=1.8", "drop=0.2"}};

TEST(a_curtain_made_anew_is_the_first_state_bit_for_bit_and_goes_the_same_way) {
  sim_run* run = new_sim_run(&everything);
  const weft_world_stats stats = stats_of(sim_run_world(run));
  const size_t floats = (size_t)3 * stats.particle_count;
  float* state[4];
  for (int i = 0; i < 4; ++i) state[i] = calloc(floats, sizeof(float));
  const uint64_t first = weft_world_hash(sim_run_world(run));
  expect_get(sim_run_world(run), WEFT_ATTRIBUTE_POSITION, 0, stats.particle_count, state[0]);
  expect_get(sim_run_world(run), WEFT_ATTRIBUTE_VELOCITY, 0, stats.particle_count, state[1]);
  run_until(run, 1.2);
  ck_assert_uint_ne(weft_world_hash(sim_run_world(run)), first);
  // second run created while the first one exists
  sim_run* anew = new_sim_run(&everything);
  expect_get(sim_run_world(anew), WEFT_ATTRIBUTE_POSITION, 0, stats.particle_count, state[2]);
  expect_get(sim_run_world(anew), WEFT_ATTRIBUTE_VELOCITY, 0, stats.particle_count, state[3]);
  ck_assert_mem_eq(state[0], state[2], floats * sizeof(float));
  ck_assert_mem_eq(state[1], state[3], floats * sizeof(float));
  ck_assert_uint_eq(weft_world_hash(sim_run_world(anew)), first);
  ck_assert_uint_eq(facts_of(anew).stats.torn_count, 0);
  run_to_the_end(run);
  run_to_the_end(anew);
  ck_assert_uint_eq(weft_world_hash(sim_run_world(anew)), weft_world_hash(sim_run_world(run)));
  ck_assert_uint_eq(facts_of(anew).stats.torn_count, facts_of(run).stats.torn_count);
  for (int i = 0; i < 4; ++i) free(state[i]);
}
