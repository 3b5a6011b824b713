/* The linker sends makers and destroyers of worlds and scenes here (--wrap). */
#include "support/made.h"

#include <check.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "weft/weft.h"

weft_result __real_weft_scene_create(weft_scene** scene);
weft_result __wrap_weft_scene_create(weft_scene** scene);
void __real_weft_scene_destroy(weft_scene** scene);
void __wrap_weft_scene_destroy(weft_scene** scene);
weft_result __real_weft_world_create(const weft_world_def* def, const weft_scene* scene,
                                     weft_world** world);
weft_result __wrap_weft_world_create(const weft_world_def* def, const weft_scene* scene,
                                     weft_world** world);
void __real_weft_world_destroy(weft_world** world);
void __wrap_weft_world_destroy(weft_world** world);

enum { MOST_MADE = 1 << 16 };

static struct {
  void* object;
  void (*destroy)(void* object);
} made[MOST_MADE];
static size_t made_count;
static bool is_listing;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void destroy_at_end(void (*destroy)(void* object), void* object) {
  pthread_mutex_lock(&lock);
  if (is_listing) {
    if (made_count == MOST_MADE) abort();
    made[made_count].object = object;
    made[made_count++].destroy = destroy;
  }
  pthread_mutex_unlock(&lock);
}

static void forget(const void* object) {
  pthread_mutex_lock(&lock);
  for (size_t i = made_count; i-- > 0;) {
    if (made[i].object != object) continue;
    made[i].object = NULL;
    while (made_count > 0 && made[made_count - 1].object == NULL) --made_count;
    break;
  }
  pthread_mutex_unlock(&lock);
}

static void destroy_world(void* object) {
  weft_world* world = object;
  weft_world_destroy(&world);
}

static void destroy_scene(void* object) {
  weft_scene* scene = object;
  weft_scene_destroy(&scene);
}

void begin_test(void) {
  is_listing = true;
}

static bool is_part(size_t i) {
  return made[i].destroy == destroy_world || made[i].destroy == destroy_scene ||
         made[i].destroy == free;
}

// Last made, first destroyed: parts outlive their wholes. Objects that replace worlds, such as
// runs, come before all worlds.
void end_test(void) {
  for (size_t i = made_count; i-- > 0;) {
    void* object = made[i].object;
    if (object == NULL || is_part(i)) continue;
    made[i].object = NULL;
    made[i].destroy(object);
  }
  while (made_count > 0) {
    void* object = made[--made_count].object;
    if (object != NULL) made[made_count].destroy(object);
  }
  is_listing = false;
}

void* test_alloc(size_t bytes) {
  void* memory = calloc(1, bytes > 0 ? bytes : 1);
  ck_assert_ptr_nonnull(memory);
  destroy_at_end(free, memory);
  return memory;
}

weft_result __wrap_weft_scene_create(weft_scene** scene) {
  const weft_result result = __real_weft_scene_create(scene);
  if (result.error == WEFT_OK) destroy_at_end(destroy_scene, *scene);
  return result;
}

void __wrap_weft_scene_destroy(weft_scene** scene) {
  if (scene != NULL) forget(*scene);
  __real_weft_scene_destroy(scene);
}

weft_result __wrap_weft_world_create(const weft_world_def* def, const weft_scene* scene,
                                     weft_world** world) {
  const weft_result result = __real_weft_world_create(def, scene, world);
  if (result.error == WEFT_OK) destroy_at_end(destroy_world, *world);
  return result;
}

void __wrap_weft_world_destroy(weft_world** world) {
  if (world != NULL) forget(*world);
  __real_weft_world_destroy(world);
}
