/* Limits of edges: hits of a pass lengthen no edge by much.
 *
 * Links act only before CCD, and undo the stretch of a hit in the next substep with a motion as
 * large, which hits again: single edges would stay at several times their length. Hits and the
 * edges that they stretch are therefore solved in the same sweeps.
 *
 * An edge may end MAX_STRETCH times as long as the longer of its two lengths: at the start of the
 * pass, and before its corrections. A limit by only the second leaves cloth behind that a limb
 * carries along: colliders have compressed edges there that hits have to stretch again. (Bridson,
 * Marino, Fedkiw 2003, "Simulation of clothing with folds and wrinkles", limits strain where
 * collisions are treated)
 *
 * Joints of corrected particles keep their lengths: others would pass through a seam that hits have
 * opened. */
#include <math.h>

#include "base/min_max.h"
#include "modules/ccd/ccd_steps.h"
#include "tables/joints.h"

#define MAX_STRETCH 1.1f
// of the smallest gap: a joint that is closed
#define CLOSED_SHARE 0.1f

static float length_of(const float edge[3]) {
  return sqrtf(weft__dot3(edge, edge));
}

// Coordinate of a particle before this pass has corrected it.
static float aim_of(const weft__ccd* ccd, const weft__particles* p, uint32_t particle, int axis) {
  return ccd->is_corrected[particle] ? ccd->aim[axis][particle] : p->pos[axis][particle];
}

// Length of an edge that this pass allows, metres; the same in all rounds.
static float length_limit(const weft__ccd* ccd, const weft__particles* p, const uint32_t end[2]) {
  float aim[3];
  float start[3];
  for (int axis = 0; axis < 3; ++axis) {
    aim[axis] = aim_of(ccd, p, end[1], axis) - aim_of(ccd, p, end[0], axis);
    start[axis] = ccd->start[axis][end[1]] - ccd->start[axis][end[0]];
  }
  return MAX_STRETCH * weft__maxf(length_of(aim), length_of(start));
}

// ---- list of edges ----

// True if an edge of a face is to be listed with this end: each edge is listed once, with its first
// face, and with its second end only if the first has not been listed before.
static bool is_due(const weft__ccd* ccd, const weft__step_context* step, uint32_t edge,
                   uint32_t face, uint32_t particle) {
  const uint32_t* end = ccd->mesh.end[edge];
  if (ccd->mesh.side[edge][0] != face || ccd->clusters.leaf_of_edge[edge] == WEFT__NONE)
    return false;
  if (end[0] != particle && end[1] != particle) return false;
  const uint32_t other = end[0] == particle ? end[1] : end[0];
  if (ccd->is_corrected[other] == WEFT__CORRECTED_LISTED) return false;
  return !ccd->any_torn || !weft__ccd_edge_is_torn(ccd, step, edge);
}

static void list_edges_of(weft__ccd* ccd, const weft__step_context* step, uint32_t particle) {
  const weft__faces* faces = ccd->faces;
  const uint32_t last = faces->first_use[particle + 1];
  for (uint32_t use = faces->first_use[particle]; use < last; ++use) {
    const uint32_t face = faces->use[use];
    const int sides = face < ccd->mesh.first_strand ? 3 : 1;
    for (int k = 0; k < sides; ++k) {
      const uint32_t edge = ccd->mesh.edge_of[face][k];
      if (!is_due(ccd, step, edge, face, particle)) continue;
      const uint32_t* end = ccd->mesh.end[edge];
      ccd->limited_edge[ccd->limited_count++] =
          (weft__ccd_limited_edge){{end[0], end[1]}, length_limit(ccd, step->particles, end)};
    }
  }
  ccd->is_corrected[particle] = WEFT__CORRECTED_LISTED;
}

// ---- projections ----

// As for hits, particles held by colliders stay, and impact zones move afterwards.
static float inverse_mass_of(const weft__ccd* ccd, const weft__particles* p, uint32_t particle) {
  const bool is_free = ccd->zone_parent[particle] == WEFT__NONE && !ccd->is_held[particle];
  return is_free ? p->inv_mass[particle] : 0.0f;
}

static void limit_edge(weft__ccd* ccd, weft__step_context* step,
                       const weft__ccd_limited_edge* edge) {
  const weft__particles* p = step->particles;
  float between[3];
  for (int axis = 0; axis < 3; ++axis)
    between[axis] = p->pos[axis][edge->end[1]] - p->pos[axis][edge->end[0]];
  const float length = length_of(between);
  const float excess = length - edge->limit;
  if (!(excess > 0.0f)) return;
  const float inverse_mass[2] = {inverse_mass_of(ccd, p, edge->end[0]),
                                 inverse_mass_of(ccd, p, edge->end[1])};
  const float sum = inverse_mass[0] + inverse_mass[1];
  if (!(sum > 0.0f)) return;
  const float share = excess / (length * sum);
  for (int k = 0; k < 2; ++k) {
    const uint32_t particle = edge->end[k];
    const float toward = k == 0 ? share : -share;
    // times an inverse mass, a displacement
    const float pull[3] = {toward * between[0], toward * between[1], toward * between[2]};
    if (ccd->zone_parent[particle] != WEFT__NONE)
      weft__ccd_push_impact_zone(ccd, step, particle, 1.0f, pull);
    if (inverse_mass[k] == 0.0f) continue;
    weft__ccd_displace(ccd, step, particle,
                       (const float[3]){inverse_mass[k] * pull[0], inverse_mass[k] * pull[1],
                                        inverse_mass[k] * pull[2]});
    weft__ccd_mark_moved(ccd, particle);
  }
}

// ---- joints ----

// Anchor points hang on up to three particles: offsets as of weft__joint_offset().
static float joint_offset(const weft__joint* joint, float* const at[3], float offset[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    const double from = (double)at[axis][joint->particle[0]];
    double sum = 0.0;
    for (uint32_t e = 1; e < joint->end_count; ++e)
      sum += (double)joint->weight[e] * (from - (double)at[axis][joint->particle[e]]);
    offset[axis] = (float)sum;
  }
  return length_of(offset);
}

static float joint_share(const weft__joint* joint, uint32_t e) {
  return e == 0 ? -1.0f : joint->weight[e];
}

static void close_joint(weft__ccd* ccd, weft__step_context* step, const weft__joint* joint) {
  const weft__particles* p = step->particles;
  float offset[3];
  const float closed = CLOSED_SHARE * WEFT__CCD_GAP * ccd->clusters.min_size;
  const float length = joint_offset(joint, p->pos, offset);
  const float excess = length - (joint->rest_length + joint->excess);
  float sum = 0.0f;
  for (uint32_t e = 0; e < joint->end_count; ++e) {
    const float share = joint_share(joint, e);
    sum += share * share * inverse_mass_of(ccd, p, joint->particle[e]);
  }
  if (!(excess > closed && sum > 0.0f)) return;
  for (uint32_t e = 0; e < joint->end_count; ++e) {
    const uint32_t particle = joint->particle[e];
    const float inverse_mass = inverse_mass_of(ccd, p, particle);
    const float pull = joint_share(joint, e) * excess / (length * sum);
    const float by[3] = {pull * offset[0], pull * offset[1], pull * offset[2]};
    if (ccd->zone_parent[particle] != WEFT__NONE)
      weft__ccd_push_impact_zone(ccd, step, particle, 1.0f, by);
    if (inverse_mass == 0.0f) continue;
    weft__ccd_displace(
        ccd, step, particle,
        (const float[3]){inverse_mass * by[0], inverse_mass * by[1], inverse_mass * by[2]});
    weft__ccd_mark_moved(ccd, particle);
  }
}

static void close_joints_of(weft__ccd* ccd, weft__step_context* step, uint32_t particle) {
  const weft__joints* joints = step->joints;
  for (uint32_t end = weft__joints_first_end(joints, particle); end != WEFT__NO_JOINT;
       end = weft__joints_next_end(joints, particle, end)) {
    const weft__joint* joint = &joints->joints[end / WEFT__JOINT_ENDS];
    if (weft__joint_binds(joint)) close_joint(ccd, step, joint);
  }
}

void weft__ccd_close_joints(weft__ccd* ccd, weft__step_context* step) {
  for (uint32_t k = 0; k < ccd->corrected_count && step->joints->count > 0; ++k)
    close_joints_of(ccd, step, ccd->corrected[k]);
}

void weft__ccd_limit_edges(weft__ccd* ccd, weft__step_context* step) {
  uint32_t n = 0;
  // particles that edges move are corrected in turn, and have their edges listed
  do {
    for (; ccd->listed_particles < ccd->corrected_count; ++ccd->listed_particles)
      list_edges_of(ccd, step, ccd->corrected[ccd->listed_particles]);
    for (; n < ccd->limited_count; ++n) limit_edge(ccd, step, &ccd->limited_edge[n]);
  } while (ccd->listed_particles < ccd->corrected_count);
  weft__ccd_close_joints(ccd, step);
}
