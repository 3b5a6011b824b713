#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "sim_bench.h"
#include "text_table.h"

enum { MAX_CELL = BENCH_MAX_CELL };

#define COLUMN(name, kind) \
  { #name, BENCH_COLUMN_##kind, offsetof(bench_sim_row, name) }
#define QUARTER(n) \
  { "quarter_" #n "_ms", BENCH_COLUMN_REAL, offsetof(bench_sim_row, quarter_ms[n - 1]) }
#define STAGE(name, stage) \
  { name "_ms", BENCH_COLUMN_REAL, offsetof(bench_sim_row, stage_ms[WEFT_STAGE_##stage]) }

static const bench_column columns[] = {
    COLUMN(scene, TEXT),
    COLUMN(contacts, TEXT),
    COLUMN(isa, TEXT),
    COLUMN(particles, COUNT),
    COLUMN(links, COUNT),
    COLUMN(faces, COUNT),
    COLUMN(threads, COUNT),
    COLUMN(substeps, COUNT),
    COLUMN(iterations, COUNT),
    COLUMN(steps, COUNT),
    COLUMN(step_ms_median, REAL),
    COLUMN(step_ms_mean, REAL),
    COLUMN(step_ms_p99, REAL),
    COLUMN(step_ms_max, REAL),
    QUARTER(1),
    QUARTER(2),
    QUARTER(3),
    QUARTER(4),
    COLUMN(ratio, REAL),
    COLUMN(quarter_ratio, REAL),
    STAGE("links", LINKS),
    STAGE("broad_phase", BROAD_PHASE),
    STAGE("self_collision", SELF_COLLISION),
    STAGE("particle_contacts", PARTICLE_CONTACTS),
    STAGE("colliders", COLLIDERS),
    STAGE("ccd", CCD),
    COLUMN(crossings, REAL),
    COLUMN(last_crossings, REAL),
    COLUMN(looks, COUNT),
    COLUMN(mean_strain, REAL),
    COLUMN(max_strain, REAL),
    COLUMN(lost, LARGE),
    COLUMN(state_hash, HASH),
};

const bench_row_type bench_sim_type = BENCH_ROW_TYPE(bench_sim_row, columns);

static const char* const heads[] = {"contacts", "threads",   "ms",        "mean",
                                    "p99",      "worst",     "ratio",     "worst",
                                    "strain %", "crossings", "state hash"};
static const char sides[] = "lrrrrrrrrrl";

static const char* const stage_heads[] = {"contacts",  "threads",   "quarters: ms", "links", "self",
                                          "particles", "colliders", "ccd",          "rest"};
static const char stage_sides[] = "lrlrrrrrr";

static void format_row(const void* item, bench_text_row* text) {
  const bench_sim_row* row = item;
  char(*to)[MAX_CELL] = text->cells;
  snprintf(*to++, MAX_CELL, "%s", row->contacts);
  snprintf(*to++, MAX_CELL, "%u", row->threads);
  snprintf(*to++, MAX_CELL, "%.2f", row->step_ms_median);
  snprintf(*to++, MAX_CELL, "%.2f", row->step_ms_mean);
  snprintf(*to++, MAX_CELL, "%.2f", row->step_ms_p99);
  snprintf(*to++, MAX_CELL, "%.2f", row->step_ms_max);
  snprintf(*to++, MAX_CELL, "%.2f", row->ratio);
  snprintf(*to++, MAX_CELL, "%.2f", row->quarter_ratio);
  snprintf(*to++, MAX_CELL, "%.2f", 100.0 * row->max_strain);
  if (isfinite(row->crossings) && row->looks > 0) {
    snprintf(*to, MAX_CELL, "%.0f", row->crossings);
  }
  snprintf(*++to, MAX_CELL, "%016" PRIx64, row->state_hash);
}

static void format_stages(const void* item, bench_text_row* text) {
  const bench_sim_row* row = item;
  static const int shown[] = {WEFT_STAGE_LINKS, WEFT_STAGE_SELF_COLLISION,
                              WEFT_STAGE_PARTICLE_CONTACTS, WEFT_STAGE_COLLIDERS, WEFT_STAGE_CCD};
  char(*to)[MAX_CELL] = text->cells;
  const double* q = row->quarter_ms;
  double sum = 0.0;
  for (int stage = 0; stage < WEFT_STAGE_COUNT; ++stage) sum += row->stage_ms[stage];
  double rest = sum;
  snprintf(*to++, MAX_CELL, "%s", row->contacts);
  snprintf(*to++, MAX_CELL, "%u", row->threads);
  snprintf(*to++, MAX_CELL, "%.2f  %.2f  %.2f  %.2f", q[0], q[1], q[2], q[3]);
  for (size_t i = 0; i < sizeof shown / sizeof shown[0]; ++i, ++to) {
    const double part = row->stage_ms[shown[i]];
    rest -= part;
    if (part > 0.0) snprintf(*to, MAX_CELL, "%.1f %%", 100.0 * part / sum);
  }
  snprintf(*to, MAX_CELL, "%.1f %%", 100.0 * fmax(rest, 0.0) / sum);
}

// In lines of at most 100 columns.
static void print_results(FILE* out, const sim_results* results) {
  int width = fprintf(out, "scene:");
  for (size_t i = 0; i < results->count; ++i) {
    char text[MAX_CELL];
    const int length = snprintf(text, sizeof text, " %s %.6g%s", results->items[i].name,
                                results->items[i].value, i + 1 < results->count ? "," : "");
    if (width + length > 100) width = fprintf(out, "\n      ") - 1;
    width += fprintf(out, "%s", text);
  }
  fputc('\n', out);
}

void bench_sim_print(FILE* out, const bench_sim_row* rows, size_t count,
                     const sim_results* results) {
  const bench_sim_row* row = &rows[0];
  fprintf(out,
          "\n%s: %u particles, %u links, %u faces; %s, %u steps of %u substeps, %u iterations\n",
          row->scene, row->particles, row->links, row->faces, row->isa, row->steps, row->substeps,
          row->iterations);
  bench_text_rows_print(out, heads, sides, rows, count, sizeof *rows, format_row);
  fputc('\n', out);
  bench_text_rows_print(out, stage_heads, stage_sides, rows, count, sizeof *rows, format_stages);
  fputc('\n', out);
  if (row->faces > 0) {
    fprintf(out, "%u counts of crossings, %.0f in the last; ", row->looks, row->last_crossings);
  }
  fprintf(out, "strain at the end %.2f %% on average\n", 100.0 * row->mean_strain);
  print_results(out, results);
}
