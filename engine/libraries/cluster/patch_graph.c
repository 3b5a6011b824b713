#include "libraries/cluster/patch_graph.h"

#include "base/memory.h"
#include "base/sort.h"
#include "parallel/wavefront.h"
#include "schedule/order.h"
#include "schedule/touched.h"

void weft__patch_graph_destroy(weft__patch_graph* graph) {
  weft__free(graph->cost);
  weft__free(graph->particles);
  weft__free(graph->share_first);
  weft__free(graph->share_patches);
  weft__free(graph->share_particles);
  *graph = (weft__patch_graph){0};
}

static bool create(weft__patch_graph* graph, uint32_t patch_count) {
  *graph = (weft__patch_graph){
      .patch_count = patch_count,
      .cost = weft__alloc(patch_count, sizeof(*graph->cost)),
      .particles = weft__alloc(patch_count, sizeof(*graph->particles)),
  };
  const bool made =
      graph->cost != NULL && graph->particles != NULL &&
      weft__grow((void**)&graph->share_first, &graph->capacity[0], 1, sizeof(*graph->share_first));
  if (made) graph->share_first[0] = 0;
  return made;
}

static bool is_last_share(const weft__patch_graph* graph, const uint32_t* patches, uint32_t count) {
  if (graph->share_count == 0) return false;
  const uint32_t first = graph->share_first[graph->share_count - 1];
  if (graph->share_first[graph->share_count] - first != count) return false;
  for (uint32_t i = 0; i < count; ++i) {
    if (graph->share_patches[first + i] != patches[i]) return false;
  }
  return true;
}

// Adds to the last share if it has the same patches.
static bool add_share(weft__patch_graph* graph, const uint32_t* patches, uint32_t count,
                      uint32_t particles) {
  if (is_last_share(graph, patches, count)) {
    graph->share_particles[graph->share_count - 1] += particles;
    return true;
  }
  const uint32_t share = graph->share_count, first = graph->share_first[share];
  if (!weft__grow((void**)&graph->share_first, &graph->capacity[0], (size_t)share + 2,
                  sizeof(*graph->share_first)) ||
      !weft__grow((void**)&graph->share_patches, &graph->capacity[1], (size_t)first + count,
                  sizeof(*graph->share_patches)) ||
      !weft__grow((void**)&graph->share_particles, &graph->capacity[2], (size_t)share + 1,
                  sizeof(*graph->share_particles))) {
    return false;
  }
  for (uint32_t i = 0; i < count; ++i) graph->share_patches[first + i] = patches[i];
  graph->share_particles[share] = particles;
  graph->share_first[++graph->share_count] = first + count;
  return true;
}

typedef struct touch_list {
  const weft__schedule* schedule;
  weft__sort_item* items; /* key: particle << 32 | patch */
  size_t count, capacity;
  uint32_t patch; /* visited now */
} touch_list;

static bool add_touches(void* context, weft__range particles) {
  touch_list* list = context;
  const uint32_t* own = &list->schedule->patch_first[list->patch];
  for (uint32_t i = particles.begin; i < particles.end; ++i) {
    if (i >= own[0] && i < own[1]) continue;
    if (!weft__grow((void**)&list->items, &list->capacity, (uint64_t)list->count + 1,
                    sizeof(*list->items))) {
      return false;
    }
    list->items[list->count++].key = (uint64_t)i << 32 | list->patch;
  }
  return true;
}

static bool list_touches(touch_list* list) {
  for (; list->patch < list->schedule->patch_count; ++list->patch) {
    if (!weft__visit_touched(list->schedule, list->patch, add_touches, list)) return false;
  }
  weft__sort_item* scratch = weft__alloc(list->count, sizeof(*scratch));
  if (scratch == NULL) return false;
  weft__sort(list->items, scratch, list->count);
  weft__free(scratch);
  size_t kept = 0;
  for (size_t i = 0; i < list->count; ++i) {
    if (kept == 0 || list->items[i].key != list->items[kept - 1].key) {
      list->items[kept++] = list->items[i];
    }
  }
  list->count = kept;
  return true;
}

// Sorted touches. patches: scratch [patch_count]
static bool add_shares(weft__patch_graph* graph, const touch_list* list, uint32_t* patches) {
  for (size_t begin = 0, end = 0; begin < list->count; begin = end) {
    const uint32_t particle = (uint32_t)(list->items[begin].key >> 32);
    uint32_t found = 0;
    patches[found++] = weft__patch_of_particle(list->schedule, particle);
    for (end = begin; end < list->count && list->items[end].key >> 32 == particle; ++end) {
      patches[found++] = (uint32_t)list->items[end].key;
    }
    if (!add_share(graph, patches, found, 1)) return false;
  }
  return true;
}

bool weft__patch_graph_of_schedule(weft__patch_graph* graph, const weft__schedule* schedule) {
  touch_list list = {.schedule = schedule};
  uint32_t* patches = weft__alloc(schedule->patch_count, sizeof(*patches));
  const bool done = create(graph, schedule->patch_count) && patches != NULL &&
                    list_touches(&list) && add_shares(graph, &list, patches);
  for (uint32_t p = 0; done && p < schedule->patch_count; ++p) {
    graph->cost[p] = weft__patch_cost(schedule, p);
    graph->particles[p] = schedule->patch_first[p + 1] - schedule->patch_first[p];
  }
  weft__free(patches);
  weft__free(list.items);
  if (!done) weft__patch_graph_destroy(graph);
  return done;
}

weft__tiling weft__tiling_of(uint32_t columns, uint32_t rows) {
  const weft__tile_size size = weft__tile_size_of(columns, rows);
  return (weft__tiling){columns, rows, size, (columns + size.width - 1) / size.width,
                        (rows + size.height - 1) / size.height};
}
