/* Floating-point modes set by a caller. */
#ifndef TESTS_SUPPORT_FLOAT_MODE_H
#define TESTS_SUPPORT_FLOAT_MODE_H

#include <fenv.h>

#if defined(__SSE2__)
#include <immintrin.h>
/* Four rounding modes, then flushing of results, of operands, and of both. */
enum { FLOAT_MODE_COUNT = 7 };
#else
enum { FLOAT_MODE_COUNT = 4 };
#endif

static inline void set_float_mode(int number) {
  static const int rounding[4] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  fesetround(number < 4 ? rounding[number] : FE_TONEAREST);
#if defined(__SSE2__)
  const unsigned flush_bits[3] = {0x8000u, 0x0040u, 0x8040u};
  if (number >= 4) _mm_setcsr(_mm_getcsr() | flush_bits[number - 4]);
#endif
}

/* Control bits, to check that they are unchanged. */
static inline unsigned get_float_mode(void) {
#if defined(__SSE2__)
  return _mm_getcsr() & ~0x3fu;
#else
  return (unsigned)fegetround();
#endif
}

static inline void reset_float_mode(void) {
  fesetenv(FE_DFL_ENV);
#if defined(__SSE2__)
  _mm_setcsr(0x1f80u);
#endif
}

#endif
