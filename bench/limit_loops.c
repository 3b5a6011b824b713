#include "machine_limits.h"

/* Quarters of the block, so that the compiler can make each a sum of vectors. */
uint64_t bench_loop_sum(const uint64_t* block, size_t count) {
  const size_t quarter = count / 4;
  const uint64_t *second = block + quarter, *third = second + quarter, *fourth = third + quarter;
  uint64_t sums[4] = {0};
  for (size_t i = 0; i < quarter; ++i) {
    sums[0] += block[i];
    sums[1] += second[i];
    sums[2] += third[i];
    sums[3] += fourth[i];
  }
  return sums[0] + sums[1] + sums[2] + sums[3];
}

void bench_loop_triad(double* restrict a, const double* restrict b, const double* restrict c,
                      double scale, size_t count) {
  for (size_t i = 0; i < count; ++i) a[i] = b[i] + scale * c[i];
}
