#include "modules/ccd/untangle.h"

#include <math.h>
#include <string.h>

#include "base/min_max.h"
#include "base/union_find.h"
#include "modules/ccd/ccd_steps.h"

// Bounds of a push: metres per second, and shares of the mean edge in a step.
#define MAX_SPEED 1.0
#define MAX_EDGES 0.5
// Distance beyond the face, as a share of the mean edge.
#define CLEARANCE 0.1
// Largest pushes whose sum moves a whole cloth: the root of its particles, over this.
#define SHIFT_DIVISOR 4.0
#define PARTICLE_GRAIN WEFT__GRAIN(4096u, 8u)

static void clear_pushes(weft__ccd* ccd) {
  weft__ccd_tangles* t = &ccd->tangles;
  for (int axis = 0; axis < 3; ++axis) {
    memset(t->push[axis], 0, ccd->particle_count * sizeof(float));
  }
  memset(t->is_tangled, 0, ccd->particle_count);
  memset(t->is_cluster_tangled, 0, ccd->clusters.cluster_count);
}

void weft__ccd_forget_crossings(weft__ccd* ccd) {
  if (ccd->tangles.crossing_count > 0) clear_pushes(ccd);
  ccd->tangles.crossing_count = 0;
  weft__shape_matching_clear(&ccd->tangles.shapes, ccd->particle_count);
}

const uint8_t* weft__ccd_tangled(const weft__ccd* ccd) {
  return ccd->on && ccd->tangles.crossing_count > 0 ? ccd->tangles.is_tangled : NULL;
}

bool weft__ccd_is_untangling(const weft__ccd* ccd) {
  return weft__ccd_tangled(ccd) != NULL || (ccd->on && ccd->tangles.shapes.region_count > 0);
}

// ---- sides ----

static uint32_t third_corner(const uint32_t corner[3], const uint32_t end[2]) {
  for (int k = 0; k < 2; ++k) {
    if (corner[k] != end[0] && corner[k] != end[1]) return corner[k];
  }
  return corner[2];
}

static bool is_border(const weft__ccd* ccd, uint32_t edge) {
  return ccd->mesh.side[edge][1] == WEFT__NONE;
}

// Marks the particles at which a contour ends: one that belongs to edge and face, or those between
// the border of the edge and the border of the face next to it.
static void mark_contour_end(weft__ccd* ccd, const weft__ccd_crossing* crossing) {
  uint8_t* is_contour_end = ccd->tangles.is_contour_end;
  const uint32_t* end = ccd->mesh.end[crossing->edge];
  const uint32_t* corner = ccd->faces->corner[crossing->face];
  for (int k = 0; k < 2; ++k) {
    const uint32_t side = ccd->mesh.side[crossing->edge][k];
    if (side == WEFT__NONE) continue;
    const uint32_t third = third_corner(ccd->faces->corner[side], end);
    for (int n = 0; n < 3; ++n) {
      if (corner[n] == third) is_contour_end[third] = 1;
    }
  }
  for (int k = 0; k < 3 && is_border(ccd, crossing->edge); ++k) {
    const uint32_t edge = ccd->mesh.edge_of[crossing->face][k];
    if (!is_border(ccd, edge)) continue;
    for (int n = 0; n < 2; ++n) is_contour_end[ccd->mesh.end[edge][n]] = 1;
  }
}

static bool is_cut(const weft__ccd* ccd, uint32_t edge) {
  const weft__ccd_tangles* t = &ccd->tangles;
  const uint32_t* end = ccd->mesh.end[edge];
  return t->is_edge_crossed[edge] || t->is_contour_end[end[0]] || t->is_contour_end[end[1]];
}

// Connects particles by the edges that cross no face, and pass by the ends of contours.
static void find_sides(weft__ccd* ccd) {
  weft__ccd_tangles* t = &ccd->tangles;
  memset(t->is_edge_crossed, 0, ccd->mesh.edge_count);
  memset(t->is_contour_end, 0, ccd->particle_count);
  for (uint32_t n = 0; n < t->listed; ++n) {
    t->is_edge_crossed[t->crossing[n].edge] = 1;
    mark_contour_end(ccd, &t->crossing[n]);
  }
  for (uint32_t i = 0; i < ccd->particle_count; ++i) {
    t->parent[i] = i;
    t->size[i] = t->pair_count[i] = 0;
  }
  for (uint32_t e = 0; e < ccd->mesh.edge_count; ++e) {
    const uint32_t* end = ccd->mesh.end[e];
    if (!is_cut(ccd, e)) (void)weft__unite(t->parent, end[0], end[1]);
  }
  for (uint32_t i = 0; i < ccd->particle_count; ++i) ++t->size[weft__find_root(t->parent, i)];
}

// Connects particles by all edges that are left, and counts the particles of each cloth.
static void find_cloths(weft__ccd* ccd, const weft__step_context* step) {
  weft__ccd_tangles* t = &ccd->tangles;
  for (uint32_t i = 0; i < ccd->particle_count; ++i) {
    t->cloth[i] = i;
    t->shift[i] = (weft__cloth_shift){0};
  }
  for (uint32_t e = 0; e < ccd->mesh.edge_count; ++e) {
    const uint32_t* end = ccd->mesh.end[e];
    if (!weft__ccd_edge_is_torn(ccd, step, e)) (void)weft__unite(t->cloth, end[0], end[1]);
  }
  for (uint32_t i = 0; i < ccd->particle_count; ++i) {
    weft__cloth_shift* shift = &t->shift[weft__find_root(t->cloth, i)];
    ++shift->particle_count;
    if (!(step->particles->inv_mass[i] > 0.0f)) shift->is_held = true;
  }
}

// Index in edge_end of the end that is inside, in parts of equal size the one with the lower root;
// -1 if both are connected, or one ends a contour.
static int inside_end(weft__ccd_tangles* t, const uint32_t edge_end[2]) {
  if (t->is_contour_end[edge_end[0]] || t->is_contour_end[edge_end[1]]) return -1;
  const uint32_t root[2] = {weft__find_root(t->parent, edge_end[0]),
                            weft__find_root(t->parent, edge_end[1])};
  if (root[0] == root[1]) return -1;
  if (t->size[root[0]] == t->size[root[1]]) return root[0] < root[1] ? 0 : 1;
  return t->size[root[0]] < t->size[root[1]] ? 0 : 1;
}

// ---- pushes ----

typedef struct crossing {
  uint32_t end[2];  // particles of the edge; if sides are known, [0] is inside
  uint32_t corner[3];
  weft__vec3 normal;  // unit, of the face
  double height[2];   // metres of the ends above the face
  bool is_known;      // sides are
  double size;        // metres: mean edge of the face
} crossing;

static bool measure_crossing(weft__ccd* ccd, const weft__ccd_crossing* of, crossing* c) {
  const uint32_t* end = ccd->mesh.end[of->edge];
  const int inside = inside_end(&ccd->tangles, end);
  c->is_known = inside >= 0;
  c->end[0] = end[inside == 1];
  c->end[1] = end[inside != 1];
  memcpy(c->corner, ccd->faces->corner[of->face], sizeof(c->corner));
  const weft__vec3 origin = weft__vec3_at(ccd->start, c->corner[0]);
  const weft__vec3 normal =
      weft__cross(weft__minus(weft__vec3_at(ccd->start, c->corner[1]), origin),
                  weft__minus(weft__vec3_at(ccd->start, c->corner[2]), origin));
  const double length = weft__length(normal);
  if (!(length > 0.0)) return false;
  c->normal = weft__scaled(1.0 / length, normal);
  for (int k = 0; k < 2; ++k) {
    c->height[k] = weft__dot(c->normal, weft__minus(weft__vec3_at(ccd->start, c->end[k]), origin));
  }
  c->size = (double)ccd->mesh.size[of->face];
  return true;
}

// Negative gradient of the contour's length by the displacement of the edge: the segments on both
// sides of the edge, along the directions in which they lie.
static weft__vec3 shrinking_direction(const weft__ccd* ccd, uint32_t edge, const crossing* c) {
  const weft__vec3 origin = weft__vec3_at(ccd->start, c->end[0]);
  const weft__vec3 along = weft__minus(weft__vec3_at(ccd->start, c->end[1]), origin);
  const double rise = weft__dot(along, c->normal);
  weft__vec3 sum = {0.0, 0.0, 0.0};
  for (int k = 0; k < 2; ++k) {
    const uint32_t face = ccd->mesh.side[edge][k];
    if (face == WEFT__NONE) continue;
    const weft__vec3 third = weft__minus(
        weft__vec3_at(ccd->start, third_corner(ccd->faces->corner[face], c->end)), origin);
    const weft__vec3 normal = weft__cross(along, third);
    weft__vec3 segment = weft__cross(normal, c->normal);
    const double length = weft__length(segment);
    if (!(length > 0.0)) continue;
    // into the face
    const weft__vec3 inward = weft__cross(normal, along);
    segment = weft__scaled((weft__dot(segment, inward) > 0.0 ? 1.0 : -1.0) / length, segment);
    const double share = weft__dot(segment, along) / rise;
    sum = weft__plus(sum, weft__minus(segment, weft__scaled(2.0 * share, c->normal)));
  }
  const double length = weft__length(sum);
  return length > 1.0 ? weft__scaled(1.0 / length, sum) : sum;
}

static float mean_inverse_mass(const weft__step_context* step, const uint32_t* particle,
                               int count) {
  float sum = 0.0f;
  for (int k = 0; k < count; ++k) sum += step->particles->inv_mass[particle[k]];
  return sum / (float)count;
}

static void add_push(weft__ccd_tangles* t, const uint32_t* particle, int count, double share,
                     weft__vec3 by) {
  for (int k = 0; k < count; ++k) {
    t->push[0][particle[k]] += (float)(share * by.x);
    t->push[1][particle[k]] += (float)(share * by.y);
    t->push[2][particle[k]] += (float)(share * by.z);
    ++t->pair_count[particle[k]];
  }
}

static void add_shift(weft__ccd_tangles* t, uint32_t particle, double share, weft__vec3 by,
                      double limit) {
  weft__cloth_shift* shift = &t->shift[weft__find_root(t->cloth, particle)];
  shift->sum = weft__plus(shift->sum, weft__scaled(share / limit, by));
  shift->limit = weft__max(shift->limit, limit);
}

static void push_apart(weft__ccd* ccd, const weft__step_context* step, const weft__ccd_crossing* of,
                       double max_push) {
  crossing c;
  if (!measure_crossing(ccd, of, &c)) return;
  const float edge_mass = mean_inverse_mass(step, c.end, 2);
  const float face_mass = mean_inverse_mass(step, c.corner, 3);
  if (!(edge_mass + face_mass > 0.0f)) return;
  const double limit = weft__min(MAX_EDGES * c.size, max_push);
  weft__vec3 by;
  if (c.is_known) {
    // the inside end returns to the side of the other one
    const double depth = weft__min(fabs(c.height[0]) + CLEARANCE * c.size, limit);
    by = weft__scaled(c.height[1] > 0.0 ? depth : -depth, c.normal);
  } else {
    by = weft__scaled(limit, shrinking_direction(ccd, of->edge, &c));
  }
  const double share = (double)(edge_mass / (edge_mass + face_mass));
  add_push(&ccd->tangles, c.end, 2, share, by);
  add_push(&ccd->tangles, c.corner, 3, share - 1.0, by);
  if (weft__find_root(ccd->tangles.cloth, c.end[0]) ==
      weft__find_root(ccd->tangles.cloth, c.corner[0])) {
    return;
  }
  add_shift(&ccd->tangles, c.end[0], share, by, limit);
  add_shift(&ccd->tangles, c.corner[0], share - 1.0, by, limit);
}

// Moves cloths that cross others as a whole, in the direction of the sum of their pushes: if only
// contours were pushed, links would undo most of it. Contours much shorter than the cloth hardly
// move it.
static void shift_cloths(weft__ccd* ccd) {
  weft__ccd_tangles* t = &ccd->tangles;
  for (uint32_t i = 0; i < ccd->particle_count; ++i) {
    const weft__cloth_shift* shift = &t->shift[weft__find_root(t->cloth, i)];
    if (shift->is_held || !(shift->limit > 0.0)) continue;
    const double full = sqrt((double)shift->particle_count) / SHIFT_DIVISOR;
    const double scale = shift->limit / weft__max(full, weft__length(shift->sum));
    t->push[0][i] += (float)(scale * shift->sum.x);
    t->push[1][i] += (float)(scale * shift->sum.y);
    t->push[2][i] += (float)(scale * shift->sum.z);
  }
}

// Marks particles at contours, and all that is connected with an inside end.
static void mark_particles(weft__ccd* ccd) {
  weft__ccd_tangles* t = &ccd->tangles;
  for (uint32_t i = 0; i < ccd->particle_count; ++i) {
    t->is_tangled[i] = atomic_load_explicit(&t->is_crossed[i], memory_order_relaxed);
  }
  for (uint32_t n = 0; n < t->listed; ++n) {
    const uint32_t* end = ccd->mesh.end[t->crossing[n].edge];
    const int inside = inside_end(t, end);
    // roots are marked, and particles by their root
    if (inside >= 0) t->is_tangled[weft__find_root(t->parent, end[inside])] = 2;
  }
  for (uint32_t i = 0; i < ccd->particle_count; ++i) {
    if (t->is_tangled[weft__find_root(t->parent, i)] == 2 && t->is_tangled[i] == 0)
      t->is_tangled[i] = 1;
  }
}

static void mark_clusters(weft__ccd* ccd) {
  weft__ccd_tangles* t = &ccd->tangles;
  for (uint32_t c = 0; c < ccd->clusters.cluster_count; ++c) {
    const weft__range members = weft__cluster_members(&ccd->clusters, c);
    bool are_all = true;
    for (uint32_t m = members.begin; m < members.end && are_all; ++m)
      are_all = t->is_tangled[ccd->clusters.member[m]] != 0;
    t->is_cluster_tangled[c] = are_all;
  }
}

// Averages the pushes of each particle; matched ones are not pushed.
static void average_pushes(weft__ccd* ccd) {
  weft__ccd_tangles* t = &ccd->tangles;
  for (uint32_t i = 0; i < ccd->particle_count; ++i) {
    const bool is_matched = t->shapes.matched[i] > 0;
    if (t->pair_count[i] < (is_matched ? 1u : 2u)) continue;
    const float scale = is_matched ? 0.0f : 1.0f / (float)t->pair_count[i];
    for (int axis = 0; axis < 3; ++axis) t->push[axis][i] *= scale;
  }
}

void weft__ccd_find_crossings(weft__ccd* ccd, weft__step_context* step) {
  weft__ccd_tangles* t = &ccd->tangles;
  const uint32_t before = t->crossing_count;
  if (!t->is_due && before == 0 && ccd->tangled_count == 0) {
    weft__shape_matching_plan(ccd, step);
    return;
  }
  t->is_due = false;
  const uint32_t count = weft__ccd_list_crossings(ccd, step);
  if (count > before) t->found_count += count - before;
  if (count < before) t->resolved_count += before - count;
  if (before > 0) clear_pushes(ccd);
  t->crossing_count = count;
  if (count == 0) {
    weft__shape_matching_plan(ccd, step);
    return;
  }
  find_sides(ccd);
  find_cloths(ccd, step);
  const double max_push = MAX_SPEED * (double)step->h * step->substeps;
  for (uint32_t n = 0; n < t->listed; ++n) push_apart(ccd, step, &t->crossing[n], max_push);
  average_pushes(ccd);
  shift_cloths(ccd);
  mark_particles(ccd);
  weft__shape_matching_plan(ccd, step);
  mark_clusters(ccd);
}

// ---- motion ----

static void push_particles(void* context, weft__range particles, uint32_t worker) {
  (void)worker;
  const weft__ccd_job* job = context;
  const weft__ccd_tangles* t = &job->ccd->tangles;
  weft__particles* p = job->step->particles;
  const float share = 1.0f / (float)job->step->substeps;
  for (uint32_t i = particles.begin; i < particles.end; ++i) {
    if (!(p->inv_mass[i] > 0.0f)) continue;
    for (int axis = 0; axis < 3; ++axis) {
      // the start moves along, so that no velocity arises
      p->pos[axis][i] += share * t->push[axis][i];
      p->prev[axis][i] += share * t->push[axis][i];
    }
  }
}

void weft__ccd_untangle(weft__ccd* ccd, weft__step_context* step) {
  weft__ccd_job job = {ccd, step};
  if (weft__ccd_tangled(ccd) != NULL)
    weft__step_for(step, ccd->particle_count, PARTICLE_GRAIN, push_particles, &job);
  weft__shape_matching_run(ccd, step);
}
