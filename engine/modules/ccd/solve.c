/* Solve: hits as position constraints, by sequential projections with Coulomb friction. Each wants
 * a separation along its normal, at the time of impact, of at least its goal at the end: the
 * distance at the start, or slightly more than the gap. All workers list hits; the caller solves
 * them in order, in several sweeps.
 *
 * A feature that turns while it slides may meet the other at points other than the ones that came
 * closest first: a hit whose closest points are at the goal is solved by a plane along its normal.
 * In each sweep the particles of either side that are closest to the other are moved apart.
 *
 * Weights of a hit add up to 0 and each particle moves by its weight times its inverse mass, so
 * that a correction keeps momentum. Particles in an impact zone stay while hits are solved; then
 * their zone takes their pushes. (Mueller, Heidelberger, Hennix, Ratcliff 2007, "Position based
 * dynamics") */
#include <math.h>
#include <string.h>

#include "modules/ccd/ccd_steps.h"

#include "base/coulomb.h"
#include "base/min_max.h"

#define SWEEPS 6
// Largest displacement of a particle beside held ones, as a multiple of the correction. Particles
// of equal mass stay within (1 + sqrt(3)) / 2, unless one side is held in part.
#define MAX_SHARE 1.5f
// Share of its goal from which on a hit whose closest points are apart is solved by a plane.
#define PLANE_SHARE 0.99
// Separation of pairs that start near the resolution, as a multiple of it.
#define CLEAR_OF_RESOLUTION 2.0f

// ---- masses ----

// Inverse mass; 0 in an impact zone, which hits do not move, and for particles that a collider
// holds, unless it holds both sides.
static float inverse_mass_at(const weft__ccd_job* job, const weft__ccd_hit* hit,
                             uint32_t particle) {
  if (job->ccd->zone_parent[particle] != WEFT__NONE) return 0.0f;
  if (job->ccd->is_held[particle] && !hit->is_held) return 0.0f;
  return job->step->particles->inv_mass[particle];
}

// 0 if the hit is held, also where all that colliders and zones leave free is far from the closest
// points, as the corner of a face held along the opposite edge: it would be thrown by any multiple
// of the missing separation.
static float effective_inverse_mass(const weft__ccd_job* job, const weft__ccd_hit* hit) {
  float sum = 0.0f;
  float largest = 0.0f;
  bool is_held = false;
  for (int k = 0; k < 4; ++k) {
    const uint32_t particle = hit->particle[k];
    const float weight = fabsf(hit->weight[k]);
    const float inverse_mass = inverse_mass_at(job, hit, particle);
    is_held |= inverse_mass < job->step->particles->inv_mass[particle];
    sum += weight * weight * inverse_mass;
    largest = weft__maxf(largest, weight * inverse_mass);
  }
  return is_held && largest > MAX_SHARE * sum ? 0.0f : sum;
}

// ---- separation ----

// Vector between the closest points in given positions; double, as positions may be far from 0.
static void separation(const weft__ccd_hit* hit, float* const at[3], double gap_vector[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    const double origin = (double)at[axis][hit->particle[0]];
    gap_vector[axis] = 0.0;
    for (int k = 1; k < 4; ++k) {
      gap_vector[axis] += (double)hit->weight[k] * ((double)at[axis][hit->particle[k]] - origin);
    }
  }
}

static double separation_along(const weft__ccd_hit* hit, weft__particles* p) {
  double gap_vector[3];
  separation(hit, p->pos, gap_vector);
  return gap_vector[0] * (double)hit->normal[0] + gap_vector[1] * (double)hit->normal[1] +
         gap_vector[2] * (double)hit->normal[2];
}

static void choose_nearest(weft__ccd_hit* hit, const weft__particles* p) {
  int nearest[2] = {0, hit->first_count};
  double lowest[2] = {(double)INFINITY, (double)INFINITY};
  const uint32_t o = hit->particle[0];
  for (int k = 0; k < 4; ++k) {
    const uint32_t i = hit->particle[k];
    const int side = k >= hit->first_count;
    const double along = ((double)p->pos_x[i] - (double)p->pos_x[o]) * (double)hit->normal[0] +
                         ((double)p->pos_y[i] - (double)p->pos_y[o]) * (double)hit->normal[1] +
                         ((double)p->pos_z[i] - (double)p->pos_z[o]) * (double)hit->normal[2];
    const double height = side == 0 ? along : -along;
    hit->weight[k] = 0.0f;
    if (!(height < lowest[side])) continue;
    lowest[side] = height;
    nearest[side] = k;
  }
  hit->weight[nearest[0]] = 1.0f;
  hit->weight[nearest[1]] = -1.0f;
}

// ---- list of hits ----

static weft__ccd_hit make_hit(const weft__ccd_job* job, const weft__ccd_pair_test* test) {
  const weft__materials* materials = job->step->materials;
  weft__ccd_hit hit;
  hit.first_count = weft__ccd_pair_particles(job->ccd, test->pair, hit.particle);
  // the combined surface of the first particle of each side
  const weft__surface surface = weft__surface_between(
      &materials->between, &weft__material_of(materials, hit.particle[0])->surface,
      &weft__material_of(materials, hit.particle[3])->surface);
  // slightly more than the gap, so that resting contacts do not hit in each pass
  const float wanted = test->gap + 0.5f * (WEFT__CCD_GAP * test->size);
  // above the resolution, where rounding would make hits of pairs that move as one
  const float lowest = weft__maxf(test->distance, CLEAR_OF_RESOLUTION * test->resolution);
  hit.goal = weft__minf(lowest, wanted);
  hit.pushed = 0.0f;
  hit.static_friction = surface.static_friction;
  hit.dynamic_friction = surface.dynamic_friction;
  hit.is_held = false;
  memcpy(hit.normal, test->normal, sizeof(hit.normal));
  memcpy(hit.weight, test->weight, sizeof(hit.weight));
  hit.by_plane = separation_along(&hit, job->step->particles) >= (double)hit.goal * PLANE_SHARE;
  hit.is_held = !(effective_inverse_mass(job, &hit) > 0.0f);
  return hit;
}

// Lists the hits of a queue in slots from `slot` on, as long as there are some; returns the next.
static uint32_t list_queue(const weft__ccd_job* job, weft__ccd_pair_test* queue, uint32_t count,
                           uint32_t slot, uint32_t end) {
  weft__ccd_test_pairs(job->ccd, job->step, queue, count);
  for (uint32_t n = 0; n < count && slot < end; ++n) {
    if (queue[n].hits) job->ccd->hit[slot++] = make_hit(job, &queue[n]);
  }
  return slot;
}

static void list_hits_of(const weft__ccd_job* job, uint32_t cluster) {
  const weft__ccd* ccd = job->ccd;
  const weft__cluster_pair_list* list = &ccd->pair_list[cluster];
  uint32_t slot = list->first_hit;
  const uint32_t last = slot + list->hit_count;
  const uint32_t end = last < ccd->hit_capacity ? last : ccd->hit_capacity;
  weft__ccd_pair_test queue[WEFT__TOI_LANES];
  uint32_t count = 0;
  const weft__cluster_pairs cluster_pairs = weft__cluster_pairs_of(&ccd->pairs, list);
  for (const weft__cluster_pair* cluster_pair = cluster_pairs.begin;
       cluster_pair < cluster_pairs.end && slot < end; ++cluster_pair) {
    if (cluster_pair->valid_until > WEFT__PAIR_HIT) continue;
    const float size =
        weft__minf(ccd->clusters.size[cluster], ccd->clusters.size[cluster_pair->other]);
    for (uint32_t p = 0; p < cluster_pair->pair_count; ++p) {
      weft__ccd_pair* pair = &ccd->pairs.pair[cluster_pair->first_pair + p];
      if (pair->valid_until > WEFT__PAIR_HIT) continue;
      queue[count++] = (weft__ccd_pair_test){.pair = pair, .size = size, .may_hit = true};
      if (count < WEFT__TOI_LANES) continue;
      slot = list_queue(job, queue, count, slot, end);
      count = 0;
    }
  }
  if (count > 0) (void)list_queue(job, queue, count, slot, end);
}

// ---- projections ----

static void apply_displacement(const weft__ccd_job* job, const weft__ccd_hit* hit,
                               const float by[3], float inverse_mass) {
  for (int k = 0; k < 4; ++k) {
    const uint32_t i = hit->particle[k];
    const float share = hit->weight[k] * inverse_mass_at(job, hit, i) / inverse_mass;
    if (job->ccd->zone_parent[i] != WEFT__NONE)
      weft__ccd_push_impact_zone(job->ccd, job->step, i, hit->weight[k] / inverse_mass, by);
    if (share == 0.0f) continue;
    weft__ccd_displace(job->ccd, job->step, i,
                       (const float[3]){share * by[0], share * by[1], share * by[2]});
  }
}

static void solve_hit(const weft__ccd_job* job, weft__ccd_hit* hit) {
  if (hit->by_plane) choose_nearest(hit, job->step->particles);
  const float inverse_mass = effective_inverse_mass(job, hit);
  if (!(inverse_mass > 0.0f)) return;
  const float missing = hit->goal - (float)separation_along(hit, job->step->particles);
  if (!(missing > 0.0f)) return;
  hit->pushed += missing;
  apply_displacement(job, hit,
                     (const float[3]){missing * hit->normal[0], missing * hit->normal[1],
                                      missing * hit->normal[2]},
                     inverse_mass);
}

// Displacement of the corner that moves most, over the contact point's: large where the only free
// corner has a small weight.
static float largest_share(const weft__ccd_job* job, const weft__ccd_hit* hit, float inverse_mass) {
  float largest = 0.0f;
  for (int k = 0; k < 4; ++k) {
    const float mobility = inverse_mass_at(job, hit, hit->particle[k]);
    largest = weft__maxf(largest, fabsf(hit->weight[k]) * mobility / inverse_mass);
  }
  return largest;
}

// Coulomb friction, bounded by the accumulated push, against sliding since the pass began. No
// corner moves by more than the sliding.
static void apply_friction(const weft__ccd_job* job, const weft__ccd_hit* hit) {
  if (!(hit->static_friction > 0.0f && hit->pushed > 0.0f)) return;
  double sliding[3];
  double start[3];
  separation(hit, job->step->particles->pos, sliding);
  separation(hit, job->ccd->start, start);
  double along = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    sliding[axis] -= start[axis];
    along += sliding[axis] * (double)hit->normal[axis];
  }
  double length = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    sliding[axis] -= along * (double)hit->normal[axis];
    length += sliding[axis] * sliding[axis];
  }
  length = sqrt(length);
  const float inverse_mass = effective_inverse_mass(job, hit);
  if (!(length > 0.0 && inverse_mass > 0.0f)) return;
  const double pushed = (double)hit->pushed;
  const double by_friction = weft__friction_share(pushed * (double)hit->static_friction,
                                                  pushed * (double)hit->dynamic_friction, length);
  const double share =
      by_friction / (double)weft__maxf(1.0f, largest_share(job, hit, inverse_mass));
  apply_displacement(job, hit,
                     (const float[3]){-(float)(share * sliding[0]), -(float)(share * sliding[1]),
                                      -(float)(share * sliding[2])},
                     inverse_mass);
}

static void list_hits(void* context, weft__range octets, uint32_t worker) {
  (void)worker;
  const weft__ccd_job* job = context;
  for (uint32_t n = octets.begin; n < octets.end; ++n) {
    const weft__range clusters = weft__ccd_octet(job->ccd, job->ccd->active[n]);
    for (uint32_t c = clusters.begin; c < clusters.end; ++c) {
      if (job->ccd->pair_list[c].hit_count > 0) list_hits_of(job, c);
    }
  }
}

void weft__ccd_list_hits(weft__ccd* ccd, weft__step_context* step) {
  weft__ccd_job job = {ccd, step};
  weft__step_for(step, ccd->active_count, WEFT__CCD_UPDATE_GRAIN, list_hits, &job);
}

void weft__ccd_solve(weft__ccd* ccd, weft__step_context* step) {
  const weft__ccd_job job = {ccd, step};
  weft__ccd_list_hits(ccd, step);
  for (int sweep = 0; sweep < SWEEPS; ++sweep) {
    for (uint32_t n = 0; n < ccd->listed_hits; ++n) solve_hit(&job, &ccd->hit[n]);
    weft__ccd_limit_edges(ccd, step);
  }
  for (uint32_t n = 0; n < ccd->listed_hits; ++n) apply_friction(&job, &ccd->hit[n]);
  weft__ccd_close_joints(ccd, step);
  weft__ccd_apply_impact_zones(ccd, step);
  for (uint32_t n = 0; n < ccd->listed_hits; ++n) {
    for (int k = 0; k < 4; ++k) weft__ccd_mark_moved(ccd, ccd->hit[n].particle[k]);
  }
}
