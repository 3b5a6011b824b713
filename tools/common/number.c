#include "common/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const char* tool_shortest(double value, char text[TOOL_NUMBER_SIZE]) {
  // 15 digits survive the way to a double and back, 17 tell all doubles apart
  for (int precision = 15; precision <= 17; ++precision) {
    snprintf(text, TOOL_NUMBER_SIZE, "%.*g", precision, value);
    if (strtod(text, NULL) == value) break;
  }
  return text;
}

double tool_widen(float value) {
  char text[TOOL_NUMBER_SIZE];
  if (!isfinite(value)) return (double)value;
  // 6 and 9 digits for floats
  for (int precision = 6; precision <= 9; ++precision) {
    snprintf(text, sizeof text, "%.*g", precision, (double)value);
    if (strtof(text, NULL) == value) break;
  }
  return strtod(text, NULL);
}

const char* tool_plural(uint64_t count) {
  return count == 1 ? "" : "s";
}
