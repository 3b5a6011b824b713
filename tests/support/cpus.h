/* Number of CPUs available to the engine. The linker sends weft__available_cpus() to cpus.c
 * (--wrap), so that worlds of a test have the requested workers. */
#ifndef TESTS_SUPPORT_CPUS_H
#define TESTS_SUPPORT_CPUS_H

#include <stdint.h>

/* 0 = as many as any world may use. */
extern uint32_t available_cpus;

#endif
