/* All that most suites use. */
#ifndef TESTS_SUPPORT_TEST_H
#define TESTS_SUPPORT_TEST_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "support/isas.h"
#include "support/one_particle.h"
#include "support/random.h"
#include "support/worlds.h"

#endif
