/* c^2 = (a - b)^2 + 4 a b sin^2(angle / 2) keeps its precision where the arms nearly close. C
 * libraries' sines differ in the last bit; a scene shall be the same on all machines. */
#include <math.h>

#include "base/float_mode.h"
#include "scene/scene.h"

// x - x^3 / 3! + x^5 / 5! .., to within 2 ulp
double weft__sine_of(double x) {
  double term = x;
  double sum = x;
  for (int n = 2; n < 26; n += 2) {
    term *= -x * x / (double)(n * (n + 1));
    sum += term;
  }
  return sum;
}

static weft_result length_at_angle(float arm_a, float arm_b, float angle, float* length) {
  WEFT__TRY(weft__check_positive(arm_a, "arm_a"));
  WEFT__TRY(weft__check_positive(arm_b, "arm_b"));
  WEFT__TRY(weft__check_range(angle, 0.0f, WEFT__MAX_ANGLE, "angle"));
  WEFT__FAIL_IF(length == NULL, WEFT_ERROR_NULL, "length");
  const double a = (double)arm_a;
  const double b = (double)arm_b;
  const double sine = weft__sine_of(0.5 * (double)angle);
  const float made = (float)sqrt((a - b) * (a - b) + 4.0 * a * b * sine * sine);
  WEFT__FAIL_IF(!isfinite(made), WEFT_ERROR_RANGE, "arm_a");
  WEFT__FAIL_IF(made == 0.0f, WEFT_ERROR_DEGENERATE, "angle");
  *length = made;
  return weft__ok();
}

weft_result weft_length_at_angle(float arm_a, float arm_b, float angle, float* length) {
  WEFT__RETURN_COMPUTED(length_at_angle, arm_a, arm_b, angle, length);
}
