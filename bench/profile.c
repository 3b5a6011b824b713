/* weft-bench profile: the stages of a step. */
#include "profile.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <math.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "commands.h"
#include "common/number.h"

// ---- counters ----

typedef struct counter_kind {
  const char* name; /* name of software counters in print */
  uint32_t type;
  uint64_t config;
} counter_kind;

#define L1D_READ_MISS                                                     \
  (PERF_COUNT_HW_CACHE_L1D | (uint64_t)PERF_COUNT_HW_CACHE_OP_READ << 8 | \
   (uint64_t)PERF_COUNT_HW_CACHE_RESULT_MISS << 16)

static const counter_kind kinds[BENCH_COUNTERS] = {
    {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"cache_misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    {"l1d_misses", PERF_TYPE_HW_CACHE, L1D_READ_MISS},
    {"ms of CPU", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
    {"page faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
    {"context switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
    {"migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
};

static int open_event(uint32_t type, uint64_t config, bool with_kernel) {
  struct perf_event_attr attr = {
      .type = type,
      .size = sizeof attr,
      .config = config,
      .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
      .inherit = 1,
      .exclude_kernel = !with_kernel,
      .exclude_hv = 1,
  };
  return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

// Software events happen in the kernel and count nothing without it; where it hides
// (perf_event_paranoid of 2 or more), the program's time and page faults are left.
static int open_kernel(uint32_t type, uint64_t config) {
  if (type != PERF_TYPE_SOFTWARE) return open_event(type, config, false);
  const int file = open_event(type, config, true);
  if (file >= 0) return file;
  const bool is_kernels_own =
      config == PERF_COUNT_SW_CONTEXT_SWITCHES || config == PERF_COUNT_SW_CPU_MIGRATIONS;
  return is_kernels_own ? -1 : open_event(type, config, false);
}

void bench_counters_open(bench_counter_open* open, bench_counters* counters) {
  if (open == NULL) open = open_kernel;
  for (int i = 0; i < BENCH_COUNTERS; ++i) {
    errno = 0;
    counters->files[i] = open(kinds[i].type, kinds[i].config);
    counters->errors[i] = counters->files[i] < 0 ? errno : 0;
  }
}

void bench_counters_close(bench_counters* counters) {
  for (int i = 0; i < BENCH_COUNTERS; ++i) {
    if (counters->files[i] >= 0) close(counters->files[i]);
    counters->files[i] = -1;
  }
}

void bench_counters_read(const bench_counters* counters, double* values) {
  for (int i = 0; i < BENCH_COUNTERS; ++i) {
    uint64_t read_back[3];  // value, time enabled, time running
    values[i] = (double)NAN;
    if (counters->files[i] < 0 ||
        read(counters->files[i], read_back, sizeof read_back) != sizeof read_back) {
      continue;
    }
    if (read_back[2] == 0) {
      if (read_back[1] == 0) values[i] = 0.0;
      continue;
    }
    values[i] = (double)read_back[0] * ((double)read_back[1] / (double)read_back[2]);
  }
}

int bench_counters_error(const bench_counters* counters) {
  for (int i = 0; i < BENCH_FIRST_SOFTWARE; ++i) {
    if (counters->files[i] < 0) return counters->errors[i] != 0 ? counters->errors[i] : ENODEV;
  }
  return 0;
}

// ---- model ----

static bench_stage_cost cost_of_links(const weft_world_stats* world) {
  const double particles = (double)world->particle_count, links = (double)world->link_count;
  const double substeps = (double)world->substeps;
  const double sweeps = substeps * (double)world->iterations;
  const double in_runs =
      world->group_count > 0 ? (double)world->run_group_count / (double)world->group_count : 1.0;
  return (bench_stage_cost){
      substeps * 52.0 * particles + sweeps * (28.0 * particles + 12.0 * links * (1.0 - in_runs)),
      substeps * 18.0 * particles + sweeps * 23.0 * links};
}

bench_stage_cost bench_stage_cost_of(weft_stage stage, const weft_world_stats* world,
                                     const weft_contact_stats* contacts) {
  const double substeps = (double)world->substeps;
  const double particles = substeps * (double)world->particle_count;
  switch (stage) {
    case WEFT_STAGE_LINKS:
      return cost_of_links(world);
    case WEFT_STAGE_SELF_COLLISION: {
      const double ends = 2.0 * substeps * (double)contacts->self_pairs;
      return (bench_stage_cost){16.0 * ends, 11.0 * ends};
    }
    case WEFT_STAGE_PARTICLE_CONTACTS: {
      const double pairs = substeps * (double)contacts->particle_pairs;
      return (bench_stage_cost){40.0 * pairs, 11.0 * pairs};
    }
    case WEFT_STAGE_COLLIDERS:
      return (bench_stage_cost){16.0 * particles,
                                9.0 * particles * (double)contacts->collider_count};
    default:
      return (bench_stage_cost){(double)NAN, (double)NAN};
  }
}

// ---- measurement ----

typedef struct profile_run {
  bench_runner runner;
  bench_counters counters;
  double counted[BENCH_COUNTERS]; /* in all timed steps */
} profile_run;

static bool create(const bench_scaling_request* request, uint32_t threads, profile_run* run,
                   tool_message* why) {
  weft_world_def def = weft_plain_world_def();
  def.solver.sweeps = WEFT_SWEEPS_TEXTBOOK;
  def.worker_count = threads;
  def.worker_cpus = bench_binding_cpus(request->binding);
  def.profile = true;
  snprintf(run->runner.label, sizeof run->runner.label, "profile: %s x%u",
           weft_isa_name(request->isa), threads);
  return bench_scaling_create_world(request, request->size, def, &run->runner.world, why) &&
         bench_runner_create(&run->runner, request->steps, true, why);
}

static void begin_count(void* runner, uint32_t turn) {
  profile_run* run = runner;
  (void)turn;
  bench_counters_read(&run->counters, run->counted);
}

static void end_count(void* runner, uint32_t turn) {
  profile_run* run = runner;
  double now[BENCH_COUNTERS];
  (void)turn;
  bench_counters_read(&run->counters, now);
  for (int i = 0; i < BENCH_COUNTERS; ++i) run->counted[i] = now[i] - run->counted[i];
}

static void fill_stage(const bench_facts* of, bench_times times, int stage,
                       bench_profile_row* row) {
  row->ms = times.median;
  row->ms_min = times.min;
  row->gb_per_s = row->gflop_per_s = row->share_of_ceiling = (double)NAN;
  const char* name = stage < WEFT_STAGE_COUNT ? weft_stage_name((weft_stage)stage) : "step";
  snprintf(row->stage, sizeof row->stage, "%s", name);
  if (stage == WEFT_STAGE_COUNT || !(row->ms > 0.0)) return;
  const bench_stage_cost cost = bench_stage_cost_of((weft_stage)stage, &of->world, &of->contacts);
  row->gb_per_s = 1e-6 * cost.bytes / row->ms;
  row->gflop_per_s = 1e-6 * cost.operations / row->ms;
}

static void fill(const bench_scaling_request* request, profile_run* run, bench_profile_row* rows) {
  bench_facts of = {.threads_asked = 0};
  double sum = 0.0;
  bench_fill_facts(&run->runner, &of);
  of.size = bench_scaling_shown_size(request, request->size, of.world.particle_count);
  snprintf(of.scene, sizeof of.scene, "%s", bench_scaling_scene_name(request));
  for (int i = 0; i < BENCH_PROFILE_ROWS; ++i) {
    const bool is_step = i == WEFT_STAGE_COUNT;
    rows[i] = (bench_profile_row){.of = of,
                                  .steps = request->steps,
                                  .sweeps = of.world.substeps * of.world.iterations,
                                  .share = 1.0};
    fill_stage(&of, is_step ? of.step_ms : bench_samples_times(&run->runner.stage_ms[i]), i,
               &rows[i]);
    if (!is_step) sum += rows[i].ms;
    for (int c = 0; c < BENCH_COUNTERS; ++c) {
      rows[i].counters[c] = is_step ? run->counted[c] / (double)request->steps : (double)NAN;
    }
  }
  for (int i = 0; i < WEFT_STAGE_COUNT; ++i) rows[i].share = rows[i].ms / sum;
}

bool bench_profile_measure(const bench_scaling_request* request, uint32_t threads,
                           bench_counter_open* open, bool quiet, bench_profile_row* rows,
                           int* error, tool_message* why) {
  profile_run run = {0};
  const bench_turns turns = {.runners = &run,
                             .count = 1,
                             .schedule = {request->warmup, request->steps, 1},
                             .binding = request->binding,
                             .quiet = quiet,
                             .begin = begin_count,
                             .end = end_count};
  // before the world: its workers inherit the counters
  bench_counters_open(open, &run.counters);
  *error = bench_counters_error(&run.counters);
  const bool ok = create(request, threads, &run, why) && bench_take_turns(&turns, why);
  if (ok) fill(request, &run, rows);
  bench_runner_free(&run.runner);
  bench_counters_close(&run.counters);
  return ok;
}

// ---- ceilings ----

void bench_profile_fill_shares(const bench_limits* limits, bench_rows* rows) {
  bench_profile_row* items = rows->items;
  for (bench_profile_row* row = items; row < items + rows->count; ++row) {
    const weft_world_stats* world = &row->of.world;
    row->share_of_ceiling = row->gb_per_s / bench_memory_gb_per_s(limits, world->worker_count);
    if (strcmp(row->stage, weft_stage_name(WEFT_STAGE_LINKS)) != 0) continue;
    const double solves = (double)world->link_count * (double)row->sweeps;
    const double least_ns =
        bench_l2_ceiling_ns(limits, row->of.isa) * solves / (double)world->worker_count;
    row->share_of_ceiling = world->link_count > 0 ? 1e-6 * least_ns / row->ms : (double)NAN;
  }
}

// ---- report ----

#define ROW bench_profile_row
#define COUNTER(name, counter) BENCH_NAMED(name, REAL, counters[BENCH_##counter])
const bench_row_type bench_profile_type = BENCH_ROW_TYPE(
    BENCH_SCENE, BENCH_SIZE, BENCH_PARTICLES, BENCH_LINKS, BENCH_ISA, BENCH_THREADS,
    BENCH_COUNT(steps), BENCH_COUNT(sweeps), BENCH_TEXT(stage), BENCH_REAL(ms), BENCH_REAL(ms_min),
    BENCH_REAL(share), BENCH_REAL(gb_per_s), BENCH_REAL(gflop_per_s), BENCH_REAL(share_of_ceiling),
    COUNTER("instructions", INSTRUCTIONS), COUNTER("cycles", CYCLES),
    COUNTER("cache_misses", CACHE_MISSES), COUNTER("l1d_misses", L1D_MISSES),
    COUNTER("cpu_ns", CPU_NS), COUNTER("page_faults", PAGE_FAULTS),
    COUNTER("context_switches", CONTEXT_SWITCHES), COUNTER("migrations", MIGRATIONS),
    BENCH_STATE_HASH);
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
  const char* before = "a step, all threads: ";
  for (int i = BENCH_FIRST_SOFTWARE; i < BENCH_COUNTERS; ++i) {
    if (!isfinite(counters[i])) continue;
    const bool is_time = i == BENCH_CPU_NS;
    fprintf(out, "%s%.*f %s", before, is_time ? 3 : 2, (is_time ? 1e-6 : 1.0) * counters[i],
            kinds[i].name);
    before = ", ";
  }
  fputs(before[0] == ',' ? "\n" : "software counters: not here either\n", out);
}

void bench_profile_print(FILE* out, const bench_profile_row* rows, int error) {
  const bench_profile_row* step = &rows[WEFT_STAGE_COUNT];
  fprintf(out, "\n%s %u: %u particles, %u links; %s, %u thread%s at work, %u step%s\n",
          step->of.scene, step->of.size, step->of.world.particle_count, step->of.world.link_count,
          step->of.isa, step->of.world.worker_count, tool_plural(step->of.world.worker_count),
          step->steps, tool_plural(step->steps));
  bench_profile_row shown[BENCH_PROFILE_ROWS];
  size_t count = 0;
  for (int i = 0; i < BENCH_PROFILE_ROWS; ++i) {
    if (rows[i].ms > 0.0) shown[count++] = rows[i];
  }
  bench_rows_print(out, &table, shown, count);
  print_hardware(out, step->counters, error);
  print_software(out, step->counters);
}

// ---- the command ----

typedef struct profile_settings {
  bench_scaling_settings of;
  bench_limits limits;
} profile_settings;

static const tool_option options[] = {
    BENCH_SCALING_SCENE_OPTIONS,
    TOOL_HEADING("Runs:"),
    BENCH_THREADS_OPTION("numbers of threads, a table for each (default 1 and all cores)"),
    BENCH_BIND_OPTION,
    BENCH_ANY_ISAS_OPTION,
    BENCH_SCALING_STEPS_OPTIONS("timed steps of each table (default 100)"),
    BENCH_OUTPUT_OPTIONS,
    TOOL_OPTIONS_END,
};

static const char* const notes[] = {
    "Columns: stages are those of weft_stage, wall time on the calling thread; ms, the median of "
    "all steps; share, of the sum of all stages; GB/s and GFLOP/s, the least that a stage moves "
    "and computes, by a count of its loops (bench/profile.h): of links, all; of contacts, only "
    "the test of each pair; nothing for stages that walk trees. Data that stays in a cache counts, "
    "so GB/s may exceed those of memory. 'of ceiling': links, the time of the same solves on a "
    "sheet that stays in L2, by as many threads; others, GB/s over read or triad of as many. "
    "Counters are those of all threads between the first timed step and the last, over the steps, "
    "from perf_event_open(2); where the kernel refuses hardware counters, a line tells.",
    "Exit status: 0 success, 2 error, 130 Ctrl-C; no file is written after Ctrl-C.",
    NULL,
};

static bool complete(void* target, bench_session* session, tool_message* why) {
  profile_settings* settings = target;
  bench_plan* plan = &settings->of.plan;
  const tool_count_list threads = bench_default_threads(&session->machine);
  session->results.type = &bench_profile_type;
  if (!bench_plan_complete(plan, &threads, NULL, why)) return false;
  if (plan->scene_count > 1) return tool_because(why, "--mesh: profile takes one");
  return bench_plan_bind(plan, &session->machine, why) &&
         bench_scaling_complete_scene(plan, &settings->of.request, why);
}

// One table after the other: idle workers of another world would be counted.
static bool run_tables(profile_settings* settings, bench_session* session, int* error,
                       tool_message* why) {
  const bench_plan* plan = &settings->of.plan;
  for (uint32_t i = 0; i < plan->isas.count; ++i) {
    for (uint32_t t = 0; t < plan->threads.count; ++t) {
      bench_profile_row* rows = bench_rows_append(&session->results, BENCH_PROFILE_ROWS, why);
      if (rows == NULL) return false;
      settings->of.request.isa = plan->isas.items[i];
      if (!bench_profile_measure(&settings->of.request, plan->threads.items[t], NULL,
                                 session->output.quiet, rows, error, why)) {
        return false;
      }
    }
  }
  return true;
}

static bool measure(void* target, bench_session* session, tool_message* why) {
  profile_settings* settings = target;
  bench_limits* limits = &settings->limits;
  int error = 0;
  const bool ok = bench_measure_limits(&settings->of.plan, &session->machine, session->output.quiet,
                                       limits, why) &&
                  run_tables(settings, session, &error, why);
  bench_finish_limits(limits);
  if (!ok) return false;
  bench_profile_fill_shares(limits, &session->results);
  const bench_profile_row* rows = session->results.items;
  for (size_t i = 0; i < session->results.count; i += BENCH_PROFILE_ROWS) {
    bench_profile_print(session->tables, rows + i, error);
  }
  return true;
}

int command_profile(int argc, char** argv) {
  static const bench_command command = {
      {"profile",
       "Usage: weft-bench profile [--size N] [OPTION...]\n"
       "       weft-bench profile --mesh FILE [OPTION...]\n"
       "       weft-bench profile --scene NAME [--size N] [OPTION...]\n",
       "Times the stages of a step, with their traffic and arithmetic by a model, the share of the "
       "machine's limits, and counters of the CPU and of the kernel over the whole step. The "
       "default scene is a sheet of 512 x 512.",
       options, notes, NULL},
      true,
      complete,
      measure,
      NULL};
  profile_settings settings = {
      .of = {bench_default_plan("512"), {.steps = 100, .warmup = BENCH_USUAL_WARMUP}}};
  return bench_run(&command, &settings, argc, argv);
}
