/* Forms that are asked as the shapes of colliders are: boxes and ellipsoids along the axes, and colliders, each in
 * its own frame. */
#include <float.h>
#include <math.h>

#include "query/forms.h"

// metres: as far as a way goes that nothing ends; what is not flat ends it
#define ENDLESS 1e40

const weft__form_row* const weft__form_rows[WEFT__FORM_COUNT] = {
    [WEFT__FORM_BALL] = &weft__ball_row,
    [WEFT__FORM_BOX] = &weft__box_form_row,
    [WEFT__FORM_ELLIPSOID] = &weft__ellipsoid_form_row,
    [WEFT__FORM_SEGMENT] = &weft__segment_row,
    [WEFT__FORM_TRIANGLE] = &weft__triangle_row,
    [WEFT__FORM_COLLIDER] = &weft__collider_row,
};

// ---- any shape in any frame ----

// a shape, and where it stands
typedef struct placed {
  const weft__shape_row* row;
  const weft__shape* shape;
  weft__frame frame;
} placed;

static bool nearest_of_placed(const placed* at, weft__vec3 point, double reach,
                              weft__answer* answer) {
  weft__surface_point found;
  if (!at->row->find_nearest(at->shape, weft__frame_in(&at->frame, point), reach, &found)) {
    return false;
  }
  if (!(found.distance > 0.0)) {
    *answer = weft__inside(point);
    return true;
  }
  *answer = (weft__answer){.distance = found.distance,
                           .point = weft__frame_out(&at->frame, found.point),
                           .normal = weft__turn_out(&at->frame, found.normal)};
  return found.distance <= reach;
}

// Only the part of the way that is near the shape is looked at: far away, a double has too few digits to be precise
// along all of it.
static bool cast_at_placed(const placed* at, const weft__query_path* way, double enter,
                           double leave, weft__answer* answer) {
  const double until = fmin(fmin(leave, way->length), ENDLESS);
  const weft__vec3 from = weft__frame_in(&at->frame, weft__way_at(way, enter));
  const weft__vec3 to = weft__frame_in(&at->frame, weft__way_at(way, until));
  weft__cast found;
  if (!at->row->cast(at->shape, from, to, way->radius, &found)) return false;
  const double distance = enter + found.fraction * (until - enter);
  if (!(distance > 0.0)) {
    *answer = weft__inside(way->from);
    return true;
  }
  *answer = (weft__answer){.distance = distance,
                           .point = weft__frame_out(&at->frame, found.point),
                           .normal = weft__turn_out(&at->frame, found.normal)};
  return distance <= way->length;
}

// ---- boxes and ellipsoids ----

// as the shape of a collider that an element is
static weft__shape shape_of(const weft__element* element) {
  const double* half = element->half_size;
  const bool is_box = element->form == WEFT__FORM_BOX;
  return (weft__shape){.kind = is_box ? WEFT_SHAPE_BOX : WEFT_SHAPE_ELLIPSOID,
                       .half_size = {half[0], half[1], half[2]}};
}

static placed place_along_axes(const weft__element* element, const weft__shape* shape) {
  return (placed){weft__shape_rows[shape->kind],
                  shape,
                  {.position = element->corner[0],
                   .axis = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}}};
}

static bool nearest_along_axes(const weft__element* element, weft__vec3 point, double reach,
                               weft__answer* answer) {
  const weft__shape shape = shape_of(element);
  const placed at = place_along_axes(element, &shape);
  return nearest_of_placed(&at, point, reach, answer);
}

static bool cast_along_axes(const weft__element* element, const weft__query_path* way, double enter,
                            double leave, weft__answer* answer) {
  const weft__shape shape = shape_of(element);
  const placed at = place_along_axes(element, &shape);
  return cast_at_placed(&at, way, enter, leave, answer);
}

// two boxes along the axes
static bool box_meets_box(const weft__element* element, const weft__extent* box) {
  const double center[3] = {element->corner[0].x, element->corner[0].y, element->corner[0].z};
  for (int axis = 0; axis < 3; ++axis) {
    if (center[axis] + element->half_size[axis] < box->least[axis]) return false;
    if (center[axis] - element->half_size[axis] > box->most[axis]) return false;
  }
  return true;
}

const weft__form_row weft__box_form_row = {
    .find_nearest = nearest_along_axes,
    .cast = cast_along_axes,
    .meets_box = box_meets_box,
};

const weft__form_row weft__ellipsoid_form_row = {
    .find_nearest = nearest_along_axes,
    .cast = cast_along_axes,
    .meets_box = weft__round_meets_box,
};

// ---- colliders ----

static placed place_collider(const weft__element* element) {
  const weft__collider* collider = element->collider;
  return (placed){collider->row, &collider->shape, weft__frame_of(&collider->pose)};
}

static bool nearest_of_collider(const weft__element* element, weft__vec3 point, double reach,
                                weft__answer* answer) {
  const placed at = place_collider(element);
  return nearest_of_placed(&at, point, reach, answer);
}

static bool cast_at_collider(const weft__element* element, const weft__query_path* way,
                             double enter, double leave, weft__answer* answer) {
  const placed at = place_collider(element);
  return cast_at_placed(&at, way, enter, leave, answer);
}

static bool collider_meets_box(const weft__element* element, const weft__extent* box) {
  const placed at = place_collider(element);
  weft__vec3 center;
  weft__vec3 edges[3];
  weft__extent_edges(box, &center, edges);
  for (int k = 0; k < 3; ++k) edges[k] = weft__turn_in(&at.frame, edges[k]);
  return at.row->meets_box(at.shape, weft__frame_in(&at.frame, center), edges);
}

const weft__form_row weft__collider_row = {
    .find_nearest = nearest_of_collider,
    .cast = cast_at_collider,
    .meets_box = collider_meets_box,
};
