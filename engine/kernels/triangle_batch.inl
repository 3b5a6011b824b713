// Triangles near balls: geometry/moving_shell.c, bit for bit.
#include "geometry/triangle_batch.h"

SPECIALIZED dwide_vector load_doubles(double from[3][WEFT__BATCH_TRIANGLES], uint32_t i) {
  return (dwide_vector){dwide_load_doubles(from[0] + i), dwide_load_doubles(from[1] + i),
                        dwide_load_doubles(from[2] + i)};
}

// Against the winding, as seen from the nearest point.
SPECIALIZED dwide_mask is_behind(const dwide_vector corner[3], const dwide_nearest_point* nearest,
                                 dwide_vector point) {
  const dwide zero = dwide_splat(0.0);
  const dwide_vector normal =
      dwide_cross(dwide_minus(corner[1], corner[0]), dwide_minus(corner[2], corner[0]));
  const dwide size = dwide_abs(point.x) + dwide_abs(point.y) + dwide_abs(point.z);
  const dwide_mask is_apart =
      dwide_not(nearest->inside) & dwide_above(nearest->distance, 1e-12 * size);
  const dwide length = dwide_sqrt(dwide_square(normal));
  const dwide_vector up = {zero, dwide_splat(1.0), zero};
  const dwide_vector unit =
      dwide_choose(dwide_scaled(1.0 / length, normal), up, dwide_above(length, zero));
  const dwide_mask is_below = dwide_above(zero, dwide_dot(unit, dwide_minus(point, corner[0])));
  const dwide_vector away =
      dwide_scaled(1.0 / nearest->distance, dwide_minus(point, nearest->point));
  const dwide_vector side = dwide_choose(dwide_scaled(dwide_splat(-1.0), unit), unit, is_below);
  return dwide_above(zero, dwide_dot(dwide_choose(away, side, is_apart), normal));
}

SPECIALIZED dwide_vector load_corner(float from[3][WEFT__BATCH_TRIANGLES], uint32_t i) {
  return (dwide_vector){dwide_load(from[0] + i), dwide_load(from[1] + i), dwide_load(from[2] + i)};
}

SPECIALIZED void store_doubles(double to[3][WEFT__BATCH_TRIANGLES], uint32_t i, dwide_vector a) {
  dwide_store_doubles(to[0] + i, a.x);
  dwide_store_doubles(to[1] + i, a.y);
  dwide_store_doubles(to[2] + i, a.z);
}

static void meet_triangles(weft__triangle_batch* b) {
  b->inside = b->behind = 0;
  for (uint32_t i = 0; i < b->count; i += DWIDE_LANES) {
    const dwide_vector point = load_doubles(b->point, i);
    const dwide_vector path = load_doubles(b->path, i);
    dwide_vector end[3];
    dwide travel_sq = dwide_splat(0.0);
    for (int k = 0; k < 3; ++k) {
      const dwide_vector begin = load_corner(b->begin + 3 * k, i);
      const dwide_vector moved = dwide_minus(load_corner(b->end + 3 * k, i), begin);
      end[k] = dwide_plus(begin, moved);
      travel_sq = dwide_max(travel_sq, dwide_square(dwide_minus(moved, path)));
    }
    const dwide_nearest_point n = nearest_on_thin_triangle(point, end);
    dwide_store_doubles(b->distance + i, n.distance);
    dwide_store_doubles(b->travel + i, dwide_sqrt(travel_sq));
    store_doubles(b->nearest, i, n.point);
    store_doubles(b->share, i, (dwide_vector){n.share[0], n.share[1], n.share[2]});
    b->inside |= (uint64_t)dwide_to_mask(n.inside) << i;
    b->behind |= (uint64_t)dwide_to_mask(is_behind(end, &n, point)) << i;
  }
}
