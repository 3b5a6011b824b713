/* The CSV files of all sub-commands: the same columns as the JSON's rows, under one line of names;
 * numbers that are not finite are empty. */
#ifndef BENCH_CSV_REPORT_H
#define BENCH_CSV_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "column.h"
#include "common/message.h"

/* `row_bytes` is the size of a row's struct. */
bool bench_csv_write(const char* path, const void* rows, size_t count, size_t row_bytes,
                     const bench_column* columns, size_t column_count, tool_message* why);

#endif
