#if defined(__wasm_simd128__)
#define WIDE_LANES 4
#define KERNELS_TABLE weft__kernels_simd128
#define KERNELS_ISA WEFT_ISA_SIMD128
#include "kernels/kernels_body.inl"
#else
typedef int weft__kernels_simd128_absent;
#endif
