/* Cases of the tests of friction and drape: see tests.c. */
#ifndef BENCH_VALIDATE_CONTACTS_H
#define BENCH_VALIDATE_CONTACTS_H

#include "validate/validate.h"

enum { VALIDATE_LAYERS = 4 };

void validate_ramp(validate_run* run, uint32_t number);
void validate_capstan(validate_run* run, uint32_t number);
void validate_layers(validate_run* run, uint32_t number);
void validate_drape(validate_run* run, uint32_t number);

#endif
