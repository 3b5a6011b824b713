/* Default floating-point mode for public functions (WEFT__RETURN_COMPUTED) and workers (enter,
 * leave), against the caller's rounding, flushing and traps. Compilers may move arithmetic across
 * enter and leave, out of inlined functions: WEFT__RETURN_COMPUTED() calls through a hidden
 * pointer. */
#ifndef WEFT_BASE_FLOAT_MODE_H
#define WEFT_BASE_FLOAT_MODE_H

#if defined(__x86_64__)
#include <xmmintrin.h>
#else
#include <fenv.h>
#endif

/* MXCSR does all arithmetic on x86-64; fesetenv() would load x87, too, and outlast a getter. */
typedef struct weft__float_mode {
#if defined(__x86_64__)
  unsigned callers;
#else
  fenv_t callers;
#endif
} weft__float_mode;

/* Round to nearest, exceptions masked, no flags. */
#define WEFT__DEFAULT_FLOAT_MODE 0x1f80u
#define WEFT__FLOAT_FLAGS 0x3fu

static inline weft__float_mode weft__float_mode_enter(void) {
  weft__float_mode mode;
#if defined(__x86_64__)
  mode.callers = _mm_getcsr();
  if ((mode.callers & ~WEFT__FLOAT_FLAGS) != WEFT__DEFAULT_FLOAT_MODE) {
    _mm_setcsr(WEFT__DEFAULT_FLOAT_MODE);
  }
#else
  fegetenv(&mode.callers);
  fesetenv(FE_DFL_ENV);
#endif
  return mode;
}

static inline void weft__float_mode_leave(const weft__float_mode* mode) {
#if defined(__x86_64__)
  if (_mm_getcsr() != mode->callers) _mm_setcsr(mode->callers);
#else
  fesetenv(&mode->callers);
#endif
}

/* Returns function(arguments ..) from the calling function. */
#define WEFT__RETURN_COMPUTED(function, ...)                              \
  do {                                                                    \
    __typeof__(&(function)) hidden = &(function);                         \
    __asm__("" : "+r"(hidden));                                           \
    const weft__float_mode callers_mode = weft__float_mode_enter();       \
    const __typeof__(hidden(__VA_ARGS__)) computed = hidden(__VA_ARGS__); \
    weft__float_mode_leave(&callers_mode);                                \
    return computed;                                                      \
  } while (0)

#endif
