/* Snapshots of worlds and of ranges of particles. */
#ifndef TESTS_SUPPORT_SAVED_H
#define TESTS_SUPPORT_SAVED_H

#include "support/worlds.h"

typedef struct saved_world {
  unsigned char* bytes;
  size_t size;
} saved_world;

static inline saved_world save_world(const weft_world* world) {
  saved_world made = {0};
  expect_ok(weft_world_get_snapshot_size(world, &made.size));
  made.bytes = test_alloc(made.size);
  expect_ok(weft_world_save(world, made.bytes, made.size, &made.size));
  return made;
}

static inline saved_world save_range(const weft_world* world, uint32_t first, uint32_t count) {
  saved_world made = {0};
  expect_ok(weft_world_get_range_size(world, first, count, &made.size));
  made.bytes = test_alloc(made.size);
  expect_ok(weft_world_save_range(world, first, count, made.bytes, made.size, &made.size));
  return made;
}

static inline void restore_world(weft_world* world, const saved_world* saved) {
  expect_ok(weft_world_restore(world, saved->bytes, saved->size));
}

static inline void restore_range(weft_world* world, const saved_world* saved) {
  expect_ok(weft_world_restore_range(world, saved->bytes, saved->size));
}

#endif
