#include "support/shortage.h"

#include <errno.h>
#include <pthread.h>

#include "support/worlds.h"

void* __real_malloc(size_t bytes);
void* __real_calloc(size_t count, size_t size);
void* __real_realloc(void* memory, size_t bytes);
void* __real_aligned_alloc(size_t alignment, size_t bytes);
int __real_pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                          void* (*start)(void*), void* argument);

void* __wrap_malloc(size_t bytes);
void* __wrap_calloc(size_t count, size_t size);
void* __wrap_realloc(void* memory, size_t bytes);
void* __wrap_aligned_alloc(size_t alignment, size_t bytes);
int __wrap_pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                          void* (*start)(void*), void* argument);

int allocations_left = -1;
int threads_left = -1;

static bool runs_out(int* left) {
  if (*left < 0) return false;
  return (*left)-- == 0;
}

void* __wrap_malloc(size_t bytes) {
  return runs_out(&allocations_left) ? NULL : __real_malloc(bytes);
}

void* __wrap_calloc(size_t count, size_t size) {
  return runs_out(&allocations_left) ? NULL : __real_calloc(count, size);
}

void* __wrap_realloc(void* memory, size_t bytes) {
  return runs_out(&allocations_left) ? NULL : __real_realloc(memory, bytes);
}

void* __wrap_aligned_alloc(size_t alignment, size_t bytes) {
  return runs_out(&allocations_left) ? NULL : __real_aligned_alloc(alignment, bytes);
}

int __wrap_pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                          void* (*start)(void*), void* argument) {
  if (runs_out(&threads_left)) return EAGAIN;
  return __real_pthread_create(thread, attributes, start, argument);
}

bool ran_out_of_memory(weft_result result) {
  allocations_left = -1;
  threads_left = -1;
  if (result.error == WEFT_OK) return false;
  ck_assert_int_eq((int)result.error, WEFT_ERROR_OUT_OF_MEMORY);
  return true;
}

bool try_world(const weft_world_def* with, const weft_scene* scene) {
  weft_world_def def = *with;
  def.worker_count = 4;
  weft_world* world = NULL;
  if (ran_out_of_memory(weft_world_create(&def, scene, &world))) {
    ck_assert_ptr_null(world);
    return false;
  }
  weft_world_step(world, 2);
  return true;
}

weft_world_def held_def(uint32_t coarse) {
  return plain_def(.attachments = 2, .coarse_iterations = coarse);
}

void make_world_of_what_there_is(const weft_world_def* with, const weft_scene* scene) {
  for (int n = 0;; ++n) {
    allocations_left = n;
    if (try_world(with, scene)) break;
    ck_assert_int_lt(n, 10000);
  }
}

weft_scene* new_soft_scene(void) {
  random_source random = {1};
  weft_scene* scene = new_scene();
  const weft_material_def material = weft_default_material_def();
  (void)add_cloth(scene, .side = 12, .material = &material);
  (void)add_random_mesh_of(scene, &random, 8, &material, 0.2f);
  add_random_links(scene, &random, 30);
  return scene;
}
