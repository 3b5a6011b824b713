/* What the JSON files of all sub-commands have in common. */
#ifndef BENCH_JSON_REPORT_H
#define BENCH_JSON_REPORT_H

#include <jansson.h>
#include <stddef.h>

#include "column.h"
#include "common/json_file.h"
#include "machine.h"

/* One object a row; `row_bytes` is the size of a row's struct. */
json_t* bench_json_rows(const void* rows, size_t count, size_t row_bytes,
                        const bench_column* columns, size_t column_count);

json_t* bench_json_machine(const bench_machine* machine);

#endif
