/* The reference, and the fallback on any target. */
#define WIDE_LANES 1
#define KERNELS_TABLE weft__kernels_scalar
#define KERNELS_ISA WEFT_ISA_SCALAR
#include "kernels/kernels_body.inl"
