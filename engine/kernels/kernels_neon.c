#if defined(__aarch64__)
#define WIDE_LANES 4
#define KERNELS_TABLE weft__kernels_neon
#define KERNELS_ISA WEFT_ISA_NEON
#include "kernels/kernels_body.inl"
#else
typedef int weft__kernels_neon_absent;
#endif
