#include "modules/garment/skin.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

#define USED WEFT__ROWS(weft__skin, block_count, WEFT__SKIN_BLOCK, 0)
#define ALLOCATED WEFT__ROWS(weft__skin, capacity, WEFT__SKIN_BLOCK, WEFT__PARTICLE_PADDING)
#define COLUMN(name) WEFT__COLUMN_OF(weft__skin, name, name[0], 1, WEFT__STATE, USED, ALLOCATED)
#define VECTOR(name) \
  WEFT__COLUMN_OF(weft__skin, name.axis, name.axis[0][0], 3, WEFT__STATE, USED, ALLOCATED)

static const weft__column columns[] = {
    WEFT__MEMBER(weft__skin, on),
    WEFT__MEMBER(weft__skin, block_count),
    WEFT__MEMBER(weft__skin, moves),
    VECTOR(begin),
    VECTOR(end),
    VECTOR(begin_normal),
    VECTOR(end_normal),
    COLUMN(max_distance),
    COLUMN(backstop_distance),
    COLUMN(backstop_offset),
    COLUMN(backstop_radius),
    COLUMN(kept),
    COLUMN(blend),
    WEFT__LIST(weft__skin, uses, block_count, capacity, WEFT__DERIVED),
};

static bool is_whole(const void* table) {
  const weft__skin* skin = table;
  return skin->block_count == (skin->on ? skin->capacity : 0) && (!skin->on || skin->block != NULL);
}

static void update_uses(void* skin) {
  weft__skin_update_uses(skin);
}

const weft__table weft__skin_table = {.columns = columns,
                                      .count = WEFT__COUNT_OF(columns),
                                      .is_sound = is_whole,
                                      .loaded = update_uses};

static double power(double base, uint32_t exponent) {
  double result = 1.0;
  for (; exponent != 0; exponent >>= 1, base *= base) {
    if ((exponent & 1) != 0) result *= base;
  }
  return result;
}

// Newton's method from above, for 0 to 1, without libm.
static double root_of(double value, uint32_t n) {
  if (value == 0.0) return 0.0;
  double root = 1.0;
  for (;;) {
    const double next = root - (root - value / power(root, n - 1)) / n;
    if (!(next < root)) return root;
    root = next;
  }
}

float weft__skin_kept(float blend, uint32_t substeps) {
  return (float)root_of(1.0 - (double)blend, substeps);
}

static void fill(weft__skin* skin, const weft__particles* particles) {
  const size_t count = (size_t)skin->block_count * WEFT__SKIN_BLOCK + WEFT__PARTICLE_PADDING;
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
  skin->capacity = (particles->count + WEFT__SKIN_BLOCK - 1) / WEFT__SKIN_BLOCK;
  if (skin->block == NULL &&
      !weft__columns_create(skin, &weft__skin_table, 0, &skin->block, &skin->bytes)) {
    return false;
  }
  memset(skin->block, 0, skin->bytes);
  skin->block_count = skin->capacity;
  fill(skin, particles);
  skin->on = true;
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
