// Sphere casts at simple shapes, FINE_LANES at a time: the algorithms of geometry/plane.c,
// sphere.c, box.c and convex.c, bit for bit.

#include "kernels/fine.h"

// Sphere casts in the frame of a shape, and their results.
typedef struct fine_cast {
  fine_vector from, to;
  fine radius;
  fine_mask active;  // lanes to cast
  // results
  fine_mask hits;           // lanes with a hit, after the start or
  fine_mask starts_inside;  // overlapping at the start
  fine_mask undecided;      // lanes that need the general code
  fine_vector point, normal;
} fine_cast;

static inline fine_vector fine_displacement(const fine_cast* c) {
  return fine_minus(c->to, c->from);
}

static inline void cast_at_plane(fine_cast* c, bool has_two_sides) {
  const fine zero = fine_splat(0.0);
  const fine one = fine_splat(1.0);
  fine up = one;
  if (has_two_sides) up = fine_select(-one, one, fine_above(zero, c->from.y));
  const fine begins = up * c->from.y - c->radius;
  const fine stops = up * c->to.y - c->radius;
  const fine_mask outside = fine_above(begins, zero);
  c->hits = c->active & fine_not(outside & fine_above(stops, zero));
  const fine fraction = fine_select(begins / (begins - stops), zero, outside);
  c->starts_inside = c->hits & fine_not(fine_above(fraction, zero));
  const fine_vector contact = fine_plus(c->from, fine_scaled(fraction, fine_displacement(c)));
  c->point = (fine_vector){contact.x, zero, contact.z};
  c->normal = (fine_vector){zero, up, zero};
}

static inline void cast_at_sphere(fine_cast* c, double shape_radius) {
  const fine zero = fine_splat(0.0);
  const fine_vector from = c->from;
  const fine_vector displacement = fine_displacement(c);
  const fine sum = shape_radius + c->radius;
  const fine from_sq = fine_dot(from, from);
  const fine_mask outside = fine_above(from_sq, sum * sum);
  const fine approach = -fine_dot(from, displacement);
  const fine displacement_sq = fine_dot(displacement, displacement);
  const fine_vector across = {from.y * displacement.z - from.z * displacement.y,
                              from.z * displacement.x - from.x * displacement.z,
                              from.x * displacement.y - from.y * displacement.x};
  const fine root_sq = displacement_sq * sum * sum - fine_dot(across, across);
  // lines that hit the sphere somewhere ahead
  const fine_mask approaches = fine_above(approach, zero) & fine_not(fine_above(zero, root_sq));
  c->hits = c->starts_inside = c->active & fine_not(outside);
  if (!fine_any(c->active & (approaches | fine_not(outside)))) return;
  const fine length = fine_sqrt(from_sq);
  const fine t = (length - sum) * (length + sum) / (approach + fine_sqrt(root_sq));
  c->hits |= c->active & approaches & fine_not(fine_above(t, fine_splat(1.0)));
  if (!fine_any(c->hits)) return;
  c->starts_inside = c->hits & fine_not(outside & fine_above(t, zero));
  const fine_vector here = fine_plus(from, fine_scaled(t, displacement));
  c->normal = fine_scaled(1.0 / fine_sqrt(fine_dot(here, here)), here);
  c->point = fine_scaled(fine_splat(shape_radius), c->normal);
}

// ---- convex shapes, by signed distance ----

// Nearest surface points.
typedef struct fine_nearest {
  fine distance;
  fine_vector point, normal;
  fine_mask undecided;
} fine_nearest;

static inline fine fine_clamp(fine value, double half) {
  const fine upper = fine_splat(half);
  const fine within = fine_select(-upper, value, fine_above(-upper, value));
  return fine_select(upper, within, fine_above(value, upper));
}

static inline fine_nearest nearest_to_capsule(const weft__obstacle* o, fine_vector point) {
  const fine zero = fine_splat(0.0);
  const fine_vector center = {zero, fine_clamp(point.y, o->half_size[1]), zero};
  const fine_vector offset = fine_minus(point, center);
  const fine length = fine_sqrt(fine_dot(offset, offset));
  const fine min_length = fine_splat(WEFT__MIN_LENGTH);
  fine_nearest n;
  n.normal = fine_scaled(1.0 / length, offset);
  n.distance = length - o->radius;
  n.point = fine_plus(center, fine_scaled(fine_splat(o->radius), n.normal));
  // on the axis the direction is ambiguous
  n.undecided =
      fine_above(min_length, fine_abs(point.x)) & fine_above(min_length, fine_abs(point.z));
  return n;
}

// Nearest face from inside; on a tie the axis with the lowest number.
static inline void find_nearest_face(const double* half, fine_vector p, fine_mask inside,
                                     fine_nearest* n) {
  const fine zero = fine_splat(0.0);
  const fine one = fine_splat(1.0);
  const fine at[3] = {p.x, p.y, p.z};
  const fine depth[3] = {half[0] - fine_abs(p.x), half[1] - fine_abs(p.y), half[2] - fine_abs(p.z)};
  const fine_mask is_y = fine_above(depth[0], depth[1]);
  const fine_mask is_z = fine_above(fine_select(depth[1], depth[0], is_y), depth[2]);
  const fine_mask along[3] = {inside & fine_not(is_y | is_z), inside & is_y & fine_not(is_z),
                              inside & is_z};
  fine* normal[3] = {&n->normal.x, &n->normal.y, &n->normal.z};
  fine* point[3] = {&n->point.x, &n->point.y, &n->point.z};
  for (int axis = 0; axis < 3; ++axis) {
    const fine out = fine_select(-one, one, fine_above(zero, at[axis]));
    *normal[axis] = fine_select(zero, *normal[axis], inside);
    *normal[axis] = fine_select(out, *normal[axis], along[axis]);
    *point[axis] = fine_select(out * half[axis], *point[axis], along[axis]);
    n->distance = fine_select(fine_abs(at[axis]) - half[axis], n->distance, along[axis]);
  }
}

static inline fine_nearest nearest_to_box(const weft__obstacle* o, fine_vector p) {
  const double* half = o->half_size;
  fine_nearest n;
  n.undecided = fine_from_mask(0);
  n.point =
      (fine_vector){fine_clamp(p.x, half[0]), fine_clamp(p.y, half[1]), fine_clamp(p.z, half[2])};
  const fine_vector offset = fine_minus(p, n.point);
  n.distance = fine_sqrt(fine_dot(offset, offset));
  n.normal = (fine_vector){offset.x / n.distance, offset.y / n.distance, offset.z / n.distance};
  const fine_mask inside = fine_not(fine_above(n.distance, fine_splat(WEFT__MIN_LENGTH)));
  if (fine_any(inside)) find_nearest_face(half, p, inside, &n);
  return n;
}

static inline fine_nearest nearest_to(const weft__obstacle* o, fine_vector point) {
  return o->kind == WEFT__OBSTACLE_BOX ? nearest_to_box(o, point) : nearest_to_capsule(o, point);
}

static inline void cast_at_convex(const weft__obstacle* o, fine_cast* c) {
  const fine zero = fine_splat(0.0);
  const fine_vector displacement = fine_displacement(c);
  fine fraction = zero;
  fine_mask pending = c->active;
  c->hits = c->starts_inside = c->undecided = fine_from_mask(0);
  c->point = c->normal = (fine_vector){zero, zero, zero};
  for (int step = 0; step < WEFT__MAX_CAST_STEPS && fine_any(pending); ++step) {
    const fine_nearest n = nearest_to(o, fine_plus(c->from, fine_scaled(fraction, displacement)));
    c->undecided |= pending & n.undecided;
    pending &= fine_not(n.undecided);
    const fine gap = n.distance - c->radius;
    const fine closing = -fine_dot(n.normal, displacement);
    const fine next = fraction + gap / closing;
    fine_mask converges = fine_at_least(zero, gap);
    const fine_mask misses =
        fine_not(fine_above(closing, zero)) | fine_above(next, fine_splat(1.0));
    // converged to double precision
    converges |= fine_not(misses) & fine_at_least(fraction + 1e-15, next);
    const fine_mask converged = pending & converges;
    c->hits |= converged;
    c->starts_inside |= converged & fine_not(fine_above(fraction, zero));
    c->point = fine_choose(n.point, c->point, converged);
    c->normal = fine_choose(n.normal, c->normal, converged);
    pending &= fine_not(converges | misses);
    fraction = fine_select(next, fraction, pending);
  }
  c->undecided |= pending;
}

static inline void cast_at(const weft__obstacle* o, fine_cast* c) {
  c->undecided = fine_from_mask(0);
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
      c->hits = c->starts_inside = fine_from_mask(0);
      c->undecided = c->active;
  }
}
