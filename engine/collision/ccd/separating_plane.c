/* What tells two blocks apart: that the cloth between them is flat, or a plane. */
#include <math.h>

#include "collision/ccd/candidates.h"

static bool normalize(float v[3]) {
  const float sq = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
  if (!(sq > 1e-30f) || sq > 1e30f) return false;
  const float scale = 1.0f / sqrtf(sq);
  for (int axis = 0; axis < 3; ++axis) v[axis] *= scale;
  return true;
}

// from the middle of the one to the middle of the other
static void middle_to_middle(const weft__ccd_positions* places, const weft__range members[2],
                             float way[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    float sum[2] = {0.0f, 0.0f};
    const float* at = places->now[axis];
    const float origin = at[members[0].begin];
    for (int k = 0; k < 2; ++k) {
      for (uint32_t m = members[k].begin; m < members[k].end; ++m) sum[k] += at[m] - origin;
      sum[k] /= (float)(members[k].end - members[k].begin);
    }
    way[axis] = sum[1] - sum[0];
  }
}

static void cross(const float u[3], const float v[3], float product[3]) {
  product[0] = u[1] * v[2] - u[2] * v[1];
  product[1] = u[2] * v[0] - u[0] * v[2];
  product[2] = u[0] * v[1] - u[1] * v[0];
}

// along the normal of one of the two, towards the second
static bool part_along_normal(const weft__ccd_positions* places, const weft__range members[2],
                              const weft__ccd_frame* frame, const float way[3], float gap,
                              float* room) {
  float normal[3];
  cross(frame->mean[0], frame->mean[1], normal);
  const float along = normal[0] * way[0] + normal[1] * way[1] + normal[2] * way[2];
  for (int axis = 0; axis < 3; ++axis) normal[axis] = along < 0.0f ? -normal[axis] : normal[axis];
  return normalize(normal) &&
         weft__ccd_positions_part(places, members[0], members[1], normal, gap, room);
}

bool weft__ccd_part(const weft__ccd_positions* places, const weft__range members[2],
                    const weft__ccd_frame* a, const weft__ccd_frame* b, float gap, float* room) {
  float way[3];
  middle_to_middle(places, members, way);
  if (part_along_normal(places, members, a, way, gap, room)) return true;
  if (part_along_normal(places, members, b, way, gap, room)) return true;
  return normalize(way) && weft__ccd_positions_part(places, members[0], members[1], way, gap, room);
}

static bool part_blocks(const weft__ccd* ccd, uint32_t a, uint32_t b, float* room) {
  const weft__ccd_clusters* blocks = &ccd->blocks;
  const weft__range members[2] = {weft__cluster_members(blocks, a),
                                  weft__cluster_members(blocks, b)};
  const weft__ccd_frame* frame = ccd->flats.blocks.now;
  // a bit more than the gap, as this is rounded
  const float gap = 1.01f * WEFT__CCD_GAP * fminf(blocks->size[a], blocks->size[b]);
  return weft__ccd_part(&ccd->places, members, &frame[a], &frame[b], gap, room);
}

double weft__flat_region_bend(const weft__ccd* ccd, const weft__flat_region* window) {
  double bend = 0.0;
  for (uint32_t n = 0; n < window->count; ++n) bend += ccd->bend[window->part[n]];
  return bend;
}

bool weft__cluster_pair_is_over(const weft__ccd* ccd, uint32_t block,
                                const weft__cluster_pair* run) {
  if (run->kind == WEFT__RUN_FLAT) {
    const weft__flat_region* window = weft__cluster_pair_window(ccd, block, run);
    return !(weft__flat_region_bend(ccd, window) <= window->key);
  }
  const float path = weft__ccd_displacement_of(ccd, block, run);
  // whoever is nowhere has never been found
  return !(path <= (run->kind == WEFT__RUN_FOLD ? run->path : run->key)) || path == INFINITY;
}

static bool is_flat(const weft__ccd* ccd, weft__flat_region* window) {
  const double bend = weft__flat_region_bend(ccd, window);
  if (bend <= window->key) return true;
  float slack;
  if (!weft__flat_holds(&ccd->flats, &ccd->flats.blocks, window, &slack)) return false;
  window->key = bend + (double)slack;
  return true;
}

// sets how much further the two may go, where a plane parts them
static weft__cluster_pair_kind kind_of(const weft__ccd* ccd, uint32_t a,
                                       const weft__cluster_pair* run, float* room) {
  const uint32_t b = run->other;
  const uint32_t face_blocks = ccd->blocks.face_block_count;
  // what has a size keeps more than what lies in a plane does
  const bool are_bare =
      a < face_blocks && b < face_blocks && !ccd->has_size[a] && !ccd->has_size[b];
  weft__flat_region* window = weft__cluster_pair_window(ccd, a, run);
  if (window == NULL) {
    return are_bare && part_blocks(ccd, a, b, room) ? WEFT__RUN_APART : WEFT__RUN_NEAR;
  }
  return are_bare && is_flat(ccd, window) ? WEFT__RUN_FLAT : WEFT__RUN_FOLD;
}

void weft__ccd_separate(const weft__ccd* ccd, uint32_t block, weft__cluster_pair* run) {
  float room = 0.0f;
  if (!weft__ccd_is_over_budget(&ccd->chain[block])) {
    ++ccd->chain[block].test_count;
    run->kind = (uint8_t)kind_of(ccd, block, run, &room);
  } else {
    run->kind = run->window == WEFT__NO_WINDOW ? WEFT__RUN_NEAR : WEFT__RUN_FOLD;
  }
  run->pair_count = 0;
  run->is_wanted = run->kind == WEFT__RUN_FOLD || run->kind == WEFT__RUN_NEAR;
  run->key =
      run->is_wanted ? -INFINITY : weft__ccd_displacement_of(ccd, block, run) + 0.999f * room;
}
