#include "tables/skin.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"

// Padding included.
static size_t row_count(const weft__skin* skin) {
  return (size_t)skin->block_count * WEFT__SKIN_BLOCK + WEFT__PARTICLE_PADDING;
}

static void lay_out(weft__skin* skin, weft__arena* arena) {
  const size_t count = row_count(skin);
  weft__skin_column* columns[] = {&skin->begin, &skin->end, &skin->begin_normal, &skin->end_normal};
  for (size_t c = 0; c < sizeof(columns) / sizeof(*columns); ++c) {
    for (int axis = 0; axis < 3; ++axis) {
      columns[c]->axis[axis] = weft__arena_alloc(arena, count, sizeof(float));
    }
  }
  float** limits[] = {&skin->max_distance,
                      &skin->backstop_distance,
                      &skin->backstop_offset,
                      &skin->backstop_radius,
                      &skin->kept,
                      &skin->blend};
  for (size_t k = 0; k < sizeof(limits) / sizeof(*limits); ++k) {
    *limits[k] = weft__arena_alloc(arena, count, sizeof(float));
  }
  skin->uses = weft__arena_alloc(arena, skin->block_count, sizeof(*skin->uses));
}

static void fill(weft__skin* skin, const weft__particles* particles) {
  const size_t count = row_count(skin);
  for (int axis = 0; axis < 3; ++axis) {
    memcpy(skin->end.axis[axis], particles->pos[axis], particles->count * sizeof(float));
  }
  for (size_t i = 0; i < count; ++i) {
    skin->max_distance[i] = INFINITY;
    skin->kept[i] = 1.0f;
  }
}

bool weft__skin_create(weft__skin* skin, const weft__particles* particles) {
  if (skin->on) return true;
  weft__skin made = {.block_count = (particles->count + WEFT__SKIN_BLOCK - 1) / WEFT__SKIN_BLOCK};
  for (weft__arena arena = {0}; weft__arena_next(&arena, &made.block, &made.bytes);) {
    lay_out(&made, &arena);
  }
  if (made.block == NULL) return false;
  fill(&made, particles);
  made.on = true;
  *skin = made;
  return true;
}

void weft__skin_destroy(weft__skin* skin) {
  weft__free(skin->block);
  *skin = (weft__skin){0};
}

void weft__skin_begin_move(weft__skin* skin, uint32_t particle_count) {
  if (skin->moves) return;
  for (int axis = 0; axis < 3; ++axis) {
    const size_t bytes = particle_count * sizeof(float);
    memcpy(skin->begin.axis[axis], skin->end.axis[axis], bytes);
    memcpy(skin->begin_normal.axis[axis], skin->end_normal.axis[axis], bytes);
  }
  skin->moves = true;
}

void weft__skin_update_uses(weft__skin* skin) {
  for (uint32_t block = 0; block < skin->block_count; ++block) {
    uint32_t uses = 0;
    for (uint32_t i = block * WEFT__SKIN_BLOCK; i < (block + 1) * WEFT__SKIN_BLOCK; ++i) {
      if (skin->kept[i] < 1.0f) uses |= WEFT__SKIN_BLEND;
      if (skin->max_distance[i] < INFINITY) uses |= WEFT__SKIN_DISTANCE;
      if (skin->backstop_radius[i] > 0.0f) uses |= WEFT__SKIN_BACKSTOP;
    }
    skin->uses[block] = (uint8_t)uses;
  }
}

// ---- snapshots ----

void weft__skin_visit(weft__skin* skin, weft__archive* archive) {
  const size_t count = row_count(skin);
  weft__skin_column* columns[] = {&skin->begin, &skin->end, &skin->begin_normal, &skin->end_normal};
  float* limits[] = {skin->max_distance,
                     skin->backstop_distance,
                     skin->backstop_offset,
                     skin->backstop_radius,
                     skin->kept,
                     skin->blend};
  WEFT__ARCHIVE_VALUE(archive, skin->moves);
  for (size_t c = 0; c < sizeof(columns) / sizeof(*columns); ++c) {
    for (int axis = 0; axis < 3; ++axis)
      WEFT__ARCHIVE_ARRAY(archive, columns[c]->axis[axis], count);
  }
  for (size_t k = 0; k < sizeof(limits) / sizeof(*limits); ++k) {
    WEFT__ARCHIVE_ARRAY(archive, limits[k], count);
  }
  if (weft__archive_is_loading(archive)) weft__skin_update_uses(skin);
}
