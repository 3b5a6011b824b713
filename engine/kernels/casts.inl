// What balls on their way meet first of plain shapes: as colliders/plane.c, sphere.c, box.c and convex.c have it, and
// the same bits, for FINE_LANES of them.

#include "kernels/fine.h"

// the ways of some balls in the frame of a shape, and what they meet
typedef struct fine_cast {
  fine_vector from, to;
  fine radius;
  fine_mask looks;  // the lanes that are asked about
  // the answer
  fine_mask hits;           // lanes that meet it, on the way or
  fine_mask begins_inside;  // at its beginning
  fine_mask unsure;         // lanes that this can't tell of
  fine_vector point, normal;
} fine_cast;

static inline fine_vector fine_way(const fine_cast* c) {
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
  c->hits = c->looks & fine_not(outside & fine_above(stops, zero));
  const fine fraction = fine_select(begins / (begins - stops), zero, outside);
  c->begins_inside = c->hits & fine_not(fine_above(fraction, zero));
  const fine_vector met = fine_plus(c->from, fine_scaled(fraction, fine_way(c)));
  c->point = (fine_vector){met.x, zero, met.z};
  c->normal = (fine_vector){zero, up, zero};
}

static inline void cast_at_ball(fine_cast* c, double shape_radius) {
  const fine zero = fine_splat(0.0);
  const fine_vector from = c->from;
  const fine_vector way = fine_way(c);
  const fine sum = shape_radius + c->radius;
  const fine from_sq = fine_dot(from, from);
  const fine_mask outside = fine_above(from_sq, sum * sum);
  const fine nearing = -fine_dot(from, way);
  const fine way_sq = fine_dot(way, way);
  const fine_vector across = {from.y * way.z - from.z * way.y, from.z * way.x - from.x * way.z,
                              from.x * way.y - from.y * way.x};
  const fine root_sq = way_sq * sum * sum - fine_dot(across, across);
  // those whose ways, made longer, do not miss it
  const fine_mask aims = fine_above(nearing, zero) & fine_not(fine_above(zero, root_sq));
  c->hits = c->begins_inside = c->looks & fine_not(outside);
  if (!fine_any(c->looks & (aims | fine_not(outside)))) return;
  const fine length = fine_sqrt(from_sq);
  const fine t = (length - sum) * (length + sum) / (nearing + fine_sqrt(root_sq));
  c->hits |= c->looks & aims & fine_not(fine_above(t, fine_splat(1.0)));
  if (!fine_any(c->hits)) return;
  c->begins_inside = c->hits & fine_not(outside & fine_above(t, zero));
  const fine_vector here = fine_plus(from, fine_scaled(t, way));
  c->normal = fine_scaled(1.0 / fine_sqrt(fine_dot(here, here)), here);
  c->point = fine_scaled(fine_splat(shape_radius), c->normal);
}

// ---- shapes that know how far a point is from them ----

// what is nearest to some points
typedef struct fine_nearest {
  fine distance;
  fine_vector point, normal;
  fine_mask unsure;
} fine_nearest;

static inline fine fine_clamp(fine value, double half) {
  const fine most = fine_splat(half);
  const fine within = fine_select(-most, value, fine_above(-most, value));
  return fine_select(most, within, fine_above(value, most));
}

static inline fine_nearest nearest_to_capsule(const weft__obstacle* o, fine_vector point) {
  const fine zero = fine_splat(0.0);
  const fine_vector center = {zero, fine_clamp(point.y, o->half_size[1]), zero};
  const fine_vector apart = fine_minus(point, center);
  const fine length = fine_sqrt(fine_dot(apart, apart));
  const fine least = fine_splat(WEFT__LEAST_LENGTH);
  fine_nearest n;
  n.normal = fine_scaled(1.0 / length, apart);
  n.distance = length - o->radius;
  n.point = fine_plus(center, fine_scaled(fine_splat(o->radius), n.normal));
  // on its axis there are many ways out
  n.unsure = fine_above(least, fine_abs(point.x)) & fine_above(least, fine_abs(point.z));
  return n;
}

// out of the nearest face, the first one of those that are as near
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
  n.unsure = fine_from_mask(0);
  n.point =
      (fine_vector){fine_clamp(p.x, half[0]), fine_clamp(p.y, half[1]), fine_clamp(p.z, half[2])};
  const fine_vector apart = fine_minus(p, n.point);
  n.distance = fine_sqrt(fine_dot(apart, apart));
  n.normal = (fine_vector){apart.x / n.distance, apart.y / n.distance, apart.z / n.distance};
  const fine_mask inside = fine_not(fine_above(n.distance, fine_splat(WEFT__LEAST_LENGTH)));
  if (fine_any(inside)) find_nearest_face(half, p, inside, &n);
  return n;
}

static inline fine_nearest nearest_to(const weft__obstacle* o, fine_vector point) {
  return o->kind == WEFT__OBSTACLE_BOX ? nearest_to_box(o, point) : nearest_to_capsule(o, point);
}

static inline void cast_at_convex(const weft__obstacle* o, fine_cast* c) {
  const fine zero = fine_splat(0.0);
  const fine_vector way = fine_way(c);
  fine fraction = zero;
  fine_mask going = c->looks;
  c->hits = c->begins_inside = c->unsure = fine_from_mask(0);
  c->point = c->normal = (fine_vector){zero, zero, zero};
  for (int step = 0; step < WEFT__MOST_CAST_STEPS && fine_any(going); ++step) {
    const fine_nearest n = nearest_to(o, fine_plus(c->from, fine_scaled(fraction, way)));
    c->unsure |= going & n.unsure;
    going &= fine_not(n.unsure);
    const fine gap = n.distance - c->radius;
    const fine closing = -fine_dot(n.normal, way);
    const fine next = fraction + gap / closing;
    fine_mask arrives = fine_at_least(zero, gap);
    const fine_mask passes =
        fine_not(fine_above(closing, zero)) | fine_above(next, fine_splat(1.0));
    // it is as near as doubles can tell
    arrives |= fine_not(passes) & fine_at_least(fraction + 1e-15, next);
    const fine_mask arrived = going & arrives;
    c->hits |= arrived;
    c->begins_inside |= arrived & fine_not(fine_above(fraction, zero));
    c->point = fine_choose(n.point, c->point, arrived);
    c->normal = fine_choose(n.normal, c->normal, arrived);
    going &= fine_not(arrives | passes);
    fraction = fine_select(next, fraction, going);
  }
  c->unsure |= going;
}

static inline void cast_at(const weft__obstacle* o, fine_cast* c) {
  c->unsure = fine_from_mask(0);
  switch (o->kind) {
    case WEFT__OBSTACLE_PLANE:
    case WEFT__OBSTACLE_HALF_SPACE:
      cast_at_plane(c, o->kind == WEFT__OBSTACLE_PLANE);
      break;
    case WEFT__OBSTACLE_SPHERE:
      cast_at_ball(c, o->radius);
      break;
    case WEFT__OBSTACLE_CAPSULE:
    case WEFT__OBSTACLE_BOX:
      cast_at_convex(o, c);
      break;
    default:
      c->hits = c->begins_inside = fine_from_mask(0);
      c->unsure = c->looks;
  }
}
