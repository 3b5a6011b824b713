#include "solvers/long_range_attachments/surface.h"

#include "base/memory.h"
#include "base/min_max.h"

// squared sine of the largest angle, or of its supplement, below which a triangle is degenerate
#define MIN_SQUARED_SINE 0.05

static double rest_length_at(const weft_scene* scene, const weft__adjacency* links, uint32_t at) {
  return (double)scene->links.rest_length[links->link[at]];
}

// Heron's formula: 16 times the squared area, against the two longer sides' product.
static bool has_area(double u, double v, double w) {
  const double area = (u + v + w) * (v + w - u) * (u + w - v) * (u + v - w);
  const double others = u * v * w / weft__max(u, weft__max(v, w));
  return area > 4.0 * MIN_SQUARED_SINE * others * others;
}

static uint32_t degree_of(const weft__adjacency* links, uint32_t particle) {
  return links->first[particle + 1] - links->first[particle];
}

// Triangle over entry i of `particle`. entry_of: index of neighbours in the list of `particle`,
// undefined for others
static bool has_triangle(const weft_scene* scene, const weft__adjacency* links, uint32_t particle,
                         uint32_t i, const uint32_t* entry_of) {
  const uint32_t begin = links->first[particle];
  const uint32_t end = links->first[particle + 1];
  const uint32_t other = links->to[i];
  for (uint32_t j = links->first[other]; j < links->first[other + 1]; ++j) {
    const uint32_t third = links->to[j];
    const uint32_t k = entry_of[third];
    if (k < begin || k >= end || links->to[k] != third) continue;
    if (has_area(rest_length_at(scene, links, i), rest_length_at(scene, links, j),
                 rest_length_at(scene, links, k))) {
      return true;
    }
  }
  return false;
}

bool* weft__mark_surface(const weft_scene* scene, const weft__adjacency* links) {
  bool* marked = weft__alloc_zeroed(scene->links.count, sizeof(*marked));
  uint32_t* entry_of = weft__alloc_zeroed(scene->particle_count, sizeof(*entry_of));
  for (uint32_t p = 0; p < scene->particle_count && marked != NULL && entry_of != NULL; ++p) {
    for (uint32_t i = links->first[p]; i < links->first[p + 1]; ++i) entry_of[links->to[i]] = i;
    for (uint32_t i = links->first[p]; i < links->first[p + 1]; ++i) {
      const uint32_t to = links->to[i];
      // the end with more links owns: else each neighbour of a hub would visit all of its links
      const bool is_owner = degree_of(links, p) != degree_of(links, to)
                                ? degree_of(links, p) > degree_of(links, to)
                                : p < to;
      if (is_owner) marked[links->link[i]] = has_triangle(scene, links, p, i, entry_of);
    }
  }
  const bool good = entry_of != NULL;
  weft__free(entry_of);
  if (good) return marked;
  weft__free(marked);
  return NULL;
}
