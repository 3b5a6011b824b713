#include "collision/particles/pair_table.h"

#include <math.h>

// ---- spheres ----

static weft__overlap sphere_sphere(const float first[3], const float second[3],
                                   const double offset[3]) {
  const double radii = (double)first[0] + (double)second[0];
  const double distance =
      sqrt(offset[0] * offset[0] + offset[1] * offset[1] + offset[2] * offset[2]);
  // concentric spheres separate upwards
  if (!(distance > 0.0)) return (weft__overlap){{0.0, 1.0, 0.0}, radii};
  const double rate = 1.0 / distance;
  return (weft__overlap){{offset[0] * rate, offset[1] * rate, offset[2] * rate}, radii - distance};
}

// ---- boxes ----

// Axis of least penetration; of equal ones the last with an offset, so that bodies in a plane stay
// in it.
static weft__overlap box_box(const float first[3], const float second[3], const double offset[3]) {
  int best = 0;
  double smallest = INFINITY;
  for (int axis = 0; axis < 3; ++axis) {
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

// Centre of the sphere is inside the box: out through the nearest face.
static weft__overlap sphere_within(const float box[3], double radius, const double offset[3]) {
  const float none[3] = {0.0f, 0.0f, 0.0f};
  weft__overlap overlap = box_box(box, none, offset);
  overlap.depth += radius;
  return overlap;
}

static weft__overlap box_sphere(const float first[3], const float second[3],
                                const double offset[3]) {
  double outside[3];
  double square = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double half = (double)first[axis];
    const double x = offset[axis];
    outside[axis] = x > half ? x - half : x < -half ? x + half : 0.0;
    square += outside[axis] * outside[axis];
  }
  if (!(square > 0.0)) return sphere_within(first, (double)second[0], offset);
  const double distance = sqrt(square);
  const double rate = 1.0 / distance;
  return (weft__overlap){{outside[0] * rate, outside[1] * rate, outside[2] * rate},
                         (double)second[0] - distance};
}

// Mirrors box_sphere.
static weft__overlap sphere_box(const float first[3], const float second[3],
                                const double offset[3]) {
  const double reversed[3] = {-offset[0], -offset[1], -offset[2]};
  weft__overlap overlap = box_sphere(second, first, reversed);
  for (int axis = 0; axis < 3; ++axis) overlap.normal[axis] = -overlap.normal[axis];
  return overlap;
}

// ---- ellipsoids ----

#define SEARCHED(name, first_shape, second_shape)                                                  \
  static weft__overlap name(const float first[3], const float second[3], const double offset[3]) { \
    return weft__search_overlap(first_shape, first, second_shape, second, offset);                 \
  }

SEARCHED(sphere_ellipsoid, WEFT_PARTICLE_SHAPE_SPHERE, WEFT_PARTICLE_SHAPE_ELLIPSOID)
SEARCHED(box_ellipsoid, WEFT_PARTICLE_SHAPE_BOX, WEFT_PARTICLE_SHAPE_ELLIPSOID)
SEARCHED(ellipsoid_sphere, WEFT_PARTICLE_SHAPE_ELLIPSOID, WEFT_PARTICLE_SHAPE_SPHERE)
SEARCHED(ellipsoid_box, WEFT_PARTICLE_SHAPE_ELLIPSOID, WEFT_PARTICLE_SHAPE_BOX)
SEARCHED(ellipsoid_ellipsoid, WEFT_PARTICLE_SHAPE_ELLIPSOID, WEFT_PARTICLE_SHAPE_ELLIPSOID)

// ---- dispatch ----

static weft__pair_function* const table[WEFT__BODY_SHAPES][WEFT__BODY_SHAPES] = {
    {sphere_sphere, sphere_box, sphere_ellipsoid},
    {box_sphere, box_box, box_ellipsoid},
    {ellipsoid_sphere, ellipsoid_box, ellipsoid_ellipsoid},
};

weft__pair_function* weft__pair_function_of(weft_particle_shape first, weft_particle_shape second) {
  return table[first - WEFT_PARTICLE_SHAPE_SPHERE][second - WEFT_PARTICLE_SHAPE_SPHERE];
}
