#include <math.h>

#include "common/number.h"
#include "quality.h"

static void write_setting(char cell[BENCH_MAX_CELL], const void* item) {
  bench_setting_title(&((const bench_quality_row*)item)->setting, cell);
}

static void write_mean(char cell[BENCH_MAX_CELL], const void* item) {
  bench_format_strain(cell, ((const bench_quality_row*)item)->strain.mean);
}

static void write_p99(char cell[BENCH_MAX_CELL], const void* item) {
  bench_format_strain(cell, ((const bench_quality_row*)item)->strain.p99);
}

static void write_max(char cell[BENCH_MAX_CELL], const void* item) {
  bench_format_strain(cell, ((const bench_quality_row*)item)->strain.max);
}

#define ROW bench_quality_row
static const bench_row_type table = BENCH_ROW_TYPE(
    BENCH_WRITTEN("method", TEXT, write_setting), BENCH_CELL("ms/step", step_ms.median, "%.3f"),
    BENCH_CELL("min", step_ms.min, "%.3f"), BENCH_WRITTEN("strain", REAL, write_mean),
    BENCH_WRITTEN("p99", REAL, write_p99), BENCH_WRITTEN("max", REAL, write_max),
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
