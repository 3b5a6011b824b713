/* Table of `weft-bench throughput`. */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include <stdio.h>

#include "measure.h"
#include "results.h"

/* Prints the rows of one scene, its facts above them. */
void bench_print_table(FILE* out, const bench_schedule* schedule, const bench_result* rows,
                       size_t count);

#endif
