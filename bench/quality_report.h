/* Tables and files of `weft-bench quality`. The JSON file has one more array: "equal_strain". */
#ifndef BENCH_QUALITY_REPORT_H
#define BENCH_QUALITY_REPORT_H

#include <stdio.h>

#include "equal_strain.h"
#include "run.h"

/* Prints the runs, those left out, and the comparison at equal strain. */
void bench_print_quality(FILE* out, const bench_quality* quality);

bool bench_write_quality(const bench_session* session, const bench_quality* quality,
                         tool_message* why);

#endif
