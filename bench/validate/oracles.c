#include "validate/oracles.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

// ---- the heavy elastica ----

enum { ELASTICA_STEPS = 4000 };

/* State at a distance t from the free end: angle to the vertical, its slope, and the width and the
 * height of the part up to there. */
typedef struct elastica {
  double angle, slope, width, height;
} elastica;

static elastica change_of(const elastica* at, double t, double weight) {
  return (elastica){at->slope, weight * t * sin(at->angle), sin(at->angle), cos(at->angle)};
}

static elastica moved(const elastica* at, const elastica* change, double h) {
  return (elastica){at->angle + h * change->angle, at->slope + h * change->slope,
                    at->width + h * change->width, at->height + h * change->height};
}

/* Runge-Kutta of order 4 from the free end to the clamp, or until the strip turns up. */
static elastica integrate(double angle, double weight) {
  const double h = 1.0 / ELASTICA_STEPS;
  elastica at = {angle, 0.0, 0.0, 0.0};
  for (int i = 0; i < ELASTICA_STEPS && at.angle < pi; ++i) {
    const double t = i * h;
    const elastica a = change_of(&at, t, weight);
    const elastica at_b = moved(&at, &a, 0.5 * h), b = change_of(&at_b, t + 0.5 * h, weight);
    const elastica at_c = moved(&at, &b, 0.5 * h), c = change_of(&at_c, t + 0.5 * h, weight);
    const elastica at_d = moved(&at, &c, h), d = change_of(&at_d, t + h, weight);
    at = moved(&at, &a, h / 6.0);
    at = moved(&at, &b, h / 3.0);
    at = moved(&at, &c, h / 3.0);
    at = moved(&at, &d, h / 6.0);
  }
  return at;
}

/* Shooting from the free end, whose angle grows to a right one at the clamp; it spans many orders
 * of magnitude. Shooting from the clamp loses all digits at weights of some hundreds. */
double oracle_cantilever(double weight) {
  double lower = log(1e-30), upper = log(0.5 * pi);
  for (int i = 0; i < 80; ++i) {
    const double middle = 0.5 * (lower + upper);
    if (integrate(exp(middle), weight).angle > 0.5 * pi) {
      upper = middle;
    } else {
      lower = middle;
    }
  }
  const elastica clamp = integrate(exp(0.5 * (lower + upper)), weight);
  return clamp.height / clamp.width;
}

double oracle_lateral_buckling(void) {
  return 12.85 * sqrt(2.0);
}

// ---- ropes and pendulums ----

double oracle_catenary_sag(double width, double length) {
  // 2 a sinh(width / (2 a)) falls with a
  double lower = 1e-3 * width, upper = 1e6 * width;
  for (int i = 0; i < 200; ++i) {
    const double a = sqrt(lower * upper);
    if (2.0 * a * sinh(0.5 * width / a) > length) {
      lower = a;
    } else {
      upper = a;
    }
  }
  const double a = sqrt(lower * upper);
  return a * (cosh(0.5 * width / a) - 1.0);
}

double oracle_pendulum_period(double amplitude, double length, double gravity) {
  // arithmetic-geometric mean
  double a = 1.0, b = cos(0.5 * amplitude);
  for (int i = 0; i < 8; ++i) {
    const double mean = 0.5 * (a + b);
    b = sqrt(a * b);
    a = mean;
  }
  return 2.0 * pi * sqrt(length / gravity) / a;
}

/* The integral of Bessel, by the trapezoidal rule: exact to rounding for a periodic function. */
double oracle_bessel(double x) {
  double sum = 0.0;
  const int count = 64;
  for (int i = 0; i < count; ++i) sum += cos(x * sin(pi * (i + 0.5) / count));
  return sum / count;
}

double oracle_bessel_zero(uint32_t n) {
  double lower = (n - 0.5) * pi, upper = n * pi;
  const double sign = oracle_bessel(lower) > 0.0 ? 1.0 : -1.0;
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (lower + upper);
    if (sign * oracle_bessel(middle) > 0.0) {
      lower = middle;
    } else {
      upper = middle;
    }
  }
  return 0.5 * (lower + upper);
}

double oracle_modulus(const oracle_membrane* membrane, double cosine) {
  const double along = cosine * cosine, across = 1.0 - along;
  return 1.0 /
         (along * along / membrane->warp + across * across / membrane->weft +
          along * across * (1.0 / membrane->shear - 2.0 * membrane->poisson / membrane->warp));
}
