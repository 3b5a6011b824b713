/* Cases of the tests of vibration and motion: see tests.c. */
#ifndef BENCH_VALIDATE_VIBRATION_H
#define BENCH_VALIDATE_VIBRATION_H

#include "validate/validate.h"

enum { VALIDATE_MODES = 3, VALIDATE_MOTIONS = 2 };

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

void validate_catenary(validate_run* run, uint32_t number);
void validate_chain(validate_run* run, uint32_t number);
void validate_string(validate_run* run, uint32_t number);
void validate_drum(validate_run* run, uint32_t number);
void validate_pendulum(validate_run* run, uint32_t number);
void validate_spin(validate_run* run, uint32_t number);
void validate_momentum(validate_run* run, uint32_t number);

#endif
