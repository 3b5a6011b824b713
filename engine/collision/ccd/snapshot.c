// Snapshots of CCD: all state, with cluster pairs and feature pairs as they lie in memory.
#include <string.h>

#include "base/memory.h"
#include "collision/ccd/ccd_steps.h"
#include "collision/ccd/strands.h"

typedef struct capacities {
  uint32_t exists;
  uint32_t hits, pairs;
} capacities;

static capacities capacities_of(const weft__ccd* ccd) {
  return (capacities){ccd->block != NULL, ccd->hit_capacity, ccd->pairs.pair_capacity};
}

static bool make_tables(weft__ccd* ccd, const weft__contact_setup* setup,
                        const capacities* wanted) {
  if (!weft__ccd_create_tables(ccd, setup)) return false;
  if (wanted->hits > 0) {
    ccd->hit = weft__alloc(wanted->hits, sizeof(*ccd->hit));
    if (ccd->hit == NULL) return false;
  }
  ccd->hit_capacity = wanted->hits;
  if (!weft__ccd_pairs_reserve(&ccd->pairs, wanted->pairs,
                               (uint32_t)weft__ccd_max_face_clusters(&ccd->mesh))) {
    return false;
  }
  weft__ccd_count_bytes(ccd);
  return true;
}

static bool replace_tables(weft__ccd* ccd, const weft__contact_setup* setup,
                           const capacities* wanted) {
  weft__ccd made = {0};
  if (wanted->exists && !make_tables(&made, setup, wanted)) {
    weft__ccd_destroy(&made);
    return false;
  }
  memcpy(ccd, &made, sizeof(made));
  return true;
}

static void visit_counts(weft__ccd* ccd, weft__archive* archive) {
  WEFT__ARCHIVE_VALUE(archive, ccd->on);
  WEFT__ARCHIVE_VALUE(archive, ccd->pair_count);
  WEFT__ARCHIVE_VALUE(archive, ccd->hit_count);
  WEFT__ARCHIVE_VALUE(archive, ccd->rollback_count);
  WEFT__ARCHIVE_VALUE(archive, ccd->stuck_count);
  WEFT__ARCHIVE_VALUE(archive, ccd->lost);
  WEFT__ARCHIVE_VALUE(archive, ccd->test_count);
  WEFT__ARCHIVE_VALUE(archive, ccd->tangled_count);
  WEFT__ARCHIVE_VALUE(archive, ccd->over_budget_count);
  WEFT__ARCHIVE_VALUE(archive, ccd->round_count);
  WEFT__ARCHIVE_VALUE(archive, ccd->materials_version);
  WEFT__ARCHIVE_VALUE(archive, ccd->is_built);
  WEFT__ARCHIVE_VALUE(archive, ccd->pass);
  WEFT__ARCHIVE_VALUE(archive, ccd->levels);
  WEFT__ARCHIVE_VALUE(archive, ccd->level_first);
  WEFT__ARCHIVE_VALUE(archive, ccd->level_count);
  WEFT__ARCHIVE_VALUE(archive, ccd->search_count);
  WEFT__ARCHIVE_VALUE(archive, ccd->listed_hits);
  WEFT__ARCHIVE_VALUE(archive, ccd->zone_particle_count);
  WEFT__ARCHIVE_VALUE(archive, ccd->round);
  WEFT__ARCHIVE_VALUE(archive, ccd->last_hits);
  WEFT__ARCHIVE_VALUE(archive, ccd->last_ccd_substep);
  WEFT__ARCHIVE_VALUE(archive, ccd->is_stale);
  WEFT__ARCHIVE_VALUE(archive, ccd->lacks_capacity);
  WEFT__ARCHIVE_VALUE(archive, ccd->passes_lacking);
  WEFT__ARCHIVE_VALUE(archive, ccd->has_overspent);
  weft__ccd_tangles_visit(&ccd->tangles, archive);
}

static void visit_clusters(weft__ccd_clusters* clusters, weft__archive* archive) {
  WEFT__ARCHIVE_VALUE(archive, clusters->face_cluster_count);
  WEFT__ARCHIVE_VALUE(archive, clusters->cluster_count);
  WEFT__ARCHIVE_VALUE(archive, clusters->leaf_count);
  WEFT__ARCHIVE_VALUE(archive, clusters->slot_count);
  WEFT__ARCHIVE_VALUE(archive, clusters->edge_count);
  WEFT__ARCHIVE_VALUE(archive, clusters->vertex_count);
  WEFT__ARCHIVE_VALUE(archive, clusters->min_size);
  weft__archive_array(archive, clusters->block, clusters->state_bytes, 1);
  if (weft__archive_is_loading(archive)) weft__ccd_clusters_write_points(clusters);
}

static void visit_pairs(weft__ccd_pairs* pairs, weft__archive* archive) {
  uint64_t count = atomic_load_explicit(&pairs->pair_count, memory_order_relaxed);
  uint64_t cluster_count = atomic_load_explicit(&pairs->cluster_pair_count, memory_order_relaxed);
  WEFT__ARCHIVE_VALUE(archive, count);
  WEFT__ARCHIVE_VALUE(archive, cluster_count);
  WEFT__ARCHIVE_VALUE(archive, pairs->pair_limit);
  WEFT__ARCHIVE_VALUE(archive, pairs->cluster_pair_limit);
  if (!weft__archive_expect(archive, pairs->pair_limit <= pairs->pair_capacity)) return;
  if (weft__archive_is_loading(archive)) {
    atomic_store_explicit(&pairs->pair_count, count, memory_order_relaxed);
    atomic_store_explicit(&pairs->cluster_pair_count, cluster_count, memory_order_relaxed);
  }
  // counts beyond the limit are of pairs without memory
  WEFT__ARCHIVE_ARRAY(archive, pairs->pair,
                      count < pairs->pair_limit ? (size_t)count : pairs->pair_limit);
  const size_t kept =
      cluster_count < pairs->cluster_pair_limit ? (size_t)cluster_count : pairs->cluster_pair_limit;
  WEFT__ARCHIVE_ARRAY(archive, pairs->cluster_pair, kept);
  WEFT__ARCHIVE_ARRAY(archive, pairs->other, kept);
}

void weft__ccd_visit(weft__ccd* ccd, weft__archive* archive, const weft__contact_setup* setup) {
  const capacities own = capacities_of(ccd);
  capacities wanted = own;
  WEFT__ARCHIVE_VALUE(archive, wanted);
  if (!weft__archive_expect(archive, !wanted.exists || weft__ccd_has_features(setup))) return;
  if (weft__archive_is_checking(archive) && memcmp(&wanted, &own, sizeof(own)) != 0 &&
      !weft__archive_allocated(archive, replace_tables(ccd, setup, &wanted))) {
    return;
  }
  visit_counts(ccd, archive);
  if (!wanted.exists) return;
  // columns of positions that each pass swaps
  bool is_swapped = ccd->positions.start[0] > ccd->positions.now[0];
  WEFT__ARCHIVE_VALUE(archive, is_swapped);
  if (weft__archive_is_loading(archive) &&
      is_swapped != (ccd->positions.start[0] > ccd->positions.now[0])) {
    weft__ccd_positions_begin(&ccd->positions);
  }
  visit_clusters(&ccd->clusters, archive);
  weft__archive_array(archive, ccd->mesh.block, ccd->mesh.bytes, 1);
  weft__archive_array(archive, ccd->block, ccd->state_bytes, 1);
  visit_pairs(&ccd->pairs, archive);
}
