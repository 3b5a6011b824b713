/* Two worlds of a game on the same threads, with the game's memory and log: flags in a courtyard
 * and on a tower, where the wind gets up. A low battery halves the steps a second. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <weft/weft.h>

enum { COURTYARD, TOWER, WORLDS, FRAMES = 360, FRAME_NS = 16666667 };

static void check(weft_result result) {
  if (result.error == WEFT_OK) return;
  fprintf(stderr, "%s: %s\n", result.field, weft_error_text(result.error));
  exit(EXIT_FAILURE);
}

// ---- memory and log of the game: called from any thread ----

typedef struct pool {
  const char* name;
  atomic_int blocks, most;
} pool;

static void* allocate(void* context, size_t bytes, size_t alignment) {
  pool* from = context;
  const int blocks = atomic_fetch_add(&from->blocks, 1) + 1;
  if (blocks > atomic_load(&from->most)) atomic_store(&from->most, blocks);
  return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void release(void* context, void* memory) {
  pool* from = context;
  atomic_fetch_sub(&from->blocks, 1);
  free(memory);
}

static void print_message(void* context, const char* message) {
  fprintf(stderr, "%s: %s\n", ((const pool*)context)->name, message);
}

static void lend(pool* memory) {
  weft_host_def host = weft_default_host_def();
  host.context = memory;
  host.allocate = allocate;
  host.release = release;
  host.log = print_message;
  check(weft_set_host(&host));
}

// ---- worlds ----

static weft_world* raise_flag(weft_threads* threads, uint32_t helpers, const weft_wind_def* wind) {
  weft_scene* scene = NULL;
  weft_world* world = NULL;
  weft_cloth_def flag = weft_default_cloth_def();
  weft_world_def def = weft_default_world_def();
  flag.across[0] = 0.0f;  // its first row, all hooks, is the pole
  flag.across[1] = -1.0f;
  flag.down[0] = 1.0f;
  flag.down[1] = 0.0f;
  flag.columns = flag.hooks = 33;
  def.threads = threads;
  def.worker_count = helpers + 1;
  check(weft_scene_create(&scene));
  check(weft_scene_add_cloth(scene, &flag, NULL));
  check(weft_scene_set_wind(scene, wind));
  check(weft_world_create(&def, scene, &world));
  weft_scene_destroy(&scene);
  return world;
}

/* Metres that the flag's middle is below the middle of its pole. */
static double droop_of(const weft_world* world) {
  weft_measures measures;
  check(weft_world_measure(world, &measures));
  return -0.5 - measures.center[1];
}

int main(void) {
  static pool memory = {.name = "flags"};
  lend(&memory);
  weft_threads* threads = NULL;
  weft_threads_def helpers = weft_default_threads_def();
  helpers.count = helpers.count < 2 ? 1 : 2;
  helpers.name = "flag";
  check(weft_threads_create(&helpers, &threads));

  weft_wind_def wind = weft_default_wind_def();
  wind.velocity[0] = 1.0f;
  wind.gust = 0.3f;
  weft_world* worlds[WORLDS];
  for (int w = 0; w < WORLDS; ++w) worlds[w] = raise_flag(threads, helpers.count, &wind);
  double droop[WORLDS];
  uint32_t steps = 0;
  for (int frame = 1; frame <= FRAMES; ++frame) {
    if (frame == 120) {
      wind.velocity[0] = 9.0f;
      check(weft_world_set_wind(worlds[TOWER], &wind));
    }
    for (int w = 0; w < WORLDS; ++w) {
      weft_advance advance;
      if (frame == 240) check(weft_world_set_step(worlds[w], 2 * FRAME_NS));
      check(weft_world_advance(worlds[w], FRAME_NS, &advance));
      droop[w] = droop_of(worlds[w]);
      steps += advance.steps;
    }
    if (frame % 60 != 0) continue;
    printf("%d s: flags droop by %.2f m in the courtyard and %.2f m on the tower, %u steps\n",
           frame / 60, droop[COURTYARD], droop[TOWER], steps);
    steps = 0;
  }
  for (int w = 0; w < WORLDS; ++w) weft_world_destroy(&worlds[w]);
  weft_threads_destroy(&threads);
  printf("%d blocks of memory at most, %d are left\n", memory.most, memory.blocks);
  return memory.most > 0 && memory.blocks == 0 && droop[TOWER] < 0.5 * droop[COURTYARD]
             ? EXIT_SUCCESS
             : EXIT_FAILURE;
}
