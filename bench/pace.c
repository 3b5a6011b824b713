#include "pace.h"

#include <math.h>

#include "common/clock.h"
#include "common/interrupt.h"
#include "round_trip.h"
#include "samples.h"

uint32_t bench_pace_steps(uint32_t link_count, uint32_t iterations) {
  const double take_ns = 0.25e9, solve_ns = 0.3;  // approximate time of a link on one thread
  const double steps = take_ns / (solve_ns * (double)link_count * (double)iterations + 1.0);
  if (steps < 5.0) return 5;
  return steps > 1000.0 ? 1000 : (uint32_t)steps;
}

/* Returns the nanoseconds of the best step. */
static double step_world(weft_world* world, uint32_t step_count, const char* label,
                         tool_progress* progress) {
  double best_ns = (double)INFINITY;
  for (uint32_t i = 0; i < step_count && !tool_interrupted(); ++i) {
    const double start_ns = tool_clock_ns();
    weft_world_step(world, 1);
    best_ns = fmin(best_ns, tool_clock_ns() - start_ns);
    tool_progress_step(progress, label);
  }
  return best_ns;
}

static void take(const bench_pace_request* request, const bench_scene* scene, weft_world* world,
                 const char* label, tool_progress* progress, bench_pace* pace) {
  const bool probed = request->threads > 1;
  const double solves = (double)scene->link_count * (double)request->iterations;
  pace->round_trip_before_ns = probed ? bench_round_trip_ns() : (double)NAN;
  pace->ns_per_link = step_world(world, request->steps, label, progress) / solves;
  pace->round_trip_after_ns = probed ? bench_round_trip_ns() : (double)NAN;
  if (++pace->takes == 1) pace->state_hash = weft_world_hash(world);
}

static bool has_moved(const bench_pace* pace) {
  return bench_round_trip_moved(pace->round_trip_before_ns, pace->round_trip_after_ns);
}

bool bench_measure_pace(const bench_pace_request* request, const bench_scene* scene,
                        const char* label, tool_progress* progress, bench_pace* pace,
                        tool_message* why) {
  weft_world* world = NULL;
  weft_world_def def = weft_plain_world_def();
  def.sweeps = WEFT_SWEEPS_TEXTBOOK;
  def.iterations = request->iterations;
  def.worker_count = request->threads;
  def.isa = request->isa;
  if (!bench_make_world(&def, scene->description, &world, why)) return false;
  weft_world_stats stats = {0};
  const weft_result read = weft_world_get_stats(world, &stats);
  *pace = (bench_pace){.isa = stats.isa, .threads = stats.worker_count, .bytes = stats.bytes};
  take(request, scene, world, label, progress, pace);
  while (has_moved(pace) && pace->takes < BENCH_MAX_TAKES && !tool_interrupted()) {
    progress->total += request->steps;
    take(request, scene, world, label, progress, pace);
  }
  weft_world_destroy(&world);
  return bench_check_weft(why, "weft_world_get_stats", read) && !tool_interrupted();
}
