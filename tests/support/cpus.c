#include "support/cpus.h"

#include "weft/weft.h"

uint32_t available_cpus;

uint32_t __wrap_weft__available_cpus(void);

uint32_t __wrap_weft__available_cpus(void) {
  return available_cpus > 0 ? available_cpus : WEFT_MAX_WORKERS;
}
