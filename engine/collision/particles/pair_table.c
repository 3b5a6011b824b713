#include "collision/particles/pair_table.h"

#include <math.h>

// ---- spheres ----

static weft__overlap sphere_sphere(const float first[3], const float second[3],
                                   const double offset[3]) {
  const double reach = (double)first[0] + (double)second[0];
  const double distance =
      sqrt(offset[0] * offset[0] + offset[1] * offset[1] + offset[2] * offset[2]);
  // one in the middle of the other goes up
  if (!(distance > 0.0)) return (weft__overlap){{0.0, 1.0, 0.0}, reach};
  const double rate = 1.0 / distance;
  return (weft__overlap){{offset[0] * rate, offset[1] * rate, offset[2] * rate}, reach - distance};
}

// ---- boxes ----

// the faces that are furthest apart; the last axis of equals, so that what lies in a plane stays there
static weft__overlap box_box(const float first[3], const float second[3], const double offset[3]) {
  int best = 0;
  double least = INFINITY;
  for (int axis = 0; axis < 3; ++axis) {
    const double depth = (double)first[axis] + (double)second[axis] - fabs(offset[axis]);
    const bool is_less = depth < least || (depth == least && offset[axis] != 0.0);
    if (!is_less) continue;
    least = depth;
    best = axis;
  }
  weft__overlap overlap = {{0.0, 0.0, 0.0}, least};
  overlap.normal[best] = offset[best] < 0.0 ? -1.0 : 1.0;
  return overlap;
}

// the sphere's middle is in the box: out through the nearest face
static weft__overlap sphere_within(const float box[3], double radius, const double offset[3]) {
  const float none[3] = {0.0f, 0.0f, 0.0f};
  weft__overlap overlap = box_box(box, none, offset);
  overlap.depth += radius;
  return overlap;
}

static weft__overlap box_sphere(const float first[3], const float second[3],
                                const double offset[3]) {
  double beyond[3];
  double square = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double half = (double)first[axis];
    const double x = offset[axis];
    beyond[axis] = x > half ? x - half : x < -half ? x + half : 0.0;
    square += beyond[axis] * beyond[axis];
  }
  if (!(square > 0.0)) return sphere_within(first, (double)second[0], offset);
  const double distance = sqrt(square);
  const double rate = 1.0 / distance;
  return (weft__overlap){{beyond[0] * rate, beyond[1] * rate, beyond[2] * rate},
                         (double)second[0] - distance};
}

// the other way round: seen from the sphere
static weft__overlap sphere_box(const float first[3], const float second[3],
                                const double offset[3]) {
  const double back[3] = {-offset[0], -offset[1], -offset[2]};
  weft__overlap overlap = box_sphere(second, first, back);
  for (int axis = 0; axis < 3; ++axis) overlap.normal[axis] = -overlap.normal[axis];
  return overlap;
}

// ---- ellipsoids ----

#define SEARCHED(name, first_shape, second_shape)                                                  \
  static weft__overlap name(const float first[3], const float second[3], const double offset[3]) { \
    return weft__search_overlap(first_shape, first, second_shape, second, offset);                 \
  }

SEARCHED(sphere_ellipsoid, WEFT_CONTACT_SPHERE, WEFT_CONTACT_ELLIPSOID)
SEARCHED(box_ellipsoid, WEFT_CONTACT_BOX, WEFT_CONTACT_ELLIPSOID)
SEARCHED(ellipsoid_sphere, WEFT_CONTACT_ELLIPSOID, WEFT_CONTACT_SPHERE)
SEARCHED(ellipsoid_box, WEFT_CONTACT_ELLIPSOID, WEFT_CONTACT_BOX)
SEARCHED(ellipsoid_ellipsoid, WEFT_CONTACT_ELLIPSOID, WEFT_CONTACT_ELLIPSOID)

// ---- the table ----

static weft__pair_function* const table[WEFT__BODY_SHAPES][WEFT__BODY_SHAPES] = {
    {sphere_sphere, sphere_box, sphere_ellipsoid},
    {box_sphere, box_box, box_ellipsoid},
    {ellipsoid_sphere, ellipsoid_box, ellipsoid_ellipsoid},
};

weft__pair_function* weft__pair_function_of(weft_contact_shape first, weft_contact_shape second) {
  return table[first - WEFT_CONTACT_SPHERE][second - WEFT_CONTACT_SPHERE];
}
