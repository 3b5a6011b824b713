#include "solvers/multigrid/coarsen.h"

#include "base/memory.h"
#include "solvers/multigrid/graph.h"
#include "solvers/multigrid/lattice.h"
#include "solvers/multigrid/seams.h"

void weft__push_coarse_link(weft_scene* coarse, uint32_t a, uint32_t b, float rest_length,
                            weft_link_kind kind, float compliance) {
  weft__links_push(&coarse->links,
                   (weft_link_def){.a = a,
                                   .b = b,
                                   .rest_length = rest_length,
                                   .relaxation = compliance > 0.0f ? WEFT__ELASTIC_RELAXATION
                                                                   : WEFT__COARSE_RELAXATION,
                                   .kind = kind,
                                   .compliance = compliance});
}

static bool coarsen_lattices(weft__coarsening* coarsening, const weft_scene* fine) {
  bool any = false;
  for (size_t p = 0; p < fine->part_count; ++p) any |= weft__lattice_coarsens(&fine->parts[p]);
  if (!any) return true;
  weft__lattice_links links;
  if (!weft__lattice_links_create(&links, fine)) return false;
  bool done = true;
  for (size_t p = 0; p < fine->part_count && done; ++p) {
    if (!weft__lattice_coarsens(&fine->parts[p])) continue;
    done = weft__lattice_coarsen(coarsening, fine, &links, p);
  }
  weft__lattice_links_destroy(&links);
  return done;
}

static bool coarsen_graphs(weft__coarsening* coarsening, const weft_scene* fine,
                           const uint32_t* cloth_of, weft__distances* cloth) {
  bool any = false;
  for (size_t p = 0; p < fine->part_count; ++p) {
    any |= fine->parts[p].columns == 0 && !fine->parts[p].fine_only;
  }
  return !any || weft__graph_coarsen(coarsening, fine, cloth_of, cloth);
}

bool weft__coarsen(weft__coarsening* coarsening, const weft_scene* fine, const uint32_t* cloth_of,
                   weft__distances* cloth) {
  *coarsening = (weft__coarsening){
      // no coarse scene has more particles
      .fine_of = weft__alloc(fine->particle_count, sizeof(*coarsening->fine_of)),
      .parents = weft__alloc_zeroed(fine->particle_count, sizeof(*coarsening->parents)),
  };
  const bool done = coarsening->fine_of != NULL && coarsening->parents != NULL &&
                    weft_scene_create(&coarsening->scene).error == WEFT_OK &&
                    coarsen_lattices(coarsening, fine) &&
                    coarsen_graphs(coarsening, fine, cloth_of, cloth) &&
                    weft__seams_coarsen(coarsening, fine);
  if (!done) weft__coarsening_destroy(coarsening);
  return done;
}

void weft__coarsening_destroy(weft__coarsening* coarsening) {
  weft_scene_destroy(&coarsening->scene);
  weft__free(coarsening->fine_of);
  weft__free(coarsening->parents);
  *coarsening = (weft__coarsening){0};
}
