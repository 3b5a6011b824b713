/* Strain against time: each method, at several settings, steps the same scene for some simulated
 * seconds. Iterations of different methods are not worth the same; the stretch left after so many
 * milliseconds compares them. */
#ifndef BENCH_QUALITY_H
#define BENCH_QUALITY_H

#include "ladder.h"
#include "run.h"

typedef enum bench_method {
  BENCH_METHOD_SERIAL = 0,
  BENCH_METHOD_COLORED,
  BENCH_METHOD_SERIAL_LRA,
  BENCH_METHOD_COLORED_LRA,
  BENCH_METHOD_VERTEX_BLOCK,
  BENCH_METHOD_PLAIN,
  BENCH_METHOD_SUBSTEPS,
  BENCH_METHOD_LRA,
  BENCH_METHOD_COARSE,
  BENCH_METHODS,
} bench_method;

extern const char* const bench_method_names[BENCH_METHODS];

typedef struct bench_setting {
  bench_method method;
  uint32_t iterations;
  uint32_t coarse_iterations; /* 0 = no coarse levels */
  uint32_t substeps;          /* 1 = whole steps */
  uint32_t attachments;       /* per particle, 0 = none */
} bench_setting;

enum { BENCH_MOST_SETTINGS = 64 };

/* Writes the settings of the chosen methods, by method and from fast to slow; returns their count.
 */
uint32_t bench_list_settings(uint32_t method_bits, bench_setting settings[BENCH_MOST_SETTINGS]);

bool bench_method_is_serial(bench_method method);

/* Sweeps over all links a step. A coarse level is taken as a quarter of the next finer one, 1/4 +
 * 1/16 + ... = 1/3 in all: an estimate. */
double bench_sweeps(const bench_setting* setting);

/* "serial, 300 iterations", "8 coarse + 2 iterations", "10 substeps of 1",
 * "lra, 10 substeps of 1" */
void bench_setting_title(const bench_setting* setting, char title[BENCH_MAX_CELL]);

/* Seconds that a run of the method may be expected to take; those expected to take longer are left
 * out. Infinite where there is no such limit. */
double bench_method_patience(bench_method method);

typedef struct bench_quality_row {
  char scene[BENCH_MAX_NAME];
  uint32_t size;
  uint32_t particles;
  uint32_t links;
  char method[BENCH_WORD];
  uint32_t iterations;
  uint32_t coarse_iterations;
  uint32_t substeps;
  uint32_t attachments;
  uint32_t threads; /* at work, fewer than asked for where the scene is small */
  double sweeps_equivalent;
  bench_times step_ms;
  bench_strain strain; /* structural links in the last quarter: means, and the largest */
  uint64_t state_hash;
  // not a column of files
  bench_setting setting;
} bench_quality_row;

extern const bench_row_type bench_quality_type;

typedef struct bench_skipped {
  bench_setting setting;
  double seconds; /* expected time of the run */
} bench_skipped;

typedef struct bench_quality {
  bench_quality_row rows[BENCH_MOST_SETTINGS];
  uint32_t count;
  bench_skipped skipped[BENCH_MOST_SETTINGS];
  uint32_t skipped_count;
} bench_quality;

typedef struct bench_quality_request {
  uint32_t method_bits;
  uint32_t threads; /* threads of the engine */
  uint32_t steps;
  /* starts a little out of the plane z = 0, which sheets would not leave */
  bool wrinkled;
  bool quiet;
  bool complete; /* no run is left out for its expected time */
} bench_quality_request;

/* Bytes a particle: description, flat scene and one world or serial loop. */
#define BENCH_QUALITY_PARTICLE_BYTES 500.0

/* Runs all settings on a scene, described and flat, whose flat positions it wrinkles: free
 * particles by a tenth of a spacing at most, the same in every run. False without a message when
 * interrupted. */
bool bench_measure_quality(const bench_quality_request* request, bench_scene* scene,
                           bench_quality* quality, tool_message* why);

/* ---- report ---------------------------------------------------------------------------------- */

void bench_print_quality(FILE* out, const bench_quality* quality);

#endif
