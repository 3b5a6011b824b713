#include "solvers/multigrid/seams.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/sort.h"
#include "scene/adjacency.h"
#include "solvers/multigrid/lattice.h"

// a seam between coarse particles, a < b
typedef struct seam {
  uint32_t a, b;
  float rest_length;
  float compliance;
} seam;

typedef struct seam_finder {
  const weft__coarsening* coarsening;
  const weft_scene* fine;
  uint32_t* part_of; /* of each particle [fine particles] */
  weft__adjacency links;
} seam_finder;

static bool is_seam(const seam_finder* f, uint32_t link) {
  const weft__links* links = &f->fine->links;
  const uint32_t a = links->end_a[link];
  const uint32_t b = links->end_b[link];
  const weft__part* part = &f->fine->parts[f->part_of[a]];
  const weft__part* other = &f->fine->parts[f->part_of[b]];
  const bool in_lattice = part->columns > 0 || other->columns > 0;
  return in_lattice && (part != other || weft__lattice_spans(part, a, b)) &&
         links->stiffness[link] > 0.0f && weft__links_carry(links, link);
}

static bool carries(const void* context, const weft_scene* scene, uint32_t link) {
  (void)context;
  return weft__links_carry(&scene->links, link);
}

// the length of the one link between two particles, infinite if there is none
static float link_between(const seam_finder* f, uint32_t from, uint32_t to) {
  float length = INFINITY;
  for (uint32_t i = f->links.first[from]; i < f->links.first[from + 1]; ++i) {
    if (f->links.to[i] == to) length = fminf(length, f->fine->links.rest_length[f->links.link[i]]);
  }
  return length;
}

// the shortest way of at most two links, infinite if there is none
static float way_between(const seam_finder* f, uint32_t from, uint32_t to) {
  if (from == to) return 0.0f;
  float length = link_between(f, from, to);
  for (uint32_t i = f->links.first[from]; i < f->links.first[from + 1]; ++i) {
    const float first = f->fine->links.rest_length[f->links.link[i]];
    length = fminf(length, first + link_between(f, f->links.to[i], to));
  }
  return length;
}

// The way to the parent of a particle that weighs the most among those that such a way leads to: infinite
// if there is none. Those of a mesh are near in space, and may be many links away.
static float way_to_parent(const seam_finder* f, uint32_t from, uint32_t* parent) {
  const weft__parents* parents = &f->coarsening->parents[from];
  float length = INFINITY;
  float most = 0.0f;
  for (uint32_t j = 0; j < WEFT__PARENTS; ++j) {
    if (parents->weight[j] <= most) continue;
    const float way = way_between(f, from, f->coarsening->fine_of[parents->of[j]]);
    if (isinf(way)) continue;
    most = parents->weight[j];
    length = way;
    *parent = parents->of[j];
  }
  return length;
}

// true where a coarse lattice has links of its own between two of its particles
static bool is_near(const weft_scene* coarse, uint32_t a, uint32_t b) {
  const size_t part = weft__scene_part_of(coarse, a);
  return part == weft__scene_part_of(coarse, b) && coarse->parts[part].columns > 0 &&
         !weft__lattice_spans(&coarse->parts[part], a, b);
}

// false where an end has no parents, or no way to any, and where the seam is left to finer levels
static bool coarsen_seam(const seam_finder* f, uint32_t link, seam* made) {
  const weft__links* links = &f->fine->links;
  const uint32_t ends[2] = {links->end_a[link], links->end_b[link]};
  uint32_t coarse[2] = {0, 0};
  float length = links->rest_length[link];
  for (int e = 0; e < 2; ++e) length += way_to_parent(f, ends[e], &coarse[e]);
  *made = (seam){.a = coarse[0] < coarse[1] ? coarse[0] : coarse[1],
                 .b = coarse[0] < coarse[1] ? coarse[1] : coarse[0],
                 .rest_length = length,
                 .compliance = links->compliance[link]};
  return isfinite(length) && coarse[0] != coarse[1] &&
         !is_near(f->coarsening->scene, coarse[0], coarse[1]);
}

// of seams between the same two particles, the shortest
static bool push_seams(weft_scene* coarse, const seam* seams, weft__keyed* order, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    order[i] = (weft__keyed){(uint64_t)seams[i].a << 32 | seams[i].b, (uint32_t)i};
  }
  weft__sort(order, order + count, count);
  if (weft__scene_reserve(coarse, 0, count).error != WEFT_OK) return false;
  for (size_t begin = 0, end = 0; begin < count; begin = end) {
    seam shortest = seams[order[begin].value];
    for (end = begin; end < count && order[end].key == order[begin].key; ++end) {
      const seam* here = &seams[order[end].value];
      if (here->rest_length < shortest.rest_length) shortest = *here;
    }
    weft__push_coarse_link(coarse, shortest.a, shortest.b, shortest.rest_length,
                           WEFT_LINK_STRUCTURAL, shortest.compliance);
  }
  return true;
}

static bool coarsen_all(seam_finder* f, size_t count, weft_scene* coarse) {
  seam* seams = weft__alloc(count, sizeof(*seams));
  weft__keyed* order = weft__alloc(2 * count, sizeof(*order));
  bool done =
      seams != NULL && order != NULL && weft__adjacency_create(&f->links, f->fine, carries, NULL);
  if (done) {
    size_t made = 0;
    for (uint32_t i = 0; i < f->fine->links.count; ++i) {
      if (is_seam(f, i) && coarsen_seam(f, i, &seams[made])) ++made;
    }
    done = push_seams(coarse, seams, order, made);
  }
  weft__adjacency_destroy(&f->links);
  free(seams);
  free(order);
  return done;
}

bool weft__coarsen_seams(weft__coarsening* coarsening, const weft_scene* fine) {
  seam_finder f = {.coarsening = coarsening,
                   .fine = fine,
                   .part_of = weft__alloc(fine->particle_count, sizeof(*f.part_of))};
  if (f.part_of == NULL) return false;
  weft__scene_list_parts(fine, f.part_of);
  size_t count = 0;
  for (uint32_t i = 0; i < fine->links.count; ++i) count += is_seam(&f, i);
  const bool done = count == 0 || coarsen_all(&f, count, coarsening->scene);
  free(f.part_of);
  return done;
}
