/* weft-bench profile: the stages of a step. */
#include "commands.h"
#include "profile.h"

typedef struct profile_settings {
  bench_scaling_settings of;
  bench_limits limits;
} profile_settings;

static const bench_option options[] = {
    BENCH_SCALING_SCENE_OPTIONS,
    BENCH_HEADING("Runs:"),
    BENCH_THREADS_OPTION("numbers of threads, a table for each (default 1 and all cores)"),
    BENCH_BIND_OPTION,
    BENCH_ANY_ISAS_OPTION,
    BENCH_SCALING_STEPS_OPTIONS("timed steps of each table (default 100)"),
    BENCH_OUTPUT_OPTIONS,
    BENCH_OPTIONS_END,
};

static const char* const notes[] = {
    "Columns: stages are those of weft_stage, wall time on the calling thread; ms, the median of "
    "all steps; share, of the sum of all stages; GB/s and GFLOP/s, the least that a stage moves "
    "and computes, by a count of its loops (bench/stage_model.h): of links, all; of contacts, only "
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

// One table after the other: idle workers of another world would be counted, too.
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
