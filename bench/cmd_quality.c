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
        "the "
        "engine, 10 to 1000 iterations\nsubsteps: the engine, 2 to 20 substeps of 1 or 2 "
        "iterations\nlra: the engine with long-range attachments, 1 to 30 iterations, and up to 16 "
        "substeps of 1 iteration\ncoarse: the engine, 4 to 16 iterations of each coarse level, "
        "then 2 "
        "to 8 iterations; and up to 16 substeps of fewer"),
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
    "At equal strain the speed-up is the product of two: by method, of a serial run with "
    "attachments over one without, and by engine, of the engine over the former. So what an "
    "algorithm gains is not taken for what vectors, memory order and threads gain.",
    "Settings that would take longer than 150 s (serial) or 20 s (plain, vertex-block) are "
    "skipped, except the first. If no serial setting reaches a strain, the ratio is a lower bound, "
    "with a '>': the time of the slowest serial run over that of the engine.",
    "Exit status: 0 success, 2 error, 130 Ctrl-C; no file is written after Ctrl-C.",
    NULL,
};

// ---- tables and files ----

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

// ---- equal strain ----

enum { SIDES = 3, COLUMNS = 7 };  // plain serial, serial with a method, engine

static void format_ratio(char to[BENCH_MAX_CELL], double ratio, double at_least) {
  if (isfinite(ratio)) {
    snprintf(to, BENCH_MAX_CELL, "%.1f", ratio);
  } else if (isfinite(at_least)) {
    snprintf(to, BENCH_MAX_CELL, "> %.1f", at_least);
  }
}

/* The run, its time and its strain, from the second cell on. A bound has the slowest run. */
static void format_run(bench_text_row* to, const bench_quality_row* row,
                       const bench_quality_row* slowest, bool was_run) {
  char(*cells)[BENCH_MAX_CELL] = to->cells;
  if (!row) snprintf(cells[1], BENCH_MAX_CELL, was_run ? "not reached" : "not run");
  if (!row && !slowest) return;
  if (row) bench_setting_title(&row->setting, cells[1]);
  const bench_quality_row* shown = row ? row : slowest;
  snprintf(cells[2], BENCH_MAX_CELL, "%s%.3f", row ? "" : "> ", shown->step_ms.median);
  bench_format_strain(cells[3], shown->strain.mean);
}

/* Three rows for a target: the ratios stand beside the run that they are of. */
static void format_equal(const bench_equal_strain* found, bool has_methods, bool has_engine,
                         bench_text_row rows[SIDES]) {
  snprintf(rows[0].cells[0], BENCH_MAX_CELL, "%.3g %%", 100 * found->target);
  format_run(&rows[0], found->serial, found->slowest_serial, found->slowest_serial != NULL);
  format_run(&rows[1], found->serial_method, NULL, has_methods);
  format_run(&rows[2], found->engine, NULL, has_engine);
  format_ratio(rows[1].cells[4], found->method_ratio, found->method_ratio_at_least);
  format_ratio(rows[2].cells[5], found->engine_ratio, (double)NAN);
  format_ratio(rows[2].cells[6], found->ratio, found->ratio_at_least);
}

static bool has_runs(const bench_quality* quality, bool serial) {
  for (uint32_t i = 0; i < quality->count; ++i) {
    if (bench_method_is_serial(quality->rows[i].setting.method) == serial) return true;
  }
  return false;
}

/* Meaning of the columns, and of the '>' where there is one. */
static void print_footnotes(FILE* out, const bench_equal_strain found[BENCH_TARGETS]) {
  bool bounded = false, compared = false;
  for (int i = 0; i < BENCH_TARGETS; ++i) {
    bounded = bounded || isfinite(found[i].ratio_at_least);
    compared = compared || isfinite(found[i].ratio);
  }
  if (bounded || compared) {
    fputs(
        "times faster by method: serial runs alone; by engine: over the serial run above; in all:\n"
        "over the plain serial loop, the product of the two\n",
        out);
  }
  if (bounded) fputs("> a lower bound: not even the slowest plain serial run keeps to it\n", out);
  if (!compared) return;
  fputs("serial settings are some 3 times apart, and a ratio may be that much too high\n", out);
}

static void print_equal_strain(FILE* out, const bench_quality* quality) {
  static const char* const heads[COLUMNS] = {"mean strain", "run",       "ms/step", "its strain",
                                             "by method",   "by engine", "in all"};
  bench_equal_strain found[BENCH_TARGETS];
  bench_text_row rows[SIDES * BENCH_TARGETS] = {0};
  const bool has_methods = has_runs(quality, true), has_engine = has_runs(quality, false);
  bench_find_equal_strain(quality->rows, quality->count, found);
  for (int i = 0; i < BENCH_TARGETS; ++i) {
    format_equal(&found[i], has_methods, has_engine, &rows[SIDES * i]);
  }
  fputs("\nthe fastest that keeps to a mean strain: plain serial, serial by any method, engine\n",
        out);
  bench_text_rows_print(out, heads, "rlrrrrr", rows, SIDES * BENCH_TARGETS);
  print_footnotes(out, found);
}

void bench_print_quality(FILE* out, const bench_quality* quality) {
  print_facts(out, quality);
  bench_rows_print(out, &table, quality->rows, quality->count);
  print_skipped(out, quality);
  print_equal_strain(out, quality);
}

#define ROW bench_equal_strain
static const bench_row_type equal_strain_type = BENCH_ROW_TYPE(
    BENCH_REAL(target), BENCH_REAL(serial_ms), BENCH_REAL(engine_ms), BENCH_REAL(ratio),
    BENCH_REAL(ratio_at_least), BENCH_REAL(serial_method_ms), BENCH_REAL(method_ratio),
    BENCH_REAL(method_ratio_at_least), BENCH_REAL(engine_ratio));

bool bench_write_quality(const bench_session* session, const bench_quality* quality,
                         tool_message* why) {
  bench_equal_strain found[BENCH_TARGETS];
  bench_find_equal_strain(quality->rows, quality->count, found);
  json_t* equal = bench_rows_json(&equal_strain_type, found, BENCH_TARGETS);
  return bench_write_results(session, json_pack("{so}", "equal_strain", equal), why);
}
#undef ROW

// ---- the command ----

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

static bool write_files(const void* target, const bench_session* session, tool_message* why) {
  return bench_write_quality(session, &((const quality_settings*)target)->quality, why);
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
      write_files};
  quality_settings settings = {.plan = bench_default_plan("129"), .seconds = 3.0};
  return bench_run(&command, &settings, argc, argv);
}
