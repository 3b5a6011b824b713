#include "solvers/multigrid/seams.h"

#include <math.h>

#include "base/memory.h"
#include "base/min_max.h"
#include "base/sort.h"
#include "scene/adjacency.h"
#include "solvers/multigrid/lattice.h"

typedef struct seam {
  uint32_t a, b;
  float rest_length;
  float compliance;
} seam;

typedef struct seam_finder {
  const weft__coarsening* coarsening;
  const weft_scene* fine;
  uint32_t* part_of; /* [fine particles] */
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
         links->relaxation[link] > 0.0f && weft__links_carry(links, link);
}

static bool carries_load(const void* context, const weft_scene* scene, uint32_t link) {
  (void)context;
  return weft__links_carry(&scene->links, link);
}

// Shortest link; infinite if none.
static float link_length(const seam_finder* f, uint32_t from, uint32_t to) {
  float length = INFINITY;
  for (uint32_t i = f->links.first[from]; i < f->links.first[from + 1]; ++i) {
    if (f->links.to[i] == to)
      length = weft__minf(length, f->fine->links.rest_length[f->links.link[i]]);
  }
  return length;
}

// Shortest path of at most two links; infinite if none.
static float path_length(const seam_finder* f, uint32_t from, uint32_t to) {
  if (from == to) return 0.0f;
  float length = link_length(f, from, to);
  for (uint32_t i = f->links.first[from]; i < f->links.first[from + 1]; ++i) {
    const float first = f->fine->links.rest_length[f->links.link[i]];
    length = weft__minf(length, first + link_length(f, f->links.to[i], to));
  }
  return length;
}

// Path to the parent of the largest weight within two links; infinite if none. Parents in a mesh
// are near in space, but may be many links away.
static float parent_path_length(const seam_finder* f, uint32_t from, uint32_t* parent) {
  const weft__parents* parents = &f->coarsening->parents[from];
  float length = INFINITY;
  float max_weight = 0.0f;
  for (uint32_t j = 0; j < WEFT__PARENTS; ++j) {
    if (parents->weight[j] <= max_weight) continue;
    const float length_here = path_length(f, from, f->coarsening->fine_of[parents->of[j]]);
    if (isinf(length_here)) continue;
    max_weight = parents->weight[j];
    length = length_here;
    *parent = parents->of[j];
  }
  return length;
}

static bool is_in_coarse_lattice(const weft_scene* coarse, uint32_t a, uint32_t b) {
  const size_t part = weft__scene_part_of(coarse, a);
  return part == weft__scene_part_of(coarse, b) && coarse->parts[part].columns > 0 &&
         !weft__lattice_spans(&coarse->parts[part], a, b);
}

// False if an end has no parent within reach, or the seam is shorter than the level resolves.
static bool coarsen_seam(const seam_finder* f, uint32_t link, seam* made) {
  const weft__links* links = &f->fine->links;
  const uint32_t ends[2] = {links->end_a[link], links->end_b[link]};
  uint32_t coarse[2] = {0, 0};
  float length = links->rest_length[link];
  for (int e = 0; e < 2; ++e) length += parent_path_length(f, ends[e], &coarse[e]);
  *made = (seam){.a = coarse[0] < coarse[1] ? coarse[0] : coarse[1],
                 .b = coarse[0] < coarse[1] ? coarse[1] : coarse[0],
                 .rest_length = length,
                 .compliance = links->compliance[link]};
  return isfinite(length) && coarse[0] != coarse[1] &&
         !is_in_coarse_lattice(f->coarsening->scene, coarse[0], coarse[1]);
}

static bool push_seams(weft_scene* coarse, const seam* seams, weft__sort_item* order,
                       size_t count) {
  for (size_t i = 0; i < count; ++i) {
    order[i] = (weft__sort_item){(uint64_t)seams[i].a << 32 | seams[i].b, (uint32_t)i};
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
  weft__sort_item* order = weft__alloc(2 * count, sizeof(*order));
  bool done = seams != NULL && order != NULL &&
              weft__adjacency_create(&f->links, f->fine, carries_load, NULL);
  if (done) {
    size_t made = 0;
    for (uint32_t i = 0; i < f->fine->links.count; ++i) {
      if (is_seam(f, i) && coarsen_seam(f, i, &seams[made])) ++made;
    }
    done = push_seams(coarse, seams, order, made);
  }
  weft__adjacency_destroy(&f->links);
  weft__free(seams);
  weft__free(order);
  return done;
}

bool weft__seams_coarsen(weft__coarsening* coarsening, const weft_scene* fine) {
  seam_finder f = {.coarsening = coarsening,
                   .fine = fine,
                   .part_of = weft__alloc(fine->particle_count, sizeof(*f.part_of))};
  if (f.part_of == NULL) return false;
  weft__scene_list_parts(fine, f.part_of);
  size_t count = 0;
  for (uint32_t i = 0; i < fine->links.count; ++i) count += is_seam(&f, i);
  const bool done = count == 0 || coarsen_all(&f, count, coarsening->scene);
  weft__free(f.part_of);
  return done;
}
