#include "modules/ccd/shape_matching.h"

#include <math.h>
#include <string.h>

#include "base/min_max.h"
#include "base/pose.h"
#include "base/rigid_fit.h"
#include "base/union_find.h"
#include "modules/ccd/ccd_steps.h"

// Age at which matching begins, its decline with each edge, and the age at which it is given up.
#define MATCHED_AGE 15
#define AGE_PER_EDGE 2
#define MAX_AGE 600
// Steps that a particle stays matched.
#define MATCHED_STEPS 30
// Change of the distance between pins, as a share, with which a region is matched.
#define MAX_PIN_STRAIN 0.1
// Metres per second of the furthest particle of a region.
#define MAX_SPEED 1.0
#define PARTICLE_GRAIN WEFT__GRAIN(4096u, 8u)

void weft__shape_matching_clear(weft__shape_matching* shapes, uint32_t particle_count) {
  memset(shapes->age, 0, particle_count * sizeof(*shapes->age));
  memset(shapes->matched, 0, particle_count);
  shapes->region_count = 0;
  shapes->is_aged = false;
}

// ---- plan ----

// Oldest age of a particle and its neighbours, less the decline to it; given-up particles have
// none.
static int oldest_age_around(const weft__ccd* ccd, uint32_t particle) {
  const weft__faces* faces = ccd->faces;
  const uint16_t* age = ccd->tangles.shapes.age;
  int oldest = 0;
  for (uint32_t n = faces->first_use[particle]; n < faces->first_use[particle + 1]; ++n) {
    for (int k = 0; k < 3; ++k) {
      const uint16_t other = age[faces->corner[faces->use[n]][k]];
      if (other != WEFT__AGE_GIVEN_UP && (int)other > oldest) oldest = (int)other;
    }
  }
  return oldest > AGE_PER_EDGE ? oldest - AGE_PER_EDGE : 0;
}

static void age_particles(void* context, weft__range particles, uint32_t worker) {
  (void)worker;
  const weft__ccd_job* job = context;
  const weft__ccd_tangles* t = &job->ccd->tangles;
  for (uint32_t i = particles.begin; i < particles.end; ++i) {
    const int around = oldest_age_around(job->ccd, i);
    const int own = t->shapes.age[i];
    // relaxed: written before this loop
    if (t->crossing_count == 0 || !atomic_load_explicit(&t->is_crossed[i], memory_order_relaxed)) {
      t->shapes.next_age[i] = (uint16_t)around;
    } else if (own >= MAX_AGE) {
      t->shapes.next_age[i] = WEFT__AGE_GIVEN_UP;
    } else {
      t->shapes.next_age[i] = (uint16_t)((own > around ? own : around) + 1);
    }
  }
}

static void choose_particles(weft__ccd* ccd) {
  weft__ccd_tangles* t = &ccd->tangles;
  for (uint32_t i = 0; i < ccd->particle_count; ++i) {
    const uint16_t age = t->shapes.age[i];
    uint8_t* matched = &t->shapes.matched[i];
    if (t->crossing_count > 0 && age >= MATCHED_AGE && age != WEFT__AGE_GIVEN_UP) {
      *matched = MATCHED_STEPS;
    } else if (*matched > 0) {
      --*matched;
    }
  }
}

// Lists matched particles by region, in the order of the lowest ones.
static void list_regions(weft__ccd* ccd, const weft__step_context* step) {
  weft__ccd_tangles* t = &ccd->tangles;
  weft__shape_matching* shapes = &t->shapes;
  uint32_t* place = t->size;
  for (uint32_t i = 0; i < ccd->particle_count; ++i) {
    t->parent[i] = i;
    place[i] = 0;
  }
  for (uint32_t e = 0; e < ccd->mesh.edge_count; ++e) {
    const uint32_t* end = ccd->mesh.end[e];
    if (shapes->matched[end[0]] == 0 || shapes->matched[end[1]] == 0) continue;
    if (!weft__ccd_edge_is_torn(ccd, step, e)) (void)weft__unite(t->parent, end[0], end[1]);
  }
  for (uint32_t i = 0; i < ccd->particle_count; ++i) {
    if (shapes->matched[i] > 0) ++place[weft__find_root(t->parent, i)];
  }
  // counts become places
  uint32_t count = 0;
  shapes->region_count = 0;
  for (uint32_t i = 0; i < ccd->particle_count; ++i) {
    if (place[i] == 0) continue;
    shapes->first[shapes->region_count++] = count;
    count += place[i];
    place[i] = count - place[i];
  }
  shapes->first[shapes->region_count] = count;
  for (uint32_t i = 0; i < ccd->particle_count; ++i) {
    if (shapes->matched[i] > 0) shapes->member[place[weft__find_root(t->parent, i)]++] = i;
  }
}

static weft__vec3 rest_place(const weft__ccd* ccd, uint32_t particle) {
  return weft__vec3_at(ccd->faces->place, particle);
}

// Marks particles of the crossings of a cloth with itself that are in the scene, too.
static void mark_scene_crossings(weft__ccd* ccd, const weft__step_context* step) {
  weft__ccd_tangles* t = &ccd->tangles;
  uint8_t* is_marked = t->shapes.is_crossed_in_scene;
  for (uint32_t n = 0; n < t->listed; ++n) {
    const uint32_t face = t->crossing[n].face;
    const uint32_t* end = ccd->mesh.end[t->crossing[n].edge];
    const uint32_t* corner = ccd->faces->corner[face];
    if (weft__find_root(t->cloth, end[0]) != weft__find_root(t->cloth, corner[0]) ||
        !weft__ccd_edge_crosses_face(ccd, step, ccd->faces->place, end, face)) {
      continue;
    }
    is_marked[end[0]] = is_marked[end[1]] = 1;
    for (int k = 0; k < 3; ++k) is_marked[corner[k]] = 1;
  }
}

// False if the goal crosses itself, or pins have moved apart or together.
static bool has_goal(const weft__ccd* ccd, const weft__particles* p, const uint32_t* member,
                     uint32_t count) {
  uint32_t pin = WEFT__NONE;
  for (uint32_t n = 0; n < count; ++n) {
    const uint32_t i = member[n];
    if (ccd->tangles.shapes.is_crossed_in_scene[i]) return false;
    if (p->inv_mass[i] > 0.0f) continue;
    if (pin == WEFT__NONE) pin = i;
    const double rest = weft__length(weft__minus(rest_place(ccd, i), rest_place(ccd, pin)));
    const double now =
        weft__length(weft__minus(weft__vec3_at(p->pos, i), weft__vec3_at(p->pos, pin)));
    if (fabs(now - rest) > MAX_PIN_STRAIN * rest) return false;
  }
  return true;
}

// Leaves regions without a goal to the pushes at contours.
static void keep_regions(weft__ccd* ccd, const weft__step_context* step) {
  weft__shape_matching* shapes = &ccd->tangles.shapes;
  for (uint32_t n = 0; n < shapes->region_count; ++n) {
    const uint32_t* member = shapes->member + shapes->first[n];
    const uint32_t count = shapes->first[n + 1] - shapes->first[n];
    const bool is_kept = has_goal(ccd, step->particles, member, count);
    for (uint32_t m = 0; m < count; ++m) {
      if (!is_kept) shapes->matched[member[m]] = 0;
      if (is_kept && ccd->tangles.crossing_count > 0) ccd->tangles.is_tangled[member[m]] = 1;
    }
  }
}

void weft__shape_matching_plan(weft__ccd* ccd, weft__step_context* step) {
  weft__shape_matching* shapes = &ccd->tangles.shapes;
  weft__ccd_job job = {ccd, step};
  if (ccd->tangles.crossing_count == 0 && shapes->region_count == 0) {
    if (shapes->is_aged) weft__shape_matching_clear(shapes, ccd->particle_count);
    return;
  }
  shapes->is_aged = true;
  if (ccd->tangles.crossing_count > 0) mark_scene_crossings(ccd, step);
  weft__step_for(step, ccd->particle_count, PARTICLE_GRAIN, age_particles, &job);
  memcpy(shapes->age, shapes->next_age, ccd->particle_count * sizeof(*shapes->age));
  choose_particles(ccd);
  list_regions(ccd, step);
  keep_regions(ccd, step);
}

// ---- regions ----

typedef struct region {
  const uint32_t* member;
  uint32_t count;
  bool is_held;             // a particle is pinned
  double mass;              // kilograms, of the others
  weft__vec3 center;        // metres
  weft__vec3 rest_center;   // metres, of the shape in the scene
  weft__vec3 by;            // metres: displacement of the centre in the substep
  double covariance[3][3];  // kilogram square metres, by axes of the position and of the scene
  weft__vec3 momentum;      // kilogram square metres: angular, by the displacements of the substep
  weft__frame goal;         // of the shape in the scene, about its centre
} region;

static weft__vec3 displacement(const weft__particles* p, uint32_t particle) {
  return weft__minus(weft__vec3_at(p->pos, particle), weft__vec3_at(p->prev, particle));
}

static double mass_of(const weft__particles* p, uint32_t particle) {
  return p->inv_mass[particle] > 0.0f ? 1.0 / (double)p->inv_mass[particle] : 0.0;
}

static void find_center(const weft__ccd* ccd, const weft__particles* p, region* r) {
  weft__vec3 sum[3] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  for (uint32_t n = 0; n < r->count; ++n) {
    const uint32_t i = r->member[n];
    const double mass = mass_of(p, i);
    r->mass += mass;
    r->is_held |= mass == 0.0;
    sum[0] = weft__plus(sum[0], weft__scaled(mass, weft__vec3_at(p->prev, i)));
    sum[1] = weft__plus(sum[1], weft__scaled(mass, rest_place(ccd, i)));
    sum[2] = weft__plus(sum[2], weft__scaled(mass, displacement(p, i)));
  }
  if (!(r->mass > 0.0)) return;
  r->center = weft__scaled(1.0 / r->mass, sum[0]);
  r->rest_center = weft__scaled(1.0 / r->mass, sum[1]);
  if (!r->is_held) r->by = weft__scaled(1.0 / r->mass, sum[2]);
}

// The spin is the rotation that fits the substep best, to first order: sum of m x (x) y, from
// starts to ends, in the place of m x (x) x. Links that push along the directions at the end of a
// turn would else make it faster: links pressed by matching had sheets spin at 10 m/s.
static void find_moments(const weft__ccd* ccd, const weft__particles* p, region* r) {
  double moment[3][3] = {{0.0}};
  weft__vec3 sum = {0.0, 0.0, 0.0};
  double motion = 0.0;
  double turning = 0.0;
  for (uint32_t n = 0; n < r->count; ++n) {
    const uint32_t i = r->member[n];
    const double mass = mass_of(p, i);
    const weft__vec3 arm = weft__minus(weft__vec3_at(p->prev, i), r->center);
    const weft__vec3 by = weft__minus(displacement(p, i), r->by);
    weft__add_product(r->covariance, mass, arm, weft__minus(rest_place(ccd, i), r->rest_center));
    weft__add_product(moment, mass, arm, weft__plus(arm, by));
    sum = weft__plus(sum, weft__scaled(mass, weft__cross(arm, by)));
    motion += mass * weft__dot(by, by);
  }
  if (r->is_held) return;
  const weft__vec3 spin = weft__spin_of(moment, sum);
  for (uint32_t n = 0; n < r->count; ++n) {
    const uint32_t i = r->member[n];
    const weft__vec3 arm = weft__minus(weft__vec3_at(p->prev, i), r->center);
    const weft__vec3 by = weft__scaled(mass_of(p, i), weft__cross(spin, arm));
    r->momentum = weft__plus(r->momentum, weft__cross(arm, by));
    turning += weft__dot(by, weft__cross(spin, arm));
  }
  // no faster than the particles are, as where the matrix is near to singular
  if (turning > motion) r->momentum = weft__scaled(sqrt(motion / turning), r->momentum);
}

// Way of a particle to its goal.
static weft__vec3 way_of(const weft__ccd* ccd, const weft__particles* p, const region* r,
                         uint32_t particle) {
  const weft__vec3 rest = weft__minus(rest_place(ccd, particle), r->rest_center);
  return weft__minus(weft__frame_out(&r->goal, rest), weft__vec3_at(p->prev, particle));
}

// Moves the starts of the substep.
static void draw_to_goal(const weft__ccd* ccd, const weft__step_context* step, const region* r) {
  const weft__particles* p = step->particles;
  double furthest = 0.0;
  for (uint32_t n = 0; n < r->count; ++n)
    furthest = weft__max(furthest, weft__length(way_of(ccd, p, r, r->member[n])));
  const double limit = MAX_SPEED * (double)step->h;
  const double share = furthest > limit ? limit / furthest : 1.0;
  for (uint32_t n = 0; n < r->count; ++n) {
    const uint32_t i = r->member[n];
    if (mass_of(p, i) == 0.0) continue;
    weft__vec3 by = weft__scaled(share, way_of(ccd, p, r, i));
    // links act beside pins, which may be too far apart for the goal
    if (r->is_held) by = weft__plus(by, displacement(p, i));
    weft__vec3_set(p->prev, i, weft__plus(weft__vec3_at(p->prev, i), by));
  }
}

// Ends the substep where a rigid body would be.
static void move_rigidly(const weft__particles* p, const region* r) {
  double moment[3][3] = {{0.0}};
  for (uint32_t n = 0; n < r->count; ++n) {
    const weft__vec3 arm = weft__minus(weft__vec3_at(p->prev, r->member[n]), r->center);
    weft__add_product(moment, mass_of(p, r->member[n]), arm, arm);
  }
  const weft__vec3 spin = weft__spin_of(moment, r->momentum);
  const double cosine = 1.0 / sqrt(1.0 + weft__dot(spin, spin));
  for (uint32_t n = 0; n < r->count; ++n) {
    const uint32_t i = r->member[n];
    if (mass_of(p, i) == 0.0) continue;
    const weft__vec3 arm = weft__minus(weft__vec3_at(p->prev, i), r->center);
    // the spin is the tangent of the angle; a shift along it would make the region larger and
    // larger
    const double along = cosine * cosine / (1.0 + cosine) * weft__dot(spin, arm);
    const weft__vec3 turned = weft__plus(
        weft__scaled(cosine, weft__plus(arm, weft__cross(spin, arm))), weft__scaled(along, spin));
    weft__vec3_set(p->pos, i, weft__plus(turned, weft__plus(r->center, r->by)));
  }
}

static void match_regions(void* context, weft__range regions, uint32_t worker) {
  (void)worker;
  const weft__ccd_job* job = context;
  const weft__shape_matching* shapes = &job->ccd->tangles.shapes;
  const weft__particles* p = job->step->particles;
  for (uint32_t n = regions.begin; n < regions.end; ++n) {
    const uint32_t first = shapes->first[n];
    region r = {.member = shapes->member + first, .count = shapes->first[n + 1] - first};
    find_center(job->ccd, p, &r);
    if (!(r.mass > 0.0) || shapes->matched[r.member[0]] == 0) continue;
    find_moments(job->ccd, p, &r);
    weft__pose goal = {.position = r.center};
    weft__fit_rotation(r.covariance, goal.rotation);
    r.goal = weft__frame_of(&goal);
    draw_to_goal(job->ccd, job->step, &r);
    move_rigidly(p, &r);
  }
}

void weft__shape_matching_run(weft__ccd* ccd, weft__step_context* step) {
  weft__ccd_job job = {ccd, step};
  weft__step_for(step, ccd->tangles.shapes.region_count, 1, match_regions, &job);
}
