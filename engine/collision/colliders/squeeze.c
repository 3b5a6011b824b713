#include "collision/colliders/squeeze.h"

#include <math.h>

#include "base/min_max.h"
#include "collision/colliders/loads.h"

// Share of the radius.
#define TOUCH_TOLERANCE 0.05
// Speed from which on two colliders slide past each other, metres a second: closing fingers stay
// below it, and the motion of a hand as a whole adds none.
#define SLIDING_SPEED 0.01
#define HOLD_GRAIN WEFT__GRAIN(64u, 1u)

// Start of the substep, moved along with the collider.
static weft__vec3 carried(const weft__collider* c, weft__vec3 start) {
  if (!c->moves) return start;
  return weft__frame_out(&c->end, weft__frame_in(&c->begin, start));
}

static bool is_apart(const weft__collider* c, const double lower[3], const double upper[3]) {
  return lower[0] > c->swept_upper.x || upper[0] < c->swept_lower.x ||
         lower[1] > c->swept_upper.y || upper[1] < c->swept_lower.y ||
         lower[2] > c->swept_upper.z || upper[2] < c->swept_lower.z;
}

static bool find_surface(const weft__collider* c, weft__vec3 at, double reach,
                         weft__surface_point* nearest) {
  const double lower[3] = {at.x - reach, at.y - reach, at.z - reach};
  const double upper[3] = {at.x + reach, at.y + reach, at.z + reach};
  return !is_apart(c, lower, upper) &&
         c->row->find_nearest(&c->shape, weft__frame_in(&c->begin, at), reach, nearest) &&
         nearest->distance <= reach;
}

// Sphere around the box: boxes of unbounded shapes exclude nothing.
static bool are_near(const void* context, const float lower[3], const float upper[3]) {
  const weft__step_context* step = context;
  const weft__colliders* colliders = step->colliders;
  double middle[3];
  double reach_sq = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    // the box is at least as wide as a sphere
    const double half = (0.5 + TOUCH_TOLERANCE) * ((double)upper[axis] - (double)lower[axis]);
    middle[axis] = 0.5 * ((double)lower[axis] + (double)upper[axis]);
    reach_sq += half * half;
  }
  const weft__vec3 place = {middle[0], middle[1], middle[2]};
  const double reach = sqrt(reach_sq);
  for (uint32_t n = 0; n < colliders->end; ++n) {
    const weft__collider* c = &colliders->list[n];
    weft__surface_point nearest;
    if (c->row != NULL && find_surface(c, place, reach, &nearest)) return true;
  }
  return false;
}

static bool find_touch(const void* context, uint32_t particle, const float at[3],
                       weft__self_touch* touch) {
  const weft__step_context* step = context;
  const weft__colliders* colliders = step->colliders;
  const weft__material* material = weft__material_of(step->materials, particle);
  const weft__vec3 place = {(double)at[0], (double)at[1], (double)at[2]};
  const double radius = (double)material->half_size[0];
  const double tolerance = TOUCH_TOLERANCE * radius;
  bool is_found = false;
  for (uint32_t n = 0; n < colliders->end; ++n) {
    const weft__collider* c = &colliders->list[n];
    weft__surface_point nearest;
    if (c->row == NULL || !weft__surfaces_collide(&c->surface, &material->surface) ||
        !find_surface(c, place, radius + tolerance, &nearest))
      continue;
    // one that deforms, turns fast or is entered, or a second one: left to contacts
    if (is_found || c->shape.moving != NULL || c->slice_count > 1 ||
        nearest.distance < radius - tolerance)
      return false;
    const weft__vec3 normal = weft__frame_rotate_out(&c->begin, nearest.normal);
    touch->normal[0] = (float)normal.x;
    touch->normal[1] = (float)normal.y;
    touch->normal[2] = (float)normal.z;
    touch->number = n;
    is_found = true;
  }
  return is_found;
}

// Motion along the mean of both normals is closing, not sliding.
static bool are_sliding(const void* context, const weft__self_touch* a, const weft__self_touch* b,
                        const float at[3]) {
  const weft__step_context* step = context;
  const weft__collider* list = step->colliders->list;
  const weft__vec3 place = weft__vec3_of(at);
  const weft__vec3 displacement =
      weft__minus(carried(&list[b->number], place), carried(&list[a->number], place));
  const weft__vec3 normal = weft__minus(weft__vec3_of(a->normal), weft__vec3_of(b->normal));
  const double closing = weft__dot(displacement, normal) / weft__dot(normal, normal);
  return weft__length(weft__minus(displacement, weft__scaled(closing, normal))) >
         SLIDING_SPEED * (double)step->h;
}

bool weft__colliders_may_squeeze(const weft__colliders* colliders) {
  if (colliders->count != 1) return colliders->count > 1;
  uint32_t n = 0;
  while (colliders->list[n].row == NULL) ++n;
  // shapes that parameters describe are convex
  return colliders->list[n].row->describe != NULL;
}

weft__self_supports weft__colliders_supports(const weft__step_context* step) {
  return (weft__self_supports){
      .context = step, .are_near = are_near, .find = find_touch, .are_sliding = are_sliding};
}

typedef struct hold_job {
  const weft__colliders* colliders;
  const weft__self* self;
  weft__step_context* step;
} hold_job;

// Displacement back to the place where the particle is held, metres: all of it within Coulomb's
// limit, else the part that kinetic friction takes. pressed: normal force of the squeeze as a
// displacement, lessened by links that pull the particle off. False if they pull it free.
static bool find_hold(const weft__surface* between, double pressed, weft__vec3 normal,
                      weft__vec3 back, weft__vec3* shift, bool* slides) {
  const double inwards = weft__dot(back, normal);
  const double force = pressed + weft__min(inwards, 0.0);
  const weft__vec3 along = weft__minus(back, weft__scaled(inwards, normal));
  const double length = weft__length(along);
  const double lost = (double)between->dynamic_friction * force;
  *shift = back;
  *slides = length > (double)between->static_friction * force && length > lost;
  if (*slides) {
    *shift = weft__plus(weft__scaled(inwards, normal), weft__scaled(lost / length, along));
  }
  return force > 0.0;
}

// Records a particle whose displacement was `before`.
static void record(const hold_job* job, uint32_t worker, uint32_t i, const weft__squeezed* squeezed,
                   weft__vec3 before) {
  const weft__step_context* step = job->step;
  const weft__particles* p = step->particles;
  const weft__vec3 change = weft__minus(weft__displacement_of(p, i), before);
  const weft__vec3 normal = weft__vec3_of(squeezed->normal);
  const double reach = weft__material_support(weft__material_of(step->materials, i), normal);
  const weft__collider_contact contact = {
      .particle = i,
      .number = squeezed->support,
      .impulse = weft__impulse_of_change(step, i, change),
      .normal = normal,
      .point = weft__minus(weft__vec3_at(p->pos, i), weft__scaled(reach, normal)),
  };
  weft__collider_contact_record(step, worker, &contact);
}

// The push out of old overlap is taken back: it would be normal force a second time. A particle
// that slides is held once in a substep.
static void hold_particle(const hold_job* job, uint32_t worker, uint32_t i,
                          weft__squeezed* squeezed) {
  weft__step_context* step = job->step;
  weft__particles* p = step->particles;
  float* const pos[3] = {p->pos_x + i, p->pos_y + i, p->pos_z + i};
  float* const prev[3] = {p->prev_x + i, p->prev_y + i, p->prev_z + i};
  const weft__collider* c = &job->colliders->list[squeezed->support];
  const weft__surface between = weft__surface_between(
      &step->materials->between, &weft__material_of(step->materials, i)->surface, &c->surface);
  const weft__vec3 before = weft__displacement_of(p, i);
  const weft__vec3 start = weft__vec3_of(squeezed->start);
  const weft__vec3 pushed =
      weft__minus(weft__vec3_of((const float[]){*prev[0], *prev[1], *prev[2]}), start);
  const weft__vec3 at =
      weft__minus(weft__vec3_of((const float[]){*pos[0], *pos[1], *pos[2]}), pushed);
  const double h = (double)step->h;
  const double per_newton = (double)p->inv_mass[i] * h * h;
  weft__vec3 shift;
  bool slides;
  if (!find_hold(&between, (double)squeezed->force * per_newton, weft__vec3_of(squeezed->normal),
                 weft__minus(carried(c, start), at), &shift, &slides)) {
    squeezed->force = 0.0f;
    return;
  }
  const weft__vec3 to = weft__plus(at, shift);
  const double target[3] = {to.x, to.y, to.z};
  for (int axis = 0; axis < 3; ++axis) {
    *pos[axis] = (float)target[axis];
    *prev[axis] = squeezed->start[axis];
  }
  if (weft__collider_contacts_are_recorded(step)) record(job, worker, i, squeezed, before);
  if (slides) squeezed->force = 0.0f;
}

static void hold_tiles(void* context, weft__range tiles, uint32_t worker) {
  const hold_job* job = context;
  const weft__self* self = job->self;
  for (uint32_t tile = tiles.begin; tile < tiles.end; ++tile) {
    if (!self->squeeze.has_any[tile]) continue;
    for (uint32_t place = tile * WEFT__TILE; place < (tile + 1) * WEFT__TILE; ++place) {
      weft__squeezed* squeezed = &self->squeeze.of[place];
      if (squeezed->force > 0.0f) hold_particle(job, worker, self->particle[place], squeezed);
    }
  }
}

void weft__colliders_hold_squeezed(const weft__colliders* colliders, const weft__self* self,
                                   weft__step_context* step) {
  hold_job job = {colliders, self, step};
  weft__step_for_range(step, weft__self_own(self), HOLD_GRAIN, hold_tiles, &job);
}
