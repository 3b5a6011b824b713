/* Replays on ranks, whose time is known in closed form. */
#include <math.h>
#include <stdlib.h>

#include "rank_replay.h"
#include "support/suite.h"

enum { COLUMNS = 512, PARTICLES = 2048, SWEEPS = 10 };

static const bench_network network = {"test", 1000.0, 100.0, 10.0, 1.0, ""};

// A sheet of `patches` strips of PARTICLES each, one below the other.
static bench_rank_replay replay_of(uint32_t patches, uint32_t ranks, uint32_t workers,
                                   const bench_network* used) {
  weft__patch_graph strips;
  bench_rank_graph graph;
  bench_rank_replay replay;
  require(weft__patch_graph_of_sheet(&strips, COLUMNS, 4 * patches));
  require(strips.patch_count == patches);
  uint32_t* owner = calloc(patches, sizeof *owner);
  weft__partition_ranges(&strips, ranks, owner);
  require(bench_rank_graph_create(&graph, &strips, owner, ranks));
  const bench_rank_request request = {
      .graph = &graph,
      .phase_count = SWEEPS + 1,
      .workers = workers,
      .costs = {.integration = 1.0, .sweep = 1.0, .memory_gb_per_s = (double)INFINITY},
      .network = *used};
  require(bench_rank_replay_run(&request, &replay));
  bench_rank_graph_free(&graph);
  weft__patch_graph_destroy(&strips);
  free(owner);
  return replay;
}

START_TEST(one_worker_takes_the_sum_of_all_costs_and_sends_nothing) {
  const bench_rank_replay replay = replay_of(16, 1, 1, &network);
  ck_assert_double_eq_tol(replay.ns, 16.0 * PARTICLES * (SWEEPS + 1), 1e-3);
  ck_assert_double_eq_tol(replay.work_ns, replay.ns, 1e-3);
  ck_assert_uint_eq(replay.messages, 0);
}
END_TEST

START_TEST(two_patches_on_two_ranks_take_turns) {
  // integration at once, then each sweep of one patch after that of the other: a message between
  const bench_rank_replay replay = replay_of(16, 2, 8, &network);
  const double head = BENCH_MESSAGE_HEADER + BENCH_PATCH_HEADER;
  const double bytes = head + (double)BENCH_PARTICLE_BYTES * COLUMNS;
  const double message = 2.0 * network.overhead_ns + network.latency_ns + bytes / network.gb_per_s;
  // a chain of patches, a worker each: the longest path goes to and fro over the border
  const double path = PARTICLES + SWEEPS * 2.0 * (PARTICLES + message);
  ck_assert_double_ge(replay.ns, path);
  ck_assert_double_le(replay.ns, path + PARTICLES * 4.0 + 4.0 * message);
  ck_assert_uint_eq(replay.patch_messages, 2 * (SWEEPS + 1));
  ck_assert_uint_eq(replay.bytes,
                    (uint64_t)(2 * SWEEPS * bytes + 2 * head + 2 * COLUMNS * BENCH_PARTICLE_BYTES));
}
END_TEST

START_TEST(ranks_without_a_network_are_as_fast_as_workers) {
  static const bench_network instant = {"instant", 0.0, 0.0, 0.0, 1e9, ""};
  for (uint32_t ranks = 2; ranks <= 8; ranks *= 2) {
    const bench_rank_replay apart = replay_of(256, ranks, 1, &instant);
    const double ideal = apart.work_ns / ranks;
    ck_assert_double_ge(apart.ns, ideal);
    ck_assert_double_le(apart.ns, 1.15 * ideal);
    ck_assert_uint_eq(apart.patch_messages, (ranks - 1) * 2 * (SWEEPS + 1));
  }
}
END_TEST

SUITE(bench_rank_replay) {
  tcase_add_test(tests, one_worker_takes_the_sum_of_all_costs_and_sends_nothing);
  tcase_add_test(tests, two_patches_on_two_ranks_take_turns);
  tcase_add_test(tests, ranks_without_a_network_are_as_fast_as_workers);
}
