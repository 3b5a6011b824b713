#include "coarse/cells.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

// a particle, and a way to it from a root
typedef struct weft__reached {
  float distance;
  uint32_t particle;
  uint32_t root;
} reached;

// marks the particles of lattices; NULL when memory cannot be had
static bool* mark_lattices(const weft_scene* scene) {
  bool* in_lattice = weft__alloc_zeroed(scene->particle_count, sizeof(*in_lattice));
  for (size_t p = 0; p < scene->part_count && in_lattice != NULL; ++p) {
    const weft__part* part = &scene->parts[p];
    for (uint32_t i = 0; i < part->particle_count && part->columns > 0; ++i) {
      in_lattice[part->first_particle + i] = true;
    }
  }
  return in_lattice;
}

bool weft__distances_create(weft__distances* d, const weft_scene* scene) {
  const weft__links* links = &scene->links;
  const uint32_t count = scene->particle_count;
  *d = (weft__distances){
      .particle_count = count,
      .first = weft__alloc_zeroed((size_t)count + 2, sizeof(*d->first)),
      .to = weft__alloc((size_t)2 * links->count, sizeof(*d->to)),
      .length = weft__alloc((size_t)2 * links->count, sizeof(*d->length)),
      .drawn_length = weft__alloc((size_t)2 * links->count, sizeof(*d->drawn_length)),
      .structural = weft__alloc((size_t)2 * links->count, sizeof(*d->structural)),
      .root = weft__alloc(count, sizeof(*d->root)),
      .distance = weft__alloc(count, sizeof(*d->distance)),
      .drawn = weft__alloc(count, sizeof(*d->drawn)),
  };
  bool* in_lattice = mark_lattices(scene);
  if (!d->first || !d->to || !d->length || !d->drawn_length || !d->drawn || !d->structural ||
      !d->root || !d->distance || !in_lattice) {
    weft__distances_destroy(d);
    free(in_lattice);
    return false;
  }
  // counted two places up, so that filling moves each start to where the next one belongs
  for (uint32_t i = 0; i < links->count; ++i) {
    if (in_lattice[links->end_a[i]] && in_lattice[links->end_b[i]]) continue;
    ++d->first[links->end_a[i] + 2];
    ++d->first[links->end_b[i] + 2];
  }
  for (uint32_t p = 0; p < count; ++p) d->first[p + 2] += d->first[p + 1];
  for (uint32_t i = 0; i < links->count; ++i) {
    if (in_lattice[links->end_a[i]] && in_lattice[links->end_b[i]]) continue;
    const uint32_t ends[2] = {links->end_a[i], links->end_b[i]};
    for (int e = 0; e < 2; ++e) {
      const uint32_t at = d->first[ends[e] + 1]++;
      d->to[at] = ends[1 - e];
      d->length[at] = links->rest_length[i];
      d->drawn_length[at] = weft__scene_distance(scene, ends[0], ends[1]);
      d->structural[at] = links->kind[i] == WEFT_LINK_STRUCTURAL;
    }
  }
  free(in_lattice);
  return true;
}

void weft__distances_destroy(weft__distances* d) {
  free(d->first);
  free(d->to);
  free(d->length);
  free(d->drawn_length);
  free(d->structural);
  free(d->root);
  free(d->distance);
  free(d->drawn);
  free(d->heap);
  *d = (weft__distances){0};
}

// ---- the ways that are not followed yet, the shortest on top ----

// equal ways are told apart, so that the result does not depend on the heap
static bool comes_before(const reached* a, const reached* b) {
  if (a->distance != b->distance) return a->distance < b->distance;
  if (a->particle != b->particle) return a->particle < b->particle;
  return a->root < b->root;
}

static bool push(weft__distances* d, size_t* count, reached way) {
  if (!weft__grow((void**)&d->heap, &d->heap_capacity, *count + 1, sizeof(*d->heap))) return false;
  size_t at = (*count)++;
  while (at > 0 && comes_before(&way, &d->heap[(at - 1) / 2])) {
    d->heap[at] = d->heap[(at - 1) / 2];
    at = (at - 1) / 2;
  }
  d->heap[at] = way;
  return true;
}

static reached pop(weft__distances* d, size_t* count) {
  reached* heap = d->heap;
  const reached top = heap[0];
  const reached last = heap[--*count];
  size_t at = 0;
  for (size_t child = 1; child < *count; child = 2 * at + 1) {
    if (child + 1 < *count && comes_before(&heap[child + 1], &heap[child])) ++child;
    if (!comes_before(&heap[child], &last)) break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = last;
  return top;
}

// ---- cells ----

// follows the links of a particle that has just got its root
static bool follow(weft__distances* d, size_t* count, const reached* way) {
  for (uint32_t i = d->first[way->particle]; i < d->first[way->particle + 1]; ++i) {
    const uint32_t to = d->to[i];
    const float distance = way->distance + d->length[i];
    if (d->root[to] != WEFT__NO_CELL || distance >= d->distance[to]) continue;
    d->distance[to] = distance;
    d->drawn[to] = d->drawn[way->particle] + d->drawn_length[i];
    if (!push(d, count, (reached){distance, to, way->root})) return false;
  }
  return true;
}

bool weft__cells_grow(weft__distances* d, const uint32_t* roots, uint32_t root_count) {
  for (uint32_t p = 0; p < d->particle_count; ++p) {
    d->root[p] = WEFT__NO_CELL;
    d->distance[p] = INFINITY;
  }
  size_t count = 0;
  for (uint32_t i = 0; i < root_count; ++i) {
    d->distance[roots[i]] = 0.0f;
    d->drawn[roots[i]] = 0.0f;
    if (!push(d, &count, (reached){0.0f, roots[i], roots[i]})) return false;
  }
  while (count > 0) {
    const reached way = pop(d, &count);
    if (d->root[way.particle] != WEFT__NO_CELL) continue;
    d->root[way.particle] = way.root;
    if (!follow(d, &count, &way)) return false;
  }
  return true;
}
