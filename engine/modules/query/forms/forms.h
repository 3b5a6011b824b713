/* Geometric queries on elements, in double precision: a row of functions for each form; no other
 * code depends on the form. */
#ifndef WEFT_MODULES_QUERY_FORMS_FORMS_H
#define WEFT_MODULES_QUERY_FORMS_FORMS_H

#include "modules/query/elements.h"

typedef struct weft__query_path {
  weft__vec3 from;
  weft__vec3 direction; /* unit; 0 for a sphere at rest */
  double length;        /* metres, may be infinite */
  double radius;        /* metres, >= 0 */
} weft__query_path;

typedef struct weft__query_result {
  double distance;   /* metres: to the element, or along the path; 0 = inside */
  weft__vec3 point;  /* on the element */
  weft__vec3 normal; /* unit, towards the query; 0 inside */
} weft__query_result;

typedef struct weft__form_row {
  /* Nearest point, if it is within `reach` metres. */
  bool (*find_nearest)(const weft__element* element, weft__vec3 point, double reach,
                       weft__query_result* result);

  /* First hit between `enter` and `leave` metres along the path, the interval in which it crosses
   * the extent grown by the radius. Of forms without width only triangles are hit with radius 0. */
  bool (*cast)(const weft__element* element, const weft__query_path* path, double enter,
               double leave, weft__query_result* result);

  /* Touching counts. */
  bool (*overlaps_box)(const weft__element* element, const weft__extent* box);
} weft__form_row;

extern const weft__form_row* const weft__form_rows[WEFT__FORM_COUNT];

extern const weft__form_row weft__sphere_form_row;
extern const weft__form_row weft__box_form_row;
extern const weft__form_row weft__ellipsoid_form_row;
extern const weft__form_row weft__segment_form_row;
extern const weft__form_row weft__triangle_form_row;
extern const weft__form_row weft__collider_form_row;

static inline weft__vec3 weft__query_path_at(const weft__query_path* path, double distance) {
  return weft__plus(path->from, weft__scaled(distance, path->direction));
}

static inline weft__query_result weft__result_inside(weft__vec3 point) {
  return (weft__query_result){.point = point};
}

/* Result for the nearest point to a point outside; false if beyond `reach`. */
bool weft__result_near(weft__vec3 nearest, weft__vec3 point, double reach,
                       weft__query_result* result);

/* Hit after `distance` metres; nearest: the element's point nearest to the sphere */
void weft__result_of_hit(const weft__query_path* path, double distance, weft__vec3 nearest,
                         weft__query_result* result);

bool weft__ellipsoid_meets_box(const weft__element* element, const weft__extent* box);

/* Form of a box that shapes take. */
static inline void weft__extent_half_edges(const weft__extent* box, weft__vec3* center,
                                           weft__vec3 half_edges[3]) {
  const double* a = box->lower;
  const double* b = box->upper;
  *center = (weft__vec3){0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]), 0.5 * (a[2] + b[2])};
  half_edges[0] = (weft__vec3){0.5 * (b[0] - a[0]), 0.0, 0.0};
  half_edges[1] = (weft__vec3){0.0, 0.5 * (b[1] - a[1]), 0.0};
  half_edges[2] = (weft__vec3){0.0, 0.0, 0.5 * (b[2] - a[2])};
}

#endif
