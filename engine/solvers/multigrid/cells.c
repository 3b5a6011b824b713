#include "solvers/multigrid/cells.h"

#include <math.h>

#include "base/memory.h"

static bool is_measured(const void* in_lattice, const weft_scene* scene, uint32_t link) {
  const bool* marked = in_lattice;
  const bool leaves = !marked[scene->links.end_a[link]] || !marked[scene->links.end_b[link]];
  return leaves && weft__links_carry(&scene->links, link);
}

bool weft__distances_create(weft__distances* d, const weft_scene* cloth) {
  const uint32_t count = cloth->particle_count;
  *d = (weft__distances){
      .cloth = cloth,
      .root = weft__alloc(count, sizeof(*d->root)),
      .distance = weft__alloc(count, sizeof(*d->distance)),
      .drawn = weft__alloc(count, sizeof(*d->drawn)),
      .softness = weft__alloc(count, sizeof(*d->softness)),
  };
  bool* in_lattice = weft__mark_lattices(cloth);
  const bool done = d->root != NULL && d->distance != NULL && d->drawn != NULL &&
                    d->softness != NULL && in_lattice != NULL &&
                    weft__adjacency_create(&d->links, cloth, is_measured, in_lattice);
  if (!done) weft__distances_destroy(d);
  weft__free(in_lattice);
  return done;
}

void weft__distances_destroy(weft__distances* d) {
  weft__adjacency_destroy(&d->links);
  weft__free(d->root);
  weft__free(d->distance);
  weft__free(d->drawn);
  weft__free(d->softness);
  weft__path_heap_destroy(&d->heap);
  *d = (weft__distances){0};
}

// The root has just become final.
static bool relax_links(weft__distances* d, const weft__graph_path* path) {
  const uint32_t from = path->particle;
  for (uint32_t i = d->links.first[from]; i < d->links.first[from + 1]; ++i) {
    const uint32_t to = d->links.to[i];
    const float distance = (float)path->distance + d->cloth->links.rest_length[d->links.link[i]];
    if (d->root[to] != WEFT__NO_CELL || distance >= d->distance[to]) continue;
    d->distance[to] = distance;
    d->drawn[to] = d->drawn[from] + weft__scene_distance(d->cloth, from, to);
    d->softness[to] = d->softness[from] + d->cloth->links.compliance[d->links.link[i]];
    if (!weft__path_push(&d->heap, (weft__graph_path){(double)distance, to, path->root}))
      return false;
  }
  return true;
}

bool weft__cells_grow(weft__distances* d, const uint32_t* roots, uint32_t root_count) {
  for (uint32_t p = 0; p < d->cloth->particle_count; ++p) {
    d->root[p] = WEFT__NO_CELL;
    d->distance[p] = INFINITY;
  }
  d->heap.count = 0;
  for (uint32_t i = 0; i < root_count; ++i) {
    d->distance[roots[i]] = 0.0f;
    d->drawn[roots[i]] = 0.0f;
    d->softness[roots[i]] = 0.0f;
    if (!weft__path_push(&d->heap, (weft__graph_path){0.0, roots[i], roots[i]})) return false;
  }
  while (d->heap.count > 0) {
    const weft__graph_path path = weft__path_pop(&d->heap);
    if (d->root[path.particle] != WEFT__NO_CELL) continue;
    d->root[path.particle] = path.root;
    if (!relax_links(d, &path)) return false;
  }
  return true;
}
