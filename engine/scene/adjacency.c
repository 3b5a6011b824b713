#include "scene/adjacency.h"

#include <string.h>

#include "base/memory.h"
#include "base/sort.h"

static bool keeps(weft__keep_link* keep, const void* context, const weft_scene* scene,
                  uint32_t link) {
  return keep == NULL || keep(context, scene, link);
}

static void fill(weft__adjacency* adjacency, uint32_t particle, uint32_t to, uint32_t link) {
  const uint32_t at = adjacency->first[particle + 1]++;
  adjacency->to[at] = to;
  adjacency->link[at] = link;
}

bool weft__adjacency_create(weft__adjacency* adjacency, const weft_scene* scene,
                            weft__keep_link* keep, const void* context) {
  const weft__links* links = &scene->links;
  *adjacency = (weft__adjacency){
      .first = weft__alloc_zeroed((size_t)scene->particle_count + 2, sizeof(uint32_t))};
  uint32_t* first = adjacency->first;
  if (first == NULL) return false;
  for (uint32_t i = 0; i < links->count; ++i) {
    if (!keeps(keep, context, scene, i)) continue;
    ++first[links->end_a[i] + 2];
    ++first[links->end_b[i] + 2];
  }
  const size_t entries = weft__sum_buckets(first, scene->particle_count);
  adjacency->to = weft__alloc(entries, sizeof(*adjacency->to));
  adjacency->link = weft__alloc(entries, sizeof(*adjacency->link));
  if (adjacency->to == NULL || adjacency->link == NULL) {
    weft__adjacency_destroy(adjacency);
    return false;
  }
  for (uint32_t i = 0; i < links->count; ++i) {
    if (!keeps(keep, context, scene, i)) continue;
    fill(adjacency, links->end_a[i], links->end_b[i], i);
    fill(adjacency, links->end_b[i], links->end_a[i], i);
  }
  return true;
}

void weft__adjacency_destroy(weft__adjacency* adjacency) {
  weft__free(adjacency->first);
  weft__free(adjacency->to);
  weft__free(adjacency->link);
  *adjacency = (weft__adjacency){0};
}

bool* weft__mark_lattices(const weft_scene* scene) {
  bool* in_lattice = weft__alloc(scene->particle_count, sizeof(*in_lattice));
  for (size_t p = 0; p < scene->part_count && in_lattice != NULL; ++p) {
    const weft__part* part = &scene->parts[p];
    memset(in_lattice + part->first_particle, part->columns > 0, part->particle_count);
  }
  return in_lattice;
}
