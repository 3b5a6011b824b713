/* Replays of hand-made task graphs, whose time is known in closed form. */
#include <math.h>
#include <stdlib.h>

#include "replay.h"
#include "scenes.h"
#include "support/suite.h"

static const bench_replay_costs free_costs = {
    .slowdown = 1.0, .spin = (double)INFINITY, .memory_gb_per_s = (double)INFINITY};

// Graph of one task, all costs equal. Patches come from add_neighbors().
static bench_task* add_task(bench_task_graph* graph, bench_task_kind kind, uint32_t count,
                            uint32_t phase_count, double cost) {
  const bench_task described = {.kind = kind,
                                .stage = WEFT_STAGE_LINKS,
                                .name = "task",
                                .count = count,
                                .phase_count = phase_count};
  bench_task* task = bench_task_graph_append(graph, &described);
  require(task != NULL);
  for (uint32_t i = 0; i < count * phase_count; ++i) bench_task_costs(graph, task)[i] = cost;
  bench_task_sum(graph, task);
  return task;
}

// Patches, each pair in `is_edge` neighbours.
static void add_patches(bench_task_graph* graph, uint32_t count, const uint32_t* color,
                        bool (*is_edge)(uint32_t, uint32_t)) {
  bench_patch_graph* patches = &graph->patches[0];
  patches->count = count;
  patches->color = calloc(count, sizeof *patches->color);
  patches->first_neighbor = calloc(count + 1, sizeof *patches->first_neighbor);
  patches->neighbors = calloc((size_t)count * count + 1, sizeof *patches->neighbors);
  uint32_t filled = 0;
  for (uint32_t p = 0; p < count; ++p) {
    patches->color[p] = color[p];
    for (uint32_t q = 0; q < count; ++q) {
      if (p != q && is_edge(p, q)) patches->neighbors[filled++] = q;
    }
    patches->first_neighbor[p + 1] = filled;
  }
}

static bool in_path(uint32_t p, uint32_t q) {
  return p + 1 == q || q + 1 == p;
}

static bool in_star(uint32_t p, uint32_t q) {
  return p == 0 || q == 0;
}

static bool in_complete(uint32_t p, uint32_t q) {
  return p != q;
}

static bench_replay replay_of(const bench_task_graph* graph, uint32_t workers,
                              const bench_replay_costs* costs) {
  bench_replay replay;
  require(bench_replay_run(graph, workers, costs, &replay));
  return replay;
}

static void expect_ns(const bench_task_graph* graph, uint32_t workers, double ns) {
  const bench_replay replay = replay_of(graph, workers, &free_costs);
  ck_assert_msg(fabs(replay.ns - ns) < 1e-6, "%u workers: %g, not %g", workers, replay.ns, ns);
}

START_TEST(independent_pieces_take_the_rounds_that_workers_need) {
  bench_task_graph graph = {.tasks = NULL};
  add_task(&graph, BENCH_TASK_SERIAL, 1, 1, 7.0);
  add_task(&graph, BENCH_TASK_LOOP, 12, 1, 10.0);
  static const uint32_t workers[] = {1, 2, 3, 5, 12, 256};
  static const double rounds[] = {12, 6, 4, 3, 1, 1};
  for (int i = 0; i < 6; ++i) expect_ns(&graph, workers[i], 7.0 + 10.0 * rounds[i]);
  bench_task_graph_free(&graph);
}
END_TEST

START_TEST(a_loop_lasts_as_long_as_its_longest_piece_and_others_are_stolen) {
  bench_task_graph graph = {.tasks = NULL};
  bench_task* task = add_task(&graph, BENCH_TASK_LOOP, 9, 1, 10.0);
  bench_task_costs(&graph, task)[0] = 80.0;
  bench_task_sum(&graph, task);
  // the first worker has the long piece, the second one all others
  expect_ns(&graph, 2, 80.0);
  const bench_replay replay = replay_of(&graph, 8, &free_costs);
  require(replay.ns == 80.0 && replay.path_ns == 80.0 && replay.work_ns == 160.0);
  require(replay.loss_count == 1 && replay.losses[0].cause == BENCH_LOSS_PATH);
  require(replay.losses[0].ns == 8.0 * 80.0 - 160.0);
  bench_task_graph_free(&graph);
}
END_TEST

START_TEST(patches_that_all_touch_each_other_are_a_chain) {
  static const uint32_t color[] = {0, 1, 2, 3};
  bench_task_graph graph = {.tasks = NULL};
  add_patches(&graph, 4, color, in_complete);
  // phase 0 of all at once, then one sweep after the other
  add_task(&graph, BENCH_TASK_WAVEFRONT, 4, 6, 10.0);
  expect_ns(&graph, 1, 240.0);
  expect_ns(&graph, 4, 210.0);
  expect_ns(&graph, 64, 210.0);
  bench_task_graph_free(&graph);
}
END_TEST

START_TEST(a_path_of_two_colors_alternates_between_them) {
  enum { COUNT = 16, PHASES = 11 };
  uint32_t color[COUNT];
  for (uint32_t p = 0; p < COUNT; ++p) color[p] = p % 2;
  bench_task_graph graph = {.tasks = NULL};
  add_patches(&graph, COUNT, color, in_path);
  const bench_task* task = add_task(&graph, BENCH_TASK_WAVEFRONT, COUNT, PHASES, 10.0);
  // phase 0, then both colours of each sweep
  const double path = 10.0 * (1 + 2 * (PHASES - 1));
  require(bench_task_longest_path(&graph, task) == path);
  expect_ns(&graph, COUNT, path);
  expect_ns(&graph, 1, 10.0 * COUNT * PHASES);
  // two workers, each with half of the path, keep each other busy
  const bench_replay two = replay_of(&graph, 2, &free_costs);
  require(two.ns >= 0.5 * two.work_ns && two.ns <= 0.5 * two.work_ns + 40.0);
  bench_task_graph_free(&graph);
}
END_TEST

START_TEST(the_center_of_a_star_goes_first_and_its_leaves_follow_together) {
  static const uint32_t color[] = {0, 1, 1, 1, 1, 1, 1, 1, 1};
  bench_task_graph graph = {.tasks = NULL};
  add_patches(&graph, 9, color, in_star);
  add_task(&graph, BENCH_TASK_WAVEFRONT, 9, 4, 10.0);
  // phase 0 of all; in each of three sweeps the centre, then the leaves
  expect_ns(&graph, 9, 10.0 + 3 * 20.0);
  bench_task_graph_free(&graph);
}
END_TEST

START_TEST(costs_of_jobs_are_added) {
  bench_task_graph graph = {.tasks = NULL};
  add_task(&graph, BENCH_TASK_LOOP, 2, 1, 1000.0);
  bench_replay_costs costs = free_costs;
  costs.handoff = 50.0;
  // the second worker begins a handoff later, and its end is seen another one later
  require(replay_of(&graph, 2, &costs).ns == 1100.0);
  costs.spin = -1.0;
  costs.wake = 200.0;
  costs.wake_up = 400.0;
  // parked: the caller wakes it; it comes in the middle of the caller's piece
  require(replay_of(&graph, 2, &costs).ns == 200.0 + 400.0 + 1000.0 + 50.0);
  costs = free_costs;
  costs.bytes[WEFT_STAGE_LINKS] = 3e4;
  costs.memory_gb_per_s = 10.0;
  const bench_replay bound = replay_of(&graph, 2, &costs);
  require(bound.ns == 3000.0 && bound.losses[0].cause == BENCH_LOSS_MEMORY);
  bench_task_graph_free(&graph);
}
END_TEST

START_TEST(no_replay_is_faster_than_its_bounds_and_losses_are_complete) {
  enum { COUNT = 40, PHASES = 7 };
  uint32_t color[COUNT];
  for (uint32_t p = 0; p < COUNT; ++p) color[p] = (p * 7) % 3 == 0 ? 0 : 1 + p % 2;
  bench_task_graph graph = {.tasks = NULL};
  add_patches(&graph, COUNT, color, in_path);
  for (int i = 0; i < 3; ++i) {
    bench_task* task = i == 1 ? add_task(&graph, BENCH_TASK_WAVEFRONT, COUNT, PHASES, 0.0)
                              : add_task(&graph, BENCH_TASK_LOOP, 33, 1, 0.0);
    double* costs = bench_task_costs(&graph, task);
    for (uint32_t c = 0; c < task->count * task->phase_count; ++c) {
      costs[c] = 100.0 + (double)((c * 2654435761u) >> 22);
    }
    bench_task_sum(&graph, task);
  }
  bench_replay_costs costs = free_costs;
  costs.handoff = 60.0;
  costs.look = 5.0;
  costs.claim = 10.0;
  costs.steal = 600.0;
  costs.slowdown = 1.25;
  for (uint32_t workers = 1; workers <= 64; ++workers) {
    const bench_replay replay = replay_of(&graph, workers, &costs);
    require(replay.ns >= replay.path_ns && replay.ns >= replay.work_ns / workers);
    double lost = 0.0;
    for (size_t i = 0; i < replay.loss_count; ++i) lost += replay.losses[i].ns;
    ck_assert_double_eq_tol(replay.work_ns + lost, workers * replay.ns, 1e-3);
  }
  bench_task_graph_free(&graph);
}
END_TEST

// ---- graphs of worlds ----

START_TEST(graphs_of_a_world_have_its_whole_step) {
  bench_scene scene;
  weft_world* world = NULL;
  tool_message why;
  weft_world_def def = weft_default_world_def();
  def.worker_count = 1;
  def.span_capacity = 1u << 16;
  require(bench_scene_make(&(bench_scene_request){.sheet_size = 65, .count = 1}, &scene, &why));
  require(weft_world_create(&def, scene.description, &world).error == WEFT_OK);
  bench_task_graph graphs[3] = {{.tasks = NULL}};
  for (int i = 0; i < 3; ++i) {
    weft_spans spans;
    weft_world_step(world, 1);
    require(bench_task_graph_read(world, &graphs[i], &why));
    require(weft_world_get_spans(world, 0, &spans).error == WEFT_OK);
    double work_ns = 0.0;
    int64_t end_ns = 0;
    for (size_t t = 0; t < graphs[i].task_count; ++t) work_ns += graphs[i].tasks[t].work_ns;
    for (uint32_t s = 0; s < spans.count; ++s) {
      if (spans.items[s].kind == WEFT_SPAN_STAGE) end_ns = spans.items[s].end_ns;
    }
    ck_assert_double_eq_tol(work_ns, (double)(end_ns - spans.items[0].begin_ns), 1.0);
  }
  // a time without a core in one of the steps
  double before = bench_task_costs(&graphs[1], &graphs[1].tasks[0])[0];
  bench_task_costs(&graphs[1], &graphs[1].tasks[0])[0] += 1e9;
  require(bench_task_graphs_smooth(graphs, 3));
  require(bench_task_costs(&graphs[1], &graphs[1].tasks[0])[0] < before + 1e8);
  for (int i = 0; i < 3; ++i) bench_task_graph_free(&graphs[i]);
  weft_world_destroy(&world);
  bench_scene_free(&scene);
}
END_TEST

SUITE(bench_replay) {
  tcase_add_test(tests, independent_pieces_take_the_rounds_that_workers_need);
  tcase_add_test(tests, a_loop_lasts_as_long_as_its_longest_piece_and_others_are_stolen);
  tcase_add_test(tests, patches_that_all_touch_each_other_are_a_chain);
  tcase_add_test(tests, a_path_of_two_colors_alternates_between_them);
  tcase_add_test(tests, the_center_of_a_star_goes_first_and_its_leaves_follow_together);
  tcase_add_test(tests, costs_of_jobs_are_added);
  tcase_add_test(tests, no_replay_is_faster_than_its_bounds_and_losses_are_complete);
  tcase_add_test(tests, graphs_of_a_world_have_its_whole_step);
}
