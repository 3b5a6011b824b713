#include <math.h>

#include "base/pose.h"
#include "base/rigid_fit.h"
#include "support/random.h"
#include "support/test.h"

enum { ARMS = 20, TRIES = 50 };

static weft__vec3 random_vector(random_source* random, int axes) {
  double v[3] = {0.0, 0.0, 0.0};
  for (int axis = 0; axis < axes; ++axis) v[axis] = (double)random_float(random, -1.0f, 1.0f);
  return (weft__vec3){v[0], v[1], v[2]};
}

// Arms on a line, in a plane and in space.
LOOP_TEST(the_rotation_and_the_spin_of_arms_are_found_again, 1, 4) {
  random_source random = {(uint64_t)_i};
  for (int n = 0; n < TRIES; ++n) {
    weft__pose turned = {.position = {0.0, 0.0, 0.0}};
    for (int k = 0; k < 4; ++k) turned.rotation[k] = (double)random_float(&random, -1.0f, 1.0f);
    weft__rotation_normalise(turned.rotation);
    const weft__frame frame = weft__frame_of(&turned);
    const weft__vec3 spin = random_vector(&random, 3);
    weft__vec3 arm[ARMS];
    weft__vec3 momentum = {0.0, 0.0, 0.0};
    double covariance[3][3] = {{0.0}};
    double moment[3][3] = {{0.0}};
    for (int i = 0; i < ARMS; ++i) {
      arm[i] = random_vector(&random, _i);
      const weft__vec3 at = weft__frame_out(&frame, arm[i]);
      weft__add_product(covariance, 0.1, at, arm[i]);
      weft__add_product(moment, 0.1, arm[i], arm[i]);
      momentum =
          weft__plus(momentum, weft__scaled(0.1, weft__cross(arm[i], weft__cross(spin, arm[i]))));
    }
    weft__pose found = {.position = {0.0, 0.0, 0.0}};
    weft__fit_rotation(covariance, found.rotation);
    const weft__frame fit = weft__frame_of(&found);
    const weft__vec3 found_spin = weft__spin_of(moment, momentum);
    for (int i = 0; i < ARMS; ++i) {
      const weft__vec3 error =
          weft__minus(weft__frame_out(&fit, arm[i]), weft__frame_out(&frame, arm[i]));
      require(weft__length(error) < 1e-12);
      const weft__vec3 slip = weft__cross(weft__minus(found_spin, spin), arm[i]);
      require(weft__length(slip) < 1e-6);
    }
  }
}

TEST(a_point_has_neither_rotation_nor_spin) {
  double zero[3][3] = {{0.0}};
  double rotation[4];
  weft__fit_rotation(zero, rotation);
  require(rotation[0] == 0.0 && rotation[1] == 0.0 && rotation[2] == 0.0 && rotation[3] == 1.0);
  require(weft__length(weft__spin_of(zero, (weft__vec3){1.0, 2.0, 3.0})) == 0.0);
}
