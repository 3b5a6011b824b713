/* Continuous collision of one particle with one collider, in its frame: the path is the segment
 * from the previous position, in the frame at the beginning, to the position, in the frame at the
 * end.
 *
 *                from .                             1. sphere cast along the path: the hit gives
 *                      \                               point and normal of the contact
 *     surface ----------\-------------  target      2. if the path starts inside or the particle is
 *                        \                             no sphere: nearest surface point instead
 *     shape   ------------\-----------              3. move out along the normal by the support
 *                          ' to                        of the shape; restitution, rest and friction
 *                                                      as in kernels/bounds.inl
 *
 * The slack, the bound on the rounding of its coordinates, leaves a particle at rest, even a point
 * on a sheet, outside and on its side for the next substep. */
#include "collision/colliders/particle_time_of_impact.h"

#include <math.h>

#include "base/coulomb.h"
#include "base/min_max.h"
#include "tables/collider_batch.h"

// Depth of a particle moved out that counts as none, over the slack.
#define CONTACT_SLACK 0.25

typedef struct contact {
  weft__vec3 from, to;
  weft__vec3 point, normal;
  weft__vec3 carry;          // metres: displacement of a mesh whose points move
  double slack;              // metres
  double target;             // metres: distance kept from the tangent plane
  double clearance;          // metres: all else is further from the end
  weft__near_points points;  // of a mesh whose points move
  weft__triangle_set near;   // NULL: not listed
} contact;

// Impact along the normal, in metres and substeps.
typedef struct rebound {
  double time_left;   // share of the substep after the impact
  double separation;  // from the target, at the end
  double speed;       // outwards
} rebound;

// Bound on rounding, metres.
static double slack_along(const weft__moving_particle* t, const contact* at, weft__vec3 normal) {
  const double sum = fabs(normal.x * t->pos.x) + fabs(normal.y * t->pos.y) +
                     fabs(normal.z * t->pos.z) + WEFT__MIN_COORDINATE;
  return WEFT__COORDINATE_MARGIN * sum + WEFT__LOCAL_MARGIN * weft__largest_component(at->from);
}

// Both ends beyond one side, as in kernels/collider_batch.inl.
static bool is_separated(double from, double to, double lower, double upper, double reach) {
  return (from > upper + reach && to > upper + reach) ||
         (from < lower - reach && to < lower - reach);
}

static bool misses_box(weft__vec3 from, weft__vec3 to, weft__vec3 lower, weft__vec3 upper,
                       double reach) {
  return is_separated(from.x, to.x, lower.x, upper.x, reach) ||
         is_separated(from.y, to.y, lower.y, upper.y, reach) ||
         is_separated(from.z, to.z, lower.z, upper.z, reach);
}

bool weft__misses_swept_box(const weft__moving_particle* t, const weft__collider* c) {
  return misses_box(t->origin, t->pos, c->swept_lower, c->swept_upper, t->outer_radius);
}

static bool cast_sphere(const weft__collider* c, const contact* at, double radius,
                        weft__cast* cast) {
  return at->near.triangle == NULL
             ? c->row->cast(&c->shape, at->from, at->to, radius, cast)
             : c->row->listed->cast(&c->shape, &at->near, at->from, at->to, radius, cast);
}

static bool find_nearest(const weft__collider* c, const contact* at, double reach,
                         weft__surface_point* nearest) {
  return at->near.triangle == NULL
             ? c->row->find_nearest(&c->shape, at->to, reach, nearest)
             : c->row->listed->find_nearest(&c->shape, &at->near, at->to, reach, nearest);
}

// True if the path hits from outside; is_near: if the sphere cast hits at all.
static bool find_hit(const weft__collider* c, const contact* at, double radius, weft__cast* cast,
                     bool* is_near) {
  *is_near = cast_sphere(c, at, radius, cast);
  if (!*is_near) return false;
  if (cast->fraction > 0.0) return true;
  // initial overlap: cast only the centre, if it may get to the surface
  const double travel = weft__length(weft__minus(at->to, at->from));
  const double gap = weft__length(weft__minus(at->from, cast->point));
  if (c->row->is_thin && travel * (1.0 + 0x1p-40) < gap) return false;
  if (radius > 0.0 && !cast_sphere(c, at, 0.0, cast)) return false;
  if (cast->fraction > 0.0) return true;
  // on a thin shape, the direction decides the side
  return c->row->is_thin && weft__dot(weft__minus(at->to, at->from), cast->normal) < 0.0;
}

// Returns the support along the normal, metres.
static double set_contact(const weft__collider* c, const weft__moving_particle* t, weft__vec3 point,
                          weft__vec3 normal, contact* at) {
  const weft__vec3 outwards = weft__frame_rotate_out(&c->end, normal);
  const double reach = weft__moving_particle_support(t, outwards);
  at->point = point;
  at->normal = normal;
  at->slack = slack_along(t, at, outwards);
  at->target = reach + at->slack;
  return reach;
}

// Slack at the contact's place, where fast points may carry the particle.
static double set_moving_contact(const weft__collider* c, const weft__moving_particle* t,
                                 const weft__moving_hit* hit, contact* at) {
  weft__moving_particle there = *t;
  there.pos = weft__frame_out(&c->end, hit->point);
  at->carry = hit->carry;
  return set_contact(c, &there, hit->point, hit->normal, at);
}

static bool find_moving_contact(const weft__collider* c, const weft__moving_particle* t,
                                contact* at) {
  const weft__ball_path ball = {at->from, at->to, t->inner_radius, t->outer_radius, t->met};
  weft__moving_hit hit;
  if (!c->row->moving->touch(&c->shape, c->slice_of_time, &ball, t->list, &at->points, &hit))
    return false;
  const double reach = set_moving_contact(c, t, &hit, at);
  at->clearance = hit.clearance;
  return hit.distance < reach || hit.fraction < 1.0;
}

static bool find_contact(const weft__collider* c, const weft__moving_particle* t, contact* at) {
  at->from = weft__frame_in(&c->begin, t->origin);
  at->to = weft__frame_in(&c->end, t->pos);
  at->carry = (weft__vec3){0.0, 0.0, 0.0};
  at->clearance = at->points.reach = 0.0;
  at->near = (weft__triangle_set){0};
  // spheres have no box, as in the kernels
  if (c->shape.kind != WEFT_COLLIDER_SHAPE_SPHERE &&
      misses_box(at->from, at->to, c->lower, c->upper, t->outer_radius)) {
    return false;
  }
  if (c->shape.moving != NULL) return find_moving_contact(c, t, at);
  if (t->list != NULL) {
    const double reach = WEFT__LIST_MARGIN * t->outer_radius;
    if (c->row->listed->find(&c->shape, at->from, at->to, reach, t->list, &at->near) &&
        at->near.count == 0)
      return false;
  }
  weft__cast cast;
  bool is_near;
  if (find_hit(c, at, t->inner_radius, &cast, &is_near)) {
    (void)set_contact(c, t, cast.point, cast.normal, at);
    return true;
  }
  if (!is_near && t->outer_radius <= t->inner_radius) return false;
  weft__surface_point nearest;
  if (!find_nearest(c, at, t->outer_radius, &nearest)) return false;
  return nearest.distance < set_contact(c, t, nearest.point, nearest.normal, at);
}

// Law of kernels/bounds.inl, normal reversed. Not shared: walls round to single precision, and a
// contact rests within the slack of a shape.
static rebound rebound_of(double depth, double speed, double gravity_along, double slack,
                          double restitution) {
  rebound r = {.time_left = 1.0};
  // in contact since the substep began
  if (depth >= speed - 2.0 * slack) return r;
  const double now = speed + 0.5 * gravity_along;
  const double root_sq = now * now - 2.0 * gravity_along * depth;
  const double root = root_sq > 0.0 ? sqrt(root_sq) : 0.0;
  const double time_left = now > 0.0 ? 2.0 * depth / (now + root) : (root - now) / -gravity_along;
  r.time_left = time_left < 1.0 ? time_left : 1.0;
  const double impact_speed = now - gravity_along * r.time_left;
  const double exit_speed = restitution * impact_speed;
  const double separation = (exit_speed - 0.5 * gravity_along * r.time_left) * r.time_left;
  const bool is_bounce = impact_speed > 2.0 * (gravity_along > 0.0 ? gravity_along : 0.0) &&
                         exit_speed > 0.0 && separation >= 0.0;
  if (!is_bounce) return r;
  r.separation = separation;
  r.speed = exit_speed - gravity_along * r.time_left + 0.5 * gravity_along;
  return r;
}

// change: of the velocity along the normal
static double friction_share(const weft__surface* between, double length, double change) {
  return weft__friction_share((double)between->static_friction * change,
                              (double)between->dynamic_friction * change, length);
}

// Displacement by friction on a sphere that turns: the impulse changes the slip at the contact by 1
// + m r^2 / I times as much as the velocity of the centre.
static weft__vec3 roll_friction(const weft__collider* c, weft__moving_particle* t,
                                const weft__surface* between, weft__vec3 normal, weft__vec3 slip,
                                double change) {
  const weft__vec3 turn =
      weft__minus(t->roll, weft__scaled((double)t->material->half_size[0], c->turn));
  const weft__vec3 at_contact =
      weft__minus(slip, weft__cross(weft__frame_rotate_in(&c->end, turn), normal));
  const double length = sqrt(weft__dot(at_contact, at_contact));
  const double moved = 1.0 + t->roll_factor;
  const bool sticks = length <= (double)between->static_friction * change * moved;
  const double share =
      sticks ? 1.0 / moved
             : weft__min((double)between->dynamic_friction * change / length, 1.0 / moved);
  const weft__vec3 friction = weft__scaled(-share, at_contact);
  const weft__vec3 torque = weft__frame_rotate_out(&c->end, weft__cross(friction, normal));
  t->roll = weft__plus(t->roll, weft__scaled(t->roll_factor, torque));
  return friction;
}

typedef struct sliding {
  weft__vec3 kept;      // after friction
  weft__vec3 friction;  // displacement since the impact
} sliding;

static sliding slide(const weft__collider* c, weft__moving_particle* t,
                     const weft__surface* between, weft__vec3 normal, weft__vec3 slip,
                     double change, double time_left) {
  if (t->roll_factor > 0.0) {
    const weft__vec3 impulse = roll_friction(c, t, between, normal, slip, change);
    return (sliding){weft__plus(slip, impulse), weft__scaled(time_left, impulse)};
  }
  const double kept = 1.0 - friction_share(between, sqrt(weft__dot(slip, slip)), change);
  return (sliding){weft__scaled(kept, slip), weft__scaled(-time_left * (1.0 - kept), slip)};
}

void weft__collider_hold(const weft__collider* c, weft__vec3 normal, double push,
                         weft__moving_particle* t) {
  const weft__surface between =
      weft__surface_between(t->between, &t->material->surface, &c->surface);
  const weft__vec3 motion =
      weft__minus(weft__frame_in(&c->end, t->pos), weft__frame_in(&c->begin, t->prev));
  const weft__vec3 across = weft__frame_rotate_in(&c->end, normal);
  const weft__vec3 slip = weft__minus(motion, weft__scaled(weft__dot(motion, across), across));
  const double taken = friction_share(&between, weft__length(slip), push);
  t->pos = weft__minus(t->pos, weft__frame_rotate_out(&c->end, weft__scaled(taken, slip)));
}

static void move_particle(const weft__collider* c, weft__moving_particle* t, const contact* at,
                          weft__vec3 position, weft__vec3 new_motion) {
  // a relative move preserves the digits of coordinates that do not change
  t->pos = weft__plus(t->pos, weft__frame_rotate_out(&c->end, weft__minus(position, at->to)));
  if (c->moves) {
    t->prev = weft__frame_out(&c->begin, weft__minus(weft__minus(position, new_motion), at->carry));
  } else {
    t->prev = weft__minus(t->pos, weft__frame_rotate_out(&c->end, new_motion));
  }
}

// old_motion: displacement in the frame; depth: beyond the target; speed: inwards
static void resolve_impact(const weft__collider* c, weft__vec3 gravity, weft__moving_particle* t,
                           const contact* at, weft__vec3 old_motion, double depth, double speed) {
  const weft__surface between =
      weft__surface_between(t->between, &t->material->surface, &c->surface);
  const double gravity_along = -weft__dot(weft__frame_rotate_in(&c->end, gravity), at->normal);
  const rebound r = rebound_of(depth, speed, gravity_along, at->slack, (double)between.restitution);
  const double change = speed + r.speed;
  const weft__vec3 slip = weft__plus(old_motion, weft__scaled(speed, at->normal));
  const sliding along = slide(c, t, &between, at->normal, slip, change, r.time_left);
  const weft__vec3 new_motion = weft__plus(along.kept, weft__scaled(r.speed, at->normal));
  t->velocity_changed = t->velocity_changed || r.time_left < 1.0;
  // resting contact with static friction keeps the position bits
  const double lift = depth - speed;
  const bool is_held = weft__dot(along.kept, along.kept) == 0.0;
  if (r.time_left == 1.0 && is_held && fabs(lift) <= 2.0 * at->slack && !c->moves) {
    t->pos = t->prev;
    return;
  }
  const weft__vec3 lift_out = weft__scaled(depth + r.separation, at->normal);
  move_particle(c, t, at, weft__plus(at->to, weft__plus(along.friction, lift_out)), new_motion);
}

// Direction out of a contact, 1 long along its normal. It slides along another contact, or a narrow
// wedge would push the particle back and forth for ever; very narrow wedges would make it long.
static weft__vec3 escape_direction(const weft__collider* c, const weft__moving_particle* t,
                                   const contact* at) {
  if (!t->has_contact) return at->normal;
  const weft__vec3 other_normal = weft__frame_rotate_in(&c->end, t->contact_normal);
  const double cosine = weft__dot(other_normal, at->normal);
  const double sine_sq = 1.0 - cosine * cosine;
  if (cosine >= 0.0 || sine_sq < 0.01) return at->normal;
  return weft__scaled(1.0 / sine_sq, weft__minus(at->normal, weft__scaled(cosine, other_normal)));
}

// Moves the particle out and removes inward motion: no restitution, no friction. For particles on
// their way out, and for later passes.
static void push_out(const weft__collider* c, weft__moving_particle* t, const contact* at,
                     weft__vec3 old_motion, double depth, double speed) {
  const weft__vec3 out = escape_direction(c, t, at);
  const weft__vec3 new_motion =
      weft__plus(old_motion, weft__scaled(speed > 0.0 ? speed : 0.0, out));
  move_particle(c, t, at, weft__plus(at->to, weft__scaled(depth, out)), new_motion);
}

// Nothing else of the collider is near, once the particle has been moved out to `pos`. A triangle
// lies beneath the plane through its nearest point, across the direction to there.
static bool is_clear_at(const weft__collider* c, const weft__moving_particle* t,
                        const contact* at) {
  const weft__vec3 moved = weft__minus(weft__frame_in(&c->end, t->pos), at->to);
  const double length = weft__length(moved);
  if (at->clearance > at->target + length) return true;
  const weft__near_points* near = &at->points;
  // beyond half a radius a triangle might be crossed on the way
  if (!(near->reach > at->target + length) || !(length < 0.5 * t->inner_radius)) return false;
  const double kept = at->target - CONTACT_SLACK * at->slack;
  for (uint32_t i = 0; i < near->count; ++i) {
    const double rise = weft__dot(moved, weft__minus(at->to, near->point[i]));
    if (!(rise > (kept - near->distance[i]) * near->distance[i])) return false;
  }
  return true;
}

static bool take_contact(const weft__collider* collider, weft__vec3 gravity, bool is_first,
                         const contact* at, weft__moving_particle* particle) {
  const double depth = at->target - weft__dot(weft__minus(at->to, at->point), at->normal);
  // casts at moving points may be inconclusive: a particle moved out is left there
  const bool is_settled = collider->shape.moving != NULL && !is_first;
  if (!(depth > (is_settled ? CONTACT_SLACK * at->slack : 0.0))) return false;
  const weft__vec3 previous =
      particle->prev_is_origin ? at->from : weft__frame_in(&collider->begin, particle->prev);
  const weft__vec3 old_motion = weft__minus(weft__minus(at->to, previous), at->carry);
  const double speed = -weft__dot(old_motion, at->normal);
  if (is_first && speed > 0.0) {
    resolve_impact(collider, gravity, particle, at, old_motion, depth, speed);
  } else {
    push_out(collider, particle, at, old_motion, depth, speed);
  }
  particle->prev_is_origin = false;
  particle->has_contact = true;
  particle->contact_normal = weft__frame_rotate_out(&collider->end, at->normal);
  particle->is_clear = at->clearance > 0.0 && is_clear_at(collider, particle, at);
  return true;
}

bool weft__collider_press(const weft__collider* collider, weft__vec3 gravity, weft__vec3 point,
                          weft__vec3 normal, weft__moving_particle* particle) {
  contact at = {.from = weft__frame_in(&collider->begin, particle->origin),
                .to = weft__frame_in(&collider->end, particle->pos)};
  (void)set_contact(collider, particle, point, normal, &at);
  return take_contact(collider, gravity, true, &at, particle);
}

static bool resolve_straight(const weft__collider* collider, weft__vec3 gravity, bool is_first,
                             weft__moving_particle* particle) {
  contact at;
  return find_contact(collider, particle, &at) &&
         take_contact(collider, gravity, is_first, &at, particle);
}

// Fast rotation: after a hit in a slice the particle goes on with its new velocity.
static bool resolve_in_slices(const weft__collider* collider, weft__vec3 gravity, bool is_first,
                              weft__moving_particle* particle) {
  const double count = (double)collider->slice_count;
  const double share = 1.0 / count;
  const weft__vec3 slice_gravity = weft__scaled(share * share, gravity);
  weft__collider c = *collider;
  weft__pose pose = collider->substep_start;
  weft__moving_particle t = *particle;
  c.turn = weft__scaled(share, collider->turn);
  t.roll = weft__scaled(share, particle->roll);
  weft__vec3 displacement = weft__scaled(share, weft__minus(t.pos, t.origin));
  weft__vec3 motion = weft__scaled(share, weft__minus(t.pos, t.prev));
  bool has_hit = false;
  t.pos = t.origin;
  for (uint32_t k = 0; k < collider->slice_count; ++k) {
    pose = weft__pose_advance(&pose, &collider->slice);
    c.begin = c.end;
    if (k == 0) c.begin = collider->begin;
    c.slice_of_time = (weft__slice_of_time){share * k, share * (k + 1)};
    c.end = k + 1 < collider->slice_count ? weft__frame_of(&pose) : collider->end;
    t.origin = t.pos;
    t.pos = weft__plus(t.origin, displacement);
    t.prev = weft__minus(t.pos, motion);
    t.prev_is_origin = particle->prev_is_origin || has_hit;
    if (weft__misses_swept_box(&t, collider) ||
        !resolve_straight(&c, slice_gravity, is_first, &t)) {
      continue;
    }
    has_hit = true;
    displacement = motion = weft__minus(t.pos, t.prev);
  }
  if (!has_hit) return false;
  particle->pos = t.pos;
  particle->prev = weft__minus(t.pos, weft__scaled(count, motion));
  particle->prev_is_origin = false;
  particle->has_contact = true;
  particle->contact_normal = t.contact_normal;
  particle->is_clear = false;
  particle->velocity_changed = true;
  particle->roll = weft__scaled(count, t.roll);
  return true;
}

bool weft__collider_resolve(const weft__collider* collider, weft__vec3 gravity, bool is_first,
                            weft__moving_particle* particle) {
  return collider->slice_count > 1 ? resolve_in_slices(collider, gravity, is_first, particle)
                                   : resolve_straight(collider, gravity, is_first, particle);
}
