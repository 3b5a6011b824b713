/* Cases of the tests of rods: see tests.c. */
#ifndef BENCH_VALIDATE_RODS_H
#define BENCH_VALIDATE_RODS_H

#include "validate/validate.h"

enum { VALIDATE_ROD_CHECKS = 8, VALIDATE_ROD_GRIDS = 6 };
enum {
  VALIDATE_RODS = VALIDATE_ROD_CHECKS * VALIDATE_ROD_GRIDS,
  VALIDATE_QUICK_RODS = VALIDATE_ROD_CHECKS
};

void validate_rod(validate_run* run, uint32_t number);

#endif
