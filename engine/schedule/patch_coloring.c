#include "schedule/patch_coloring.h"

#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "schedule/touched.h"

#define NO_COLOR UINT32_MAX

typedef struct item_list {
  weft__sort_item* items;
  size_t count;
  size_t capacity;
} item_list;

typedef struct colorer {
  weft__schedule* schedule;
  uint32_t* patch_of; /* [particle_count] */
  uint32_t* touched;  /* last patch, plus 1, that touches a particle [particle_count] */
  item_list touches;  /* key: particle of another patch; value: the patch */
  item_list edges;    /* key: patch << 32 | other patch, both directions */
  uint32_t patch;     /* being visited */
} colorer;

static bool push(item_list* list, uint64_t key, uint32_t value) {
  if (!weft__grow((void**)&list->items, &list->capacity, list->count + 1, sizeof(*list->items))) {
    return false;
  }
  list->items[list->count++] = (weft__sort_item){key, value};
  return true;
}

static bool sort_list(item_list* list) {
  weft__sort_item* scratch = weft__alloc(list->count, sizeof(*scratch));
  if (scratch == NULL) return false;
  weft__sort(list->items, scratch, list->count);
  weft__free(scratch);
  return true;
}

static bool touch_range(void* context, weft__range particles) {
  colorer* c = context;
  for (uint32_t i = particles.begin; i < particles.end; ++i) {
    if (c->patch_of[i] == c->patch || c->touched[i] == c->patch + 1) continue;
    c->touched[i] = c->patch + 1;
    if (!push(&c->touches, i, c->patch)) return false;
  }
  return true;
}

static bool list_touches(colorer* c) {
  const weft__schedule* schedule = c->schedule;
  weft__fill_patch_of(schedule->patch_first, schedule->patch_count, c->patch_of);
  for (c->patch = 0; c->patch < schedule->patch_count; ++c->patch) {
    if (!weft__visit_touched(schedule, c->patch, touch_range, c)) return false;
  }
  return sort_list(&c->touches);
}

static bool push_edge(colorer* c, uint32_t p, uint32_t q) {
  if (p == q) return true;
  // neighbouring particles mostly repeat the edge
  if (c->edges.count > 0) {
    const uint64_t last = c->edges.items[c->edges.count - 1].key;
    if (last == ((uint64_t)q << 32 | p)) return true;
  }
  return push(&c->edges, (uint64_t)p << 32 | q, 0) && push(&c->edges, (uint64_t)q << 32 | p, 0);
}

static bool list_edges(colorer* c) {
  const item_list* touches = &c->touches;
  for (size_t begin = 0, end = 0; begin < touches->count; begin = end) {
    const uint64_t particle = touches->items[begin].key;
    end = begin;
    for (; end < touches->count && touches->items[end].key == particle; ++end) {
      if (!push_edge(c, c->patch_of[particle], touches->items[end].value)) return false;
      for (size_t other = begin; other < end; ++other) {
        if (!push_edge(c, touches->items[other].value, touches->items[end].value)) return false;
      }
    }
  }
  return sort_list(&c->edges);
}

// Unique edges.
static bool list_neighbors(colorer* c) {
  weft__schedule* schedule = c->schedule;
  size_t count = 0;
  for (size_t e = 0; e < c->edges.count; ++e) {
    const uint64_t edge = c->edges.items[e].key;
    if (count == 0 || edge != c->edges.items[count - 1].key) c->edges.items[count++].key = edge;
  }
  uint32_t* first = weft__alloc_zeroed((size_t)schedule->patch_count + 1, sizeof(*first));
  uint32_t* neighbors = weft__alloc(count, sizeof(*neighbors));
  schedule->patch_first_neighbor = first;
  schedule->neighbors = neighbors;
  if (first == NULL || neighbors == NULL) return false;

  for (size_t e = 0; e < count; ++e) {
    ++first[(c->edges.items[e].key >> 32) + 1];
    neighbors[e] = (uint32_t)c->edges.items[e].key;
  }
  for (uint32_t p = 0; p < schedule->patch_count; ++p) first[p + 1] += first[p];
  schedule->bytes += ((size_t)schedule->patch_count + 1 + count) * sizeof(uint32_t);
  return true;
}

// Lowest that no neighbour has; used_by: by colour
static uint32_t free_color(const weft__schedule* schedule, uint32_t patch, uint32_t* used_by) {
  const uint32_t end = schedule->patch_first_neighbor[patch + 1];
  for (uint32_t n = schedule->patch_first_neighbor[patch]; n < end; ++n) {
    const uint32_t color = schedule->patch_color[schedule->neighbors[n]];
    if (color != NO_COLOR) used_by[color] = patch + 1;
  }
  uint32_t color = 0;
  while (used_by[color] == patch + 1) ++color;
  return color;
}

static bool first_fit(weft__schedule* schedule) {
  uint32_t* used_by = weft__alloc_zeroed((size_t)schedule->patch_count + 1, sizeof(*used_by));
  schedule->patch_color = weft__alloc(schedule->patch_count, sizeof(*schedule->patch_color));
  if (used_by == NULL || schedule->patch_color == NULL) {
    weft__free(used_by);
    return false;
  }
  memset(schedule->patch_color, 0xff, schedule->patch_count * sizeof(*schedule->patch_color));
  for (uint32_t patch = 0; patch < schedule->patch_count; ++patch) {
    const uint32_t color = free_color(schedule, patch, used_by);
    schedule->patch_color[patch] = color;
    if (color >= schedule->color_count) schedule->color_count = color + 1;
  }
  weft__free(used_by);
  schedule->bytes += schedule->patch_count * sizeof(*schedule->patch_color);
  return true;
}

bool weft__color_patches(weft__schedule* schedule) {
  colorer c = {
      .schedule = schedule,
      .patch_of = weft__alloc(schedule->particle_count, sizeof(*c.patch_of)),
      .touched = weft__alloc_zeroed(schedule->particle_count, sizeof(*c.touched)),
  };
  const bool done = c.patch_of != NULL && c.touched != NULL && list_touches(&c) && list_edges(&c) &&
                    list_neighbors(&c) && first_fit(schedule);
  weft__free(c.patch_of);
  weft__free(c.touched);
  weft__free(c.touches.items);
  weft__free(c.edges.items);
  return done;
}
