/* What a particle and a collider do to each other, in the collider's frame: there the particle goes straight from
 * where it was, as the frame was then, to where it is, as the frame is now.
 *
 *                from .                             1. a sphere of its radius is sent that way; what it hits
 *                      \                               is the place and the normal of the contact
 *     surface ----------\-------------  target      2. where it began inside, or where its shape is no
 *                        \                             sphere, the place nearest to where it is
 *     shape   ------------\-----------              3. it is taken out along the normal, as far as its shape
 *                          ' to                        reaches, by the law that kernels/bounds.inl has for
 *                                                      walls: the parabola, what rests, and what rubs
 *
 * It is left a little further out than its shape reaches: by what the rounding of coordinates may take it in
 * again. So what lies on a surface is always outside when the next substep begins, and a hit is always one on the
 * side that it came from, though the shape be a sheet without any thickness and the particle a point. */
#include "collision/colliders/particle_toi.h"

#include <math.h>

#include "tables/encounter.h"

// a contact, in the frame of the collider
typedef struct contact {
  weft__vec3 from, to;  // as above
  weft__vec3 point, normal;
  double slack;   // metres
  double target;  // metres from the plane through the point: as near as it may come
} contact;

// what the contact makes of how it moves along the normal, metres and substeps
typedef struct rebound {
  double left;   // share of the substep that was left when it met
  double away;   // from its target, at the end
  double speed;  // back outwards
} rebound;

static double largest(weft__vec3 a) {
  const double x = fabs(a.x);
  const double y = fabs(a.y);
  const double z = fabs(a.z);
  const double most = x > y ? x : y;
  return most > z ? most : z;
}

// how far the particle's shape reaches towards the surface; the normal is the world's
static double reach_of(const weft__material* material, weft__vec3 normal) {
  const float* half = material->half_size;
  const weft__vec3 part = {normal.x * (double)half[0], normal.y * (double)half[1],
                           normal.z * (double)half[2]};
  switch (material->shape) {
    case WEFT_CONTACT_BOX:
      return fabs(part.x) + fabs(part.y) + fabs(part.z);
    case WEFT_CONTACT_ELLIPSOID:
      return sqrt(weft__dot(part, part));
    default:
      return (double)half[0];
  }
}

// how far rounding may take it along a normal of the world
static double slack_along(const weft__traveller* t, const contact* at, weft__vec3 normal) {
  const double sum = fabs(normal.x * t->pos.x) + fabs(normal.y * t->pos.y) +
                     fabs(normal.z * t->pos.z) + WEFT__LEAST_COORDINATE;
  return WEFT__COORDINATE_SLACK * sum + WEFT__LOCAL_SLACK * largest(at->from);
}

// ---- whether they meet ----

// both ends beyond one side of the box around the shape
static bool is_beside(double from, double to, double least, double most, double reach) {
  return (from > most + reach && to > most + reach) || (from < least - reach && to < least - reach);
}

static bool passes_by(const weft__collider* c, weft__vec3 from, weft__vec3 to, double reach) {
  return is_beside(from.x, to.x, c->least.x, c->most.x, reach) ||
         is_beside(from.y, to.y, c->least.y, c->most.y, reach) ||
         is_beside(from.z, to.z, c->least.z, c->most.z, reach);
}

// Whether it comes from outside and hits. `met` says whether it came near at all.
static bool find_hit(const weft__collider* c, const contact* at, double radius, weft__cast* cast,
                     bool* met) {
  *met = c->row->cast(&c->shape, at->from, at->to, radius, cast);
  if (!*met) return false;
  if (cast->fraction > 0.0) return true;
  // too near to begin with: does its centre pass?
  if (radius > 0.0 && !c->row->cast(&c->shape, at->from, at->to, 0.0, cast)) return false;
  if (cast->fraction > 0.0) return true;
  // on a thin shape itself it is on the side that the shape says
  return c->row->is_thin && weft__dot(weft__minus(at->to, at->from), cast->normal) < 0.0;
}

// returns how far out the particle's shape reaches
static double set_contact(const weft__collider* c, const weft__traveller* t, weft__vec3 point,
                          weft__vec3 normal, contact* at) {
  const weft__vec3 outwards = weft__turn_out(&c->end, normal);
  const double reach = reach_of(t->material, outwards);
  at->point = point;
  at->normal = normal;
  at->slack = slack_along(t, at, outwards);
  at->target = reach + at->slack;
  return reach;
}

static bool find_contact(const weft__collider* c, const weft__traveller* t, contact* at) {
  at->from = weft__frame_in(&c->begin, t->origin);
  at->to = weft__frame_in(&c->end, t->pos);
  if (passes_by(c, at->from, at->to, t->most_radius)) return false;
  weft__cast cast;
  bool met;
  if (find_hit(c, at, t->least_radius, &cast, &met)) {
    (void)set_contact(c, t, cast.point, cast.normal, at);
    return true;
  }
  if (!met && t->most_radius <= t->least_radius) return false;
  weft__surface_point nearest;
  if (!c->row->find_nearest(&c->shape, at->to, t->most_radius, &nearest)) return false;
  return nearest.distance < set_contact(c, t, nearest.point, nearest.normal, at);
}

// ---- what they do ----

// as in kernels/bounds.inl: what goes outwards there goes inwards here
static rebound rebound_of(double depth, double speed, double pull, double slack,
                          double restitution) {
  rebound r = {.left = 1.0};
  // it was there already when the substep began
  if (depth >= speed - 2.0 * slack) return r;
  const double now = speed + 0.5 * pull;
  const double root_sq = now * now - 2.0 * pull * depth;
  const double root = root_sq > 0.0 ? sqrt(root_sq) : 0.0;
  const double left = now > 0.0 ? 2.0 * depth / (now + root) : (root - now) / -pull;
  r.left = left < 1.0 ? left : 1.0;
  const double met = now - pull * r.left;
  const double leaves = restitution * met;
  const double away = (leaves - 0.5 * pull * r.left) * r.left;
  const bool bounces = met > 2.0 * (pull > 0.0 ? pull : 0.0) && leaves > 0.0 && away >= 0.0;
  if (!bounces) return r;
  r.away = away;
  r.speed = leaves - pull * r.left + 0.5 * pull;
  return r;
}

// what friction leaves of a movement along the surface
static double share_left(const weft__surface* between, double length, double change) {
  if (length <= (double)between->static_friction * change) return 0.0;
  const double lost = (double)between->dynamic_friction * change;
  return length > lost ? 1.0 - lost / length : 0.0;
}

// Sets where it is and how it moves, both in the frame.
static void put(const weft__collider* c, weft__traveller* t, const contact* at, weft__vec3 place,
                weft__vec3 moves) {
  // by what it has been moved: no digits are lost of coordinates that stay as they are
  t->pos = weft__plus(t->pos, weft__turn_out(&c->end, weft__minus(place, at->to)));
  if (c->moves) {
    t->prev = weft__frame_out(&c->begin, weft__minus(place, moves));
  } else {
    t->prev = weft__minus(t->pos, weft__turn_out(&c->end, moves));
  }
}

// It goes inwards. `moved` is how it moves in the frame, `depth` how far it is beyond its target, `speed` how much
// of its movement goes inwards; returns what has changed of that.
static double strike(const weft__collider* c, weft__vec3 gravity, weft__traveller* t,
                     const contact* at, weft__vec3 moved, double depth, double speed) {
  const weft__surface between = weft__surface_between(&t->material->surface, &c->surface);
  const double pull = -weft__dot(weft__turn_in(&c->end, gravity), at->normal);
  const rebound r = rebound_of(depth, speed, pull, at->slack, (double)between.restitution);
  const double change = speed + r.speed;
  const weft__vec3 along = weft__plus(moved, weft__scaled(speed, at->normal));
  const double share = share_left(&between, sqrt(weft__dot(along, along)), change);
  const weft__vec3 moves =
      weft__plus(weft__scaled(share, along), weft__scaled(r.speed, at->normal));
  t->struck = t->struck || r.left < 1.0;
  // what lay there and is held stays where it was, to the bit
  const double lift = depth - speed;
  if (r.left == 1.0 && share == 0.0 && fabs(lift) <= 2.0 * at->slack && !c->moves) {
    t->pos = t->prev;
    return change;
  }
  const weft__vec3 rubbed = weft__scaled(-r.left * (1.0 - share), along);
  const weft__vec3 raised = weft__scaled(depth + r.away, at->normal);
  put(c, t, at, weft__plus(at->to, weft__plus(rubbed, raised)), moves);
  return change;
}

// The way out of a contact, so long that it goes out by 1 along its normal. Where the particle is held by another
// one, that leads along that, as otherwise in a narrow wedge each would push it back into the other for ever;
// but for one so narrow that the way gets long.
static weft__vec3 way_out(const weft__collider* c, const weft__traveller* t, const contact* at) {
  if (!t->is_held) return at->normal;
  const weft__vec3 held = weft__turn_in(&c->end, t->held_along);
  const double same = weft__dot(held, at->normal);
  const double part = 1.0 - same * same;
  if (same >= 0.0 || part < 0.01) return at->normal;
  return weft__scaled(1.0 / part, weft__minus(at->normal, weft__scaled(same, held)));
}

// On its way back already, or looked at again: out, and no further in.
static void keep_out(const weft__collider* c, weft__traveller* t, const contact* at,
                     weft__vec3 moved, double depth, double speed) {
  const weft__vec3 out = way_out(c, t, at);
  const weft__vec3 moves = weft__plus(moved, weft__scaled(speed > 0.0 ? speed : 0.0, out));
  put(c, t, at, weft__plus(at->to, weft__scaled(depth, out)), moves);
}

static bool meet_straight(const weft__collider* collider, weft__vec3 gravity, bool first,
                          weft__traveller* traveller, weft__collider_hit* meeting) {
  contact at;
  if (!find_contact(collider, traveller, &at)) return false;
  const double depth = at.target - weft__dot(weft__minus(at.to, at.point), at.normal);
  if (!(depth > 0.0)) return false;
  const weft__vec3 was =
      traveller->is_fresh ? at.from : weft__frame_in(&collider->begin, traveller->prev);
  const weft__vec3 moved = weft__minus(at.to, was);
  const double speed = -weft__dot(moved, at.normal);
  *meeting = (weft__collider_hit){.normal = weft__turn_out(&collider->end, at.normal)};
  if (first && speed > 0.0) {
    meeting->change = strike(collider, gravity, traveller, &at, moved, depth, speed);
  } else {
    keep_out(collider, traveller, &at, moved, depth, speed);
  }
  traveller->is_fresh = false;
  traveller->is_held = true;
  traveller->held_along = meeting->normal;
  return true;
}

// ---- in slices ----

bool weft__is_outside_sweep(const weft__collider* c, const weft__traveller* t) {
  const double r = t->most_radius;
  const weft__vec3 a = t->origin;
  const weft__vec3 b = t->pos;
  return (a.x - r > c->swept_most.x && b.x - r > c->swept_most.x) ||
         (a.y - r > c->swept_most.y && b.y - r > c->swept_most.y) ||
         (a.z - r > c->swept_most.z && b.z - r > c->swept_most.z) ||
         (a.x + r < c->swept_least.x && b.x + r < c->swept_least.x) ||
         (a.y + r < c->swept_least.y && b.y + r < c->swept_least.y) ||
         (a.z + r < c->swept_least.z && b.z + r < c->swept_least.z);
}

// A collider that turns far. The particle goes its way in as many equal parts; where it is met in one, it goes on
// with the velocity that it then has.
static bool meet_in_slices(const weft__collider* collider, weft__vec3 gravity, bool first,
                           weft__traveller* traveller, weft__collider_hit* meeting) {
  const double count = (double)collider->slice_count;
  const double share = 1.0 / count;
  const weft__vec3 pull = weft__scaled(share * share, gravity);
  weft__collider c = *collider;
  weft__pose pose = collider->start;
  weft__traveller t = *traveller;
  weft__vec3 way = weft__scaled(share, weft__minus(t.pos, t.origin));
  weft__vec3 moves = weft__scaled(share, weft__minus(t.pos, t.prev));
  double change = 0.0;
  bool met = false;
  t.pos = t.origin;
  for (uint32_t k = 0; k < collider->slice_count; ++k) {
    pose = weft__pose_advance(&pose, &collider->slice);
    c.begin = c.end;
    if (k == 0) c.begin = collider->begin;
    c.end = k + 1 < collider->slice_count ? weft__frame_of(&pose) : collider->end;
    t.origin = t.pos;
    t.pos = weft__plus(t.origin, way);
    t.prev = weft__minus(t.pos, moves);
    t.is_fresh = traveller->is_fresh || met;
    if (weft__is_outside_sweep(collider, &t) || !meet_straight(&c, pull, first, &t, meeting)) {
      continue;
    }
    met = true;
    change += meeting->change;
    way = moves = weft__minus(t.pos, t.prev);
  }
  if (!met) return false;
  meeting->change = count * change;
  traveller->pos = t.pos;
  traveller->prev = weft__minus(t.pos, weft__scaled(count, moves));
  traveller->is_fresh = false;
  traveller->is_held = true;
  traveller->held_along = t.held_along;
  traveller->struck = true;
  return true;
}

bool weft__meet(const weft__collider* collider, weft__vec3 gravity, bool first,
                weft__traveller* traveller, weft__collider_hit* meeting) {
  return collider->slice_count > 1 ? meet_in_slices(collider, gravity, first, traveller, meeting)
                                   : meet_straight(collider, gravity, first, traveller, meeting);
}
