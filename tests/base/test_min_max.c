#include "base/min_max.h"

#include "support/test.h"

typedef struct min_max_case {
  float a, b, lower, upper;
} min_max_case;

static const min_max_case cases[] = {
    {1.0f, 2.0f, 1.0f, 2.0f},
    {2.0f, 1.0f, 1.0f, 2.0f},
    {-INFINITY, INFINITY, -INFINITY, INFINITY},
    {NAN, 3.0f, 3.0f, 3.0f},
    {3.0f, NAN, 3.0f, 3.0f},
    {0.0f, -0.0f, -0.0f, -0.0f},  // of equal ones the second
    {-0.0f, 0.0f, 0.0f, 0.0f},
};

static bool same_bits(float a, float b) {
  return memcmp(&a, &b, sizeof(a)) == 0;
}

LOOP_TEST(minimum_and_maximum_pass_over_nan_and_are_the_second_of_equal_ones, 0,
          sizeof(cases) / sizeof(*cases)) {
  const min_max_case c = cases[_i];
  ck_assert(same_bits(weft__minf(c.a, c.b), c.lower));
  ck_assert(same_bits(weft__maxf(c.a, c.b), c.upper));
  ck_assert(same_bits((float)weft__min((double)c.a, (double)c.b), c.lower));
  ck_assert(same_bits((float)weft__max((double)c.a, (double)c.b), c.upper));
}
