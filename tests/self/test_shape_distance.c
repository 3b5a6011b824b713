/* Distance of a point from a box and from an ellipsoid, in closed form. */
#include "collision/self/shape_distance.h"

#include "support/test.h"

static const struct {
  weft_particle_shape shape;
  float half[3], at[3];
  float distance, normal[3];
} cases[] = {
    // a box: beside a face, an edge and a corner, within it, at its centre
    {WEFT_PARTICLE_SHAPE_BOX, {1, 2, 3}, {3, 1, -1}, 2, {1, 0, 0}},
    {WEFT_PARTICLE_SHAPE_BOX, {1, 2, 3}, {0, -5, 7}, 5, {0, -0.6f, 0.8f}},
    {WEFT_PARTICLE_SHAPE_BOX, {1, 2, 3}, {2, 4, -5}, 3, {1.0f / 3, 2.0f / 3, -2.0f / 3}},
    {WEFT_PARTICLE_SHAPE_BOX, {1, 2, 3}, {0.25f, -1.75f, 0}, -0.25f, {0, -1, 0}},
    {WEFT_PARTICLE_SHAPE_BOX, {3, 2, 1}, {0, 0, 0}, -1, {0, 0, 1}},
    // an ellipsoid on its axes, inside and outside, and at its centre
    {WEFT_PARTICLE_SHAPE_ELLIPSOID, {1, 2, 3}, {-4, 0, 0}, 3, {-1, 0, 0}},
    {WEFT_PARTICLE_SHAPE_ELLIPSOID, {1, 2, 3}, {0, 3, 0}, 1, {0, 1, 0}},
    {WEFT_PARTICLE_SHAPE_ELLIPSOID, {1, 2, 3}, {0, 0, -1.5f}, -1.5f, {0, 0, -1}},
    {WEFT_PARTICLE_SHAPE_ELLIPSOID, {3, 1, 2}, {0, 0, 0}, -1, {0, 1, 0}},
    // a sphere in any direction
    {WEFT_PARTICLE_SHAPE_ELLIPSOID, {2, 2, 2}, {1, -2, 2}, 1, {1.0f / 3, -2.0f / 3, 2.0f / 3}},
    // on the surface: (0.6, 0.8) of the half sizes
    {WEFT_PARTICLE_SHAPE_ELLIPSOID, {1, 2, 3}, {0.6f, 1.6f, 0}, 0, {0.83205f, 0.55470f, 0}},
};
enum { CASES = sizeof(cases) / sizeof(*cases) };

LOOP_TEST(distance_and_normal_are_those_of_the_closed_form, 0, CASES) {
  weft__material body = {.shape = cases[_i].shape};
  for (int k = 0; k < 3; ++k) body.half_size[k] = cases[_i].half[k];
  const weft__shape_distance found = weft__shape_distance_body(&body, cases[_i].at);
  ck_assert_float_eq_tol(found.distance, cases[_i].distance, 1e-5f);
  for (int k = 0; k < 3; ++k) {
    ck_assert_float_eq_tol(found.normal[k], cases[_i].normal[k], 1e-5f);
  }
}
