/* Cases of all tests, and their numbers: see tests.c. */
#ifndef BENCH_VALIDATE_CASES_H
#define BENCH_VALIDATE_CASES_H

#include "validate/validate.h"

enum { VALIDATE_CANTILEVERS = 105, VALIDATE_QUICK_CANTILEVERS = 20, VALIDATE_STEPS = 4 };
enum { VALIDATE_TWISTS = 8, VALIDATE_BUCKLINGS = 6 };
enum { VALIDATE_MEMBRANES = 10, VALIDATE_SPRINGS = 10, VALIDATE_LOADS = 6 };
enum { VALIDATE_ROD_CHECKS = 8, VALIDATE_ROD_GRIDS = 6 };
enum {
  VALIDATE_RODS = VALIDATE_ROD_CHECKS * VALIDATE_ROD_GRIDS,
  VALIDATE_QUICK_RODS = VALIDATE_ROD_CHECKS
};
enum { VALIDATE_MODES = 3, VALIDATE_MOTIONS = 2 };
enum { VALIDATE_LAYERS = 4 };

typedef void validate_case(validate_run* run, uint32_t number);
validate_case validate_cantilever, validate_steps, validate_twist, validate_buckling,
    validate_membrane, validate_springs, validate_load, validate_rod, validate_catenary,
    validate_chain, validate_string, validate_drum, validate_pendulum, validate_spin,
    validate_momentum, validate_ramp, validate_capstan, validate_layers, validate_drape;

/* Mode of a body: shape of each particle, and the axis that it moves along. */
typedef struct validate_mode {
  const double* shape; /* [count] */
  uint32_t count;
  int axis;
} validate_mode;

/* Moves the particles by a height times the shape, in metres. */
void validate_displace(validate_run* run, const validate_mode* self, double height);

/* Hertz, by the zero crossings of the mode's amplitude in a time; NaN with fewer than two. */
double validate_frequency(validate_run* run, const validate_mode* self, double seconds);

#endif
