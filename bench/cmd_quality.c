/* weft-bench quality: remaining stretch and time a step of each method. */
#include <math.h>

#include "commands.h"
#include "plan.h"
#include "quality_report.h"

typedef struct quality_settings {
  bench_plan plan;
  uint32_t method_bits; /* 0 = all */
  uint32_t threads;     /* 0 = all cores */
  double seconds;
  bool top, corner;
  bench_quality quality;
} quality_settings;

enum {
  OPTION_TOP = TOOL_OPTION_OWN,
  OPTION_CORNER,
  OPTION_METHODS,
  OPTION_THREADS,
  OPTION_SECONDS,
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
    BENCH_OUTPUT_OPTIONS,
    TOOL_COMMON_OPTIONS,
};

static const double steps_per_second = 60.0;

static const char* const help[] = {
    "Usage: weft-bench quality [--size N] [OPTION...]\n"
    "       weft-bench quality --mesh FILE [OPTION...]\n"
    "\n"
    "Runs one scene by several methods, each at several settings, and reports the remaining\n"
    "stretch and the time a step of each: a fair comparison of methods.\n"
    "\n"
    "Scene:\n"
    "  --scene sheet        a hanging square cloth, the only scene by name (default)\n"
    "  --size N             particles along each side of the sheet, 2 to 8192 (default 129)\n"
    "  --mesh FILE          a triangle mesh, .obj, .ply, .gltf or .glb\n"
    "  --top                hold the top row of a sheet, the top 2 % of a mesh (default)\n"
    "  --corner             hold the two upper corners of a sheet\n"
    "\n",
    "Runs:\n"
    "  --methods NAME[,NAME...]  (default all)\n"
    "                       serial: a textbook serial loop, 10 to 1000 iterations\n"
    "                       colored: the same loop, links by colour\n"
    "                       serial-lra, colored-lra: with long-range attachments, as lra\n"
    "                       vertex-block: Augmented Vertex Block Descent, serial, 10 to 1000\n"
    "                       iterations\n"
    "                       plain: the engine, 10 to 1000 iterations\n"
    "                       substeps: the engine, 2 to 20 substeps of 1 or 2 iterations\n"
    "                       lra: the engine with long-range attachments, 1 to 30 iterations,\n"
    "                       and up to 16 substeps of 1 iteration\n"
    "                       coarse: the engine, 4 to 16 iterations of each coarse level, then\n"
    "                       2 to 8 iterations; and up to 16 substeps of fewer\n"
    "  --threads N          threads of the engine (default all cores)\n"
    "  --seconds S          simulated, of 60 steps each, 0.02 to 3600 (default 3)\n"
    "\n",
    bench_output_help,
    "Strain is |length - rest length| / rest length over structural links; every tenth step\n"
    "of the last quarter of a run is sampled. 'strain', the mean, and p99, the 99th percentile,\n"
    "are means of the samples', max is the largest in any. ms/step is the median of all steps,\n"
    "without the sampling. Threads at work are fewer than requested if the scene is small. The\n"
    "free particles of a sheet start up to a tenth of their spacing out of its plane, the same in\n"
    "all runs.\n"
    "\n"
    "At equal strain the speed-up is the product of two: by method, of a serial run with\n"
    "attachments over one without, and by engine, of the engine over the former. So what an\n"
    "algorithm gains is not taken for what vectors, memory order and threads gain.\n"
    "\n"
    "Settings that would take longer than 150 s (serial) or 20 s (plain, vertex-block) are\n"
    "skipped, except the first. If no serial setting reaches a strain, the ratio is a lower\n"
    "bound, with a '>': the time of the slowest serial run over that of the engine.\n"
    "\n"
    "Exit status: 0 success, 2 error, 130 Ctrl-C; no file is written after Ctrl-C.\n",
    NULL,
};

static bool take(void* target, int option, const char* value, tool_message* why) {
  quality_settings* settings = target;
  switch (option) {
    case OPTION_TOP:
      return settings->top = true;
    case OPTION_CORNER:
      return settings->corner = true;
    case OPTION_METHODS:
      return tool_parse_names("--methods", value, bench_method_names, BENCH_METHODS,
                              &settings->method_bits, why);
    case OPTION_THREADS:
      return tool_parse_count("--threads", value, (tool_range){1, WEFT_MAX_WORKERS},
                              &settings->threads, why);
    case OPTION_SECONDS:
      return tool_parse_number("--seconds", value, 0.02, 3600.0, &settings->seconds, why);
    default:
      return bench_plan_take(&settings->plan, option, value, why);
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

static bool complete(void* target, bench_session* session, tool_message* why) {
  quality_settings* settings = target;
  const tool_count_list threads = bench_default_threads(&session->machine);
  const tool_isa_list isas = {.items = {WEFT_ISA_AUTO}, .count = 1};
  bench_plan* plan = &settings->plan;
  if (plan->scene_count > 1) {
    return tool_because(why, "quality takes one scene, and %u are given", plan->scene_count);
  }
  if (settings->method_bits == 0) settings->method_bits = (1u << BENCH_METHODS) - 1;
  if (settings->threads == 0) settings->threads = threads.items[threads.count - 1];
  return choose_pins(settings, why) && bench_plan_complete(plan, &threads, &isas, why) &&
         bench_plan_fits(plan, BENCH_QUALITY_PARTICLE_BYTES, &session->machine, why);
}

static bool measure(void* target, bench_session* session, tool_message* why) {
  quality_settings* settings = target;
  const bench_scene_request* request = &settings->plan.scenes[0];
  const bench_quality_request quality_request = {
      .method_bits = settings->method_bits,
      .threads = settings->threads,
      .steps = (uint32_t)lround(steps_per_second * settings->seconds),
      .wrinkled = request->mesh_path == NULL,
      .quiet = session->quiet};
  bench_scene scene;
  if (!bench_scene_make(request, &scene, why)) return false;
  const bool ok = bench_scene_add_flat(&scene, why) &&
                  bench_measure_quality(&quality_request, &scene, &settings->quality, why);
  bench_scene_free(&scene);
  if (ok) bench_print_quality(session->tables, &settings->quality);
  return ok;
}

static bool write_files(const void* target, const bench_session* session, tool_message* why) {
  const quality_settings* settings = target;
  return bench_write_quality(session, &settings->quality, why);
}

int command_quality(int argc, char** argv) {
  static const bench_command command = {.name = "quality",
                                        .help = help,
                                        .options = options,
                                        .take = take,
                                        .complete = complete,
                                        .measure = measure,
                                        .write = write_files};
  quality_settings settings = {.plan = bench_default_plan("129"), .seconds = 3.0};
  return bench_run(&command, &settings, argc, argv);
}
