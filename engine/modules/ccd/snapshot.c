// Snapshots of CCD: all state, with cluster pairs and feature pairs in the order of clusters.
#include <string.h>

#include "base/memory.h"
#include "modules/ccd/ccd_steps.h"
#include "modules/ccd/strands.h"

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

// Memory of pairs that lists before this one have in a snapshot.
typedef struct pair_memory {
  uint64_t cluster_pairs, pairs;
} pair_memory;

// A cluster pair, with its feature pairs; it lies at `slot` in memory, unless this is a check.
static void visit_cluster_pair(const weft__ccd_pairs* pairs, weft__archive* archive, size_t slot,
                               pair_memory* used) {
  weft__cluster_pair row = {0};
  if (!weft__archive_is_reading(archive)) row = pairs->cluster_pair[slot];
  const size_t first = weft__archive_is_reading(archive) ? (size_t)used->pairs : row.first_pair;
  row.first_pair = (uint32_t)used->pairs;
  WEFT__ARCHIVE_VALUE(archive, row);
  used->pairs += row.pair_capacity;
  if (!weft__archive_expect(archive, row.pair_count <= row.pair_capacity &&
                                         row.first_pair == (uint32_t)first &&
                                         used->pairs <= pairs->pair_capacity)) {
    return;
  }
  if (row.pair_count > 0) WEFT__ARCHIVE_ARRAY(archive, pairs->pair + first, row.pair_count);
  if (!weft__archive_is_loading(archive)) return;
  pairs->cluster_pair[slot] = row;
  pairs->other[slot] = row.other;
}

// Lists one after the other, wherever they lie: the same bytes for any number of workers. Lists
// that the next pass searches anew, and those without a cluster, are empty.
static void visit_pair_list(const weft__ccd* ccd, weft__archive* archive, uint32_t cluster,
                            pair_memory* used) {
  weft__cluster_pair_list list = ccd->pair_list[cluster];
  const bool is_kept = ccd->is_built && !ccd->is_stale && cluster < ccd->clusters.cluster_count;
  if (!is_kept) weft__ccd_pairs_empty(&list);
  const uint32_t first =
      weft__archive_is_reading(archive) ? (uint32_t)used->cluster_pairs : list.first;
  list.first = (uint32_t)used->cluster_pairs;
  WEFT__ARCHIVE_VALUE(archive, list);
  used->cluster_pairs += list.capacity;
  if (!weft__archive_expect(archive, list.count <= list.capacity && list.first == first &&
                                         used->cluster_pairs <= ccd->pairs.cluster_pair_capacity)) {
    return;
  }
  for (uint32_t n = 0; n < list.capacity && weft__archive_is_good(archive); ++n) {
    visit_cluster_pair(&ccd->pairs, archive, (size_t)first + n, used);
  }
  if (weft__archive_is_loading(archive)) ccd->pair_list[cluster] = list;
}

static void visit_pairs(weft__ccd* ccd, weft__archive* archive) {
  weft__ccd_pairs* pairs = &ccd->pairs;
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
  pair_memory used = {0};
  const size_t lists = weft__ccd_max_face_clusters(&ccd->mesh) + ccd->particle_count;
  for (uint32_t c = 0; c < lists && weft__archive_is_good(archive); ++c) {
    visit_pair_list(ccd, archive, c, &used);
  }
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
  weft__archive_table(archive, ccd, &weft__ccd_table);
  if (!weft__archive_is_good(archive) || !wanted.exists) return;
  weft__archive_table(archive, &ccd->positions, &weft__ccd_positions_table);
  weft__archive_table(archive, &ccd->flatness, &weft__flatness_table);
  weft__archive_table(archive, &ccd->clusters, &weft__ccd_clusters_table);
  weft__archive_table(archive, &ccd->mesh, &weft__face_edges_table);
  visit_pairs(ccd, archive);
}
