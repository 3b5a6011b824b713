/* Active octets: octets that a round of a pass has to visit, as rounds after the first change few
 * clusters. Each octet has a Bloom filter of the clusters that its pairs and its flat regions
 * depend on; a round intersects it with the filter of the changed clusters. (Bloom 1970, "Space/
 * time trade-offs in hash coding with allowable errors") */
#include <string.h>

#include "modules/ccd/ccd_steps.h"

// Clusters that share a bit: neighbours, which change together.
#define CLUSTERS_A_BIT 32u

// ---- filters ----

void weft__filter_add(weft__cluster_filter* filter, uint32_t cluster) {
  const uint32_t bit = cluster / CLUSTERS_A_BIT % (64 * WEFT__FILTER_WORDS);
  filter->word[bit / 64] |= UINT64_C(1) << bit % 64;
}

static void filter_add_all(weft__cluster_filter* filter, const uint32_t* cluster, uint32_t count) {
  for (uint32_t n = 0; n < count; ++n) weft__filter_add(filter, cluster[n]);
}

bool weft__ccd_may_depend(const weft__ccd* ccd, uint32_t octet,
                          const weft__cluster_filter* filter) {
  uint64_t common = 0;
  if (!ccd->has_filters) return true;
  for (int k = 0; k < WEFT__FILTER_WORDS; ++k)
    common |= ccd->filter[octet].word[k] & filter->word[k];
  return common != 0;
}

void weft__ccd_build_filter(const weft__ccd* ccd, uint32_t octet) {
  weft__cluster_filter filter = {{0}};
  const weft__range clusters = weft__ccd_octet(ccd, octet);
  weft__filter_add(&filter, clusters.begin);
  for (uint32_t c = clusters.begin; c < clusters.end; ++c) {
    filter_add_all(&filter, ccd->pairs.other + ccd->pair_list[c].first, ccd->pair_list[c].count);
    if (c >= ccd->clusters.face_cluster_count || ccd->flatness.region_count[c] == 0) continue;
    filter_add_all(&filter, ccd->flatness.surrounding[c], ccd->flatness.surrounding_count[c]);
    // too many to list
    if (ccd->flatness.surrounding_count[c] == 0) memset(&filter, 0xff, sizeof(filter));
  }
  ccd->filter[octet] = filter;
}

static void build_filters(void* context, weft__range octets, uint32_t worker) {
  (void)worker;
  for (uint32_t octet = octets.begin; octet < octets.end; ++octet)
    weft__ccd_build_filter(context, octet);
}

// ---- octets ----

void weft__ccd_activate_all(weft__ccd* ccd) {
  ccd->active_count = weft__ccd_octet_count(ccd);
  for (uint32_t n = 0; n < ccd->active_count; ++n) ccd->active[n] = n;
  memset(ccd->affected, 0xff, ccd->active_count);
  ccd->has_filters = false;
}

static bool any_flag(const uint8_t* flag, weft__range clusters) {
  uint8_t any = 0;
  for (uint32_t c = clusters.begin; c < clusters.end; ++c) any |= flag[c];
  return any != 0;
}

void weft__ccd_activate_moved(weft__ccd* ccd) {
  for (uint32_t n = 0; n < ccd->active_count; ++n) {
    const weft__range clusters = weft__ccd_octet(ccd, ccd->active[n]);
    memset(ccd->is_changed + clusters.begin, 0, clusters.end - clusters.begin);
  }
  const uint32_t octets = weft__ccd_octet_count(ccd);
  ccd->active_count = 0;
  for (uint32_t octet = 0; octet < octets; ++octet) {
    if (any_flag(ccd->is_moved, weft__ccd_octet(ccd, octet)))
      ccd->active[ccd->active_count++] = octet;
  }
}

// True if the round has to visit an octet in which nothing has changed.
static bool is_open(const weft__ccd* ccd, uint32_t octet, weft__ccd_search scope) {
  if (ccd->is_open[octet]) return true;
  // single particles traverse in every search
  return scope == WEFT__SEARCH_EXPIRED && 8 * octet + 8 > ccd->clusters.face_cluster_count;
}

void weft__ccd_activate_affected(weft__ccd* ccd, const weft__step_context* step,
                                 weft__ccd_search scope) {
  const uint32_t octets = weft__ccd_octet_count(ccd);
  if (!ccd->has_filters) weft__step_for(step, octets, WEFT__CCD_UPDATE_GRAIN, build_filters, ccd);
  ccd->has_filters = true;
  weft__cluster_filter changed = {{0}};
  for (uint32_t n = 0; n < ccd->active_count; ++n) {
    ccd->is_open[ccd->active[n]] = 1;
    weft__filter_add(&changed, 8 * ccd->active[n]);
  }
  ccd->active_count = 0;
  for (uint32_t octet = 0; octet < octets; ++octet) {
    if (is_open(ccd, octet, scope) || weft__ccd_may_depend(ccd, octet, &changed))
      ccd->active[ccd->active_count++] = octet;
  }
}

// ---- clusters ----

static bool any_changed(const weft__ccd* ccd, const uint32_t* cluster, uint32_t count) {
  for (uint32_t n = 0; n < count; ++n) {
    if (ccd->is_changed[cluster[n]]) return true;
  }
  return false;
}

static bool is_affected(const weft__ccd* ccd, uint32_t cluster) {
  if (ccd->is_changed[cluster]) return true;
  const weft__cluster_pair_list* list = &ccd->pair_list[cluster];
  if (list->hit_count > 0 || list->needs_pairs || weft__ccd_is_over_budget(list)) return true;
  if (any_changed(ccd, ccd->pairs.other + list->first, list->count)) return true;
  if (cluster >= ccd->clusters.face_cluster_count || ccd->flatness.region_count[cluster] == 0)
    return false;
  // certificates of adjacent pairs depend on more clusters
  const uint32_t surrounding_count = ccd->flatness.surrounding_count[cluster];
  return surrounding_count == 0 ||
         any_changed(ccd, ccd->flatness.surrounding[cluster], surrounding_count);
}

void weft__ccd_find_affected(const weft__ccd* ccd, uint32_t octet) {
  const weft__range clusters = weft__ccd_octet(ccd, octet);
  ccd->affected[octet] = 0;
  for (uint32_t c = clusters.begin; c < clusters.end; ++c)
    ccd->affected[octet] |= (uint8_t)(is_affected(ccd, c) << c % 8);
}
