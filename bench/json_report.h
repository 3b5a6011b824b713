/* What the JSON files of all sub-commands have in common. */
#ifndef BENCH_JSON_REPORT_H
#define BENCH_JSON_REPORT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "column.h"
#include "machine.h"
#include "message.h"

/* null where the number is not finite, for which JSON has no word. */
json_t* bench_json_number(double value);

/* null where the text is not UTF-8, as file names and the names of processors need not be. */
json_t* bench_json_text(const char* text);

/* One object a row; `row_bytes` is the size of a row's struct. */
json_t* bench_json_rows(const void* rows, size_t count, size_t row_bytes,
                        const bench_column* columns, size_t column_count);

json_t* bench_json_machine(const bench_machine* machine);

/* Writes and frees the report, which is NULL where memory could not be had. */
bool bench_json_write(const char* path, json_t* report, bench_message* why);

#endif
