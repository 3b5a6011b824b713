/* weft-bench limits: what this machine can do at most, and how much of it scenes reach. */
#include <stdio.h>

#include "commands.h"
#include "common/command_line.h"
#include "common/interrupt.h"
#include "common/output_file.h"
#include "limit_report.h"
#include "machine_limits.h"
#include "plan.h"
#include "report.h"
#include "run.h"

typedef struct limits_settings {
  bench_plan plan;
  const char* json_path; /* NULL = none */
  bool quiet;
  FILE* tables; /* standard error where results go to standard output */
} limits_settings;

enum { OPTION_JSON = TOOL_OPTION_OWN, OPTION_QUIET };

static const struct option options[] = {
    BENCH_PLAN_OPTIONS,
    {"json", required_argument, NULL, OPTION_JSON},
    {"quiet", no_argument, NULL, OPTION_QUIET},
    TOOL_COMMON_OPTIONS,
};

static const char* const help[] = {
    "Usage: weft-bench limits [OPTION...]\n"
    "\n"
    "Measures how fast this machine reads and writes memory, reads its caches, and solves links\n"
    "that stay in a cache; then how much of that each scene reaches (default sheets of 128, 512\n"
    "and 1024).\n"
    "\n",
    bench_plan_help,
    "\n"
    "What is run:\n"
    "  --threads N[,N...]   threads that each scene, and the memory, is measured on\n"
    "                       (default 1 and all cores)\n"
    "  --isa NAME[,NAME...] auto, scalar, sse2, avx2, avx512, neon, or all of them but auto\n"
    "                       (default auto); those that cannot run here are skipped\n"
    "  --iterations K       sweeps over all links a step of the scenes (default 10)\n"
    "\n"
    "What is written:\n"
    "  --json FILE          the results with their full precision (not from a debug build);\n"
    "                       - for standard output, the tables then go to standard error\n"
    "  --quiet              no progress bar (there is none unless stderr is a terminal)\n"
    "  --help, --version\n"
    "\n"
    "All times are the best of several, where those of 'throughput' are medians. 'read' adds up\n"
    "an array several times as large as the last cache, 'triad' is a = b + s c, its 24 bytes an\n"
    "element; 'ns/link' is a whole step over links times iterations. The ceilings are measured\n"
    "before the scenes and after them, and the better one counts. Of a scene's columns,\n"
    "  threads        are those at work, fewer than asked for where the scene is small,\n"
    "  of ceiling     is ns/link of the L2-resident sheet over that of the scene times threads,\n"
    "  GB/s           takes a sweep to move 28 bytes a particle (x y z w read, x y z written),\n"
    "                 as a sheet's does; a mesh's moves indices and lengths as well,\n"
    "  of memory      is that over read or triad, the faster, on as many threads; a scene that\n"
    "                 stays in the caches can be above 100 %,\n"
    "  round trip ns  is the time in which a cache line goes to another core and back, before\n"
    "                 and after the row. Where the two differ by more than 1.6 times, or only\n"
    "                 one could be measured, the row is taken again, up to three times; 'takes'\n"
    "                 says how often it was taken, and a '*' that it was of no avail.\n"
    "\n"
    "Exits with 0, with 2 after an error, with 130 after Ctrl-C, which writes no file.\n",
    NULL,
};

static bool take(void* target, int option, const char* value, tool_message* why) {
  limits_settings* settings = target;
  switch (option) {
    case OPTION_JSON:
      settings->json_path = value;
      return tool_can_write(value, why);
    case OPTION_QUIET:
      settings->quiet = true;
      return true;
    default:
      return bench_plan_take(&settings->plan, option, value, why);
  }
}

static bool complete(limits_settings* settings, const bench_machine* machine, tool_message* why) {
  const tool_count_list threads = bench_default_threads(machine);
  const tool_isa_list isas = {.items = {WEFT_ISA_AUTO}, .count = 1};
  bench_plan* plan = &settings->plan;
  settings->tables = tool_table_stream(&settings->json_path, 1);
  return bench_check_build(settings->json_path ? "--json" : NULL, why) &&
         bench_plan_complete(plan, &threads, &isas, why) &&
         bench_plan_fits(plan, BENCH_WORLD_PARTICLE_BYTES, machine, why);
}

/* This and the next are also false, but without a message, when interrupted. */
static bool run_scenes(const limits_settings* settings, bench_limit_rows* rows, tool_message* why) {
  const bench_plan* plan = &settings->plan;
  for (uint32_t i = 0; i < plan->scene_count; ++i) {
    bench_scene scene;
    if (!bench_scene_make(&plan->scenes[i], &scene, why)) return false;
    const bool ok = bench_limit_rows_append(plan, &scene, settings->quiet, rows, why);
    bench_scene_free(&scene);
    if (!ok) return false;
  }
  return true;
}

static bool measure(const limits_settings* settings, const bench_machine* machine,
                    bench_limits* limits, bench_limit_rows* rows, tool_message* why) {
  const bench_plan* plan = &settings->plan;
  if (!bench_measure_limits(plan, machine, settings->quiet, limits, why) ||
      !run_scenes(settings, rows, why) ||
      !bench_measure_ceilings_again(plan, machine, settings->quiet, limits, why)) {
    return false;
  }
  bench_fill_shares(limits, rows);
  bench_print_limits(settings->tables, limits);
  bench_print_limit_rows(settings->tables, rows);
  return true;
}

static int run(const limits_settings* settings, bench_machine* machine) {
  bench_limits limits;
  bench_limit_rows rows = {NULL, 0};
  tool_message why;
  bench_begin_run(settings->tables, machine);
  bool ok = measure(settings, machine, &limits, &rows, &why);
  if (tool_interrupted()) {
    bench_limit_rows_free(&rows);
    return bench_end_interrupted();
  }
  if (ok && settings->json_path) {
    ok = bench_write_limits(settings->json_path, machine, &limits, &rows, &why);
  }
  bench_limit_rows_free(&rows);
  return ok ? TOOL_EXIT_OK : tool_fail(&why);
}

int command_limits(int argc, char** argv) {
  const tool_syntax syntax = {"limits", help, options, take, NULL};
  limits_settings settings = {.plan = bench_default_plan("128,512,1024")};
  tool_message why;
  const int outcome = tool_read_command_line(&syntax, argc, argv, &settings);
  if (outcome != TOOL_GO_ON) return outcome;
  bench_machine machine = bench_describe_machine();
  if (!complete(&settings, &machine, &why)) return tool_fail(&why);
  return run(&settings, &machine);
}
