#include "equal_strain.h"

#include <math.h>

#define COLUMN(name, kind) \
  { #name, BENCH_COLUMN_##kind, offsetof(bench_equal_strain, name) }

static const bench_column columns[] = {
    COLUMN(target, REAL), COLUMN(serial_ms, REAL),      COLUMN(engine_ms, REAL),
    COLUMN(ratio, REAL),  COLUMN(ratio_at_least, REAL),
};

const bench_row_type bench_equal_strain_type = BENCH_ROW_TYPE(bench_equal_strain, columns);

static const double targets[BENCH_TARGETS] = {0.10, 0.03, 0.01, 0.003};

static bool is_serial(const bench_quality_row* row) {
  return row->setting.method == BENCH_METHOD_SERIAL;
}

/* A strain that is no number keeps to nothing. */
static const bench_quality_row* find_fastest(const bench_quality_row* rows, uint32_t count,
                                             bool serial, double target) {
  const bench_quality_row* best = NULL;
  for (uint32_t i = 0; i < count; ++i) {
    if (is_serial(&rows[i]) != serial || !(rows[i].strain_mean <= target)) continue;
    if (!best || rows[i].step_ms_median < best->step_ms_median) best = &rows[i];
  }
  return best;
}

static const bench_quality_row* find_slowest_serial(const bench_quality_row* rows, uint32_t count) {
  const bench_quality_row* worst = NULL;
  for (uint32_t i = 0; i < count; ++i) {
    if (!is_serial(&rows[i])) continue;
    if (!worst || rows[i].step_ms_median > worst->step_ms_median) worst = &rows[i];
  }
  return worst;
}

static bench_equal_strain find(const bench_quality_row* rows, uint32_t count, double target) {
  const double nan = (double)NAN;
  bench_equal_strain found = {target, nan, nan, nan, nan, NULL, NULL, NULL};
  found.serial = find_fastest(rows, count, true, target);
  found.engine = find_fastest(rows, count, false, target);
  if (found.serial) found.serial_ms = found.serial->step_ms_median;
  if (found.engine) found.engine_ms = found.engine->step_ms_median;
  found.ratio = found.serial_ms / found.engine_ms;
  if (!found.serial) found.slowest_serial = find_slowest_serial(rows, count);
  if (found.slowest_serial) {
    found.ratio_at_least = found.slowest_serial->step_ms_median / found.engine_ms;
  }
  return found;
}

void bench_find_equal_strain(const bench_quality_row* rows, uint32_t count,
                             bench_equal_strain found[BENCH_TARGETS]) {
  for (int i = 0; i < BENCH_TARGETS; ++i) found[i] = find(rows, count, targets[i]);
}
