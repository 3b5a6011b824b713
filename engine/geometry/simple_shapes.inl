/* Spheres, capsules and boxes in their own frames, one query a lane. */
#include "base/dwide.h"
#include "tables/collider_batch.h"

// Active lanes whose paths, which start outside, reach a sphere at the origin at *time.
static inline dwide_mask reach_sphere(dwide_vector from, dwide_vector displacement, dwide radius,
                                      dwide_mask active, dwide* time) {
  const dwide zero = dwide_splat(0.0);
  const dwide approach = -dwide_dot(from, displacement);
  const dwide_vector across = dwide_cross(from, displacement);
  // without the cancellation of b b - a c at long distances
  const dwide root_sq = dwide_square(displacement) * radius * radius - dwide_square(across);
  const dwide_mask hits =
      active & dwide_above(approach, zero) & dwide_not(dwide_above(zero, root_sq));
  *time = zero;
  if (!dwide_any(hits)) return hits;
  const dwide length = dwide_sqrt(dwide_square(from));
  *time = (length - radius) * (length + radius) / (approach + dwide_sqrt(root_sq));
  return hits;
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

static inline dwide_nearest nearest_to_capsule(double half, double radius, dwide_vector point) {
  const dwide zero = dwide_splat(0.0);
  const dwide_vector center = {zero, dwide_clamp(point.y, half), zero};
  const dwide_vector offset = dwide_minus(point, center);
  const dwide length = dwide_sqrt(dwide_dot(offset, offset));
  const dwide min_length = dwide_splat(WEFT__MIN_LENGTH);
  dwide_nearest n;
  n.normal = dwide_scaled(1.0 / length, offset);
  n.distance = length - radius;
  n.point = dwide_plus(center, dwide_scaled(dwide_splat(radius), n.normal));
  // on the axis the direction is ambiguous
  n.undecided =
      dwide_above(min_length, dwide_abs(point.x)) & dwide_above(min_length, dwide_abs(point.z));
  return n;
}

// On a tie the axis with the lowest number.
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

static inline dwide_nearest nearest_to_box(const double half[3], dwide_vector p) {
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
