/* weft-bench quality: remaining stretch and time a step of each method. */
#include <math.h>
#include <string.h>

#include "commands.h"
#include "common/number.h"
#include "quality.h"

typedef struct quality_settings {
  bench_plan plan;
  uint32_t method_bits; /* 0 = all */
  uint32_t threads;     /* 0 = all cores */
  double seconds;
  bool top, corner;
  bench_quality quality;
} quality_settings;

#define AT(member) offsetof(quality_settings, member)
static const tool_option options[] = {
    TOOL_HEADING("Scene:"),
    BENCH_SCENE_OPTION(1, "sheet, a hanging square cloth, the only scene by name (default)"),
    TOOL_REPEATED_OPTION("size", "N", 0, bench_plan_add_sheets,
                         "particles along each side of the sheet, 2 to 8192 (default 129)"),
    BENCH_MESH_OPTION,
    TOOL_OPTION(FLAG, "top", NULL, AT(top),
                "hold the top row of a sheet, the top 2 % of a mesh (default)"),
    TOOL_OPTION(FLAG, "corner", NULL, AT(corner), "hold the two upper corners of a sheet"),
    TOOL_HEADING("Runs:"),
    TOOL_CHOICE(
        NAMES, "methods", "NAME[,NAME...]", AT(method_bits), BENCH_METHODS, bench_method_names,
        "(default all)\nserial: a textbook serial loop, 10 to 1000 iterations\ncolored: the same "
        "loop, links by colour\nserial-lra, colored-lra: with long-range attachments, as "
        "lra\nvertex-block: Augmented Vertex Block Descent, serial, 10 to 1000 iterations\nplain: "
        "the engine, 10 to 1000 iterations\nsubsteps: the engine, 2 to 20 substeps of 1 or 2 "
        "iterations\nlra: the engine with long-range attachments, 1 to 30 iterations, and up to 16 "
        "substeps of 1 iteration\ncoarse: the engine, 4 to 16 iterations of each coarse level, "
        "then 2 to 8 iterations; and up to 16 substeps of fewer"),
    TOOL_RANGE(COUNT, "threads", "N", AT(threads), 1, WEFT_MAX_WORKERS,
               "threads of the engine (default all cores)"),
    TOOL_RANGE(REAL, "seconds", "S", AT(seconds), 0.02, 3600.0,
               "simulated, of 60 steps each, 0.02 to 3600 (default 3)"),
    BENCH_OUTPUT_OPTIONS,
    TOOL_OPTIONS_END,
};

static const char* const notes[] = {
    "Strain is |length - rest length| / rest length over structural links; every tenth step of the "
    "last quarter of a run is sampled. 'strain', the mean, and p99, the 99th percentile, are means "
    "of the samples', max is the largest in any. ms/step is the median of all steps, without the "
    "sampling. Threads at work are fewer than requested if the scene is small. The free particles "
    "of a sheet start up to a tenth of their spacing out of its plane, the same in all runs.",
    "tools/report/equal_strain.py compares the methods at equal strain, from a file of --json.",
    "Settings that would take longer than 150 s (serial) or 20 s (plain, vertex-block) are "
    "skipped, except the first.",
    "Exit status: 0 success, 2 error, 130 Ctrl-C; no file is written after Ctrl-C.",
    NULL,
};

static void write_setting(char cell[BENCH_MAX_CELL], const void* item) {
  bench_setting_title(&((const bench_quality_row*)item)->setting, cell);
}

#define ROW bench_quality_row
static const bench_row_type table = BENCH_ROW_TYPE(
    BENCH_WRITTEN("method", TEXT, write_setting), BENCH_CELL("ms/step", step_ms.median, "%.3f"),
    BENCH_CELL("min", step_ms.min, "%.3f"), BENCH_NAMED("strain", STRAIN, strain.mean),
    BENCH_NAMED("p99", STRAIN, strain.p99), BENCH_NAMED("max", STRAIN, strain.max),
    BENCH_NAMED("state hash", HASH, state_hash));
#undef ROW

static void print_facts(FILE* out, const bench_quality* quality) {
  const bench_quality_row* row = &quality->rows[0];
  char title[BENCH_MAX_TITLE];
  uint32_t threads = 1;
  for (uint32_t i = 0; i < quality->count; ++i) {
    if (quality->rows[i].threads > threads) threads = quality->rows[i].threads;
  }
  bench_scene_title(row->scene, row->size, 1, title);
  fprintf(out, "\n%s: %u particles, %u links, %u thread%s of the engine at work\n", title,
          row->particles, row->links, threads, tool_plural(threads));
}

static void print_skipped(FILE* out, const bench_quality* quality) {
  for (uint32_t i = 0; i < quality->skipped_count; ++i) {
    const bench_skipped* skipped = &quality->skipped[i];
    char title[BENCH_MAX_CELL];
    bench_setting_title(&skipped->setting, title);
    fprintf(out, "skipped: %s, which would take about %.0f s, and %.0f s is the most\n", title,
            skipped->seconds, bench_method_patience(skipped->setting.method));
  }
}

void bench_print_quality(FILE* out, const bench_quality* quality) {
  print_facts(out, quality);
  bench_rows_print(out, &table, quality->rows, quality->count);
  print_skipped(out, quality);
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
  bench_plan* plan = &settings->plan;
  session->results.type = &bench_quality_type;
  if (plan->scene_count > 1 && !bench_plan_has_one_scene(plan, "quality", why)) return false;
  if (settings->method_bits == 0) settings->method_bits = (1u << BENCH_METHODS) - 1;
  if (settings->threads == 0) settings->threads = threads.items[threads.count - 1];
  return choose_pins(settings, why) && bench_plan_complete(plan, &threads, NULL, why) &&
         bench_plan_fits(plan, BENCH_QUALITY_PARTICLE_BYTES, &session->machine, why);
}

static bool measure(void* target, bench_session* session, tool_message* why) {
  quality_settings* settings = target;
  bench_quality* quality = &settings->quality;
  const bench_scene_request* request = &settings->plan.scenes[0];
  const bench_quality_request quality_request = {
      .method_bits = settings->method_bits,
      .threads = settings->threads,
      .steps = (uint32_t)lround(60.0 * settings->seconds),
      .wrinkled = request->mesh_path == NULL,
      .quiet = session->output.quiet};
  bench_scene scene;
  if (!bench_scene_make(request, &scene, why)) return false;
  const bool ok = bench_scene_add_flat(&scene, why) &&
                  bench_measure_quality(&quality_request, &scene, quality, why);
  bench_scene_free(&scene);
  void* rows = ok ? bench_rows_append(&session->results, quality->count, why) : NULL;
  if (!rows) return false;
  memcpy(rows, quality->rows, quality->count * sizeof *quality->rows);
  bench_print_quality(session->tables, quality);
  return true;
}

int command_quality(int argc, char** argv) {
  static const bench_command command = {
      {"quality",
       "Usage: weft-bench quality [--size N] [OPTION...]\n"
       "       weft-bench quality --mesh FILE [OPTION...]\n",
       "Runs one scene by several methods, each at several settings, and reports the remaining "
       "stretch and the time a step of each: a fair comparison of methods.",
       options, notes, NULL},
      false,
      complete,
      measure,
      NULL};
  quality_settings settings = {.plan = bench_default_plan("129"), .seconds = 3.0};
  return bench_run(&command, &settings, argc, argv);
}
