// Sphere casts at simple shapes: geometry/plane.c, sphere.c, box.c and convex.c, bit for bit.

#include "base/dwide.h"

typedef struct dwide_cast {
  dwide_vector from, to;
  dwide radius;
  dwide_mask active;
  dwide_mask hits;           // after the start or
  dwide_mask starts_inside;  // overlapping at the start
  dwide_mask undecided;      // left to the general code
  dwide_vector point, normal;
} dwide_cast;

static inline dwide_vector dwide_displacement(const dwide_cast* c) {
  return dwide_minus(c->to, c->from);
}

static inline void cast_at_plane(dwide_cast* c, bool has_two_sides) {
  const dwide zero = dwide_splat(0.0);
  const dwide one = dwide_splat(1.0);
  dwide up = one;
  if (has_two_sides) up = dwide_select(-one, one, dwide_above(zero, c->from.y));
  const dwide begins = up * c->from.y - c->radius;
  const dwide stops = up * c->to.y - c->radius;
  const dwide_mask outside = dwide_above(begins, zero);
  c->hits = c->active & dwide_not(outside & dwide_above(stops, zero));
  const dwide fraction = dwide_select(begins / (begins - stops), zero, outside);
  c->starts_inside = c->hits & dwide_not(dwide_above(fraction, zero));
  const dwide_vector contact = dwide_plus(c->from, dwide_scaled(fraction, dwide_displacement(c)));
  c->point = (dwide_vector){contact.x, zero, contact.z};
  c->normal = (dwide_vector){zero, up, zero};
}

static inline void cast_at_sphere(dwide_cast* c, double shape_radius) {
  const dwide zero = dwide_splat(0.0);
  const dwide_vector from = c->from;
  const dwide_vector displacement = dwide_displacement(c);
  const dwide sum = shape_radius + c->radius;
  const dwide from_sq = dwide_dot(from, from);
  const dwide_mask outside = dwide_above(from_sq, sum * sum);
  const dwide approach = -dwide_dot(from, displacement);
  const dwide displacement_sq = dwide_dot(displacement, displacement);
  const dwide_vector across = {from.y * displacement.z - from.z * displacement.y,
                               from.z * displacement.x - from.x * displacement.z,
                               from.x * displacement.y - from.y * displacement.x};
  const dwide root_sq = displacement_sq * sum * sum - dwide_dot(across, across);
  // lines that hit the sphere somewhere ahead
  const dwide_mask approaches = dwide_above(approach, zero) & dwide_not(dwide_above(zero, root_sq));
  c->hits = c->starts_inside = c->active & dwide_not(outside);
  if (!dwide_any(c->active & (approaches | dwide_not(outside)))) return;
  const dwide length = dwide_sqrt(from_sq);
  const dwide t = (length - sum) * (length + sum) / (approach + dwide_sqrt(root_sq));
  c->hits |= c->active & approaches & dwide_not(dwide_above(t, dwide_splat(1.0)));
  if (!dwide_any(c->hits)) return;
  c->starts_inside = c->hits & dwide_not(outside & dwide_above(t, zero));
  const dwide_vector here = dwide_plus(from, dwide_scaled(t, displacement));
  c->normal = dwide_scaled(1.0 / dwide_sqrt(dwide_dot(here, here)), here);
  c->point = dwide_scaled(dwide_splat(shape_radius), c->normal);
}

typedef struct dwide_nearest {
  dwide distance;
  dwide_vector point, normal;
  dwide_mask undecided;
} dwide_nearest;

static inline dwide dwide_clamp(dwide value, double half) {
  const dwide upper = dwide_splat(half);
  const dwide within = dwide_select(-upper, value, dwide_above(-upper, value));
  return dwide_select(upper, within, dwide_above(value, upper));
}

static inline dwide_nearest nearest_to_capsule(const weft__batch_collider* o, dwide_vector point) {
  const dwide zero = dwide_splat(0.0);
  const dwide_vector center = {zero, dwide_clamp(point.y, o->half_size[1]), zero};
  const dwide_vector offset = dwide_minus(point, center);
  const dwide length = dwide_sqrt(dwide_dot(offset, offset));
  const dwide min_length = dwide_splat(WEFT__MIN_LENGTH);
  dwide_nearest n;
  n.normal = dwide_scaled(1.0 / length, offset);
  n.distance = length - o->radius;
  n.point = dwide_plus(center, dwide_scaled(dwide_splat(o->radius), n.normal));
  // ambiguous direction on the axis
  n.undecided =
      dwide_above(min_length, dwide_abs(point.x)) & dwide_above(min_length, dwide_abs(point.z));
  return n;
}

// From inside; on a tie the axis with the lowest number.
static inline void find_nearest_face(const double* half, dwide_vector p, dwide_mask inside,
                                     dwide_nearest* n) {
  const dwide zero = dwide_splat(0.0);
  const dwide one = dwide_splat(1.0);
  const dwide at[3] = {p.x, p.y, p.z};
  const dwide depth[3] = {half[0] - dwide_abs(p.x), half[1] - dwide_abs(p.y),
                          half[2] - dwide_abs(p.z)};
  const dwide_mask is_y = dwide_above(depth[0], depth[1]);
  const dwide_mask is_z = dwide_above(dwide_select(depth[1], depth[0], is_y), depth[2]);
  const dwide_mask along[3] = {inside & dwide_not(is_y | is_z), inside & is_y & dwide_not(is_z),
                               inside & is_z};
  dwide* normal[3] = {&n->normal.x, &n->normal.y, &n->normal.z};
  dwide* point[3] = {&n->point.x, &n->point.y, &n->point.z};
  for (int axis = 0; axis < 3; ++axis) {
    const dwide out = dwide_select(-one, one, dwide_above(zero, at[axis]));
    *normal[axis] = dwide_select(zero, *normal[axis], inside);
    *normal[axis] = dwide_select(out, *normal[axis], along[axis]);
    *point[axis] = dwide_select(out * half[axis], *point[axis], along[axis]);
    n->distance = dwide_select(dwide_abs(at[axis]) - half[axis], n->distance, along[axis]);
  }
}

static inline dwide_nearest nearest_to_box(const weft__batch_collider* o, dwide_vector p) {
  const double* half = o->half_size;
  dwide_nearest n;
  n.undecided = dwide_from_mask(0);
  n.point = (dwide_vector){dwide_clamp(p.x, half[0]), dwide_clamp(p.y, half[1]),
                           dwide_clamp(p.z, half[2])};
  const dwide_vector offset = dwide_minus(p, n.point);
  n.distance = dwide_sqrt(dwide_dot(offset, offset));
  n.normal = (dwide_vector){offset.x / n.distance, offset.y / n.distance, offset.z / n.distance};
  const dwide_mask inside = dwide_not(dwide_above(n.distance, dwide_splat(WEFT__MIN_LENGTH)));
  if (dwide_any(inside)) find_nearest_face(half, p, inside, &n);
  return n;
}

static inline dwide_nearest nearest_to(const weft__batch_collider* o, dwide_vector point) {
  return o->kind == WEFT__OBSTACLE_BOX ? nearest_to_box(o, point) : nearest_to_capsule(o, point);
}

static inline void cast_at_convex(const weft__batch_collider* o, dwide_cast* c) {
  const dwide zero = dwide_splat(0.0);
  const dwide_vector displacement = dwide_displacement(c);
  dwide fraction = zero;
  dwide_mask pending = c->active;
  c->hits = c->starts_inside = c->undecided = dwide_from_mask(0);
  c->point = c->normal = (dwide_vector){zero, zero, zero};
  for (int step = 0; step < WEFT__MAX_CAST_STEPS && dwide_any(pending); ++step) {
    const dwide_nearest n =
        nearest_to(o, dwide_plus(c->from, dwide_scaled(fraction, displacement)));
    c->undecided |= pending & n.undecided;
    pending &= dwide_not(n.undecided);
    const dwide gap = n.distance - c->radius;
    const dwide closing = -dwide_dot(n.normal, displacement);
    const dwide next = fraction + gap / closing;
    dwide_mask converges = dwide_at_least(zero, gap);
    const dwide_mask misses =
        dwide_not(dwide_above(closing, zero)) | dwide_above(next, dwide_splat(1.0));
    // to double precision
    converges |= dwide_not(misses) & dwide_at_least(fraction + 1e-15, next);
    const dwide_mask converged = pending & converges;
    c->hits |= converged;
    c->starts_inside |= converged & dwide_not(dwide_above(fraction, zero));
    c->point = dwide_choose(n.point, c->point, converged);
    c->normal = dwide_choose(n.normal, c->normal, converged);
    pending &= dwide_not(converges | misses);
    fraction = dwide_select(next, fraction, pending);
  }
  c->undecided |= pending;
}

static inline void cast_at(const weft__batch_collider* o, dwide_cast* c) {
  c->undecided = dwide_from_mask(0);
  switch (o->kind) {
    case WEFT__OBSTACLE_PLANE:
    case WEFT__OBSTACLE_HALF_SPACE:
      cast_at_plane(c, o->kind == WEFT__OBSTACLE_PLANE);
      break;
    case WEFT__OBSTACLE_SPHERE:
      cast_at_sphere(c, o->radius);
      break;
    case WEFT__OBSTACLE_CAPSULE:
    case WEFT__OBSTACLE_BOX:
      cast_at_convex(o, c);
      break;
    default:
      c->hits = c->starts_inside = dwide_from_mask(0);
      c->undecided = c->active;
  }
}
