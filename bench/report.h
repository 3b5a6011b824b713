/* Results for people (a table) and for programs (JSON, CSV).
 *
 * The JSON file is {"schema": "weft-bench/1", "machine": {...}, "results": [{...}, ...]}, a result
 * being the columns of bench_columns; numbers have their full precision, and one that is not finite
 * is null. The CSV file has the same columns under one line of names, such numbers being empty.
 *
 * A file is written beside its place and then renamed into it, so that nobody sees half of one. */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include <stdio.h>

#include "machine.h"
#include "measure.h"
#include "results.h"

/* Prints what was measured on, and a word about the columns that need one. */
void bench_print_machine(FILE* out, const bench_machine* machine);

/* Prints the rows of one scene, its facts above them. */
void bench_print_table(FILE* out, const bench_schedule* schedule, const bench_result* rows,
                       size_t count);

bool bench_write_json(const char* path, const bench_machine* machine, const bench_results* results,
                      tool_message* why);
bool bench_write_csv(const char* path, const bench_results* results, tool_message* why);

#endif
