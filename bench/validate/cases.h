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

void validate_cantilever(validate_run* run, uint32_t number);
void validate_steps(validate_run* run, uint32_t number);
void validate_twist(validate_run* run, uint32_t number);
void validate_buckling(validate_run* run, uint32_t number);
void validate_membrane(validate_run* run, uint32_t number);
void validate_springs(validate_run* run, uint32_t number);
void validate_load(validate_run* run, uint32_t number);
void validate_rod(validate_run* run, uint32_t number);
void validate_catenary(validate_run* run, uint32_t number);
void validate_chain(validate_run* run, uint32_t number);
void validate_string(validate_run* run, uint32_t number);
void validate_drum(validate_run* run, uint32_t number);
void validate_pendulum(validate_run* run, uint32_t number);
void validate_spin(validate_run* run, uint32_t number);
void validate_momentum(validate_run* run, uint32_t number);
void validate_ramp(validate_run* run, uint32_t number);
void validate_capstan(validate_run* run, uint32_t number);
void validate_layers(validate_run* run, uint32_t number);
void validate_drape(validate_run* run, uint32_t number);

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
