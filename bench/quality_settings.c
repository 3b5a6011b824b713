#include <math.h>
#include <stdio.h>

#include "quality.h"

const char* const bench_method_names[BENCH_METHODS] = {"serial", "plain", "substeps", "lra",
                                                       "coarse"};

/* Method, iterations, coarse iterations, substeps, attachments; for each method from fast to slow.
 * A cloth that hangs from fewer places has fewer attachments. */
static const bench_setting all_settings[] = {
    {BENCH_METHOD_SERIAL, 10, 0, 1, 0},   {BENCH_METHOD_SERIAL, 30, 0, 1, 0},
    {BENCH_METHOD_SERIAL, 100, 0, 1, 0},  {BENCH_METHOD_SERIAL, 300, 0, 1, 0},
    {BENCH_METHOD_SERIAL, 1000, 0, 1, 0},

    {BENCH_METHOD_PLAIN, 10, 0, 1, 0},    {BENCH_METHOD_PLAIN, 30, 0, 1, 0},
    {BENCH_METHOD_PLAIN, 100, 0, 1, 0},   {BENCH_METHOD_PLAIN, 300, 0, 1, 0},
    {BENCH_METHOD_PLAIN, 1000, 0, 1, 0},

    {BENCH_METHOD_SUBSTEPS, 1, 0, 2, 0},  {BENCH_METHOD_SUBSTEPS, 2, 0, 2, 0},
    {BENCH_METHOD_SUBSTEPS, 1, 0, 5, 0},  {BENCH_METHOD_SUBSTEPS, 2, 0, 5, 0},
    {BENCH_METHOD_SUBSTEPS, 1, 0, 10, 0}, {BENCH_METHOD_SUBSTEPS, 2, 0, 10, 0},
    {BENCH_METHOD_SUBSTEPS, 1, 0, 20, 0}, {BENCH_METHOD_SUBSTEPS, 2, 0, 20, 0},

    {BENCH_METHOD_LRA, 1, 0, 1, 4},       {BENCH_METHOD_LRA, 2, 0, 1, 4},
    {BENCH_METHOD_LRA, 5, 0, 1, 4},       {BENCH_METHOD_LRA, 10, 0, 1, 4},
    {BENCH_METHOD_LRA, 30, 0, 1, 4},      {BENCH_METHOD_LRA, 1, 0, 4, 4},
    {BENCH_METHOD_LRA, 1, 0, 8, 4},       {BENCH_METHOD_LRA, 1, 0, 16, 4},

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

double bench_sweeps(const bench_setting* setting) {
  const double each = (double)setting->iterations + (double)setting->coarse_iterations / 3.0;
  return each * (double)setting->substeps;
}

void bench_setting_title(const bench_setting* setting, char title[BENCH_MAX_CELL]) {
  char substeps[BENCH_MAX_CELL / 3] = "";
  char coarse[BENCH_MAX_CELL / 3] = "";
  if (setting->substeps > 1)
    snprintf(substeps, sizeof substeps, "%u substeps, ", setting->substeps);
  if (setting->coarse_iterations > 0) {
    snprintf(coarse, sizeof coarse, "%u coarse, ", setting->coarse_iterations);
  }
  const bool says_it = setting->method == BENCH_METHOD_SUBSTEPS;
  const bool is_coarse = setting->method == BENCH_METHOD_COARSE;
  snprintf(title, BENCH_MAX_CELL, "%s%s%s%s%u iteration%s",
           says_it || is_coarse ? "" : bench_method_names[setting->method],
           says_it || is_coarse ? "" : ", ", substeps, coarse, setting->iterations,
           setting->iterations == 1 ? "" : "s");
}

double bench_method_patience(bench_method method) {
  if (method == BENCH_METHOD_SERIAL) return 150.0;
  return method == BENCH_METHOD_PLAIN ? 20.0 : (double)INFINITY;
}
