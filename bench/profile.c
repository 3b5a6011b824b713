#include "profile.h"

#include <math.h>
#include <string.h>

#include "common/clock.h"
#include "common/must.h"
#include "common/number.h"
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
    if (!bench_samples_create(&run->samples[i], request->steps, why)) return false;
  }
  return true;
}

static void destroy(profile_run* run) {
  weft_world_destroy(&run->world);
  bench_counters_close(&run->counters);
  for (int i = 0; i < BENCH_PROFILE_ROWS; ++i) bench_samples_free(&run->samples[i]);
}

static bool step(void* context, uint32_t number, bool is_timed, tool_message* why) {
  profile_run* run = context;
  double before[WEFT_STAGE_COUNT], after[WEFT_STAGE_COUNT];
  (void)number, (void)why;
  tool_must(weft_world_get_profile(run->world, before));
  const double start_ns = tool_clock_ns();
  weft_world_step(run->world, 1);
  const double step_ms = 1e-6 * (tool_clock_ns() - start_ns);
  if (!is_timed) return true;
  bench_samples_add(&run->samples[WEFT_STAGE_COUNT], step_ms);
  tool_must(weft_world_get_profile(run->world, after));
  for (int stage = 0; stage < WEFT_STAGE_COUNT; ++stage) {
    bench_samples_add(&run->samples[stage], 1e3 * (after[stage] - before[stage]));
  }
  return true;
}

static void begin_count(void* context, uint32_t number, uint32_t turn) {
  profile_run* run = context;
  (void)number, (void)turn;
  bench_counters_read(&run->counters, run->counted);
}

static void end_count(void* context, uint32_t number, uint32_t turn) {
  profile_run* run = context;
  double now[BENCH_COUNTERS];
  (void)number, (void)turn;
  bench_counters_read(&run->counters, now);
  for (int i = 0; i < BENCH_COUNTERS; ++i) run->counted[i] = now[i] - run->counted[i];
}

static void label(const void* context, uint32_t number, char text[BENCH_TURN_LABEL]) {
  const weft_world_stats stats = bench_stats_of(((const profile_run*)context)->world);
  (void)number;
  snprintf(text, BENCH_TURN_LABEL, "profile: %s x%u", weft_isa_name(stats.isa), stats.worker_count);
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
  const bench_times times = bench_samples_times(samples);
  row->ms = times.median;
  row->ms_min = times.min;
  row->gb_per_s = row->gflop_per_s = row->share_of_ceiling = (double)NAN;
  const char* name = stage < WEFT_STAGE_COUNT ? weft_stage_name((weft_stage)stage) : "step";
  snprintf(row->stage, sizeof row->stage, "%s", name);
  if (stage == WEFT_STAGE_COUNT || !(row->ms > 0.0)) return;
  const bench_stage_cost cost = bench_stage_cost_of((weft_stage)stage, world, contacts);
  row->gb_per_s = 1e-6 * cost.bytes / row->ms;
  row->gflop_per_s = 1e-6 * cost.operations / row->ms;
}

static void fill(const bench_scaling_request* request, profile_run* run, bench_profile_row* rows) {
  const weft_world_stats world = bench_stats_of(run->world);
  weft_contact_stats contacts;
  tool_must(weft_world_get_contact_stats(run->world, &contacts));
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
}

bool bench_profile_measure(const bench_scaling_request* request, uint32_t threads,
                           bench_counter_open* open, bool quiet, bench_profile_row* rows,
                           int* error, tool_message* why) {
  profile_run run = {0};
  const bench_turns turns = {.count = 1,
                             .schedule = {request->warmup, request->steps, 1},
                             .binding = request->binding,
                             .quiet = quiet,
                             .step = step,
                             .begin = begin_count,
                             .end = end_count,
                             .label = label};
  // before the world: its workers inherit the counters
  bench_counters_open(open, &run.counters);
  *error = bench_counters_error(&run.counters);
  const bool ok = create(request, threads, &run, why) && bench_take_turns(&turns, &run, why);
  if (ok) fill(request, &run, rows);
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

// ---- report ----

#define ROW bench_profile_row
#define COUNTER(name, counter) BENCH_NAMED(name, REAL, counters[BENCH_##counter])
const bench_row_type bench_profile_type = BENCH_ROW_TYPE(
    BENCH_TEXT(scene), BENCH_COUNT(size), BENCH_COUNT(particles), BENCH_COUNT(links),
    BENCH_TEXT(isa), BENCH_COUNT(threads), BENCH_COUNT(steps), BENCH_COUNT(sweeps),
    BENCH_TEXT(stage), BENCH_REAL(ms), BENCH_REAL(ms_min), BENCH_REAL(share), BENCH_REAL(gb_per_s),
    BENCH_REAL(gflop_per_s), BENCH_REAL(share_of_ceiling), COUNTER("instructions", INSTRUCTIONS),
    COUNTER("cycles", CYCLES), COUNTER("cache_misses", CACHE_MISSES),
    COUNTER("l1d_misses", L1D_MISSES), COUNTER("cpu_ns", CPU_NS),
    COUNTER("page_faults", PAGE_FAULTS), COUNTER("context_switches", CONTEXT_SWITCHES),
    COUNTER("migrations", MIGRATIONS), BENCH_HASH(state_hash));
static const bench_row_type table = BENCH_ROW_TYPE(
    BENCH_TEXT(stage), BENCH_CELL("ms", ms, "%.3f"), BENCH_CELL("min", ms_min, "%.3f"),
    BENCH_SCALED("share", share, "%.1f %%", 100.0), BENCH_CELL("GB/s", gb_per_s, "%.2f"),
    BENCH_CELL("GFLOP/s", gflop_per_s, "%.2f"),
    BENCH_SCALED("of ceiling", share_of_ceiling, "%.0f %%", 100.0));
#undef ROW

static void print_hardware(FILE* out, const double* counters, int error) {
  if (error != 0) {
    fprintf(out, "hardware counters: not here (perf_event_open: %s)\n", strerror(error));
  }
  if (isfinite(counters[BENCH_INSTRUCTIONS])) {
    fprintf(out, "a step, all threads: %.3g instructions, %.3g cycles, %.2f instructions a cycle\n",
            counters[BENCH_INSTRUCTIONS], counters[BENCH_CYCLES],
            counters[BENCH_INSTRUCTIONS] / counters[BENCH_CYCLES]);
  }
  if (isfinite(counters[BENCH_CACHE_MISSES])) {
    fprintf(out, "a step, all threads: %.3g last-level cache misses, %.3g L1d read misses\n",
            counters[BENCH_CACHE_MISSES], counters[BENCH_L1D_MISSES]);
  }
}

static void print_software(FILE* out, const double* counters) {
  bool any = false;
  for (int i = BENCH_FIRST_SOFTWARE; i < BENCH_COUNTERS; ++i) {
    if (!isfinite(counters[i])) continue;
    fputs(any ? ", " : "a step, all threads: ", out);
    any = true;
    if (i == BENCH_CPU_NS) {
      fprintf(out, "%.3f ms of CPU", 1e-6 * counters[i]);
    } else {
      const char* name = bench_counter_name((bench_counter)i);
      const char* gap = strchr(name, '_');
      const int length = gap != NULL ? (int)(gap - name) : (int)strlen(name);
      fprintf(out, "%.2f %.*s%s%s", counters[i], length, name, gap != NULL ? " " : "",
              gap != NULL ? gap + 1 : "");
    }
  }
  fputs(any ? "\n" : "software counters: not here either\n", out);
}

void bench_profile_print(FILE* out, const bench_profile_row* rows, int error) {
  const bench_profile_row* step = &rows[WEFT_STAGE_COUNT];
  fprintf(out, "\n%s %u: %u particles, %u links; %s, %u thread%s at work, %u step%s\n", step->scene,
          step->size, step->particles, step->links, step->isa, step->threads,
          tool_plural(step->threads), step->steps, tool_plural(step->steps));
  bench_profile_row shown[BENCH_PROFILE_ROWS];
  size_t count = 0;
  for (int i = 0; i < BENCH_PROFILE_ROWS; ++i) {
    if (rows[i].ms > 0.0) shown[count++] = rows[i];
  }
  bench_rows_print(out, &table, shown, count);
  print_hardware(out, step->counters, error);
  print_software(out, step->counters);
}
