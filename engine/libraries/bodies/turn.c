#include "libraries/bodies/turn.h"

#include <math.h>

// pi / 2 in two parts: products of the first with integers of up to 20 bits are exact
#define QUARTER_HIGH 0x1.921fb544p+0
#define QUARTER_LOW 0x1.0b4611a626331p-34

// Taylor series for x from -pi/4 to pi/4, to within 2 ulp.
static double sum_series(double x, double first, int n) {
  double term = first;
  double sum = first;
  for (; n < 22; n += 2) {
    term *= -x * x / (double)(n * (n + 1));
    sum += term;
  }
  return sum;
}

static weft__turn add_quarters(weft__turn turn, int quarters) {
  switch (quarters & 3) {
    case 0:
      return turn;
    case 1:
      return (weft__turn){-turn.sine, turn.cosine};
    case 2:
      return (weft__turn){-turn.cosine, -turn.sine};
    default:
      return (weft__turn){turn.sine, -turn.cosine};
  }
}

static weft__turn turn_within_quarter(double x) {
  return (weft__turn){sum_series(x, 1.0, 1), sum_series(x, x, 2)};
}

weft__turn weft__turn_by(double angle) {
  const double quarters = nearbyint(angle / (0.5 * WEFT__PI));
  const double x = angle - quarters * QUARTER_HIGH - quarters * QUARTER_LOW;
  return add_quarters(turn_within_quarter(x), (int)quarters);
}

weft__turn weft__turn_of(double part, double whole) {
  const double quarters = nearbyint(4.0 * part / whole);
  const double rest = (4.0 * part - quarters * whole) / whole;
  return add_quarters(turn_within_quarter(0.5 * WEFT__PI * rest), (int)quarters);
}
