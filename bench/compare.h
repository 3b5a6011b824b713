/* Two files of results of `weft-bench`, row by row.
 *
 * Rows belong together if their key columns are equal: the scene, the solver, the threads asked for
 * and all else that was set, not measured. A row is slower if its median step is longer by more
 * than the threshold and by more than the noise of both rows: half of the distance of the
 * quartiles of each, added as independent errors are. */
#ifndef BENCH_COMPARE_H
#define BENCH_COMPARE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "common/message.h"

enum { BENCH_COMPARE_KEY = 256 };

typedef enum bench_verdict {
  BENCH_WITHIN_NOISE,
  BENCH_FASTER,
  BENCH_SLOWER,
  BENCH_ONLY_OLD,
  BENCH_ONLY_NEW,
} bench_verdict;

typedef struct bench_compared {
  char key[BENCH_COMPARE_KEY]; /* values of the key columns that differ between rows */
  double old_value, new_value; /* milliseconds a step, or nanoseconds a link; NaN where missing */
  double ratio;                /* new over old */
  double noise;                /* share of the value */
  double old_strain, new_strain;
  bool has_other_bits; /* the state hashes differ */
  bench_verdict verdict;
} bench_compared;

typedef struct bench_comparison {
  char scene[BENCH_COMPARE_KEY]; /* values of the key columns that are the same in all rows */
  bench_compared* rows;          /* [count], rows of only the new file last */
  size_t count;
  size_t slower;
} bench_comparison;

typedef struct bench_compare_request {
  const char* old_path;
  const char* new_path;
  double threshold; /* share of the old time */
  bool any_machine; /* compares results of different machines */
} bench_compare_request;

/* Reads and compares. Fails for files that are no results, of different schemas, of different
 * machines unless any_machine, or without a row in common. */
bool bench_compare(const bench_compare_request* request, bench_comparison* comparison,
                   tool_message* why);
void bench_comparison_free(bench_comparison* comparison);

void bench_comparison_print(FILE* out, const bench_comparison* comparison);

#endif
