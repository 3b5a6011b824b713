/* Tables and files of `weft-bench limits`. The JSON file has one more object: "limits". */
#ifndef BENCH_LIMIT_REPORT_H
#define BENCH_LIMIT_REPORT_H

#include <stdio.h>

#include "machine_limits.h"
#include "run.h"

/* Definition of the ceilings, in a sentence. */
extern const char bench_ceilings_are[];

void bench_print_limits(FILE* out, const bench_limits* limits);

/* Prints the rows of all scenes, and a word about the columns that need one. */
void bench_print_limit_rows(FILE* out, const bench_rows* rows);

bool bench_write_limits(const bench_session* session, const bench_limits* limits,
                        tool_message* why);

#endif
