#include "measure.h"

#include <stdio.h>

#include "common/clock.h"
#include "common/interrupt.h"
#include "common/progress.h"
#include "round_trip.h"

enum { MAX_LABEL = 128 };

uint32_t bench_default_steps(uint32_t link_count, uint32_t iterations) {
  const double turn_ns = 0.5e9, solve_ns = 11.0;  // approximate time of a link on the serial rung
  const double steps = turn_ns / (solve_ns * (double)link_count * (double)iterations + 1.0);
  if (steps < 3.0) return 3;
  return steps > 100.0 ? 100 : (uint32_t)steps;
}

static bool warm_up(uint32_t step_count, const char* label, bench_rung* rung,
                    tool_progress* progress) {
  for (uint32_t i = 0; i < step_count; ++i) {
    if (tool_interrupted()) return false;
    bench_rung_step(rung);
    tool_progress_step(progress, label);
  }
  return true;
}

static bool take_turn(uint32_t step_count, const char* label, bench_rung* rung,
                      tool_progress* progress) {
  for (uint32_t i = 0; i < step_count; ++i) {
    if (tool_interrupted()) return false;
    const double start_ns = tool_clock_ns();
    bench_rung_step(rung);
    bench_samples_add(&rung->samples, 1e-6 * (tool_clock_ns() - start_ns));
    tool_progress_step(progress, label);
  }
  return true;
}

static void label_rung(const bench_scene* scene, const bench_rung* rung, char label[MAX_LABEL]) {
  char title[BENCH_MAX_TITLE];
  bench_scene_title(scene->name, scene->size, scene->count, title);
  snprintf(label, MAX_LABEL, "%.60s: %s %s x%u", title, bench_solver_name(rung->solver),
           bench_rung_isa_name(rung), rung->threads);
}

/* One repeat; repeat number -1 stands for the warm-up. */
static bool run_repeat(const bench_schedule* schedule, int64_t repeat, const bench_scene* scene,
                       bench_ladder* ladder, tool_progress* progress) {
  for (uint32_t i = 0; i < ladder->count; ++i) {
    bench_rung* rung = &ladder->rungs[i];
    const bool probed = rung->threads > 1;
    char label[MAX_LABEL];
    label_rung(scene, rung, label);
    if (probed && repeat == 0) rung->round_trip_before_ns = bench_round_trip_ns();
    bench_binding_enter(ladder->binding);
    const bool finished = repeat < 0 ? warm_up(schedule->warmup, label, rung, progress)
                                     : take_turn(schedule->steps, label, rung, progress);
    bench_binding_leave(ladder->binding);
    if (!finished) return false;
    if (probed && repeat == schedule->repeats - 1) {
      rung->round_trip_after_ns = bench_round_trip_ns();
    }
  }
  return true;
}

bool bench_measure(const bench_schedule* schedule, const bench_scene* scene, bool quiet,
                   bench_ladder* ladder) {
  const uint64_t steps_each =
      schedule->warmup + (uint64_t)schedule->steps * (uint64_t)schedule->repeats;
  tool_progress progress = tool_progress_start(steps_each * ladder->count, quiet);
  bool finished = true;
  for (int64_t repeat = -1; finished && repeat < (int64_t)schedule->repeats; ++repeat) {
    finished = run_repeat(schedule, repeat, scene, ladder, &progress);
  }
  tool_progress_end(&progress);
  return finished;
}
