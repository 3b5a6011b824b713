/* What `weft-bench quality` prints and writes. The JSON file is that of report.h with one more
 * array beside the results, "equal_strain". */
#ifndef BENCH_QUALITY_REPORT_H
#define BENCH_QUALITY_REPORT_H

#include <stdio.h>

#include "equal_strain.h"
#include "machine.h"

/* Prints the runs, those left out, and the comparison at equal strain. */
void bench_print_quality(FILE* out, const bench_quality* quality);

bool bench_write_quality(const char* path, const bench_machine* machine,
                         const bench_quality* quality, tool_message* why);

#endif
