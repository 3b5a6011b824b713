/* Solve of strand contacts: sequential projections.
 *
 * Links take part, as contacts move single particles: no strand becomes longer than MAX_STRETCH
 * times the length that links have given it in this substep, and the excess length of a tight knot
 * moves out of it along the rope.
 *
 * Rejected: friction after all sweeps, which moves particles against contacts and links that no
 * sweep solves any more. */
#include <math.h>
#include <string.h>

#include "base/coulomb.h"
#include "base/grain_size.h"
#include "base/min_max.h"
#include "collision/strands/strands.h"
#include "geometry/closest_points.h"

#define SWEEPS 20
// Work of a contact in a sweep.
#define CONTACT_WORK 16u
#define MAX_STRETCH 1.03f
// Depth over distance at which sweeps end.
#define TOLERANCE 1e-4f
// Overlaps per second, at which old ones are pushed out.
#define PUSH_RATE 3.0f
// Share of the distance, along the start's normal, beyond which the side of a pair is sure.
#define MIN_SIDE 0.7f
#define PAIR_GRAIN WEFT__GRAIN(64u, 1u)

typedef struct solve {
  weft__strands* strands;
  weft__step_context* step;
  float push; /* share of an old overlap that a substep takes back */
} solve;

// Weights, and the vector between the closest points.
static double measure(float* const axes[3], const uint32_t particle[4], float weight[4],
                      weft__vec3* between) {
  const weft__vec3 a[2] = {weft__vec3_at(axes, particle[0]), weft__vec3_at(axes, particle[1])};
  const weft__vec3 b[2] = {weft__vec3_at(axes, particle[2]), weft__vec3_at(axes, particle[3])};
  double along[2];
  (void)weft__closest_on_segments(a, b, along);
  const weft__vec3 u = weft__plus(a[0], weft__scaled(along[0], weft__minus(a[1], a[0])));
  const weft__vec3 v = weft__plus(b[0], weft__scaled(along[1], weft__minus(b[1], b[0])));
  *between = weft__minus(u, v);
  weight[0] = (float)(1.0 - along[0]);
  weight[1] = (float)along[0];
  weight[2] = (float)(along[1] - 1.0);
  weight[3] = (float)-along[1];
  return weft__length(*between);
}

static float reach_of(const weft__materials* materials, const weft__strand_contact* c) {
  float reach = 0.0f;
  for (int k = 0; k < 4; ++k)
    reach += fabsf(c->weight[k]) * weft__material_of(materials, c->particle[k])->half_size[0];
  return reach;
}

bool weft__strands_measure(const weft__strands* strands, weft__step_context* step, uint64_t pair,
                           weft__strand_contact* c) {
  weft__particles* p = step->particles;
  const uint32_t of[2] = {(uint32_t)(pair >> 32), (uint32_t)pair};
  for (uint32_t side = 0; side < 2; ++side) {
    if (weft__face_is_torn(strands->faces, step->schedule, strands->first + of[side])) return false;
    memcpy(c->particle + 2 * side, weft__strand_ends(strands, of[side]), sizeof(uint32_t[2]));
  }
  weft__vec3 between;
  const double now = measure(p->pos, c->particle, c->weight, &between);
  const bool touches = now < (double)(WEFT__STRAND_MARGIN * reach_of(step->materials, c));
  const double start = measure(p->prev, c->particle, c->weight, &between);
  c->start = (float)start;
  if (!(start > 0.0)) return false;
  weft__vec3_store(weft__scaled(1.0 / start, between), c->normal);
  return touches || c->start < WEFT__STRAND_MARGIN * reach_of(step->materials, c);
}

static void find_contacts(void* context, weft__range pairs, uint32_t worker) {
  (void)worker;
  const solve* s = context;
  for (uint32_t n = pairs.begin; n < pairs.end; ++n)
    s->strands->contact[n].is_near =
        weft__strands_measure(s->strands, s->step, s->strands->pair[n], &s->strands->contact[n]);
}

// Moves the contacts that take part to the front; returns their number.
static uint32_t keep_near(weft__strands* strands) {
  uint32_t count = 0;
  for (uint32_t n = 0; n < strands->pair_count; ++n) {
    if (strands->contact[n].is_near) strands->contact[count++] = strands->contact[n];
  }
  return count;
}

static float length_of(const weft__particles* p, const uint32_t end[2], float between[3]) {
  float sq = 0.0f;
  for (int axis = 0; axis < 3; ++axis) {
    const float* at = p->pos[axis];
    between[axis] = at[end[1]] - at[end[0]];
    sq += between[axis] * between[axis];
  }
  return sqrtf(sq);
}

// Strands of a particle that is about to move, with the lengths that they may have.
static void list_strands_of(const solve* s, uint32_t particle) {
  weft__strands* strands = s->strands;
  if (strands->is_moved[particle]) return;
  strands->is_moved[particle] = 1;
  strands->moved[strands->moved_count++] = particle;
  const weft__faces* faces = strands->faces;
  for (uint32_t n = faces->first_use[particle]; n < faces->first_use[particle + 1]; ++n) {
    if (faces->use[n] < strands->first) continue;
    const uint32_t strand = faces->use[n] - strands->first;
    if (strands->lengths.is_stretched[strand] ||
        weft__face_is_torn(faces, s->step->schedule, faces->use[n])) {
      continue;
    }
    float between[3];
    strands->lengths.is_stretched[strand] = 1;
    strands->lengths.limit[strand] =
        MAX_STRETCH * length_of(s->step->particles, weft__strand_ends(strands, strand), between);
    strands->lengths.stretched[strands->lengths.stretched_count++] = strand;
  }
}

static void move(const solve* s, uint32_t particle, float by, const float direction[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    s->step->particles->pos[axis][particle] += by * direction[axis];
  }
}

static void limit_strand(const solve* s, uint32_t strand) {
  const weft__strands* strands = s->strands;
  const weft__particles* p = s->step->particles;
  const uint32_t* end = weft__strand_ends(strands, strand);
  float between[3];
  const float length = length_of(p, end, between);
  const float sum = p->inv_mass[end[0]] + p->inv_mass[end[1]];
  if (!(length > strands->lengths.limit[strand]) || !(sum > 0.0f)) return;
  const float share = (length - strands->lengths.limit[strand]) / (length * sum);
  for (int e = 0; e < 2; ++e) list_strands_of(s, end[e]);
  move(s, end[0], share * p->inv_mass[end[0]], between);
  move(s, end[1], -share * p->inv_mass[end[1]], between);
}

// Forwards, with strands that this lists, and back.
static void limit_strands(const solve* s) {
  const weft__strands* strands = s->strands;
  for (uint32_t n = 0; n < strands->lengths.stretched_count; ++n)
    limit_strand(s, strands->lengths.stretched[n]);
  for (uint32_t n = strands->lengths.stretched_count; n-- > 0;)
    limit_strand(s, strands->lengths.stretched[n]);
}

static void clear_lists(weft__strands* strands) {
  for (uint32_t n = 0; n < strands->moved_count; ++n) strands->is_moved[strands->moved[n]] = 0;
  for (uint32_t n = 0; n < strands->lengths.stretched_count; ++n)
    strands->lengths.is_stretched[strands->lengths.stretched[n]] = 0;
  strands->moved_count = strands->lengths.stretched_count = 0;
}

static float effective_inverse_mass(const weft__particles* p, const weft__strand_contact* c) {
  float sum = 0.0f;
  for (int k = 0; k < 4; ++k) sum += c->weight[k] * c->weight[k] * p->inv_mass[c->particle[k]];
  return sum;
}

static void displace(const solve* s, const weft__strand_contact* c, float by,
                     const float direction[3], float inverse_mass) {
  for (int k = 0; k < 4; ++k) list_strands_of(s, c->particle[k]);
  for (int k = 0; k < 4; ++k) {
    const float w = s->step->particles->inv_mass[c->particle[k]];
    move(s, c->particle[k], by * c->weight[k] * w / inverse_mass, direction);
  }
}

// Closest points and normal, unless the pair has passed or is about to: then the last ones. Returns
// the separation along the normal.
static float update(const solve* s, weft__strand_contact* c) {
  weft__particles* p = s->step->particles;
  float weight[4];
  weft__vec3 between;
  const double distance = measure(p->pos, c->particle, weight, &between);
  const double along = weft__dot(between, weft__vec3_of(c->normal));
  if (along > (double)MIN_SIDE * distance) {
    memcpy(c->weight, weight, sizeof(weight));
    weft__vec3_store(weft__scaled(1.0 / distance, between), c->normal);
    return (float)distance;
  }
  weft__vec3 sum = {0.0, 0.0, 0.0};
  for (int k = 0; k < 4; ++k)
    sum =
        weft__plus(sum, weft__scaled((double)c->weight[k], weft__vec3_at(p->pos, c->particle[k])));
  return (float)weft__dot(sum, weft__vec3_of(c->normal));
}

// Coulomb friction against sliding in this substep, bounded by a push.
static void apply_friction(const solve* s, const weft__strand_contact* c, float pushed,
                           float inverse_mass) {
  const weft__particles* p = s->step->particles;
  const weft__materials* materials = s->step->materials;
  const weft__surface surface = weft__surface_between(
      &materials->between, &weft__material_of(materials, c->particle[0])->surface,
      &weft__material_of(materials, c->particle[3])->surface);
  float slide[3] = {0.0f, 0.0f, 0.0f};
  for (int axis = 0; axis < 3; ++axis) {
    for (int k = 0; k < 4; ++k) {
      const uint32_t i = c->particle[k];
      slide[axis] += c->weight[k] * (p->pos[axis][i] - p->prev[axis][i]);
    }
  }
  const float along = weft__dot3(slide, c->normal);
  for (int axis = 0; axis < 3; ++axis) slide[axis] -= along * c->normal[axis];
  const float length = sqrtf(weft__dot3(slide, slide));
  if (!(length > 0.0f)) return;
  const double share =
      weft__friction_share((double)(surface.static_friction * pushed),
                           (double)(surface.dynamic_friction * pushed), (double)length);
  displace(s, c, -(float)share, slide, inverse_mass);
}

// Returns the missing share of the distance.
static float solve_contact(const solve* s, weft__strand_contact* c) {
  const float separation = update(s, c);
  const float reach = reach_of(s->step->materials, c);
  const float goal = c->start < reach ? c->start + s->push * (reach - c->start) : reach;
  const float missing = goal - separation;
  const float inverse_mass = effective_inverse_mass(s->step->particles, c);
  if (!(missing > 0.0f && inverse_mass > 0.0f)) return 0.0f;
  displace(s, c, missing, c->normal, inverse_mass);
  apply_friction(s, c, missing, inverse_mass);
  return missing / reach;
}

void weft__strands_solve(weft__strands* strands, weft__step_context* step) {
  if (strands->pair_count == 0) return;
  solve s = {strands, step, weft__minf(PUSH_RATE * step->h, 1.0f)};
  weft__step_for(step, strands->pair_count, PAIR_GRAIN, find_contacts, &s);
  const uint32_t count = keep_near(strands);
  float deepest = INFINITY;
  for (int sweep = 0; sweep < SWEEPS && deepest > TOLERANCE; ++sweep) {
    if (sweep > 0 && weft__step_cuts(step, WEFT__WORK_HALF)) break;
    deepest = 0.0f;
    weft__step_spend(step, (uint64_t)CONTACT_WORK * count);
    for (uint32_t n = 0; n < count; ++n)
      deepest = weft__maxf(deepest, solve_contact(&s, &strands->contact[n]));
    limit_strands(&s);
  }
  clear_lists(strands);
}
