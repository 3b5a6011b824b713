/* Collider shapes in their own frames: axis-aligned boxes and ellipsoids, and colliders. */

#include "modules/query/forms/forms.h"

#include "base/min_max.h"

// metres: length of an unbounded path; finite for shapes that need an end
#define MAX_PATH 1e40

const weft__form_row* const weft__form_rows[WEFT__FORM_COUNT] = {
    [WEFT__FORM_SPHERE] = &weft__sphere_form_row,
    [WEFT__FORM_BOX] = &weft__box_form_row,
    [WEFT__FORM_ELLIPSOID] = &weft__ellipsoid_form_row,
    [WEFT__FORM_SEGMENT] = &weft__segment_form_row,
    [WEFT__FORM_TRIANGLE] = &weft__triangle_form_row,
    [WEFT__FORM_COLLIDER] = &weft__collider_form_row,
};

typedef struct posed_shape {
  const weft__shape_row* row;
  const weft__shape* shape;
  weft__frame frame;
} posed_shape;

static bool nearest_of_posed(const posed_shape* posed, weft__vec3 point, double reach,
                             weft__query_result* result) {
  weft__surface_point found;
  if (!posed->row->find_nearest(posed->shape, weft__frame_in(&posed->frame, point), reach,
                                &found)) {
    return false;
  }
  if (!(found.distance > 0.0)) {
    *result = weft__result_inside(point);
    return true;
  }
  *result = (weft__query_result){.distance = found.distance,
                                 .point = weft__frame_out(&posed->frame, found.point),
                                 .normal = weft__frame_rotate_out(&posed->frame, found.normal)};
  return found.distance <= reach;
}

// Casts only along the part of the path near the shape: doubles would lose precision over all of
// it.
static bool cast_at_posed(const posed_shape* posed, const weft__query_path* path, double enter,
                          double leave, weft__query_result* result) {
  const double end = weft__min(weft__min(leave, path->length), MAX_PATH);
  const weft__vec3 from = weft__frame_in(&posed->frame, weft__query_path_at(path, enter));
  const weft__vec3 to = weft__frame_in(&posed->frame, weft__query_path_at(path, end));
  weft__cast found;
  if (!posed->row->cast(posed->shape, from, to, path->radius, &found)) return false;
  const double distance = enter + found.fraction * (end - enter);
  if (!(distance > 0.0)) {
    *result = weft__result_inside(path->from);
    return true;
  }
  *result = (weft__query_result){.distance = distance,
                                 .point = weft__frame_out(&posed->frame, found.point),
                                 .normal = weft__frame_rotate_out(&posed->frame, found.normal)};
  return distance <= path->length;
}

static weft__shape shape_of(const weft__element* element) {
  const double* half = element->half_size;
  const bool is_box = element->form == WEFT__FORM_BOX;
  return (weft__shape){.kind = is_box ? WEFT_COLLIDER_SHAPE_BOX : WEFT_COLLIDER_SHAPE_ELLIPSOID,
                       .half_size = {half[0], half[1], half[2]}};
}

static posed_shape pose_along_axes(const weft__element* element, const weft__shape* shape) {
  return (posed_shape){weft__shape_rows[shape->kind],
                       shape,
                       {.position = element->corner[0],
                        .axis = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}}};
}

static bool nearest_along_axes(const weft__element* element, weft__vec3 point, double reach,
                               weft__query_result* result) {
  const weft__shape shape = shape_of(element);
  const posed_shape posed = pose_along_axes(element, &shape);
  return nearest_of_posed(&posed, point, reach, result);
}

static bool cast_along_axes(const weft__element* element, const weft__query_path* path,
                            double enter, double leave, weft__query_result* result) {
  const weft__shape shape = shape_of(element);
  const posed_shape posed = pose_along_axes(element, &shape);
  return cast_at_posed(&posed, path, enter, leave, result);
}

static bool box_meets_box(const weft__element* element, const weft__extent* box) {
  const double center[3] = {element->corner[0].x, element->corner[0].y, element->corner[0].z};
  for (int axis = 0; axis < 3; ++axis) {
    if (center[axis] + element->half_size[axis] < box->lower[axis]) return false;
    if (center[axis] - element->half_size[axis] > box->upper[axis]) return false;
  }
  return true;
}

const weft__form_row weft__box_form_row = {
    .find_nearest = nearest_along_axes,
    .cast = cast_along_axes,
    .overlaps_box = box_meets_box,
};

const weft__form_row weft__ellipsoid_form_row = {
    .find_nearest = nearest_along_axes,
    .cast = cast_along_axes,
    .overlaps_box = weft__ellipsoid_meets_box,
};

static posed_shape pose_collider(const weft__element* element) {
  const weft__collider* collider = element->collider;
  return (posed_shape){collider->row, &collider->shape, weft__frame_of(&collider->pose)};
}

static bool nearest_of_collider(const weft__element* element, weft__vec3 point, double reach,
                                weft__query_result* result) {
  const posed_shape posed = pose_collider(element);
  return nearest_of_posed(&posed, point, reach, result);
}

static bool cast_at_collider(const weft__element* element, const weft__query_path* path,
                             double enter, double leave, weft__query_result* result) {
  const posed_shape posed = pose_collider(element);
  return cast_at_posed(&posed, path, enter, leave, result);
}

static bool collider_meets_box(const weft__element* element, const weft__extent* box) {
  const posed_shape posed = pose_collider(element);
  weft__vec3 center;
  weft__vec3 edges[3];
  weft__extent_half_edges(box, &center, edges);
  for (int k = 0; k < 3; ++k) edges[k] = weft__frame_rotate_in(&posed.frame, edges[k]);
  return posed.row->overlaps_box(posed.shape, weft__frame_in(&posed.frame, center), edges);
}

const weft__form_row weft__collider_form_row = {
    .find_nearest = nearest_of_collider,
    .cast = cast_at_collider,
    .overlaps_box = collider_meets_box,
};
