/* Culling of cluster pairs: by the flatness certificate of adjacent pairs, by a separating plane of
 * non-adjacent ones. */
#include <math.h>

#include "base/host.h"
#include "modules/ccd/ccd_steps.h"

#include "base/min_max.h"

static bool normalize(float v[3]) {
  const float sq = weft__dot3(v, v);
  if (!(sq > 1e-30f) || sq > 1e30f) return false;
  const float scale = 1.0f / sqrtf(sq);
  for (int axis = 0; axis < 3; ++axis) v[axis] *= scale;
  return true;
}

// Vector from the mean position of the first to the second's, metres.
static void center_to_center(const weft__ccd_positions* positions, const weft__range members[2],
                             float direction[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    float sum[2] = {0.0f, 0.0f};
    const float* at = positions->now[axis];
    const float origin = at[members[0].begin];
    for (int k = 0; k < 2; ++k) {
      for (uint32_t m = members[k].begin; m < members[k].end; ++m) sum[k] += at[m] - origin;
      sum[k] /= (float)(members[k].end - members[k].begin);
    }
    direction[axis] = sum[1] - sum[0];
  }
}

static void cross(const float u[3], const float v[3], float product[3]) {
  product[0] = u[1] * v[2] - u[2] * v[1];
  product[1] = u[2] * v[0] - u[0] * v[2];
  product[2] = u[0] * v[1] - u[1] * v[0];
}

// Tests the plane normal to a frame, oriented from the first to the second.
static bool separate_along_normal(const weft__ccd_positions* positions,
                                  const weft__range members[2], const weft__ccd_frame* frame,
                                  const float direction[3], float gap, float* slack) {
  float normal[3];
  cross(frame->mean[0], frame->mean[1], normal);
  const float along = weft__dot3(normal, direction);
  for (int axis = 0; axis < 3; ++axis) normal[axis] = along < 0.0f ? -normal[axis] : normal[axis];
  return normalize(normal) &&
         weft__ccd_positions_are_separated(positions, members[0], members[1], normal, gap, slack);
}

bool weft__ccd_find_separating_plane(const weft__ccd_positions* positions,
                                     const weft__range members[2], const weft__ccd_frame* a,
                                     const weft__ccd_frame* b, float gap, float* slack) {
  float direction[3];
  center_to_center(positions, members, direction);
  if (separate_along_normal(positions, members, a, direction, gap, slack)) return true;
  if (separate_along_normal(positions, members, b, direction, gap, slack)) return true;
  return normalize(direction) && weft__ccd_positions_are_separated(
                                     positions, members[0], members[1], direction, gap, slack);
}

static bool separate_clusters(const weft__ccd* ccd, uint32_t a, uint32_t b, float* slack) {
  const weft__ccd_clusters* clusters = &ccd->clusters;
  const weft__range members[2] = {weft__cluster_members(clusters, a),
                                  weft__cluster_members(clusters, b)};
  const weft__ccd_frame* frame = ccd->flatness.now_frame;
  // larger than the gap by more than rounding
  const float gap = 1.01f * WEFT__CCD_GAP * weft__minf(clusters->size[a], clusters->size[b]);
  return weft__ccd_find_separating_plane(&ccd->positions, members, &frame[a], &frame[b], gap,
                                         slack);
}

double weft__flat_region_bend(const weft__ccd* ccd, const weft__flat_region* region) {
  double bend = 0.0;
  for (uint32_t n = 0; n < region->count; ++n) bend += ccd->bend[region->part[n]];
  return bend;
}

bool weft__cluster_pair_is_expired(const weft__ccd* ccd, uint32_t cluster,
                                   const weft__cluster_pair* cluster_pair) {
  if (cluster_pair->kind == WEFT__CLUSTERS_FLAT) {
    const weft__flat_region* region = weft__cluster_pair_region(ccd, cluster, cluster_pair);
    WEFT__ASSERT(region != NULL);  // pair is adjacent
    return !(weft__flat_region_bend(ccd, region) <= region->valid_until);
  }
  const float displacement = weft__ccd_displacement_of(ccd, cluster, cluster_pair);
  return !weft__ccd_is_valid(displacement, cluster_pair->kind == WEFT__CLUSTERS_FOLDED
                                               ? cluster_pair->pairs_valid_until
                                               : cluster_pair->valid_until);
}

static bool certify_region(const weft__ccd* ccd, weft__flat_region* region) {
  const double bend = weft__flat_region_bend(ccd, region);
  if (bend <= region->valid_until) return true;
  if (ccd->pass < region->retry) return false;
  weft__flatness_test test;
  float slack;
  if (weft__flatness_certifies(&ccd->flatness, region, &test, &slack)) {
    region->failures = 0;
    region->valid_until = bend + (double)slack;
    return true;
  }
  if (slack == 0.0f && region->failures < WEFT__FLAT_MAX_FAILURES) ++region->failures;
  region->retry = ccd->pass + (1u << region->failures);
  return false;
}

// Sets *slack, metres, if a plane separates the two.
static weft__cluster_pair_kind classify(const weft__ccd* ccd, uint32_t a,
                                        const weft__cluster_pair* cluster_pair, float* slack) {
  const uint32_t b = cluster_pair->other;
  const uint32_t face_clusters = ccd->clusters.face_cluster_count;
  // neither culling test accounts for collision radii
  const bool have_no_radius =
      a < face_clusters && b < face_clusters && !ccd->has_radius[a] && !ccd->has_radius[b];
  weft__flat_region* region = weft__cluster_pair_region(ccd, a, cluster_pair);
  if (region == NULL) {
    return have_no_radius && separate_clusters(ccd, a, b, slack) ? WEFT__CLUSTERS_SEPARATED
                                                                 : WEFT__CLUSTERS_CLOSE;
  }
  return have_no_radius && certify_region(ccd, region) ? WEFT__CLUSTERS_FLAT
                                                       : WEFT__CLUSTERS_FOLDED;
}

void weft__ccd_classify(const weft__ccd* ccd, uint32_t cluster, weft__cluster_pair* cluster_pair) {
  float slack = 0.0f;
  if (!weft__ccd_is_over_budget(&ccd->pair_list[cluster])) {
    ++ccd->pair_list[cluster].test_count;
    cluster_pair->kind = (uint8_t)classify(ccd, cluster, cluster_pair, &slack);
  } else {
    cluster_pair->kind =
        cluster_pair->region == WEFT__NO_REGION ? WEFT__CLUSTERS_CLOSE : WEFT__CLUSTERS_FOLDED;
  }
  cluster_pair->pair_count = 0;
  cluster_pair->needs_pairs =
      cluster_pair->kind == WEFT__CLUSTERS_FOLDED || cluster_pair->kind == WEFT__CLUSTERS_CLOSE;
  cluster_pair->valid_until =
      cluster_pair->needs_pairs
          ? -INFINITY
          : weft__ccd_displacement_of(ccd, cluster, cluster_pair) + 0.999f * slack;
}
