#define WIDE_LANES 1
#include "geometry/closest_points.h"

#include <math.h>

#include "geometry/closest_points.inl"

double weft__nearest_on_segment(weft__vec3 point, weft__vec3 a, weft__vec3 b) {
  return nearest_share(point, a, weft__minus(b, a));
}

double weft__closest_on_segments(const weft__vec3 a[2], const weft__vec3 b[2], double along[2]) {
  return closest_on_segments((const weft__vec3[]){a[0], a[1], b[0], b[1]}, along);
}

double weft__closest_on_triangle(weft__vec3 point, const weft__vec3 corner[3], double share[3]) {
  return closest_on_triangle((const weft__vec3[]){point, corner[0], corner[1], corner[2]}, share);
}

weft__triangle_point weft__nearest_on_triangle(weft__vec3 point, const weft__triangle* triangle) {
  const weft__vec3 corners[3] = {triangle->a, triangle->b, triangle->c};
  const dwide_nearest_point n = nearest_on_thin_triangle(point, corners);
  return (weft__triangle_point){
      n.distance, n.point, {n.share[0], n.share[1], n.share[2]}, n.inside != 0};
}
