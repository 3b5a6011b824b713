#include "equal_strain.h"

#include <math.h>

#define COLUMN(name, kind) \
  { #name, BENCH_COLUMN_##kind, offsetof(bench_equal_strain, name) }

static const bench_column columns[] = {
    COLUMN(target, REAL),         COLUMN(serial_ms, REAL),
    COLUMN(engine_ms, REAL),      COLUMN(ratio, REAL),
    COLUMN(ratio_at_least, REAL), COLUMN(serial_method_ms, REAL),
    COLUMN(method_ratio, REAL),   COLUMN(method_ratio_at_least, REAL),
    COLUMN(engine_ratio, REAL),
};

const bench_row_type bench_equal_strain_type = BENCH_ROW_TYPE(bench_equal_strain, columns);

static const double targets[BENCH_TARGETS] = {0.10, 0.03, 0.01, 0.003};

typedef enum runs_of { PLAIN_SERIAL, ANY_SERIAL, ENGINE } runs_of;

static bool is_of(const bench_quality_row* row, runs_of side) {
  if (side == PLAIN_SERIAL) return bench_method_is_plain_serial(row->setting.method);
  return bench_method_is_serial(row->setting.method) == (side == ANY_SERIAL);
}

/* A strain that is no number keeps to nothing. */
static const bench_quality_row* find_fastest(const bench_quality_row* rows, uint32_t count,
                                             runs_of side, double target) {
  const bench_quality_row* best = NULL;
  for (uint32_t i = 0; i < count; ++i) {
    if (!is_of(&rows[i], side) || !(rows[i].strain_mean <= target)) continue;
    if (!best || rows[i].step_ms_median < best->step_ms_median) best = &rows[i];
  }
  return best;
}

static const bench_quality_row* find_slowest_serial(const bench_quality_row* rows, uint32_t count) {
  const bench_quality_row* worst = NULL;
  for (uint32_t i = 0; i < count; ++i) {
    if (!is_of(&rows[i], PLAIN_SERIAL)) continue;
    if (!worst || rows[i].step_ms_median > worst->step_ms_median) worst = &rows[i];
  }
  return worst;
}

static double ms_of(const bench_quality_row* row) {
  return row ? row->step_ms_median : (double)NAN;
}

static bench_equal_strain find(const bench_quality_row* rows, uint32_t count, double target) {
  bench_equal_strain found = {.target = target};
  found.serial = find_fastest(rows, count, PLAIN_SERIAL, target);
  found.serial_method = find_fastest(rows, count, ANY_SERIAL, target);
  found.engine = find_fastest(rows, count, ENGINE, target);
  if (!found.serial) found.slowest_serial = find_slowest_serial(rows, count);
  found.serial_ms = ms_of(found.serial);
  found.serial_method_ms = ms_of(found.serial_method);
  found.engine_ms = ms_of(found.engine);
  found.ratio = found.serial_ms / found.engine_ms;
  found.ratio_at_least = ms_of(found.slowest_serial) / found.engine_ms;
  found.method_ratio = found.serial_ms / found.serial_method_ms;
  found.method_ratio_at_least = ms_of(found.slowest_serial) / found.serial_method_ms;
  found.engine_ratio = found.serial_method_ms / found.engine_ms;
  return found;
}

void bench_find_equal_strain(const bench_quality_row* rows, uint32_t count,
                             bench_equal_strain found[BENCH_TARGETS]) {
  for (int i = 0; i < BENCH_TARGETS; ++i) found[i] = find(rows, count, targets[i]);
}
