/* weft-bench quality: how much stretch each method leaves, and how long it takes for that. */
#include <math.h>
#include <stdio.h>

#include "commands.h"
#include "common/command_line.h"
#include "common/interrupt.h"
#include "common/output_file.h"
#include "plan.h"
#include "quality_report.h"
#include "report.h"
#include "run.h"

typedef struct quality_settings {
  bench_plan plan;
  uint32_t method_bits; /* 0 = all */
  uint32_t threads;     /* 0 = all cores */
  double seconds;
  const char* json_path; /* NULL = none */
  bool top, corner, quiet;
  FILE* tables; /* standard error where results go to standard output */
} quality_settings;

enum {
  OPTION_TOP = TOOL_OPTION_OWN,
  OPTION_CORNER,
  OPTION_METHODS,
  OPTION_THREADS,
  OPTION_SECONDS,
  OPTION_JSON,
  OPTION_QUIET,
};

static const struct option options[] = {
    {"scene", required_argument, NULL, BENCH_PLAN_SCENE},
    {"size", required_argument, NULL, BENCH_PLAN_SIZE},
    {"mesh", required_argument, NULL, BENCH_PLAN_MESH},
    {"top", no_argument, NULL, OPTION_TOP},
    {"corner", no_argument, NULL, OPTION_CORNER},
    {"methods", required_argument, NULL, OPTION_METHODS},
    {"threads", required_argument, NULL, OPTION_THREADS},
    {"seconds", required_argument, NULL, OPTION_SECONDS},
    {"json", required_argument, NULL, OPTION_JSON},
    {"quiet", no_argument, NULL, OPTION_QUIET},
    TOOL_COMMON_OPTIONS,
};

static const double steps_per_second = 60.0;

static const char* const help[] = {
    "Usage: weft-bench quality [--size N] [OPTION...]\n"
    "       weft-bench quality --mesh FILE [OPTION...]\n"
    "\n"
    "Runs one scene by several methods, each at several settings, and says how much stretch each\n"
    "leaves and how long its steps take: the one fair comparison of methods.\n"
    "\n"
    "Scene:\n"
    "  --scene sheet        a hanging square cloth, the only scene by name (default)\n"
    "  --size N             particles along each side of the sheet, 2 to 8192 (default 129)\n"
    "  --mesh FILE          a triangle mesh, .obj or .ply\n"
    "  --top                hold the top row of a sheet, the top 2 % of a mesh (default)\n"
    "  --corner             hold the two upper corners of a sheet\n"
    "\n",
    "What is run:\n"
    "  --methods NAME[,NAME...]  (default all)\n"
    "                       serial: a textbook serial loop, 10 to 1000 iterations\n"
    "                       plain: the engine, 10 to 1000 iterations\n"
    "                       substeps: the engine, 2 to 20 substeps of 1 or 2 iterations\n"
    "                       lra: the engine with long-range attachments, 1 to 30 iterations,\n"
    "                       and up to 16 substeps of 1 iteration\n"
    "                       coarse: the engine, 4 to 16 iterations of each coarse level, then\n"
    "                       2 to 8 iterations; and up to 16 substeps of fewer\n"
    "  --threads N          threads of the engine (default all cores)\n"
    "  --seconds S          simulated, of 60 steps each, 0.02 to 3600 (default 3)\n"
    "\n"
    "What is written:\n"
    "  --json FILE          the results with their full precision (not from a debug build);\n"
    "                       - for standard output, the tables then go to standard error\n"
    "  --quiet              no progress bar (there is none unless stderr is a terminal)\n"
    "  --help, --version\n"
    "\n",
    "Strain is |length - rest length| / rest length over structural links; every tenth step\n"
    "of the last quarter of a run is sampled. Mean and p99, the 99th percentile, are means of the\n"
    "samples', max is the largest in any. ms/step is the median of all steps, without the\n"
    "sampling. 'sweeps' is how many times a step solves all links; coarse levels are taken to\n"
    "have a third of the cloth's links, an estimate. 'threads' are those at work, fewer than\n"
    "asked for where the scene is small. The free particles of a sheet start up to a tenth of\n"
    "their spacing out of its plane, the same in all runs.\n"
    "\n"
    "Settings that would take longer than 150 s (serial) or 20 s (plain) are skipped, but for the\n"
    "first. Where no serial setting keeps to a strain, the ratio is a lower bound, with a '>': "
    "the\n"
    "time of the slowest serial run over that of the engine.\n"
    "\n"
    "Exits with 0, with 2 after an error, with 130 after Ctrl-C, which writes no file.\n",
    NULL,
};

static bool take_setting(quality_settings* settings, int option, const char* value,
                         tool_message* why) {
  switch (option) {
    case OPTION_METHODS:
      return tool_parse_names("--methods", value, bench_method_names, BENCH_METHODS,
                              &settings->method_bits, why);
    case OPTION_THREADS:
      return tool_parse_count("--threads", value, (tool_range){1, WEFT_MAX_WORKERS},
                              &settings->threads, why);
    case OPTION_SECONDS:
      return tool_parse_number("--seconds", value, 0.02, 3600.0, &settings->seconds, why);
    case OPTION_JSON:
      settings->json_path = value;
      return tool_can_write(value, why);
    default:
      return bench_plan_take(&settings->plan, option, value, why);
  }
}

static bool take(void* target, int option, const char* value, tool_message* why) {
  quality_settings* settings = target;
  switch (option) {
    case OPTION_TOP:
      return settings->top = true;
    case OPTION_CORNER:
      return settings->corner = true;
    case OPTION_QUIET:
      return settings->quiet = true;
    default:
      return take_setting(settings, option, value, why);
  }
}

static bool choose_pins(quality_settings* settings, tool_message* why) {
  const char* mesh_path = settings->plan.scenes[0].mesh_path;
  if (!settings->corner) return true;
  if (settings->top) return tool_because(why, "--corner: --top is given too");
  if (mesh_path) {
    return tool_because(why, "--corner: is for sheets, and %s is a mesh", mesh_path);
  }
  settings->plan.pin = (bench_pin_rule){.kind = BENCH_PIN_CORNERS};
  return true;
}

static bool complete(quality_settings* settings, const bench_machine* machine, tool_message* why) {
  const tool_count_list threads = bench_default_threads(machine);
  const tool_isa_list isas = {.items = {WEFT_ISA_AUTO}, .count = 1};
  bench_plan* plan = &settings->plan;
  settings->tables = tool_table_stream(&settings->json_path, 1);
  if (plan->scene_count > 1) {
    return tool_because(why, "quality takes one scene, and %u are given", plan->scene_count);
  }
  if (settings->method_bits == 0) settings->method_bits = (1u << BENCH_METHODS) - 1;
  if (settings->threads == 0) settings->threads = threads.items[threads.count - 1];
  return choose_pins(settings, why) &&
         bench_check_build(settings->json_path ? "--json" : NULL, why) &&
         bench_plan_complete(plan, &threads, &isas, why) &&
         bench_plan_fits(plan, BENCH_QUALITY_PARTICLE_BYTES, machine, why);
}

/* Also false, but without a message, when interrupted. */
static bool measure(const quality_settings* settings, bench_quality* quality, tool_message* why) {
  const bench_scene_request* request = &settings->plan.scenes[0];
  const bench_quality_request quality_request = {
      .method_bits = settings->method_bits,
      .threads = settings->threads,
      .steps = (uint32_t)lround(steps_per_second * settings->seconds),
      .wrinkled = request->mesh_path == NULL,
      .quiet = settings->quiet};
  bench_scene scene;
  if (!bench_scene_make(request, &scene, why)) return false;
  const bool ok = bench_scene_add_flat(&scene, why) &&
                  bench_measure_quality(&quality_request, &scene, quality, why);
  bench_scene_free(&scene);
  return ok;
}

static int run(const quality_settings* settings, bench_machine* machine) {
  bench_quality quality = {.count = 0};
  tool_message why;
  bench_begin_run(settings->tables, machine);
  bool ok = measure(settings, &quality, &why);
  if (tool_interrupted()) return bench_end_interrupted();
  if (ok) bench_print_quality(settings->tables, &quality);
  if (ok && settings->json_path) {
    ok = bench_write_quality(settings->json_path, machine, &quality, &why);
  }
  return ok ? TOOL_EXIT_OK : tool_fail(&why);
}

int command_quality(int argc, char** argv) {
  const tool_syntax syntax = {"quality", help, options, take, NULL};
  quality_settings settings = {.plan = bench_default_plan("129"), .seconds = 3.0};
  tool_message why;
  const int outcome = tool_read_command_line(&syntax, argc, argv, &settings);
  if (outcome != TOOL_GO_ON) return outcome;
  bench_machine machine = bench_describe_machine();
  if (!complete(&settings, &machine, &why)) return tool_fail(&why);
  return run(&settings, &machine);
}
