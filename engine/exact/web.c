/* The edges of all faces, and the order along which faces are put into blocks. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/sort.h"
#include "exact/blocks.h"

#define CURVE_BITS 20

// ---- edges ----

static void place(weft__face_web* web, weft__arena* arena) {
  web->order = weft__arena_take(arena, web->face_count, sizeof(*web->order));
  web->edge_of = weft__arena_take(arena, web->face_count, sizeof(*web->edge_of));
  web->size = weft__arena_take(arena, web->face_count, sizeof(*web->size));
  web->end = weft__arena_take(arena, web->edge_count, sizeof(*web->end));
  web->side = weft__arena_take(arena, web->edge_count, sizeof(*web->side));
}

static uint64_t key_of_side(const weft__faces* faces, uint32_t side) {
  const uint32_t* corner = faces->corner[side / 3];
  const uint64_t a = corner[side % 3];
  const uint64_t b = corner[(side % 3 + 1) % 3];
  return a < b ? a << 32 | b : b << 32 | a;
}

// whether a sorted side and the one before it are the two of one edge; `open` says that the edge has one so far
static bool joins(const weft__keyed* sides, size_t n, bool open) {
  return n > 0 && open && sides[n].key == sides[n - 1].key;
}

static uint32_t count_edges(const weft__keyed* sides, size_t count) {
  uint32_t edges = 0;
  bool open = false;
  for (size_t n = 0; n < count; ++n) {
    const bool second = joins(sides, n, open);
    if (!second) ++edges;
    open = !second;
  }
  return edges;
}

static void fill_edges(const weft__face_web* web, const weft__keyed* sides, size_t count) {
  uint32_t edges = 0;
  bool open = false;
  for (size_t n = 0; n < count; ++n) {
    const bool second = joins(sides, n, open);
    const uint32_t face = sides[n].value / 3;
    if (second) {
      web->side[edges - 1][1] = face;
    } else {
      web->end[edges][0] = (uint32_t)(sides[n].key >> 32);
      web->end[edges][1] = (uint32_t)sides[n].key;
      web->side[edges][0] = face;
      web->side[edges][1] = WEFT__NONE;
      ++edges;
    }
    web->edge_of[face][sides[n].value % 3] = edges - 1;
    open = !second;
  }
}

// ---- order ----

static double length(const weft__particles* p, uint32_t a, uint32_t b) {
  const double x = (double)p->pos_x[a] - (double)p->pos_x[b];
  const double y = (double)p->pos_y[a] - (double)p->pos_y[b];
  const double z = (double)p->pos_z[a] - (double)p->pos_z[b];
  return sqrt(x * x + y * y + z * z);
}

static void measure(const weft__face_web* web, const weft__faces* faces, const weft__particles* p) {
  for (uint32_t f = 0; f < web->face_count; ++f) {
    const uint32_t* c = faces->corner[f];
    const double mean = (length(p, c[0], c[1]) + length(p, c[1], c[2]) + length(p, c[2], c[0])) / 3;
    web->size[f] = mean > 1e-9 ? (float)mean : 1e-9f;
  }
}

typedef struct curve {
  const float* axis[3];
  float least[3];
  float scale; /* steps per metre */
} curve;

static curve curve_of(const weft__faces* faces, const weft__particles* p) {
  curve c = {.axis = {p->pos_x, p->pos_y, p->pos_z}};
  float widest = FLT_MIN;
  for (int axis = 0; axis < 3; ++axis) {
    float least = FLT_MAX;
    float most = -FLT_MAX;
    for (uint32_t f = 0; f < faces->count; ++f) {
      const float at = c.axis[axis][faces->corner[f][0]];
      if (at < least) least = at;
      if (at > most) most = at;
    }
    c.least[axis] = least;
    if (most - least > widest) widest = most - least;
  }
  c.scale = (float)((1 << CURVE_BITS) - 1) / widest;
  return c;
}

// a number's bits, two places free after each
static uint64_t spread(uint64_t bits) {
  uint64_t wide = 0;
  for (int n = 0; n < CURVE_BITS; ++n) wide |= (bits >> n & 1u) << 3 * n;
  return wide;
}

static uint64_t place_on_curve(const curve* c, const uint32_t corner[3]) {
  uint64_t key = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const float* at = c->axis[axis];
    float step = 0.0f;
    for (int k = 0; k < 3; ++k) step += (at[corner[k]] - c->least[axis]) * c->scale / 3.0f;
    // what is not finite, or far outside, goes to an end
    const float last = (float)((1 << CURVE_BITS) - 1);
    const uint64_t whole = step > 0.0f ? (uint64_t)(step < last ? step : last) : 0;
    key |= spread(whole) << axis;
  }
  return key;
}

static bool make(weft__face_web* web, const weft__faces* faces, const weft__particles* particles,
                 weft__keyed* items, weft__keyed* scratch) {
  const size_t side_count = (size_t)3 * faces->count;
  for (uint32_t side = 0; side < side_count; ++side) {
    items[side] = (weft__keyed){key_of_side(faces, side), side};
  }
  weft__sort(items, scratch, side_count);
  web->edge_count = count_edges(items, side_count);
  weft__arena arena = {0};
  place(web, &arena);
  if (!weft__arena_open(&arena)) return false;
  place(web, &arena);
  web->block = arena.block;
  web->bytes = arena.used;
  fill_edges(web, items, side_count);
  measure(web, faces, particles);
  const curve c = curve_of(faces, particles);
  for (uint32_t f = 0; f < faces->count; ++f) {
    items[f] = (weft__keyed){place_on_curve(&c, faces->corner[f]), f};
  }
  weft__sort(items, scratch, faces->count);
  for (uint32_t f = 0; f < faces->count; ++f) web->order[f] = items[f].value;
  return true;
}

bool weft__face_web_create(weft__face_web* web, const weft__faces* faces,
                           const weft__particles* particles) {
  *web = (weft__face_web){.face_count = faces->count};
  const size_t side_count = (size_t)3 * faces->count;
  weft__keyed* items = weft__alloc(side_count, sizeof(*items));
  weft__keyed* scratch = weft__alloc(side_count, sizeof(*scratch));
  const bool good = items != NULL && scratch != NULL && make(web, faces, particles, items, scratch);
  free(items);
  free(scratch);
  return good;
}

void weft__face_web_destroy(weft__face_web* web) {
  free(web->block);
  *web = (weft__face_web){0};
}
