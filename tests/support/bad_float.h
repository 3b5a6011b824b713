/* Values for tests of range checks of arguments; for fields of defs see test_defs.c. */
#ifndef TESTS_SUPPORT_BAD_FLOAT_H
#define TESTS_SUPPORT_BAD_FLOAT_H

#include <math.h>

#include "weft/weft.h"

typedef struct bad_float {
  float value;
  weft_error error; /* WEFT_OK: the value is valid */
} bad_float;

enum { BAD_FLOAT_COUNT = 9 };

/* NaN, infinities, and values on both sides of both ends of a range. */
static inline bad_float bad_float_of(float lower, float upper, int number) {
  const float values[BAD_FLOAT_COUNT] = {NAN,
                                         INFINITY,
                                         -INFINITY,
                                         -1.0f,
                                         0.0f,
                                         nextafterf(lower, -INFINITY),
                                         nextafterf(upper, INFINITY),
                                         lower,
                                         upper};
  const float value = values[number];
  if (!isfinite(value)) return (bad_float){value, WEFT_ERROR_NOT_FINITE};
  const bool good = value >= lower && value <= upper;
  return (bad_float){value, good ? WEFT_OK : WEFT_ERROR_RANGE};
}

#endif
