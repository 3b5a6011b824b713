/* What elements of each form answer: how near they are, where a ball on its way meets them, whether they reach into
 * a box. One row a form; nobody else knows them apart. All that is computed is in double precision, and asks for
 * nothing but the element. */
#ifndef WEFT_QUERY_FORMS_H
#define WEFT_QUERY_FORMS_H

#include "query/elements.h"

/* The way of a ball. */
typedef struct weft__query_path {
  weft__vec3 from;
  weft__vec3 direction; /* of length 1; 0 where it stays where it is */
  double length;        /* metres, may be infinite */
  double radius;        /* metres, >= 0 */
} weft__query_path;

typedef struct weft__answer {
  double distance;   /* metres: to the element, or along the way; 0 = inside */
  weft__vec3 point;  /* of the element */
  weft__vec3 normal; /* of length 1, towards who asks; 0 where that is inside */
} weft__answer;

typedef struct weft__form_row {
  /* The place of an element that is nearest to a point, if it is within `reach` metres. */
  bool (*find_nearest)(const weft__element* element, weft__vec3 point, double reach,
                       weft__answer* answer);

  /* The first that a way meets between `enter` and `leave` metres of it, where it is in the element's extent
   * widened by the radius. What is without any width, and the ball too, is not met, unless it is a triangle. */
  bool (*cast)(const weft__element* element, const weft__query_path* way, double enter,
               double leave, weft__answer* answer);

  /* Whether a part of it is in a box, the surface of which belongs to it. */
  bool (*meets_box)(const weft__element* element, const weft__extent* box);
} weft__form_row;

/* By weft__form. */
extern const weft__form_row* const weft__form_rows[WEFT__FORM_COUNT];

extern const weft__form_row weft__ball_row;
extern const weft__form_row weft__box_form_row;
extern const weft__form_row weft__ellipsoid_form_row;
extern const weft__form_row weft__segment_row;
extern const weft__form_row weft__triangle_row;
extern const weft__form_row weft__collider_row;

/* ---- what forms have in common ---- */

static inline weft__vec3 weft__way_at(const weft__query_path* way, double distance) {
  return weft__plus(way->from, weft__scaled(distance, way->direction));
}

/* The answer of one who is inside. */
static inline weft__answer weft__inside(weft__vec3 point) {
  return (weft__answer){.point = point};
}

/* The answer where `nearest` is the place nearest to a point outside; false if it is beyond `reach`. */
bool weft__answer_near(weft__vec3 nearest, weft__vec3 point, double reach, weft__answer* answer);

/* Where a way first meets a ball, that it does not begin in: metres, infinite = never. */
double weft__cast_at_ball(const weft__query_path* way, weft__vec3 center, double radius);

/* The answer of a way that meets something `distance` metres on, where its place nearest to the ball is this. */
void weft__answer_met(const weft__query_path* way, double distance, weft__vec3 nearest,
                      weft__answer* answer);

/* Whether a ball or an ellipsoid reaches into a box. */
bool weft__round_meets_box(const weft__element* element, const weft__extent* box);

/* A box as shapes are asked about it. */
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
