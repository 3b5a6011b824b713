#include <stdlib.h>
#include <string.h>

#include "kernels/kernels.h"

static bool cpu_has(weft_isa isa) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  switch (isa) {
    case WEFT_ISA_SSE2:
      return __builtin_cpu_supports("sse2") != 0;
    case WEFT_ISA_AVX2:
      return __builtin_cpu_supports("avx2") != 0;
    case WEFT_ISA_AVX512:
      return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
             __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512bw") != 0;
    default:
      return false;
  }
#elif defined(__aarch64__)
  return isa == WEFT_ISA_NEON;
#elif defined(__wasm_simd128__)
  return isa == WEFT_ISA_SIMD128;
#else
  (void)isa;
  return false;
#endif
}

static const weft__kernels* const built[] = {
    &weft__kernels_scalar,
#if defined(__x86_64__)
    &weft__kernels_sse2,
    &weft__kernels_avx2,
    &weft__kernels_avx512,
#elif defined(__aarch64__)
    &weft__kernels_neon,
#elif defined(__wasm_simd128__)
    &weft__kernels_simd128,
#endif
};

// Unknown name in WEFT_ISA: no valid ISA.
static weft_isa isa_from_environment(void) {
  const char* name = getenv("WEFT_ISA");
  if (name == NULL || *name == '\0') return WEFT_ISA_AUTO;
  weft_isa isa = WEFT_ISA_AUTO;
  while (isa <= WEFT_ISA_SIMD128 && strcmp(name, weft_isa_name(isa)) != 0) ++isa;
  return isa;
}

const weft__kernels* weft__kernels_select(weft_isa isa) {
  const weft__kernels* selected = NULL;
  if (isa == WEFT_ISA_AUTO) isa = isa_from_environment();
  for (size_t i = 0; i < sizeof(built) / sizeof(*built); ++i) {
    const weft_isa here = built[i]->isa;
    const bool wanted = isa == WEFT_ISA_AUTO || isa == here;
    if (wanted && (here == WEFT_ISA_SCALAR || cpu_has(here))) selected = built[i];
  }
  return selected;
}

bool weft_isa_supported(weft_isa isa) {
  return weft__kernels_select(isa) != NULL;
}

const char* weft_isa_name(weft_isa isa) {
  switch (isa) {
    case WEFT_ISA_AUTO:
      return "auto";
    case WEFT_ISA_SCALAR:
      return "scalar";
    case WEFT_ISA_SSE2:
      return "sse2";
    case WEFT_ISA_AVX2:
      return "avx2";
    case WEFT_ISA_AVX512:
      return "avx512";
    case WEFT_ISA_NEON:
      return "neon";
    case WEFT_ISA_SIMD128:
      return "simd128";
  }
  return "unknown";
}
