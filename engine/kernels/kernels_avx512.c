#if defined(__AVX512F__)
#define WIDE_LANES 16
#define KERNELS_TABLE weft__kernels_avx512
#define KERNELS_ISA WEFT_ISA_AVX512
#include "kernels/kernels_body.inl"
#else
typedef int weft__kernels_avx512_absent;
#endif
