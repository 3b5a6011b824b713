#include <math.h>
#include <stdio.h>

#include "quality.h"

const char* const bench_method_names[BENCH_METHODS] = {"serial", "plain", "substeps", "lra",
                                                       "coarse"};

static const uint32_t sweep_counts[] = {10, 30, 100, 300, 1000};
static const uint32_t substep_counts[] = {2, 5, 10, 20};
static const uint32_t substep_sweeps[] = {1, 2};
static const uint32_t lra_sweeps[] = {5, 10, 20, 30};
static const uint32_t lra_substeps[] = {5, 10};
// a cloth that hangs by two corners has two of them
static const uint32_t lra_attachments = 2;
static const uint32_t coarse_counts[] = {4, 8, 16};
static const uint32_t coarse_sweeps[] = {2, 4, 8};

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

typedef struct setting_list {
  bench_setting* items;
  uint32_t count;
} setting_list;

static void add(setting_list* list, bench_setting setting) {
  list->items[list->count++] = setting;
}

static void add_plain(bench_method method, setting_list* list) {
  for (size_t i = 0; i < COUNT_OF(sweep_counts); ++i) {
    add(list, (bench_setting){method, sweep_counts[i], 0, 1, 0});
  }
}

static void add_substeps(setting_list* list) {
  for (size_t i = 0; i < COUNT_OF(substep_counts); ++i) {
    for (size_t k = 0; k < COUNT_OF(substep_sweeps); ++k) {
      add(list, (bench_setting){BENCH_METHOD_SUBSTEPS, substep_sweeps[k], 0, substep_counts[i], 0});
    }
  }
}

static void add_lra(setting_list* list) {
  for (size_t i = 0; i < COUNT_OF(lra_sweeps); ++i) {
    add(list, (bench_setting){BENCH_METHOD_LRA, lra_sweeps[i], 0, 1, lra_attachments});
  }
  for (size_t i = 0; i < COUNT_OF(lra_substeps); ++i) {
    add(list, (bench_setting){BENCH_METHOD_LRA, 1, 0, lra_substeps[i], lra_attachments});
  }
}

static void add_coarse(setting_list* list) {
  for (size_t i = 0; i < COUNT_OF(coarse_counts); ++i) {
    for (size_t k = 0; k < COUNT_OF(coarse_sweeps); ++k) {
      add(list, (bench_setting){BENCH_METHOD_COARSE, coarse_sweeps[k], coarse_counts[i], 1, 0});
    }
  }
}

uint32_t bench_list_settings(uint32_t method_bits, bench_setting settings[BENCH_MOST_SETTINGS]) {
  setting_list list = {settings, 0};
  if (method_bits & 1u << BENCH_METHOD_SERIAL) add_plain(BENCH_METHOD_SERIAL, &list);
  if (method_bits & 1u << BENCH_METHOD_PLAIN) add_plain(BENCH_METHOD_PLAIN, &list);
  if (method_bits & 1u << BENCH_METHOD_SUBSTEPS) add_substeps(&list);
  if (method_bits & 1u << BENCH_METHOD_LRA) add_lra(&list);
  if (method_bits & 1u << BENCH_METHOD_COARSE) add_coarse(&list);
  return list.count;
}

double bench_sweeps(const bench_setting* setting) {
  const double each = (double)setting->iterations + (double)setting->coarse_iterations / 3.0;
  return each * (double)setting->substeps;
}

void bench_setting_title(const bench_setting* setting, char title[BENCH_MAX_CELL]) {
  const char* lra = setting->attachments > 0 ? "lra, " : "";
  const char* plural = setting->iterations == 1 ? "" : "s";
  if (setting->coarse_iterations > 0) {
    snprintf(title, BENCH_MAX_CELL, "%u coarse, %u iteration%s", setting->coarse_iterations,
             setting->iterations, plural);
  } else if (setting->substeps > 1) {
    snprintf(title, BENCH_MAX_CELL, "%s%u substeps, %u iteration%s", lra, setting->substeps,
             setting->iterations, plural);
  } else {
    snprintf(title, BENCH_MAX_CELL, "%s, %u iteration%s", bench_method_names[setting->method],
             setting->iterations, plural);
  }
}

double bench_method_patience(bench_method method) {
  if (method == BENCH_METHOD_SERIAL) return 60.0;
  return method == BENCH_METHOD_PLAIN ? 20.0 : (double)INFINITY;
}
