/* closest_points.h, one pair a lane: kernels take all lanes, closest_points.c one. */
#include "base/dwide.h"

// Cross products below this share of their value at right angles count as zero.
#define PARALLEL 1e-12
// Share below which a quotient of such products may be off by more than positions resolve: then the
// ends are tried as well.
#define NEARLY_PARALLEL 1e-8

// Share of a segment at which it is nearest to a point.
SPECIALIZED dwide nearest_share(dwide_vector point, dwide_vector start, dwide_vector direction) {
  const dwide zero = dwide_splat(0.0);
  const dwide one = dwide_splat(1.0);
  const dwide length_sq = dwide_square(direction);
  const dwide share = dwide_dot(dwide_minus(point, start), direction) / length_sq;
  return dwide_select(dwide_min(share, one), zero,
                      dwide_above(share, zero) & dwide_above(length_sq, zero));
}

// Lanes whose foot is not within the triangle.
SPECIALIZED dwide nearest_on_sides(const dwide_vector at[4], dwide share[3]) {
  dwide nearest_sq = dwide_splat(0.0);
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3;
    const dwide_vector direction = dwide_minus(at[1 + next], at[1 + k]);
    const dwide s = nearest_share(at[0], at[1 + k], direction);
    const dwide sq = dwide_square(dwide_minus(dwide_along(at[1 + k], direction, s), at[0]));
    const dwide_mask is_nearer = dwide_above(nearest_sq, sq);
    const dwide shares[3] = {1.0 - s, s, dwide_splat(0.0)};
    nearest_sq = k == 0 ? sq : dwide_select(sq, nearest_sq, is_nearer);
    for (int n = 0; n < 3; ++n) {
      dwide* to = &share[(k + n) % 3];
      *to = k == 0 ? shares[n] : dwide_select(shares[n], *to, is_nearer);
    }
  }
  return nearest_sq;
}

// Barycentric coordinates on triangle 1 2 3 of the point nearest to 0; returns the squared
// distance.
SPECIALIZED dwide closest_on_triangle(const dwide_vector at[4], dwide share[3]) {
  const dwide zero = dwide_splat(0.0);
  const dwide_vector side[2] = {dwide_minus(at[2], at[1]), dwide_minus(at[3], at[1])};
  const dwide_vector from_first = dwide_minus(at[0], at[1]);
  const dwide_vector normal = dwide_cross(side[0], side[1]);
  const dwide area_sq = dwide_square(normal);
  share[1] = dwide_dot(dwide_cross(from_first, side[1]), normal) / area_sq;
  share[2] = dwide_dot(dwide_cross(side[0], from_first), normal) / area_sq;
  share[0] = 1.0 - share[1] - share[2];
  const dwide_mask is_inside =
      dwide_above(area_sq, PARALLEL * dwide_square(side[0]) * dwide_square(side[1])) &
      dwide_at_least(share[0], zero) & dwide_at_least(share[1], zero) &
      dwide_at_least(share[2], zero);
  const dwide_vector foot =
      dwide_plus(dwide_scaled(share[1], side[0]), dwide_scaled(share[2], side[1]));
  const dwide inside_sq = dwide_square(dwide_minus(from_first, foot));
  if (!dwide_any(dwide_not(is_inside))) return inside_sq;
  dwide on_side[3];
  const dwide sides_sq = nearest_on_sides(at, on_side);
  for (int k = 0; k < 3; ++k) share[k] = dwide_select(share[k], on_side[k], is_inside);
  return dwide_select(inside_sq, sides_sq, is_inside);
}

typedef struct dwide_nearest_point {
  dwide distance;
  dwide_vector point;
  dwide share[3];  // barycentric
  dwide_mask inside;
} dwide_nearest_point;

// On an edge that the point is outside of, where that is nearer.
SPECIALIZED void take_edge(dwide_nearest_point* n, dwide_vector point, const dwide_vector corner[3],
                           int k, dwide_mask active) {
  const int first = (k + 1) % 3;
  const int second = (k + 2) % 3;
  const dwide_vector direction = dwide_minus(corner[second], corner[first]);
  const dwide share = nearest_share(point, corner[first], direction);
  const dwide_vector at = dwide_along(corner[first], direction, share);
  const dwide distance = dwide_sqrt(dwide_square(dwide_minus(point, at)));
  active &= dwide_above(n->distance, distance);
  if (!dwide_any(active)) return;
  n->distance = dwide_select(distance, n->distance, active);
  n->point = dwide_choose(at, n->point, active);
  n->share[k] = dwide_select(dwide_splat(0.0), n->share[k], active);
  n->share[first] = dwide_select(1.0 - share, n->share[first], active);
  n->share[second] = dwide_select(share, n->share[second], active);
}

// weft__nearest_on_triangle()
SPECIALIZED dwide_nearest_point nearest_on_thin_triangle(dwide_vector point,
                                                         const dwide_vector corner[3]) {
  const dwide zero = dwide_splat(0.0);
  const dwide_vector normal =
      dwide_cross(dwide_minus(corner[1], corner[0]), dwide_minus(corner[2], corner[0]));
  const dwide normal_sq = dwide_square(normal);
  const dwide_mask is_plane = dwide_above(normal_sq, zero);
  dwide_nearest_point n = {.distance = dwide_splat(INFINITY), .inside = is_plane};
  dwide area[3];
  for (int k = 0; k < 3; ++k) {
    // corner k's barycentric coordinate is the area across from it
    const dwide_vector first = corner[(k + 1) % 3];
    area[k] = dwide_dot(
        normal, dwide_cross(dwide_minus(corner[(k + 2) % 3], first), dwide_minus(point, first)));
    n.inside &= dwide_at_least(area[k], zero);
  }
  if (dwide_any(n.inside)) {
    const dwide height = dwide_dot(normal, dwide_minus(point, corner[0])) / normal_sq;
    const dwide sum = area[0] + area[1] + area[2];
    n.point = dwide_minus(point, dwide_scaled(height, normal));
    n.distance = dwide_select(dwide_abs(height) * dwide_sqrt(normal_sq), n.distance, n.inside);
    for (int k = 0; k < 3; ++k)
      n.share[k] =
          dwide_select(area[k] / sum, dwide_splat(k == 0 ? 1.0 : 0.0), dwide_above(sum, zero));
    if (!dwide_any(dwide_not(n.inside))) return n;
  }
  for (int k = 0; k < 3; ++k) {
    const dwide_mask is_outside =
        dwide_not(n.inside) & dwide_not(is_plane & dwide_at_least(area[k], zero));
    if (dwide_any(is_outside)) take_edge(&n, point, corner, k, is_outside);
  }
  return n;
}

SPECIALIZED dwide gap_sq(const dwide_vector at[4], const dwide_vector direction[2], dwide along_a,
                         dwide along_b) {
  return dwide_square(dwide_minus(dwide_along(at[0], direction[0], along_a),
                                  dwide_along(at[2], direction[1], along_b)));
}

// Pairs that include an end point: lines parallel, or nearest beyond the segments.
SPECIALIZED dwide nearest_to_ends(const dwide_vector at[4], const dwide_vector direction[2],
                                  dwide along[2]) {
  dwide nearest_sq = dwide_splat(0.0);
  for (int k = 0; k < 4; ++k) {
    const dwide end = dwide_splat((double)(k % 2));
    const dwide on_a = k >= 2 ? nearest_share(at[k], at[0], direction[0]) : end;
    const dwide on_b = k >= 2 ? end : nearest_share(at[k], at[2], direction[1]);
    const dwide sq = gap_sq(at, direction, on_a, on_b);
    const dwide_mask is_nearer = dwide_above(nearest_sq, sq);
    nearest_sq = k == 0 ? sq : dwide_select(sq, nearest_sq, is_nearer);
    along[0] = k == 0 ? on_a : dwide_select(on_a, along[0], is_nearer);
    along[1] = k == 0 ? on_b : dwide_select(on_b, along[1], is_nearer);
  }
  return nearest_sq;
}

// Shares along segments 0 1 and 2 3; returns the squared distance.
SPECIALIZED dwide closest_on_segments(const dwide_vector at[4], dwide along[2]) {
  const dwide zero = dwide_splat(0.0);
  const dwide one = dwide_splat(1.0);
  const dwide_vector direction[2] = {dwide_minus(at[1], at[0]), dwide_minus(at[3], at[2])};
  const dwide aa = dwide_square(direction[0]);
  const dwide bb = dwide_square(direction[1]);
  const dwide ab = dwide_dot(direction[0], direction[1]);
  const dwide determinant = aa * bb - ab * ab;
  const dwide_vector offset = dwide_minus(at[2], at[0]);
  const dwide to_a = dwide_dot(offset, direction[0]);
  const dwide to_b = dwide_dot(offset, direction[1]);
  along[0] = (to_a * bb - to_b * ab) / determinant;
  along[1] = (to_a * ab - to_b * aa) / determinant;
  dwide_mask is_inside = dwide_above(determinant, PARALLEL * aa * bb) &
                         dwide_at_least(along[0], zero) & dwide_at_least(one, along[0]) &
                         dwide_at_least(along[1], zero) & dwide_at_least(one, along[1]);
  const dwide inside_sq = gap_sq(at, direction, along[0], along[1]);
  const dwide_mask is_exact = dwide_above(determinant, NEARLY_PARALLEL * aa * bb);
  if (!dwide_any(dwide_not(is_inside & is_exact))) return inside_sq;
  dwide on_ends[2];
  const dwide ends_sq = nearest_to_ends(at, direction, on_ends);
  is_inside &= is_exact | dwide_above(ends_sq, inside_sq);
  for (int k = 0; k < 2; ++k) along[k] = dwide_select(along[k], on_ends[k], is_inside);
  return dwide_select(inside_sq, ends_sq, is_inside);
}
