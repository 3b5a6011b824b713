#include <math.h>
#include <string.h>

#include "common/clock.h"
#include "common/interrupt.h"
#include "common/progress.h"
#include "profile.h"
#include "stage_model.h"

typedef struct profile_run {
  weft_world* world;
  bench_counters counters;
  bench_samples samples[BENCH_PROFILE_ROWS]; /* milliseconds; the step last */
  double counted[BENCH_COUNTERS];            /* in all timed steps */
} profile_run;

static bool create(const bench_scaling_request* request, uint32_t threads, profile_run* run,
                   tool_message* why) {
  weft_world_def def = weft_plain_world_def();
  def.sweeps = WEFT_SWEEPS_TEXTBOOK;
  def.worker_count = threads;
  def.worker_cpus = bench_binding_cpus(request->binding);
  def.profile = true;
  if (!bench_scaling_create_world(request, request->size, def, &run->world, why)) return false;
  for (int i = 0; i < BENCH_PROFILE_ROWS; ++i) {
    if (!bench_samples_create(&run->samples[i], request->steps)) {
      return tool_because(why, "no memory for %u samples", request->steps);
    }
  }
  return true;
}

static void destroy(profile_run* run) {
  weft_world_destroy(&run->world);
  bench_counters_close(&run->counters);
  for (int i = 0; i < BENCH_PROFILE_ROWS; ++i) bench_samples_free(&run->samples[i]);
}

static bool time_step(profile_run* run, tool_message* why) {
  double before[WEFT_STAGE_COUNT], after[WEFT_STAGE_COUNT];
  const char* const call = "weft_world_get_profile";
  if (!bench_check_weft(why, call, weft_world_get_profile(run->world, before))) return false;
  const double start_ns = tool_clock_ns();
  weft_world_step(run->world, 1);
  bench_samples_add(&run->samples[WEFT_STAGE_COUNT], 1e-6 * (tool_clock_ns() - start_ns));
  if (!bench_check_weft(why, call, weft_world_get_profile(run->world, after))) return false;
  for (int stage = 0; stage < WEFT_STAGE_COUNT; ++stage) {
    bench_samples_add(&run->samples[stage], 1e3 * (after[stage] - before[stage]));
  }
  return true;
}

static bool take_steps(const bench_scaling_request* request, const char* label, bool quiet,
                       profile_run* run, tool_message* why) {
  const uint32_t count = request->warmup + request->steps;
  double before[BENCH_COUNTERS];
  tool_progress progress = tool_progress_start(count, quiet);
  bool ok = true;
  for (uint32_t i = 0; ok && i < count; ++i) {
    if (i == request->warmup) bench_counters_read(&run->counters, before);
    if (i < request->warmup) {
      weft_world_step(run->world, 1);
    } else {
      ok = time_step(run, why);
    }
    tool_progress_step(&progress, label);
    ok = ok && !tool_interrupted();
  }
  tool_progress_end(&progress);
  bench_counters_read(&run->counters, run->counted);
  for (int i = 0; ok && i < BENCH_COUNTERS; ++i) run->counted[i] -= before[i];
  return ok;
}

static void fill_world(const bench_scaling_request* request, const weft_world* world,
                       const weft_world_stats* stats, bench_profile_row* row) {
  const uint32_t particles = stats->particle_count;
  *row = (bench_profile_row){.size = bench_scaling_shown_size(request, request->size, particles),
                             .particles = particles,
                             .links = stats->link_count,
                             .threads = stats->worker_count,
                             .steps = request->steps,
                             .sweeps = stats->substeps * stats->iterations,
                             .state_hash = weft_world_hash(world)};
  snprintf(row->scene, sizeof row->scene, "%s", bench_scaling_scene_name(request));
  snprintf(row->isa, sizeof row->isa, "%s", weft_isa_name(stats->isa));
}

static void fill_stage(const weft_world_stats* world, const weft_contact_stats* contacts,
                       bench_samples* samples, int stage, bench_profile_row* row) {
  row->ms = bench_samples_median(samples);
  row->ms_min = bench_samples_min(samples);
  row->gb_per_s = row->gflop_per_s = row->share_of_ceiling = (double)NAN;
  const char* name = stage < WEFT_STAGE_COUNT ? weft_stage_name((weft_stage)stage) : "step";
  snprintf(row->stage, sizeof row->stage, "%s", name);
  if (stage == WEFT_STAGE_COUNT || !(row->ms > 0.0)) return;
  const bench_stage_cost cost = bench_stage_cost_of((weft_stage)stage, world, contacts);
  row->gb_per_s = 1e-6 * cost.bytes / row->ms;
  row->gflop_per_s = 1e-6 * cost.operations / row->ms;
}

static bool fill(const bench_scaling_request* request, profile_run* run, bench_profile_row* rows,
                 tool_message* why) {
  weft_world_stats world;
  weft_contact_stats contacts;
  if (!bench_check_weft(why, "weft_world_get_stats", weft_world_get_stats(run->world, &world)) ||
      !bench_check_weft(why, "weft_world_get_contact_stats",
                        weft_world_get_contact_stats(run->world, &contacts))) {
    return false;
  }
  double sum = 0.0;
  for (int i = 0; i < BENCH_PROFILE_ROWS; ++i) {
    fill_world(request, run->world, &world, &rows[i]);
    fill_stage(&world, &contacts, &run->samples[i], i, &rows[i]);
    if (i < WEFT_STAGE_COUNT) sum += rows[i].ms;
    for (int c = 0; c < BENCH_COUNTERS; ++c) {
      rows[i].counters[c] =
          i == WEFT_STAGE_COUNT ? run->counted[c] / (double)request->steps : (double)NAN;
    }
  }
  for (int i = 0; i < WEFT_STAGE_COUNT; ++i) rows[i].share = rows[i].ms / sum;
  rows[WEFT_STAGE_COUNT].share = 1.0;
  return true;
}

bool bench_profile_measure(const bench_scaling_request* request, uint32_t threads,
                           bench_counter_open* open, bool quiet, bench_profile_row* rows,
                           int* error, tool_message* why) {
  profile_run run = {0};
  char label[64];
  snprintf(label, sizeof label, "profile: %s x%u", weft_isa_name(request->isa), threads);
  // before the world: its workers inherit the counters
  bench_counters_open(open, &run.counters);
  *error = bench_counters_error(&run.counters);
  bool ok = create(request, threads, &run, why);
  if (ok) {
    bench_binding_enter(request->binding);
    ok = take_steps(request, label, quiet, &run, why);
    bench_binding_leave(request->binding);
  }
  ok = ok && fill(request, &run, rows, why);
  destroy(&run);
  return ok;
}

// ---- ceilings ----

static void fill_share(const bench_limits* limits, bench_profile_row* row) {
  if (strcmp(row->stage, weft_stage_name(WEFT_STAGE_LINKS)) == 0) {
    const double solves = (double)row->links * (double)row->sweeps;
    const double least_ns = bench_l2_ceiling_ns(limits, row->isa) * solves / (double)row->threads;
    row->share_of_ceiling = row->links > 0 ? 1e-6 * least_ns / row->ms : (double)NAN;
  } else {
    row->share_of_ceiling = row->gb_per_s / bench_memory_gb_per_s(limits, row->threads);
  }
}

void bench_profile_fill_shares(const bench_limits* limits, bench_rows* rows) {
  bench_profile_row* items = rows->items;
  for (size_t i = 0; i < rows->count; ++i) fill_share(limits, &items[i]);
}
