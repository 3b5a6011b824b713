/* Triangle elements: faces, thin and two-sided. */
#include "geometry/triangle.h"

#include "modules/query/forms/forms.h"

static weft__triangle triangle_of(const weft__element* element) {
  return (weft__triangle){element->corner[0], element->corner[1], element->corner[2]};
}

static bool find_nearest(const weft__element* element, weft__vec3 point, double reach,
                         weft__query_result* result) {
  const weft__triangle triangle = triangle_of(element);
  return weft__result_near(weft__nearest_on_triangle(point, &triangle).point, point, reach, result);
}

static bool cast(const weft__element* element, const weft__query_path* path, double enter,
                 double leave, weft__query_result* result) {
  (void)enter;
  (void)leave;
  const weft__triangle triangle = triangle_of(element);
  weft__triangle_hit hit;
  if (!weft__sphere_cast_triangle(path->from, path->direction, path->radius, path->length,
                                  &triangle, &hit)) {
    return false;
  }
  if (hit.fraction > 0.0) {
    *result = (weft__query_result){hit.fraction, hit.point, hit.normal};
  } else {
    *result = weft__result_inside(path->from);
  }
  return true;
}

static bool overlaps_box(const weft__element* element, const weft__extent* box) {
  const weft__triangle triangle = triangle_of(element);
  weft__vec3 center;
  weft__vec3 half_edges[3];
  weft__extent_half_edges(box, &center, half_edges);
  return weft__triangle_meets_box(&triangle, center, half_edges);
}

const weft__form_row weft__triangle_form_row = {
    .find_nearest = find_nearest,
    .cast = cast,
    .overlaps_box = overlaps_box,
};
