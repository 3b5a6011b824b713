#include "hosts/comparison.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void check(weft_result result) {
  if (result.error == WEFT_OK) return;
  fprintf(stderr, "%s: %s\n", result.field, weft_error_text(result.error));
  exit(1);
}

static weft_world* make_world(uint32_t size, uint32_t workers, weft_task_system system) {
  weft_scene* scene = NULL;
  weft_world* world = NULL;
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.columns = sheet.rows = size;
  sheet.spacing = 2.0f / (float)size;
  weft_world_def def = weft_default_world_def();
  def.worker_count = workers;
  def.task_system = system;
  check(weft_scene_create(&scene));
  check(weft_scene_add_sheet(scene, &sheet, NULL));
  check(weft_scene_pin(scene, weft_range(0, size)));
  check(weft_world_create(&def, scene, &world));
  weft_scene_destroy(&scene);
  return world;
}

static double step_ms(weft_world* world) {
  // as between frames: helpers of the other world go to sleep
  const struct timespec pause = {.tv_nsec = 1000000};
  struct timespec begin, end;
  nanosleep(&pause, NULL);
  timespec_get(&begin, TIME_UTC);
  weft_world_step(world, 1);
  timespec_get(&end, TIME_UTC);
  return 1e3 * (double)(end.tv_sec - begin.tv_sec) + 1e-6 * (double)(end.tv_nsec - begin.tv_nsec);
}

static int compare_numbers(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double median(double* times, uint32_t count) {
  qsort(times, count, sizeof(*times), compare_numbers);
  return times[count / 2];
}

// True if both worlds come to the same hash.
static bool compare(uint32_t size, uint32_t steps, uint32_t workers, weft_task_system system) {
  double* own_ms = malloc(steps * sizeof(*own_ms));
  double* host_ms = malloc(steps * sizeof(*host_ms));
  if (own_ms == NULL || host_ms == NULL) exit(1);
  weft_world* own = make_world(size, workers, (weft_task_system){NULL, NULL});
  weft_world* host = make_world(size, workers, system);
  for (uint32_t i = 0; i < steps; ++i) {
    own_ms[i] = step_ms(own);
    host_ms[i] = step_ms(host);
  }
  const bool good = weft_world_hash(own) == weft_world_hash(host);
  printf("%u workers: threads of weft %.3f ms a step, tasks of the host %.3f ms, hash %016" PRIx64
         "%s\n",
         workers, median(own_ms, steps), median(host_ms, steps), weft_world_hash(host),
         good ? "" : " DIFFERS");
  weft_world_destroy(&own);
  weft_world_destroy(&host);
  free(own_ms);
  free(host_ms);
  return good;
}

static uint32_t number(const char* text) {
  return (uint32_t)strtoul(text, NULL, 10);
}

int compare_task_system(int argument_count, char** arguments, weft_task_system system) {
  static const uint32_t worker_counts[] = {1, 2, MOST_WORKERS};
  const uint32_t size = argument_count > 1 ? number(arguments[1]) : 65;
  const uint32_t steps = argument_count > 2 ? number(arguments[2]) : 10;
  if (argument_count > 3) return compare(size, steps, number(arguments[3]), system) ? 0 : 1;
  bool good = true;
  for (int i = 0; i < 3; ++i) good &= compare(size, steps, worker_counts[i], system);
  if (good) printf("the same hash with 1, 2 and %u workers\n", MOST_WORKERS);
  return good ? 0 : 1;
}
