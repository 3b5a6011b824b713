/* Cases of the tests of vibration and motion: see tests.c. */
#ifndef BENCH_VALIDATE_VIBRATION_H
#define BENCH_VALIDATE_VIBRATION_H

#include "validate/validate.h"

enum { VALIDATE_MODES = 3, VALIDATE_MOTIONS = 3 };

void validate_catenary(validate_run* run, uint32_t number);
void validate_chain(validate_run* run, uint32_t number);
void validate_string(validate_run* run, uint32_t number);
void validate_drum(validate_run* run, uint32_t number);
void validate_pendulum(validate_run* run, uint32_t number);
void validate_spin(validate_run* run, uint32_t number);
void validate_momentum(validate_run* run, uint32_t number);

#endif
