#if defined(__AVX2__)
#define WIDE_LANES 8
#define KERNELS_TABLE weft__kernels_avx2
#define KERNELS_ISA WEFT_ISA_AVX2
#include "kernels/kernels_body.inl"
#else
typedef int weft__kernels_avx2_absent;
#endif
