/* Float fields of defs, and values for the tests of their range checks. */
#ifndef TESTS_SUPPORT_BAD_FLOAT_H
#define TESTS_SUPPORT_BAD_FLOAT_H

#include <math.h>
#include <stddef.h>

#include "weft/weft.h"

/* A float field that takes the finite values from `lower` to `upper`. */
typedef struct float_field {
  const char* name;
  size_t offset;
  float lower, upper;
  uint64_t index; /* element index of an array field */
} float_field;

typedef struct bad_float {
  float value;
  weft_error error; /* WEFT_OK: the value is valid */
} bad_float;

enum { BAD_FLOAT_COUNT = 9 };

static inline float* float_at(void* def, size_t offset) {
  return (float*)(void*)((char*)def + offset);
}

/* NaN, infinities, and values on both sides of both ends of the field's range. */
static inline bad_float bad_float_of(const float_field* field, int number) {
  const float values[BAD_FLOAT_COUNT] = {NAN,
                                         INFINITY,
                                         -INFINITY,
                                         -1.0f,
                                         0.0f,
                                         nextafterf(field->lower, -INFINITY),
                                         nextafterf(field->upper, INFINITY),
                                         field->lower,
                                         field->upper};
  const float value = values[number];
  if (!isfinite(value)) return (bad_float){value, WEFT_ERROR_NOT_FINITE};
  const bool good = value >= field->lower && value <= field->upper;
  return (bad_float){value, good ? WEFT_OK : WEFT_ERROR_RANGE};
}

#endif
