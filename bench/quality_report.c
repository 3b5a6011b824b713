#include "quality_report.h"

#include <inttypes.h>
#include <math.h>

enum { MAX_CELL = BENCH_MAX_CELL };

static void format_row(const bench_quality_row* row, bench_text_row* to) {
  char(*cell)[MAX_CELL] = to->cells;
  snprintf(*cell++, MAX_CELL, "%s", row->method);
  snprintf(*cell++, MAX_CELL, "%u", row->iterations);
  snprintf(*cell++, MAX_CELL, "%u", row->coarse_iterations);
  snprintf(*cell++, MAX_CELL, "%u", row->substeps);
  snprintf(*cell++, MAX_CELL, "%u", row->attachments);
  snprintf(*cell++, MAX_CELL, "%u", row->threads);
  snprintf(*cell++, MAX_CELL, "%.1f", row->sweeps_equivalent);
  snprintf(*cell++, MAX_CELL, "%.3f", row->step_ms_median);
  bench_format_strain(*cell++, row->strain_mean);
  bench_format_strain(*cell++, row->strain_p99);
  bench_format_strain(*cell++, row->strain_max);
  snprintf(*cell++, MAX_CELL, "%016" PRIx64, row->state_hash);
}

static void print_facts(FILE* out, const bench_quality_row* row) {
  char title[BENCH_MAX_TITLE];
  bench_scene_title(row->scene, row->size, 1, title);
  fprintf(out, "\n%s: %u particles, %u links\n", title, row->particles, row->links);
}

static void print_skipped(FILE* out, const bench_quality* quality) {
  for (uint32_t i = 0; i < quality->skipped_count; ++i) {
    const bench_skipped* skipped = &quality->skipped[i];
    char title[MAX_CELL];
    bench_setting_title(&skipped->setting, title);
    fprintf(out, "skipped: %s, which would take about %.0f s, and %.0f s is the most\n", title,
            skipped->seconds, bench_method_patience(skipped->setting.method));
  }
}

static void print_rows(FILE* out, const bench_quality* quality) {
  static const char* const heads[] = {"method",      "iterations", "coarse", "substeps",
                                      "attached",    "threads",    "sweeps", "ms/step",
                                      "mean strain", "p99",        "max",    "state hash"};
  bench_text_table table;
  // without memory for the table, the results themselves are safe
  if (!bench_text_table_create(heads, "lrrrrrrrrrrl", quality->count, &table)) return;
  for (uint32_t i = 0; i < quality->count; ++i) format_row(&quality->rows[i], &table.rows[i]);
  print_facts(out, &quality->rows[0]);
  bench_text_table_print(out, &table);
  bench_text_table_free(&table);
  print_skipped(out, quality);
}

/* The setting and its time, in two cells. */
static void format_run(char (*cell)[MAX_CELL], const bench_quality_row* row, bool tried) {
  if (!row) {
    snprintf(cell[0], MAX_CELL, tried ? "not reached" : "not run");
    return;
  }
  bench_setting_title(&row->setting, cell[0]);
  snprintf(cell[1], MAX_CELL, "%.3f", row->step_ms_median);
}

/* A bound is marked as one: "> 12.3". */
static void format_equal(const bench_equal_strain* found, bool engine_ran, bench_text_row* to) {
  char(*cell)[MAX_CELL] = to->cells;
  snprintf(cell[0], MAX_CELL, "%.3g %%", 100 * found->target);
  format_run(&cell[1], found->serial, found->slowest_serial);
  format_run(&cell[3], found->engine, engine_ran);
  if (found->slowest_serial) {
    snprintf(cell[2], MAX_CELL, "> %.3f", found->slowest_serial->step_ms_median);
  }
  if (isfinite(found->ratio)) {
    snprintf(cell[5], MAX_CELL, "%.1f", found->ratio);
  } else if (isfinite(found->ratio_at_least)) {
    snprintf(cell[5], MAX_CELL, "> %.1f", found->ratio_at_least);
  } else {
    snprintf(cell[5], MAX_CELL, "-");
  }
}

/* Says what the '>' is, where there is one, and how coarse the ratios are, where there are any. */
static void print_footnotes(FILE* out, const bench_equal_strain found[BENCH_TARGETS]) {
  bool bounded = false, compared = false;
  for (int i = 0; i < BENCH_TARGETS; ++i) {
    bounded = bounded || isfinite(found[i].ratio_at_least);
    compared = compared || isfinite(found[i].ratio);
  }
  if (bounded) fputs("> a lower bound: not even the slowest serial run keeps to it\n", out);
  if (!compared) return;
  fputs("serial settings are some 3 times apart, and a ratio may be that much too high\n", out);
}

static void print_equal_strain(FILE* out, const bench_quality* quality) {
  static const char* const heads[] = {"mean strain", "baseline", "ms/step",
                                      "engine",      "ms/step",  "times faster"};
  bench_equal_strain found[BENCH_TARGETS];
  bench_text_table table;
  if (!bench_text_table_create(heads, "rlrlrr", BENCH_TARGETS, &table)) return;
  bench_find_equal_strain(quality->rows, quality->count, found);
  // serial comes first
  const bool engine_ran = quality->rows[quality->count - 1].setting.method != BENCH_METHOD_SERIAL;
  for (int i = 0; i < BENCH_TARGETS; ++i) format_equal(&found[i], engine_ran, &table.rows[i]);
  fputs("\nthe fastest that keeps to a mean strain\n", out);
  bench_text_table_print(out, &table);
  bench_text_table_free(&table);
  print_footnotes(out, found);
}

void bench_print_quality(FILE* out, const bench_quality* quality) {
  print_rows(out, quality);
  print_equal_strain(out, quality);
}
