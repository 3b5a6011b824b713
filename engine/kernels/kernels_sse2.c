#if defined(__SSE2__)
#define WIDE_LANES 4
#define KERNELS_TABLE weft__kernels_sse2
#define KERNELS_ISA WEFT_ISA_SSE2
#include "kernels/kernels_body.inl"
#else
typedef int weft__kernels_sse2_absent;
#endif
