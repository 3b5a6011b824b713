/* Shared by the examples: check of results, command line, run and report. */
#ifndef WEFT_EXAMPLES_EXAMPLE_H
#define WEFT_EXAMPLES_EXAMPLE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/weft.h>

#include "common/clock.h"

#define STEPS 180u
#define MAX_MEAN_STRAIN 0.01

/* Exits with a message if a call failed. */
static inline void check(weft_result result) {
  if (result.error == WEFT_OK) return;
  fprintf(stderr, "%s: %s\n", result.field, weft_error_text(result.error));
  exit(EXIT_FAILURE);
}

/* Prints the program's arguments and exits: 0 if --help asks for them. */
static inline _Noreturn void print_usage(int argc, char** argv, const char* arguments) {
  const int is_asked = argc == 2 && strcmp(argv[1], "--help") == 0;
  fprintf(is_asked ? stdout : stderr, "Usage: %s %s\n", argv[0], arguments);
  exit(is_asked ? EXIT_SUCCESS : 2);
}

/* Particles along a side of the sheet: the first argument, 2 to 65535, 257 by default. */
static inline uint32_t side_of(int argc, char** argv) {
  if (argc < 2) return 257;
  char* end = NULL;
  const unsigned long side = strtoul(argv[1], &end, 10);
  if (argc == 2 && *end == '\0' && side >= 2 && side <= 65535) return (uint32_t)side;
  print_usage(argc, argv, "[SIDE]\n\nSIDE: particles along a side of the sheet, 2 to 65535");
}

/* A sheet of 2 m x 2 m with so many particles along a side. */
static inline weft_sheet_def square_sheet(int argc, char** argv) {
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.columns = sheet.rows = side_of(argc, argv);
  sheet.spacing = 2.0f / (float)(sheet.columns - 1);
  return sheet;
}

/* Steps a world for 3 seconds and prints its settings, strain and time a step. Returns an exit
 * status: failure if the mean strain is 1 % or more. */
static inline int run(weft_world* world) {
  const double begin = tool_clock_ns();
  weft_world_step(world, STEPS);
  const double milliseconds = (tool_clock_ns() - begin) * 1e-6 / STEPS;
  weft_world_stats stats;
  weft_measures measures;
  check(weft_world_get_stats(world, &stats));
  check(weft_world_measure(world, &measures));
  printf("%u particles, %u substeps, %u attachments, %u coarse and %u iterations, %u worker%s\n",
         stats.particle_count, stats.substeps, stats.attachments, stats.coarse_iterations,
         stats.iterations, stats.worker_count, stats.worker_count == 1 ? "" : "s");
  printf("mean strain %.4f %%, largest %.2f %%, %.2f ms a step\n", 100.0 * measures.mean_strain,
         100.0 * measures.max_strain, milliseconds);
  return measures.mean_strain < MAX_MEAN_STRAIN ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
