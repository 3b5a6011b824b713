/* Worlds of finite numbers. */
#ifndef TESTS_SUPPORT_FINITE_H
#define TESTS_SUPPORT_FINITE_H

#include <math.h>

#include "support/worlds.h"

/* Requires finite positions, velocities and energies, after a field has been given a value. */
static inline void expect_finite(const weft_world* world, const char* field, float value) {
  const uint32_t count = particle_count_of(world);
  float* numbers = test_alloc(sizeof(float[3]) * count);
  for (int what = 0; what < 3; ++what) {
    if (what == 0) expect_get(world, WEFT_ATTRIBUTE_POSITION, 0, count, numbers);
    if (what == 1) expect_get(world, WEFT_ATTRIBUTE_VELOCITY, 0, count, numbers);
    if (what == 2) expect_ok(read_interpolated(world, 0.5f, 0, count, numbers));
    for (uint32_t i = 0; i < 3 * count; ++i) {
      ck_assert_msg(isfinite(numbers[i]), "%s = %g: number %u of %d is %g", field, (double)value, i,
                    what, (double)numbers[i]);
    }
  }
  const weft_measures m = measures_of(world);
  ck_assert_msg(isfinite(m.kinetic) && isfinite(m.gravitational) && isfinite(m.elastic),
                "%s = %g: energies", field, (double)value);
}

#endif
