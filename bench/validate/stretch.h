/* Cases of the tests of stretch: see tests.c. */
#ifndef BENCH_VALIDATE_STRETCH_H
#define BENCH_VALIDATE_STRETCH_H

#include "validate/validate.h"

enum { VALIDATE_MEMBRANES = 10, VALIDATE_SPRINGS = 10, VALIDATE_LOADS = 6 };

void validate_membrane(validate_run* run, uint32_t number);
void validate_springs(validate_run* run, uint32_t number);
void validate_load(validate_run* run, uint32_t number);

#endif
