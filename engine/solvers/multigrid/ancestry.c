#include "solvers/multigrid/ancestry.h"

#include "scene/adjacency.h"

static bool is_parent(const weft__parents* parents, uint32_t coarse) {
  for (uint32_t j = 0; j < WEFT__PARENTS; ++j) {
    if (parents->weight[j] > 0.0f && parents->of[j] == coarse) return true;
  }
  return false;
}

// Squared cosine to `direction`, times the latter's squared length.
static double alignment(const weft_scene* scene, uint32_t a, uint32_t b,
                        const double direction[3]) {
  double product = 0.0;
  double length = 0.0;
  for (size_t axis = 0; axis < 3; ++axis) {
    const double along = (double)scene->positions[(size_t)3 * b + axis] -
                         (double)scene->positions[(size_t)3 * a + axis];
    product += along * direction[axis];
    length += along * along;
  }
  return length > 0.0 ? product * product / length : 0.0;
}

static uint32_t best_aligned_link(const weft__coarsening* coarsening, const weft__adjacency* coarse,
                                  const weft_scene* fine, uint32_t link) {
  const uint32_t a = fine->links.end_a[link];
  const uint32_t b = fine->links.end_b[link];
  const weft__parents* of_a = &coarsening->parents[a];
  const weft__parents* of_b = &coarsening->parents[b];
  double direction[3];
  for (size_t axis = 0; axis < 3; ++axis) {
    direction[axis] = (double)fine->positions[(size_t)3 * b + axis] -
                      (double)fine->positions[(size_t)3 * a + axis];
  }
  uint32_t best = WEFT__NO_ANCESTOR;
  double closest = -1.0;
  for (uint32_t j = 0; j < WEFT__PARENTS; ++j) {
    if (of_a->weight[j] == 0.0f) continue;
    const uint32_t from = of_a->of[j];
    for (uint32_t i = coarse->first[from]; i < coarse->first[from + 1]; ++i) {
      const uint32_t to = coarse->to[i];
      if (!is_parent(of_a, to) && !is_parent(of_b, to)) continue;
      const double product = alignment(coarsening->scene, from, to, direction);
      if (product <= closest) continue;
      closest = product;
      best = coarse->link[i];
    }
  }
  return best;
}

bool weft__list_ancestors(uint32_t* ancestor, const weft__coarsening* coarsening,
                          const weft_scene* fine) {
  weft__adjacency coarse;
  if (!weft__adjacency_create(&coarse, coarsening->scene, NULL, NULL)) return false;
  for (uint32_t i = 0; i < fine->links.count; ++i) {
    const bool has_one =
        fine->links.kind[i] != WEFT_LINK_BEND && weft__links_carry(&fine->links, i);
    ancestor[i] = has_one ? best_aligned_link(coarsening, &coarse, fine, i) : WEFT__NO_ANCESTOR;
  }
  weft__adjacency_destroy(&coarse);
  return true;
}
