/* The instruction sets that this build and this CPU have. */
#ifndef TESTS_SUPPORT_ISAS_H
#define TESTS_SUPPORT_ISAS_H

#include "weft/weft.h"

enum { ISA_END = WEFT_ISA_NEON + 1 };

/* The next supported one after `isa`, which may be WEFT_ISA_AUTO to begin with; ISA_END at the end.
 */
static inline int next_isa(int isa) {
  do ++isa;
  while (isa < ISA_END && !weft_isa_supported((weft_isa)isa));
  return isa;
}

#endif
