/* Cases of the tests of bending: see tests.c. */
#ifndef BENCH_VALIDATE_BENDING_H
#define BENCH_VALIDATE_BENDING_H

#include "validate/validate.h"

enum { VALIDATE_CANTILEVERS = 126, VALIDATE_QUICK_CANTILEVERS = 24, VALIDATE_STEPS = 4 };
enum { VALIDATE_TWISTS = 10, VALIDATE_BUCKLINGS = 6 };

void validate_cantilever(validate_run* run, uint32_t number);
void validate_steps(validate_run* run, uint32_t number);
void validate_twist(validate_run* run, uint32_t number);
void validate_buckling(validate_run* run, uint32_t number);

#endif
