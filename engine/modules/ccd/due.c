/* Substeps that end with a pass: the last of a step, each while many hits carry load, and those by
 * which the two sides of a listed feature pair have moved relative to each other by half an edge
 * since the last pass, or approached by a tenth of one in eight substeps, or any particle has moved
 * by two edges.
 *
 * A pass misses no hit whenever it runs: the criterion decides only how deep the hits are that the
 * solve has to undo, at once, so that links beside them are stretched by about the depth. With half
 * an edge as the only limit, single links of a twisted strip had a strain of 0.3 to 0.65 after each
 * pass; with a fifth of an edge for each particle, falling sheets had a pass in each substep, and
 * most found nothing.
 *
 * Sides of a pair move by means of displacements of particles, so the diagonal of the AABB of all
 * displacements bounds their relative displacement: while it is within the limit, as in free fall
 * and at rest, no pair is read. */
#include <math.h>

#include "base/min_max.h"
#include "modules/ccd/ccd_steps.h"

// Shares of the smallest mean edge: displacement of the two sides of a pair relative to each other,
// and approach, both beyond the slack of the pair, and displacement of a particle.
#define MAX_RELATIVE_DISPLACEMENT 0.5f
#define MAX_APPROACH 0.1f
#define MAX_DISPLACEMENT 2.0f
// Substeps of a pass from which on the approach counts: the other limits find fast motion.
#define LONG_PASS 8u
// Vertices per hit: with more hits than this each substep has a pass, so that cloth that only CCD
// carries does not sink for several substeps.
#define MANY_HITS_DIVISOR 100u
// Share of the limit that the diagonal of all displacements may reach, for rounding.
#define DIAGONAL_SHARE 0.99f
#define PARTICLE_GRAIN WEFT__GRAIN(2048u, 8u)

typedef struct due_search {
  const weft__ccd* ccd;
  const weft__particles* particles;
  float limit;           /* metres */
  float approach_limit;  /* metres */
  _Atomic bool is_found; /* relaxed: read after the loop */
} due_search;

static void displacement_of(const due_search* search, uint32_t i, float displacement[3]) {
  const weft__particles* p = search->particles;
  for (int axis = 0; axis < 3; ++axis)
    displacement[axis] = p->pos[axis][i] - search->ccd->start[axis][i];
}

// Negated so that NaN counts as farther.
static bool is_farther(const float displacement[3], float limit) {
  return !(weft__dot3(displacement, displacement) <= limit * limit);
}

// Finds a particle farther than the limit; else extends the worker's box of displacements.
static void find_far_particle(void* context, weft__range particles, uint32_t worker) {
  due_search* search = context;
  if (atomic_load_explicit(&search->is_found, memory_order_relaxed)) return;
  weft__ccd_extent extent = search->ccd->extent[worker];
  for (uint32_t i = particles.begin; i < particles.end; ++i) {
    float displacement[3];
    displacement_of(search, i, displacement);
    if (is_farther(displacement, search->limit)) {
      atomic_store_explicit(&search->is_found, true, memory_order_relaxed);
      return;
    }
    for (int axis = 0; axis < 3; ++axis) {
      const float at = displacement[axis];
      extent.lower[axis] = at < extent.lower[axis] ? at : extent.lower[axis];
      extent.upper[axis] = at > extent.upper[axis] ? at : extent.upper[axis];
    }
  }
  search->ccd->extent[worker] = extent;
}

static void clear_extents(const weft__ccd* ccd) {
  for (uint32_t worker = 0; worker < ccd->worker_count; ++worker) {
    ccd->extent[worker] =
        (weft__ccd_extent){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  }
}

// True if no two particles have moved by more than the limit relative to each other.
static bool moved_alike(const weft__ccd* ccd, float limit) {
  float diagonal[3];
  for (int axis = 0; axis < 3; ++axis) {
    float lower = INFINITY;
    float upper = -INFINITY;
    for (uint32_t worker = 0; worker < ccd->worker_count; ++worker) {
      lower = weft__minf(lower, ccd->extent[worker].lower[axis]);
      upper = weft__maxf(upper, ccd->extent[worker].upper[axis]);
    }
    diagonal[axis] = upper - lower;
  }
  return !is_farther(diagonal, DIAGONAL_SHARE * limit);
}

// True if a displacement of the first side of a pair relative to the second approaches it by more
// than the limit along the normal of the face, or of both edges.
static bool approaches(const weft__ccd* ccd, const uint32_t particle[4], int first_count,
                       const float relative[3], float limit) {
  weft__vec3 at[4];
  for (int k = 0; k < 4; ++k) at[k] = weft__vec3_at(ccd->start, particle[k]);
  const weft__vec3 along_first = weft__minus(at[first_count == 1 ? 2 : 0], at[1]);
  const weft__vec3 normal =
      weft__cross(along_first, weft__minus(at[3], at[first_count == 1 ? 1 : 2]));
  const weft__vec3 moved = {(double)relative[0], (double)relative[1], (double)relative[2]};
  const double along = weft__dot(moved, normal);
  if (along * weft__dot(weft__minus(at[0], at[3]), normal) > 0.0) return false;
  return !(along * along <= (double)limit * (double)limit * weft__dot(normal, normal));
}

// True if the mean displacements of the two sides differ by more than a limit and the slack that
// the pair had in the last pass.
static bool has_moved(const due_search* search, const weft__ccd_pair* pair, float slack) {
  // constants, as a division here took two thirds of the time of these tests
  static const float shares[2][2] = {{1.0f, -1.0f / 3.0f}, {0.5f, -0.5f}};
  uint32_t particle[4];
  const int first_count = weft__ccd_pair_particles(search->ccd, pair, particle);
  const float* share = shares[first_count - 1];
  float relative[3] = {0.0f, 0.0f, 0.0f};
  for (int k = 0; k < 4; ++k) {
    float displacement[3];
    displacement_of(search, particle[k], displacement);
    for (int axis = 0; axis < 3; ++axis) {
      relative[axis] += share[k >= first_count] * displacement[axis];
    }
  }
  const float beyond = slack > 0.0f ? slack : 0.0f;
  if (!is_farther(relative, search->approach_limit + beyond)) return false;
  return is_farther(relative, search->limit + beyond) ||
         approaches(search->ccd, particle, first_count, relative, search->approach_limit + beyond);
}

static bool has_moved_pair(const due_search* search, uint32_t cluster) {
  const weft__ccd* ccd = search->ccd;
  const weft__cluster_pair_list* list = &ccd->pair_list[cluster];
  if (list->pair_demand == 0 || list->is_dropped) return false;
  const weft__cluster_pairs cluster_pairs = weft__cluster_pairs_of(&ccd->pairs, list);
  for (const weft__cluster_pair* cluster_pair = cluster_pairs.begin;
       cluster_pair < cluster_pairs.end; ++cluster_pair) {
    if (cluster_pair->pair_count == 0 || !weft__cluster_pair_is_current(ccd, cluster_pair)) {
      continue;
    }
    const float displacement = weft__ccd_displacement_of(ccd, cluster, cluster_pair);
    const weft__ccd_pair* pair = &ccd->pairs.pair[cluster_pair->first_pair];
    for (uint32_t n = 0; n < cluster_pair->pair_count; ++n) {
      if (has_moved(search, &pair[n], pair[n].valid_until - displacement)) return true;
    }
  }
  return false;
}

static void find_moved_pair(void* context, weft__range octets, uint32_t worker) {
  (void)worker;
  due_search* search = context;
  const weft__range clusters = weft__ccd_clusters_of(search->ccd, octets);
  for (uint32_t c = clusters.begin; c < clusters.end; ++c) {
    if (atomic_load_explicit(&search->is_found, memory_order_relaxed)) return;
    if (!has_moved_pair(search, c)) continue;
    atomic_store_explicit(&search->is_found, true, memory_order_relaxed);
  }
}

bool weft__ccd_is_due(weft__ccd* ccd, const weft__step_context* step) {
  if (step->substep + 1 == step->substeps ||
      ccd->last_hits > ccd->clusters.vertex_count / MANY_HITS_DIVISOR) {
    return true;
  }
  // outdated lists show nothing
  const float share = ccd->is_stale ? MAX_RELATIVE_DISPLACEMENT : MAX_DISPLACEMENT;
  const float size = ccd->clusters.min_size;
  due_search search = {.ccd = ccd, .particles = step->particles, .limit = share * size};
  clear_extents(ccd);
  weft__step_for(step, ccd->particle_count, PARTICLE_GRAIN, find_far_particle, &search);
  if (search.is_found || ccd->is_stale) return search.is_found;
  search.limit = MAX_RELATIVE_DISPLACEMENT * size;
  const bool is_long = step->substep - ccd->last_ccd_substep >= LONG_PASS;
  search.approach_limit = (is_long ? MAX_APPROACH : MAX_RELATIVE_DISPLACEMENT) * size;
  if (moved_alike(ccd, search.approach_limit)) return false;
  const uint32_t octets = weft__ccd_octet_count(ccd);
  weft__step_for(step, octets, WEFT__CCD_UPDATE_GRAIN, find_moved_pair, &search);
  return search.is_found;
}
