/* The loops that the machine's limits are measured with: they touch memory and do next to nothing
 * else. They are in a file of their own, which is compiled for the machine at hand. */
#ifndef BENCH_LIMIT_LOOPS_H
#define BENCH_LIMIT_LOOPS_H

#include <stddef.h>
#include <stdint.h>

/* The sum of a block, whose count is a multiple of 4. Integers, because no compiler may reorder a
 * sum of floats; and four sums, because one would wait for its own last addition. */
uint64_t bench_loop_sum(const uint64_t* block, size_t count);

/* a = b + scale * c */
void bench_loop_triad(double* restrict a, const double* restrict b, const double* restrict c,
                      double scale, size_t count);

#endif
