#include <inttypes.h>
#include <math.h>

#include "common/number.h"
#include "scaling.h"
#include "text_table.h"

static const bench_column columns[] = {
    {"scene", BENCH_COLUMN_TEXT, offsetof(bench_scaling_row, scene)},
    {"isa", BENCH_COLUMN_TEXT, offsetof(bench_scaling_row, isa)},
    {"size", BENCH_COLUMN_COUNT, offsetof(bench_scaling_row, size)},
    {"particles", BENCH_COLUMN_COUNT, offsetof(bench_scaling_row, particles)},
    {"threads", BENCH_COLUMN_COUNT, offsetof(bench_scaling_row, threads)},
    {"workers", BENCH_COLUMN_COUNT, offsetof(bench_scaling_row, workers)},
    {"beside", BENCH_COLUMN_COUNT, offsetof(bench_scaling_row, beside)},
    {"steps", BENCH_COLUMN_COUNT, offsetof(bench_scaling_row, steps)},
    {"step_ms_min", BENCH_COLUMN_REAL, offsetof(bench_scaling_row, step_ms_min)},
    {"step_ms_median", BENCH_COLUMN_REAL, offsetof(bench_scaling_row, step_ms_median)},
    {"step_ms_mean", BENCH_COLUMN_REAL, offsetof(bench_scaling_row, step_ms_mean)},
    {"step_ms_p99", BENCH_COLUMN_REAL, offsetof(bench_scaling_row, step_ms_p99)},
    {"step_ms_max", BENCH_COLUMN_REAL, offsetof(bench_scaling_row, step_ms_max)},
    {"speed_up", BENCH_COLUMN_REAL, offsetof(bench_scaling_row, speed_up)},
    {"speed_up_low", BENCH_COLUMN_REAL, offsetof(bench_scaling_row, speed_up_low)},
    {"speed_up_high", BENCH_COLUMN_REAL, offsetof(bench_scaling_row, speed_up_high)},
    {"efficiency", BENCH_COLUMN_REAL, offsetof(bench_scaling_row, efficiency)},
    {"state_hash", BENCH_COLUMN_HASH, offsetof(bench_scaling_row, state_hash)},
};

const bench_row_type bench_scaling_type = BENCH_ROW_TYPE(bench_scaling_row, columns);

static const char* const heads[] = {"threads", "at work", "median ms", "mean",      "p99",
                                    "worst",   "min",     "speed-up",  "quartiles", "efficiency"};
static const char sides[] = "rrrrrrrrrr";

enum { MAX_CELL = BENCH_MAX_CELL };

static void format_row(const bench_scaling_row* row, bench_text_row* text) {
  const double times[] = {row->step_ms_median, row->step_ms_mean, row->step_ms_p99,
                          row->step_ms_max, row->step_ms_min};
  char(*to)[MAX_CELL] = text->cells;
  snprintf(*to++, MAX_CELL, "%u", row->threads);
  snprintf(*to++, MAX_CELL, "%u", row->workers);
  for (size_t i = 0; i < sizeof times / sizeof times[0]; ++i) {
    snprintf(*to++, MAX_CELL, "%.3f", times[i]);
  }
  snprintf(*to++, MAX_CELL, "%.2f", row->speed_up);
  snprintf(*to++, MAX_CELL, "%.2f-%.2f", row->speed_up_low, row->speed_up_high);
  snprintf(*to++, MAX_CELL, "%.0f %%", 100.0 * row->efficiency);
}

static void print_fit(FILE* out, const bench_scaling_fit* fit) {
  if (isfinite(fit->serial)) {
    fprintf(out,
            "Amdahl's law: %.1f %% of a step is serial (quartiles of the turns %.1f to %.1f)\n",
            100.0 * fit->serial, 100.0 * fit->serial_low, 100.0 * fit->serial_high);
  }
  if (isfinite(fit->contention)) {
    fprintf(out, "universal scalability law: contention %.2f %%, coherency %.4f %%\n",
            100.0 * fit->contention, 100.0 * fit->coherency);
  }
}

void bench_scaling_print(FILE* out, const bench_scaling_request* request,
                         const bench_scaling_row* rows, size_t count,
                         const bench_scaling_fit* fit) {
  fprintf(out, "\n%s %u: %u particles%s; %s, %u steps a row in %d turns", rows[0].scene,
          rows[0].size, rows[0].particles, request->is_weak ? " for one thread" : "", rows[0].isa,
          rows[0].steps, BENCH_SCALING_TURNS);
  if (request->beside > 0) {
    fprintf(out, ", beside %u busy thread%s", request->beside, tool_plural(request->beside));
  }
  fprintf(out, "\n");
  bench_text_table table;
  if (!bench_text_table_create(heads, sides, count, &table)) return;
  for (size_t i = 0; i < count; ++i) format_row(&rows[i], &table.rows[i]);
  bench_text_table_print(out, &table);
  bench_text_table_free(&table);
  if (!request->is_weak)
    fprintf(out, "state hash of all rows: %016" PRIx64 "\n", rows[0].state_hash);
  print_fit(out, fit);
}
