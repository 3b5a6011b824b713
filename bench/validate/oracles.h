/* Closed forms, and equations integrated in double precision. */
#ifndef BENCH_VALIDATE_ORACLES_H
#define BENCH_VALIDATE_ORACLES_H

#include <stdint.h>

/* Height over width of a strip clamped level at one end, under its weight: theta'' = -G (1 - s) cos
 * theta, theta(0) = 0, theta'(1) = 0; `weight` is G = areal mass g L^3 / B, up to 1000. (Bickley
 * 1934, "The heavy elastica") */
double oracle_cantilever(double weight);

/* Sag of a rope between two points of equal height, metres. */
double oracle_catenary_sag(double width, double length);

/* Seconds of a swing of a pendulum: 4 K(sin(amplitude / 2)) sqrt(length / gravity). */
double oracle_pendulum_period(double amplitude, double length, double gravity);

/* n-th zero of the Bessel function J0, from 1. */
double oracle_bessel_zero(uint32_t n);

/* Radians at the end of a strip under a couple of 1 N m, in metres and newton metres: a plate
 * without Poisson ratio, GJ = 2 B b, whose clamp restrains warping (stiffness B b^3 / 12 against
 * twist''). (Timoshenko, Gere 1961, 5.3) */
double oracle_twist(double length, double width, double bend_stiffness);

/* Dimensionless weight G at which a strip of this width over its length, at most 1, buckles
 * sideways if clamped upright: the plate above with EI = B b. Within 0.1 % of finite differences of
 * half the step; without width it is 12.85 sqrt(2). (Timoshenko, Gere 1961, "Theory of elastic
 * stability", 5.3 and 6.4) */
double oracle_lateral_buckling(double width);

/* Modulus of an orthotropic membrane along a direction of cosine c to the warp. */
typedef struct oracle_membrane {
  double warp, weft, shear, poisson;
} oracle_membrane;
double oracle_modulus(const oracle_membrane* membrane, double cosine);

#endif
