/* The instruction sets that this build and this CPU have. */
#ifndef TESTS_SUPPORT_ISAS_H
#define TESTS_SUPPORT_ISAS_H

#include <stdbool.h>
#include <stddef.h>

#include "weft/weft.h"

enum { ISA_END = WEFT_ISA_NEON + 1 };

/* The next one to test after `isa`, which may be WEFT_ISA_AUTO to begin with; ISA_END at the end.
 * These are all that are supported; under the thread sanitizer, the scalar one and the widest: what
 * threads share is the same for all. */
static inline int next_isa(int isa) {
  int next = ISA_END;
  for (int i = ISA_END - 1; i > isa; --i) {
    if (!weft_isa_supported((weft_isa)i)) continue;
#ifdef __SANITIZE_THREAD__
    if (next < ISA_END && i != WEFT_ISA_SCALAR) continue;
#endif
    next = i;
  }
  return next;
}

/* Whether an ISA runs with the w-th of `count` numbers of workers. All run with the first and with
 * one of the others, which take turns: every pair of them would take long, and what goes wrong with
 * one number of workers does so with any ISA. Cases that count `turn` up come to every pair
 * together. */
static inline bool goes_with(int isa, size_t w, size_t count, int turn) {
  return w == 0 || w == 1 + (size_t)(isa + turn) % (count - 1);
}

#endif
