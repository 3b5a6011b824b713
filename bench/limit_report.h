/* What `weft-bench limits` prints and writes. The JSON file is that of report.h, with one more
 * object beside the machine: "limits". */
#ifndef BENCH_LIMIT_REPORT_H
#define BENCH_LIMIT_REPORT_H

#include <stdio.h>

#include "machine_limits.h"

/* What the ceilings are and what they are not, in a sentence. */
extern const char bench_ceilings_are[];

void bench_print_limits(FILE* out, const bench_limits* limits);

/* Prints the rows of all scenes, and a word about the columns that need one. */
void bench_print_limit_rows(FILE* out, const bench_limit_rows* rows);

bool bench_write_limits(const char* path, const bench_machine* machine, const bench_limits* limits,
                        const bench_limit_rows* rows, tool_message* why);

#endif
