/* The caller's floating-point mode, put aside.
 *
 * A caller may round upwards, or flush denormal numbers to zero. Whatever computes state does it
 * between these two calls, in the default mode, so that the caller's does not show in the bits. The
 * computing stands in a function of its own, which the compiler cannot move across them. */
#ifndef WEFT_BASE_FLOAT_MODE_H
#define WEFT_BASE_FLOAT_MODE_H

#include <fenv.h>

typedef struct weft__float_mode {
  fenv_t callers;
} weft__float_mode;

static inline weft__float_mode weft__float_mode_enter(void) {
  weft__float_mode mode;
  fegetenv(&mode.callers);
  fesetenv(FE_DFL_ENV);
  return mode;
}

static inline void weft__float_mode_leave(const weft__float_mode* mode) {
  fesetenv(&mode->callers);
}

#endif
