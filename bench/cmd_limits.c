/* weft-bench limits: limits of the machine, and the share of them that scenes reach. */
#include "commands.h"
#include "limit_report.h"
#include "machine_limits.h"
#include "plan.h"

typedef struct limits_settings {
  bench_plan plan;
  bench_limits limits;
} limits_settings;

static const struct option options[] = {
    BENCH_PLAN_OPTIONS,
    BENCH_OUTPUT_OPTIONS,
    TOOL_COMMON_OPTIONS,
};

static const char* const help[] = {
    "Usage: weft-bench limits [OPTION...]\n"
    "\n"
    "Measures the bandwidth of memory and caches and the solve of links that stay in a cache; "
    "then\n"
    "the share of these limits that each scene reaches (default sheets of 128, 512 and 1024).\n"
    "\n",
    bench_plan_help,
    "\n"
    "Runs:\n"
    "  --threads N[,N...]   threads for scenes and memory (default 1 and all cores)\n"
    "  --isa NAME[,NAME...] auto (default), scalar, sse2, avx2, avx512, neon, simd128, or all of\n"
    "                       these; those that cannot run here are skipped\n"
    "  --iterations K       sweeps over all links a step of the scenes (default 10)\n"
    "\n",
    bench_output_help,
    "All times are the best of several; those of 'throughput' are medians. 'read' adds up\n"
    "an array several times as large as the last cache, 'triad' is a = b + s c, its 24 bytes an\n"
    "element; 'ns/link' is a whole step over links times iterations. The ceilings are measured\n"
    "before the scenes and after them, and the better one counts. Of a scene's columns,\n"
    "  threads        are those at work, fewer than requested if the scene is small,\n"
    "  ceiling        is ns/link of the L2-resident sheet over that of the scene times threads,\n"
    "  GB/s           takes a sweep to move 28 bytes a particle (x y z w read, x y z written),\n"
    "                 as a sheet's does; a mesh's moves indices and lengths as well,\n"
    "  memory         is that over read or triad, the faster, on as many threads; a scene that\n"
    "                 stays in the caches can be above 100 %,\n"
    "  round trip     is the time in ns in which a cache line goes to another core and back, "
    "before\n"
    "                 and after the row. Where the two differ by more than 1.6 times, or only\n"
    "                 one could be measured, the row is taken again, up to three times; a '*'\n"
    "                 marks rows that still differ.\n"
    "The line 'speed' tells whether the solve in L1, probed all along, had one speed or flipped\n"
    "between two, as on a core shared with another machine, or of a changing clock.\n"
    "\n"
    "Exit status: 0 success, 2 error, 130 Ctrl-C; no file is written after Ctrl-C.\n",
    NULL,
};

static bool take(void* target, int option, const char* value, tool_message* why) {
  limits_settings* settings = target;
  return bench_plan_take(&settings->plan, option, value, why);
}

static bool complete(void* target, bench_session* session, tool_message* why) {
  limits_settings* settings = target;
  session->results.type = &bench_limit_type;
  const tool_count_list threads = bench_default_threads(&session->machine);
  const tool_isa_list isas = {.items = {WEFT_ISA_AUTO}, .count = 1};
  return bench_plan_complete(&settings->plan, &threads, &isas, why) &&
         bench_plan_fits(&settings->plan, BENCH_WORLD_PARTICLE_BYTES, &session->machine, why);
}

/* Also false, but without a message, when interrupted. */
static bool run_scenes(const bench_plan* plan, bool quiet, bench_speed_probe* probe,
                       bench_rows* rows, tool_message* why) {
  for (uint32_t i = 0; i < plan->scene_count; ++i) {
    bench_scene scene;
    if (!bench_scene_make(&plan->scenes[i], &scene, why)) return false;
    const bool ok = bench_limit_rows_append(plan, &scene, quiet, rows, why);
    bench_scene_free(&scene);
    if (!ok) return false;
    bench_speed_probe_take(probe);
  }
  return true;
}

static bool measure(void* target, bench_session* session, tool_message* why) {
  limits_settings* settings = target;
  const bench_plan* plan = &settings->plan;
  bench_limits* limits = &settings->limits;
  const bool quiet = session->quiet;
  const bool ok = bench_measure_limits(plan, &session->machine, quiet, limits, why) &&
                  run_scenes(plan, quiet, &limits->probe, &session->results, why) &&
                  bench_measure_ceilings_again(plan, &session->machine, quiet, limits, why);
  bench_finish_limits(limits);
  if (!ok) return false;
  bench_fill_shares(limits, &session->results);
  bench_print_limits(session->tables, limits);
  bench_print_limit_rows(session->tables, &session->results);
  return true;
}

static bool write_files(const void* target, const bench_session* session, tool_message* why) {
  const limits_settings* settings = target;
  return bench_write_limits(session, &settings->limits, why);
}

int command_limits(int argc, char** argv) {
  static const bench_command command = {.name = "limits",
                                        .help = help,
                                        .shows_topology = true,
                                        .options = options,
                                        .take = take,
                                        .complete = complete,
                                        .measure = measure,
                                        .write = write_files};
  limits_settings settings = {.plan = bench_default_plan("128,512,1024")};
  return bench_run(&command, &settings, argc, argv);
}
