/* Number of CPUs that the engine believes it may use. The linker sends weft__available_cpus() to
 * cpus.c (--wrap), so that worlds of a test have as many workers as it asks for. */
#ifndef TESTS_SUPPORT_CPUS_H
#define TESTS_SUPPORT_CPUS_H

#include <stdint.h>

/* 0 = as many as any world may use, the default. */
extern uint32_t available_cpus;

#endif
