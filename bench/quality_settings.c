#include <math.h>
#include <stdio.h>

#include "quality.h"

const char* const bench_method_names[BENCH_METHODS] = {"serial",      "colored",      "serial-lra",
                                                       "colored-lra", "vertex-block", "plain",
                                                       "substeps",    "lra",          "coarse"};

/* Iterations, coarse iterations, substeps, attachments; for each method from fast to slow. A cloth
 * that hangs from fewer places has fewer attachments. */
#define SWEEPS(method)                                                                            \
  {method, 10, 0, 1, 0}, {method, 30, 0, 1, 0}, {method, 100, 0, 1, 0}, {method, 300, 0, 1, 0}, { \
    method, 1000, 0, 1, 0                                                                         \
  }
#define ATTACHED(method)                                                                   \
  {method, 1, 0, 1, 4}, {method, 2, 0, 1, 4}, {method, 5, 0, 1, 4}, {method, 10, 0, 1, 4}, \
      {method, 30, 0, 1, 4}, {method, 1, 0, 4, 4}, {method, 1, 0, 8, 4}, {                 \
    method, 1, 0, 16, 4                                                                    \
  }

static const bench_setting all_settings[] = {
    SWEEPS(BENCH_METHOD_SERIAL),          SWEEPS(BENCH_METHOD_COLORED),
    ATTACHED(BENCH_METHOD_SERIAL_LRA),    ATTACHED(BENCH_METHOD_COLORED_LRA),
    SWEEPS(BENCH_METHOD_VERTEX_BLOCK),    {BENCH_METHOD_VERTEX_BLOCK, 2, 0, 16, 0},
    SWEEPS(BENCH_METHOD_PLAIN),

    {BENCH_METHOD_SUBSTEPS, 1, 0, 2, 0},  {BENCH_METHOD_SUBSTEPS, 2, 0, 2, 0},
    {BENCH_METHOD_SUBSTEPS, 1, 0, 5, 0},  {BENCH_METHOD_SUBSTEPS, 2, 0, 5, 0},
    {BENCH_METHOD_SUBSTEPS, 1, 0, 10, 0}, {BENCH_METHOD_SUBSTEPS, 2, 0, 10, 0},
    {BENCH_METHOD_SUBSTEPS, 1, 0, 20, 0}, {BENCH_METHOD_SUBSTEPS, 2, 0, 20, 0},

    ATTACHED(BENCH_METHOD_LRA),

    {BENCH_METHOD_COARSE, 2, 4, 1, 0},    {BENCH_METHOD_COARSE, 2, 8, 1, 0},
    {BENCH_METHOD_COARSE, 4, 8, 1, 0},    {BENCH_METHOD_COARSE, 8, 8, 1, 0},
    {BENCH_METHOD_COARSE, 8, 16, 1, 0},   {BENCH_METHOD_COARSE, 1, 1, 4, 0},
    {BENCH_METHOD_COARSE, 2, 2, 4, 0},    {BENCH_METHOD_COARSE, 8, 8, 4, 0},
    {BENCH_METHOD_COARSE, 1, 1, 16, 0},
};

enum { ALL_SETTINGS = sizeof all_settings / sizeof *all_settings };

uint32_t bench_list_settings(uint32_t method_bits, bench_setting settings[BENCH_MOST_SETTINGS]) {
  uint32_t count = 0;
  for (size_t i = 0; i < ALL_SETTINGS; ++i) {
    if ((method_bits & 1u << all_settings[i].method) != 0) settings[count++] = all_settings[i];
  }
  return count;
}

bool bench_method_is_plain_serial(bench_method method) {
  return method == BENCH_METHOD_SERIAL || method == BENCH_METHOD_COLORED;
}

bool bench_method_is_serial(bench_method method) {
  return method <= BENCH_METHOD_VERTEX_BLOCK;
}

double bench_sweeps(const bench_setting* setting) {
  const double each = (double)setting->iterations + (double)setting->coarse_iterations / 3.0;
  return each * (double)setting->substeps;
}

/* "4 substeps of ", or nothing. */
static const char* substeps_of(const bench_setting* setting, char text[BENCH_MAX_CELL]) {
  text[0] = '\0';
  if (setting->substeps > 1) {
    snprintf(text, BENCH_MAX_CELL, "%u substeps of ", setting->substeps);
  }
  return text;
}

void bench_setting_title(const bench_setting* setting, char title[BENCH_MAX_CELL]) {
  const bool is_coarse = setting->method == BENCH_METHOD_COARSE;
  const bool is_named = !is_coarse && setting->method != BENCH_METHOD_SUBSTEPS;
  const bool is_whole = setting->substeps == 1;
  char substeps[BENCH_MAX_CELL], coarse[BENCH_MAX_CELL] = "";
  if (is_coarse) snprintf(coarse, sizeof coarse, "%u coarse + ", setting->coarse_iterations);
  snprintf(title, BENCH_MAX_CELL, "%s%s%.30s%.30s%u%s",
           is_named ? bench_method_names[setting->method] : "", is_named ? ", " : "",
           substeps_of(setting, substeps), coarse, setting->iterations,
           !is_whole                  ? ""
           : setting->iterations == 1 ? " iteration"
                                      : " iterations");
}

double bench_method_patience(bench_method method) {
  if (method == BENCH_METHOD_PLAIN || method == BENCH_METHOD_VERTEX_BLOCK) return 20.0;
  return bench_method_is_serial(method) ? 150.0 : (double)INFINITY;
}

// ---- equal strain ----

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
    if (!is_of(&rows[i], side) || !(rows[i].strain.mean <= target)) continue;
    if (!best || rows[i].step_ms.median < best->step_ms.median) best = &rows[i];
  }
  return best;
}

static const bench_quality_row* find_slowest_serial(const bench_quality_row* rows, uint32_t count) {
  const bench_quality_row* worst = NULL;
  for (uint32_t i = 0; i < count; ++i) {
    if (!is_of(&rows[i], PLAIN_SERIAL)) continue;
    if (!worst || rows[i].step_ms.median > worst->step_ms.median) worst = &rows[i];
  }
  return worst;
}

static double ms_of(const bench_quality_row* row) {
  return row ? row->step_ms.median : (double)NAN;
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
