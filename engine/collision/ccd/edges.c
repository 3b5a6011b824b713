/* The edges of all faces. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/sort.h"
#include "collision/ccd/clusters.h"

// ---- edges ----

static void place(weft__face_edges* web, size_t particle_count, weft__arena* arena) {
  for (int axis = 0; axis < 3; ++axis) {
    web->place[axis] = weft__arena_take(arena, particle_count, sizeof(float));
  }
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

static void fill_edges(const weft__face_edges* web, const weft__keyed* sides, size_t count) {
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

// ---- lengths ----

static double length(const weft__particles* p, uint32_t a, uint32_t b) {
  const double x = (double)p->pos_x[a] - (double)p->pos_x[b];
  const double y = (double)p->pos_y[a] - (double)p->pos_y[b];
  const double z = (double)p->pos_z[a] - (double)p->pos_z[b];
  return sqrt(x * x + y * y + z * z);
}

static void measure(const weft__face_edges* web, const weft__faces* faces,
                    const weft__particles* p) {
  for (uint32_t f = 0; f < web->face_count; ++f) {
    const uint32_t* c = faces->corner[f];
    const double mean = (length(p, c[0], c[1]) + length(p, c[1], c[2]) + length(p, c[2], c[0])) / 3;
    web->size[f] = mean > 1e-9 ? (float)mean : 1e-9f;
  }
}

static bool make(weft__face_edges* web, const weft__faces* faces, const weft__particles* particles,
                 weft__keyed* items, weft__keyed* scratch) {
  const size_t side_count = (size_t)3 * faces->count;
  for (uint32_t side = 0; side < side_count; ++side) {
    items[side] = (weft__keyed){key_of_side(faces, side), side};
  }
  weft__sort(items, scratch, side_count);
  web->edge_count = count_edges(items, side_count);
  weft__arena arena = {0};
  place(web, particles->count, &arena);
  if (!weft__arena_open(&arena)) return false;
  place(web, particles->count, &arena);
  web->block = arena.block;
  web->bytes = arena.used;
  fill_edges(web, items, side_count);
  measure(web, faces, particles);
  memcpy(web->place[0], particles->pos_x, particles->count * sizeof(float));
  memcpy(web->place[1], particles->pos_y, particles->count * sizeof(float));
  memcpy(web->place[2], particles->pos_z, particles->count * sizeof(float));
  weft__ccd_partition(web, faces, items);
  return true;
}

bool weft__face_edges_create(weft__face_edges* web, const weft__faces* faces,
                             const weft__particles* particles) {
  *web = (weft__face_edges){.face_count = faces->count};
  const size_t side_count = (size_t)3 * faces->count;
  weft__keyed* items = weft__alloc(side_count, sizeof(*items));
  weft__keyed* scratch = weft__alloc(side_count, sizeof(*scratch));
  const bool good = items != NULL && scratch != NULL && make(web, faces, particles, items, scratch);
  free(items);
  free(scratch);
  return good;
}

void weft__face_edges_destroy(weft__face_edges* web) {
  free(web->block);
  *web = (weft__face_edges){0};
}
