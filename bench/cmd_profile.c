/* weft-bench profile: the stages of a step. */
#include <string.h>

#include "commands.h"
#include "profile.h"

typedef struct profile_settings {
  bench_plan plan;
  bench_scaling_request request;
  bench_limits limits;
} profile_settings;

static const struct option options[] = {
    BENCH_PLAN_OPTIONS,    BENCH_BIND_OPTION,   BENCH_OUTPUT_OPTIONS,
    BENCH_SCALING_OPTIONS, TOOL_COMMON_OPTIONS,
};

static const char* const help[] = {
    "Usage: weft-bench profile [--size N] [OPTION...]\n"
    "       weft-bench profile --mesh FILE [OPTION...]\n"
    "       weft-bench profile --scene NAME [--size N] [OPTION...]\n"
    "\n"
    "Times the stages of a step, with their traffic and arithmetic by a model, the share of what\n"
    "the machine can do, and counters of the CPU and of the kernel over the whole step.\n"
    "\n",
    "The default scene is a sheet of 512 x 512.\n"
    "\n",
    bench_plan_help,
    bench_scaling_scene_help,
    "\n"
    "Runs:\n"
    "  --threads N[,N...]   numbers of threads, a table for each (default 1 and all cores)\n",
    bench_bind_help,
    "  --isa NAME[,NAME...] auto (default), scalar, sse2, avx2, avx512, neon, simd128, or all of\n"
    "                       these; those that cannot run here are skipped\n"
    "  --iterations K       sweeps over all links a step, without contacts (default 10)\n"
    "  --steps S            timed steps of each table (default 100)\n"
    "  --warmup W           steps before that, not timed (default 10; with contacts 60 on the\n"
    "                       sphere, 90 in folds and in the heap)\n"
    "\n",
    bench_output_help,
    "Columns: stages are those of weft_stage, wall time on the calling thread; ms, the median of\n"
    "all steps; share, of the sum of all stages; GB/s and GFLOP/s, what a stage moves and "
    "computes\n"
    "at least, by a count of its loops (bench/stage_model.h): of links, all; of contacts, the "
    "test\n"
    "of each pair alone; nothing for stages that walk trees. Data that stays in a cache counts,\n"
    "so GB/s may exceed those of memory. 'of ceiling': links, the time of the same solves on a\n"
    "sheet that stays in L2, by as many threads; others, GB/s over read or triad of as many.\n"
    "Counters are those of all threads between the first timed step and the last, over the steps,\n"
    "from perf_event_open(2); where the kernel refuses hardware counters, a line tells.\n"
    "\n"
    "Exit status: 0 success, 2 error, 130 Ctrl-C; no file is written after Ctrl-C.\n",
    NULL,
};

static bool take(void* target, int option, const char* value, tool_message* why) {
  profile_settings* settings = target;
  return bench_scaling_take(&settings->request, &settings->plan, option, value, why);
}

static bool complete(void* target, bench_session* session, tool_message* why) {
  profile_settings* settings = target;
  bench_plan* plan = &settings->plan;
  const tool_count_list threads = bench_default_threads(&session->machine);
  const tool_isa_list isas = {.items = {WEFT_ISA_AUTO}, .count = 1};
  session->results.type = &bench_profile_type;
  if (!bench_plan_complete(plan, &threads, &isas, why)) return false;
  if (plan->scene_count > 1) return tool_because(why, "--mesh: profile takes one");
  return bench_plan_bind(plan, &session->machine, why) &&
         bench_scaling_complete_scene(plan, &settings->request, why);
}

// One table after the other: idle workers of another world would be counted, too.
static bool run_tables(profile_settings* settings, bench_session* session, int* error,
                       tool_message* why) {
  const bench_plan* plan = &settings->plan;
  for (uint32_t i = 0; i < plan->isas.count; ++i) {
    for (uint32_t t = 0; t < plan->threads.count; ++t) {
      bench_profile_row* rows = bench_rows_append(&session->results, BENCH_PROFILE_ROWS, why);
      if (rows == NULL) return false;
      settings->request.isa = plan->isas.items[i];
      if (!bench_profile_measure(&settings->request, plan->threads.items[t], NULL, session->quiet,
                                 rows, error, why)) {
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
  const bool ok =
      bench_measure_limits(&settings->plan, &session->machine, session->quiet, limits, why) &&
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
  static const bench_command command = {.name = "profile",
                                        .help = help,
                                        .shows_topology = true,
                                        .options = options,
                                        .take = take,
                                        .complete = complete,
                                        .measure = measure};
  profile_settings settings = {
      .plan = bench_default_plan("512"),
      .request = {.steps = 100, .warmup = BENCH_SCALING_USUAL_WARMUP},
  };
  return bench_run(&command, &settings, argc, argv);
}
