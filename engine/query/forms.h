/* Geometric queries on elements: nearest point, sphere cast and box overlap, as a table of
 * functions with one row for each form; no other code depends on the form. In double precision, on
 * the element alone. */
#ifndef WEFT_QUERY_FORMS_H
#define WEFT_QUERY_FORMS_H

#include "query/elements.h"

/* Path of a sphere. */
typedef struct weft__query_path {
  weft__vec3 from;
  weft__vec3 direction; /* unit; 0 for a sphere at rest */
  double length;        /* metres, may be infinite */
  double radius;        /* metres, >= 0 */
} weft__query_path;

typedef struct weft__answer {
  double distance;   /* metres: to the element, or along the path; 0 = inside */
  weft__vec3 point;  /* on the element */
  weft__vec3 normal; /* unit, towards the query; 0 inside */
} weft__answer;

typedef struct weft__form_row {
  /* Nearest point of an element, if it is within `reach` metres. */
  bool (*find_nearest)(const weft__element* element, weft__vec3 point, double reach,
                       weft__answer* answer);

  /* Sphere cast: first hit between `enter` and `leave` metres along the path, the interval in which
   * it crosses the element's extent grown by the radius. A point query of radius 0 hits no form
   * without width except triangles. */
  bool (*cast)(const weft__element* element, const weft__query_path* way, double enter,
               double leave, weft__answer* answer);

  /* Overlap test with a box; touching counts. */
  bool (*meets_box)(const weft__element* element, const weft__extent* box);
} weft__form_row;

/* Indexed by weft__form. */
extern const weft__form_row* const weft__form_rows[WEFT__FORM_COUNT];

extern const weft__form_row weft__ball_row;
extern const weft__form_row weft__box_form_row;
extern const weft__form_row weft__ellipsoid_form_row;
extern const weft__form_row weft__segment_row;
extern const weft__form_row weft__triangle_row;
extern const weft__form_row weft__collider_row;

/* ---- common ---- */

static inline weft__vec3 weft__way_at(const weft__query_path* way, double distance) {
  return weft__plus(way->from, weft__scaled(distance, way->direction));
}

/* Result of a query from inside. */
static inline weft__answer weft__inside(weft__vec3 point) {
  return (weft__answer){.point = point};
}

/* Result for the nearest point of an element to a point outside; false if it is beyond `reach`. */
bool weft__answer_near(weft__vec3 nearest, weft__vec3 point, double reach, weft__answer* answer);

/* Distance at which a path that starts outside first hits a sphere, in metres; infinite = never. */
double weft__cast_at_ball(const weft__query_path* way, weft__vec3 center, double radius);

/* Result of a sphere cast that hits after `distance` metres; `nearest` is the point of the element
 * nearest to the sphere. */
void weft__answer_met(const weft__query_path* way, double distance, weft__vec3 nearest,
                      weft__answer* answer);

/* Overlap test of a sphere or ellipsoid with a box. */
bool weft__round_meets_box(const weft__element* element, const weft__extent* box);

/* A box as centre and half edges, the form that shapes take. */
static inline void weft__extent_edges(const weft__extent* box, weft__vec3* center,
                                      weft__vec3 half_edges[3]) {
  const double* a = box->least;
  const double* b = box->most;
  *center = (weft__vec3){0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]), 0.5 * (a[2] + b[2])};
  half_edges[0] = (weft__vec3){0.5 * (b[0] - a[0]), 0.0, 0.0};
  half_edges[1] = (weft__vec3){0.0, 0.5 * (b[1] - a[1]), 0.0};
  half_edges[2] = (weft__vec3){0.0, 0.0, 0.5 * (b[2] - a[2])};
}

#endif
