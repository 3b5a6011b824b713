/* Charts: connected pieces of the mesh whose faces all face the way of the first, so that none lies
 * over itself. Clusters are cut chart by chart: two layers that lie on each other when CCD is first
 * turned on would share clusters, which have no flat region and are searched in every pass.
 *
 *        ________________                 top: chart 1
 *       (________________   seen edge-on  bottom: chart 2, with the far half of the fold
 *
 * Small charts, as of wrinkles, join the chart beside them. Small pieces of the mesh without one
 * share a chart, and are cut only by position. */
#include "modules/ccd/clusters.h"

// Faces of a chart at the least: a few clusters.
#define MIN_CHART_FACES 64u

typedef struct chart_search {
  const weft__face_edges* mesh;
  const weft__faces* faces;
  uint32_t* chart; /* WEFT__NONE = not reached yet [face] */
  uint32_t* queue; /* twice the face, + 1 where its winding differs from the first's [face] */
} chart_search;

// Normal of a face, of any length.
static void face_normal(const chart_search* search, uint32_t face, float normal[3]) {
  const uint32_t* corner = search->faces->corner[face];
  float u[3];
  float v[3];
  for (int axis = 0; axis < 3; ++axis) {
    const float* at = search->faces->place[axis];
    u[axis] = at[corner[1]] - at[corner[0]];
    v[axis] = at[corner[2]] - at[corner[0]];
  }
  normal[0] = u[1] * v[2] - u[2] * v[1];
  normal[1] = u[2] * v[0] - u[0] * v[2];
  normal[2] = u[0] * v[1] - u[1] * v[0];
}

// True if a face passes its side `k` from the lower particle to the higher.
static bool is_ascending(const weft__faces* faces, uint32_t face, int k) {
  return faces->corner[face][k] < faces->corner[face][(k + 1) % 3];
}

static uint32_t face_across(const weft__face_edges* mesh, uint32_t face, int k) {
  const uint32_t* side = mesh->side[mesh->edge_of[face][k]];
  return side[0] == face ? side[1] : side[0];
}

// True if the face across side `k` has another winding than `face`.
static bool is_reversed_across(const chart_search* search, uint32_t face, int k, uint32_t across) {
  const uint32_t edge = search->mesh->edge_of[face][k];
  int n = 0;
  while (n < 2 && search->mesh->edge_of[across][n] != edge) ++n;
  return is_ascending(search->faces, face, k) == is_ascending(search->faces, across, n);
}

// Flood fill from `first`; queue [begin, result) has the chart.
static uint32_t flood(const chart_search* search, uint32_t first, uint32_t begin, uint32_t chart) {
  float up[3];
  face_normal(search, first, up);
  uint32_t end = begin;
  search->queue[end++] = 2 * first;
  search->chart[first] = chart;
  for (uint32_t n = begin; n < end; ++n) {
    const uint32_t face = search->queue[n] / 2;
    for (int k = 0; k < 3; ++k) {
      const uint32_t across = face_across(search->mesh, face, k);
      if (across == WEFT__NONE || search->chart[across] != WEFT__NONE) continue;
      const bool is_reversed =
          is_reversed_across(search, face, k, across) != (search->queue[n] % 2 != 0);
      float normal[3];
      face_normal(search, across, normal);
      const float along = normal[0] * up[0] + normal[1] * up[1] + normal[2] * up[2];
      if (!(is_reversed ? along < 0.0f : along > 0.0f)) continue;
      search->chart[across] = chart;
      search->queue[end++] = 2 * across + is_reversed;
    }
  }
  return end;
}

// Chart beside `chart`, which is queue [begin, end); 0 if there is none yet.
static uint32_t chart_beside(const chart_search* search, uint32_t begin, uint32_t end,
                             uint32_t chart) {
  for (uint32_t n = begin; n < end; ++n) {
    const uint32_t face = search->queue[n] / 2;
    for (int k = 0; k < 3; ++k) {
      const uint32_t across = face_across(search->mesh, face, k);
      if (across == WEFT__NONE || search->chart[across] == WEFT__NONE) continue;
      if (search->chart[across] != chart) return search->chart[across];
    }
  }
  return 0;
}

uint32_t weft__ccd_find_charts(const weft__face_edges* mesh, const weft__faces* faces,
                               uint32_t* chart, uint32_t* scratch) {
  const chart_search search = {mesh, faces, chart, scratch};
  uint32_t count = 1;
  uint32_t begin = 0;
  for (uint32_t f = 0; f < mesh->first_strand; ++f) chart[f] = WEFT__NONE;
  for (uint32_t f = 0; f < mesh->first_strand; ++f) {
    if (chart[f] != WEFT__NONE) continue;
    const uint32_t end = flood(&search, f, begin, count);
    if (end - begin < MIN_CHART_FACES) {
      const uint32_t beside = chart_beside(&search, begin, end, count);
      for (uint32_t n = begin; n < end; ++n) chart[scratch[n] / 2] = beside;
    } else {
      ++count;
    }
    begin = end;
  }
  return count;
}
