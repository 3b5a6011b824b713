/* Instruction sets supported by this build and this CPU. */
#ifndef TESTS_SUPPORT_ISAS_H
#define TESTS_SUPPORT_ISAS_H

#include <stdbool.h>
#include <stddef.h>

#include "weft/weft.h"

enum { ISA_END = WEFT_ISA_SIMD128 + 1 };

/* Next ISA to test after `isa`, WEFT_ISA_AUTO to begin with; ISA_END at the end. All supported
 * ISAs; under sanitizers the scalar and the widest, under the thread sanitizer only the widest, as
 * threads share the same data in all. */
static inline int next_isa(int isa) {
  int next = ISA_END;
  for (int i = ISA_END - 1; i > isa; --i) {
    if (!weft_isa_supported((weft_isa)i)) continue;
#if defined(__SANITIZE_THREAD__)
    if (next < ISA_END) continue;
#elif defined(WEFT_TEST_SANITIZED)
    if (next < ISA_END && i != WEFT_ISA_SCALAR) continue;
#endif
    next = i;
  }
  return next;
}

/* True if an ISA runs with the w-th of `count` worker counts: the scalar one with the first, and
 * each with one other in rotation. A failure at a worker count shows with any ISA, one of an ISA at
 * any worker count. Cases that count `turn` up cover every pair together. The first is one worker
 * as a rule, and left out under the thread sanitizer. */
static inline bool goes_with(int isa, size_t w, size_t count, int turn) {
#ifndef __SANITIZE_THREAD__
  if (w == 0) return isa == WEFT_ISA_SCALAR;
#endif
  return w == 1 + (size_t)(isa + turn) % (count - 1);
}

/* The same with one worker count for each ISA, for tests with similar cases: `count` of them that
 * count `turn` up cover every pair. */
static inline bool in_turn(int isa, size_t w, size_t count, int turn) {
#ifdef __SANITIZE_THREAD__
  return goes_with(isa, w, count, turn);
#else
  return w == (size_t)(isa + turn) % count;
#endif
}

/* ISA of a run, and index of its worker count; {0} to begin with. */
typedef struct machine {
  weft_isa isa;
  uint32_t w;
} machine;

static inline bool seek_machine(machine* m, uint32_t count, int turn,
                                bool (*is_run)(int isa, size_t w, size_t count, int turn)) {
  bool begins = m->isa == WEFT_ISA_AUTO;
  int isa = begins ? next_isa(WEFT_ISA_AUTO) : (int)m->isa;
  for (; isa < ISA_END; isa = next_isa(isa), begins = true) {
    for (uint32_t w = begins ? 0 : m->w + 1; w < count; ++w) {
      if (!is_run(isa, w, count, turn)) continue;
      *m = (machine){(weft_isa)isa, w};
      return true;
    }
  }
  return false;
}

/* Next run by goes_with(); false at the end. */
static inline bool next_machine(machine* m, uint32_t count, int turn) {
  return seek_machine(m, count, turn, goes_with);
}

/* Next run by in_turn(). */
static inline bool next_machine_in_turn(machine* m, uint32_t count, int turn) {
  return seek_machine(m, count, turn, in_turn);
}

#endif
