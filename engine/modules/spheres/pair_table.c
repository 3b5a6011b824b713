#include "modules/spheres/pair_table.h"

#include <math.h>

// Loops over the axes are unrolled, once for space and once for the plane.
#define UNROLLED static inline __attribute__((always_inline))

UNROLLED weft__overlap spheres(const float first[3], const float second[3], const double offset[3],
                               int axes) {
  const double radii = (double)first[0] + (double)second[0];
  double square = 0.0;
  for (int axis = 0; axis < axes; ++axis) square += offset[axis] * offset[axis];
  const double distance = sqrt(square);
  // concentric spheres separate upwards
  if (!(distance > 0.0)) return (weft__overlap){{0.0, 1.0, 0.0}, radii};
  const double rate = 1.0 / distance;
  weft__overlap overlap = {{0.0, 0.0, 0.0}, radii - distance};
  for (int axis = 0; axis < axes; ++axis) overlap.normal[axis] = offset[axis] * rate;
  return overlap;
}

// Axis of least penetration; of equal ones the last with an offset, so that bodies side by side
// separate along the line of their centres.
UNROLLED weft__overlap boxes(const float first[3], const float second[3], const double offset[3],
                             int axes) {
  int best = 0;
  double smallest = INFINITY;
  for (int axis = 0; axis < axes; ++axis) {
    const double depth = (double)first[axis] + (double)second[axis] - fabs(offset[axis]);
    const bool is_smaller = depth < smallest || (depth == smallest && offset[axis] != 0.0);
    if (!is_smaller) continue;
    smallest = depth;
    best = axis;
  }
  weft__overlap overlap = {{0.0, 0.0, 0.0}, smallest};
  overlap.normal[best] = offset[best] < 0.0 ? -1.0 : 1.0;
  return overlap;
}

// Sphere whose centre is inside the box: out through the nearest face.
UNROLLED weft__overlap sphere_within(const float box[3], double radius, const double offset[3],
                                     int axes) {
  const float none[3] = {0.0f, 0.0f, 0.0f};
  weft__overlap overlap = boxes(box, none, offset, axes);
  overlap.depth += radius;
  return overlap;
}

UNROLLED weft__overlap box_and_sphere(const float first[3], const float second[3],
                                      const double offset[3], int axes) {
  double outside[3] = {0.0, 0.0, 0.0};
  double square = 0.0;
  for (int axis = 0; axis < axes; ++axis) {
    const double half = (double)first[axis];
    const double x = offset[axis];
    outside[axis] = x > half ? x - half : x < -half ? x + half : 0.0;
    square += outside[axis] * outside[axis];
  }
  if (!(square > 0.0)) return sphere_within(first, (double)second[0], offset, axes);
  const double distance = sqrt(square);
  const double rate = 1.0 / distance;
  return (weft__overlap){{outside[0] * rate, outside[1] * rate, outside[2] * rate},
                         (double)second[0] - distance};
}

UNROLLED weft__overlap sphere_and_box(const float first[3], const float second[3],
                                      const double offset[3], int axes) {
  const double reversed[3] = {-offset[0], -offset[1], -offset[2]};
  weft__overlap overlap = box_and_sphere(second, first, reversed, axes);
  for (int axis = 0; axis < 3; ++axis) overlap.normal[axis] = -overlap.normal[axis];
  return overlap;
}

#define UNROLL(name, function, axes)                                                               \
  static weft__overlap name(const float first[3], const float second[3], const double offset[3]) { \
    return function(first, second, offset, axes);                                                  \
  }

UNROLL(sphere_sphere, spheres, 3)
UNROLL(sphere_box, sphere_and_box, 3)
UNROLL(box_sphere, box_and_sphere, 3)
UNROLL(box_box, boxes, 3)

UNROLL(disc_disc, spheres, 2)
UNROLL(disc_rectangle, sphere_and_box, 2)
UNROLL(rectangle_disc, box_and_sphere, 2)
UNROLL(rectangle_rectangle, boxes, 2)

#define SEARCH(name, first_shape, second_shape, axes)                                              \
  static weft__overlap name(const float first[3], const float second[3], const double offset[3]) { \
    return weft__search_overlap(WEFT_PARTICLE_SHAPE_##first_shape, first,                          \
                                WEFT_PARTICLE_SHAPE_##second_shape, second, offset, axes);         \
  }

SEARCH(sphere_ellipsoid, SPHERE, ELLIPSOID, 3)
SEARCH(box_ellipsoid, BOX, ELLIPSOID, 3)
SEARCH(ellipsoid_sphere, ELLIPSOID, SPHERE, 3)
SEARCH(ellipsoid_box, ELLIPSOID, BOX, 3)
SEARCH(ellipsoid_ellipsoid, ELLIPSOID, ELLIPSOID, 3)

SEARCH(disc_ellipse, SPHERE, ELLIPSOID, 2)
SEARCH(rectangle_ellipse, BOX, ELLIPSOID, 2)
SEARCH(ellipse_disc, ELLIPSOID, SPHERE, 2)
SEARCH(ellipse_rectangle, ELLIPSOID, BOX, 2)
SEARCH(ellipse_ellipse, ELLIPSOID, ELLIPSOID, 2)

typedef weft__pair_function* pair_table[WEFT__BODY_SHAPES][WEFT__BODY_SHAPES];

static const pair_table in_space = {
    {sphere_sphere, sphere_box, sphere_ellipsoid},
    {box_sphere, box_box, box_ellipsoid},
    {ellipsoid_sphere, ellipsoid_box, ellipsoid_ellipsoid},
};

static const pair_table in_plane = {
    {disc_disc, disc_rectangle, disc_ellipse},
    {rectangle_disc, rectangle_rectangle, rectangle_ellipse},
    {ellipse_disc, ellipse_rectangle, ellipse_ellipse},
};

weft__pair_function* weft__pair_function_of(weft_particle_shape first, weft_particle_shape second,
                                            bool is_plane) {
  const pair_table* table = is_plane ? &in_plane : &in_space;
  return (*table)[first - WEFT_PARTICLE_SHAPE_SPHERE][second - WEFT_PARTICLE_SHAPE_SPHERE];
}
