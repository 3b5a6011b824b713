/* Limits of edges: hits of a pass lengthen no edge by much.
 *
 * A hit moves four particles by far more than an edge where cloth is fast. Links act before CCD
 * only, and meet what it has stretched in the next substep with a motion as large, which hits
 * again: single edges once stayed at several times their length. Hits and the edges that they
 * stretch are therefore solved in the same sweeps. Both work on positions alone; the narrow phase
 * of the round that follows decides whether cloth would pass cloth.
 *
 * An edge may end MAX_STRETCH times as long as the longer of its two lengths: at the start of the
 * pass, and where all else has put its ends. Limits to the second alone leave cloth behind that a
 * limb carries along: colliders have compressed edges there that hits have to stretch again. Limits
 * in the rounds that join impact zones, too, are rejected: docs/contacts.md.
 * (Bridson, Marino, Fedkiw 2003, "Simulation of clothing with folds and wrinkles", limits strain
 * where collisions are treated) */
#include <math.h>

#include "collision/ccd/ccd_steps.h"

#include "base/min_max.h"

#define MAX_STRETCH 1.1f

// Position of a particle before this pass has corrected it.
static void aim_of(const weft__ccd* ccd, const weft__particles* p, uint32_t particle,
                   float aim[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    aim[axis] =
        ccd->is_corrected[particle] ? ccd->aim[axis][particle] : weft__axis_of(p, axis)[particle];
  }
}

static float distance(const float a[3], const float b[3]) {
  const float x = b[0] - a[0];
  const float y = b[1] - a[1];
  const float z = b[2] - a[2];
  return sqrtf(x * x + y * y + z * z);
}

static float length_limit(const weft__ccd* ccd, const weft__particles* p, const uint32_t end[2]) {
  float aim[2][3];
  float start[2][3];
  for (int k = 0; k < 2; ++k) {
    aim_of(ccd, p, end[k], aim[k]);
    for (int axis = 0; axis < 3; ++axis) start[k][axis] = ccd->start[axis][end[k]];
  }
  return MAX_STRETCH * weft__maxf(distance(aim[0], aim[1]), distance(start[0], start[1]));
}

// As for hits, what colliders hold stays where it is, and impact zones move afterwards.
static float inverse_mass_of(const weft__ccd* ccd, const weft__particles* p, uint32_t particle) {
  const bool is_free = ccd->zone_parent[particle] == WEFT__NONE && !ccd->is_held[particle];
  return is_free ? p->inv_mass[particle] : 0.0f;
}

static void limit_edge(weft__ccd* ccd, const weft__step_context* step, const uint32_t end[2]) {
  const weft__particles* p = step->particles;
  const float inverse_mass[2] = {inverse_mass_of(ccd, p, end[0]), inverse_mass_of(ccd, p, end[1])};
  const float sum = inverse_mass[0] + inverse_mass[1];
  if (!(sum > 0.0f)) return;
  float at[2][3];
  for (int axis = 0; axis < 3; ++axis) {
    for (int k = 0; k < 2; ++k) at[k][axis] = weft__axis_of(p, axis)[end[k]];
  }
  const float length = distance(at[0], at[1]);
  const float excess = length - length_limit(ccd, p, end);
  if (!(excess > 0.0f)) return;
  const float share = excess / (length * sum);
  for (int k = 0; k < 2; ++k) {
    float pull[3];  // times an inverse mass, a displacement
    for (int axis = 0; axis < 3; ++axis) pull[axis] = share * (at[1 - k][axis] - at[k][axis]);
    if (ccd->zone_parent[end[k]] != WEFT__NONE) weft__ccd_push_impact_zone(ccd, end[k], 1.0f, pull);
    if (inverse_mass[k] == 0.0f) continue;
    weft__ccd_displace(ccd, step, end[k],
                       (const float[3]){inverse_mass[k] * pull[0], inverse_mass[k] * pull[1],
                                        inverse_mass[k] * pull[2]});
    weft__ccd_mark_moved(ccd, end[k]);
  }
}

// True if an edge of a face is to be limited with this end of it: each edge is, once, with its
// first face, and with its second end only where the first is not corrected.
static bool is_due(const weft__ccd* ccd, const weft__step_context* step, uint32_t edge,
                   uint32_t face, uint32_t particle) {
  const uint32_t* end = ccd->mesh.end[edge];
  if (ccd->mesh.side[edge][0] != face || ccd->clusters.leaf_of_edge[edge] == WEFT__NONE)
    return false;
  if (end[0] != particle && (end[1] != particle || ccd->is_corrected[end[0]])) return false;
  return !ccd->any_torn || !weft__ccd_edge_is_torn(ccd, step, edge);
}

void weft__ccd_limit_edges(weft__ccd* ccd, const weft__step_context* step) {
  const weft__faces* faces = ccd->faces;
  // particles that edges move join the list
  for (uint32_t n = 0; n < ccd->corrected_count; ++n) {
    const uint32_t particle = ccd->corrected[n];
    const uint32_t end = faces->first_use[particle + 1];
    for (uint32_t use = faces->first_use[particle]; use < end; ++use) {
      const uint32_t face = faces->use[use];
      for (int k = 0; k < 3; ++k) {
        const uint32_t edge = ccd->mesh.edge_of[face][k];
        if (is_due(ccd, step, edge, face, particle)) limit_edge(ccd, step, ccd->mesh.end[edge]);
      }
    }
  }
}
