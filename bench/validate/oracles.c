#include "validate/oracles.h"

#include <math.h>
#include <string.h>

#include "sim/catenary.h"
#include "validate/validate.h"

enum { ELASTICA_STEPS = 4000 };

/* State at a distance t from the free end: angle to the vertical, its slope, and width and height
 * up to there. */
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
  for (int i = 0; i < ELASTICA_STEPS && at.angle < validate_pi; ++i) {
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

/* Shooting from the free end, whose angle grows to a right one at the clamp over many orders of
 * magnitude. From the clamp it loses all digits at weights of some hundreds. */
static bool turns_up(void* weight, double logarithm) {
  return integrate(exp(logarithm), *(const double*)weight).angle > 0.5 * validate_pi;
}

double oracle_cantilever(double weight) {
  const double angle =
      validate_threshold(log(1e-30), log(0.5 * validate_pi), 80, false, turns_up, &weight);
  const elastica clamp = integrate(exp(angle), weight);
  return clamp.height / clamp.width;
}

double oracle_twist(double length, double width, double bend_stiffness) {
  // distance over which the twist fades to 1 / e of free warping
  const double layer = width / sqrt(24.0);
  return (length - layer * tanh(length / layer)) / (2.0 * bend_stiffness * width);
}

enum { BEAM_STEPS = 1000 };

// Symmetric matrix of twists at i / BEAM_STEPS: elements i, i + 1 and i + 2 of row i.
typedef double beam_matrix[BEAM_STEPS + 3][3];

// Adds factor * (sum of values[k] * twist[first + k])^2.
static void add_square(beam_matrix matrix, int first, const double values[3], double factor) {
  for (int row = 0; row < 3; ++row) {
    for (int column = row; column < 3; ++column)
      matrix[first + row][column - row] += factor * values[row] * values[column];
  }
}

/* Half of the second variation of the energy, B / L times the integral of
 *     2 twist'^2 + (width^2 / 12) twist''^2 - (weight^2 / 4) (1 - s)^4 twist^2
 * with weight and twist, stiffness against warping, and the deflection eliminated, which is
 * moment * twist / EI: Timoshenko and Gere, Theory of Elastic Stability, 6.3 and 5.3. */
static bool is_unstable(void* context, double weight) {
  const double width = *(const double*)context;
  static beam_matrix matrix;
  memset(matrix, 0, sizeof matrix);
  const double h = 1.0 / BEAM_STEPS, warping = width * width / (12.0 * h * h * h);
  // twist[0] is 0, and twist[-1] = twist[1]: half a cell at the clamp
  matrix[1][0] += 0.5 * 4.0 * warping;
  for (int i = 0; i < BEAM_STEPS; ++i) {
    const double end = i + 1 == BEAM_STEPS ? 0.5 : 1.0;
    add_square(matrix, i, (const double[3]){-1.0, 1.0, 0.0}, 2.0 / h);
    if (i + 2 <= BEAM_STEPS) add_square(matrix, i, (const double[3]){1.0, -2.0, 1.0}, warping);
    const double moment = 0.5 * weight * pow(1.0 - (i + 1) * h, 2.0);
    matrix[i + 1][0] -= end * h * moment * moment;
  }
  for (int i = 1; i <= BEAM_STEPS; ++i) {
    const double pivot = matrix[i][0];
    if (!(pivot > 0.0)) return true;
    const double next = matrix[i][1] / pivot, second = matrix[i][2] / pivot;
    matrix[i + 1][0] -= next * matrix[i][1];
    matrix[i + 1][1] -= next * matrix[i][2];
    matrix[i + 2][0] -= second * matrix[i][2];
  }
  return false;
}

double oracle_lateral_buckling(double width) {
  return validate_threshold(1.0, 1000.0, 50, false, is_unstable, &width);
}

double oracle_catenary_sag(double width, double length) {
  double middle[3];
  const sim_catenary rope =
      sim_catenary_between((const double[3]){0.0}, (const double[3]){width}, length);
  sim_catenary_at(&rope, 0.5 * length, middle);
  return -middle[1];
}

double oracle_pendulum_period(double amplitude, double length, double gravity) {
  // arithmetic-geometric mean
  double a = 1.0, b = cos(0.5 * amplitude);
  for (int i = 0; i < 8; ++i) {
    const double mean = 0.5 * (a + b);
    b = sqrt(a * b);
    a = mean;
  }
  return 2.0 * validate_pi * sqrt(length / gravity) / a;
}

static bool is_past_zero(void* sign, double x) {
  return !(*(const double*)sign * j0(x) > 0.0);
}

double oracle_bessel_zero(uint32_t n) {
  const double lower = (n - 0.5) * validate_pi;
  double sign = j0(lower) > 0.0 ? 1.0 : -1.0;
  return validate_threshold(lower, n * validate_pi, 100, false, is_past_zero, &sign);
}

double oracle_modulus(const oracle_membrane* membrane, double cosine) {
  const double along = cosine * cosine, across = 1.0 - along;
  return 1.0 /
         (along * along / membrane->warp + across * across / membrane->weft +
          along * across * (1.0 / membrane->shear - 2.0 * membrane->poisson / membrane->warp));
}
