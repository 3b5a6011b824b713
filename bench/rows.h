/* Rows of results, all of one struct, and the files of them. */
#ifndef BENCH_ROWS_H
#define BENCH_ROWS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/message.h"

typedef enum bench_column_kind {
  BENCH_COLUMN_TEXT,
  BENCH_COLUMN_COUNT, /* uint32_t */
  BENCH_COLUMN_LARGE, /* uint64_t */
  BENCH_COLUMN_REAL,
  BENCH_COLUMN_FLAG, /* bool */
  BENCH_COLUMN_HASH, /* uint64_t, written as 16 hexadecimal digits */
} bench_column_kind;

typedef struct bench_column {
  const char* name;
  bench_column_kind kind;
  size_t offset; /* in the struct */
} bench_column;

/* The members of a struct that files contain, in order. New ones are appended, for readers that
 * count columns. */
typedef struct bench_row_type {
  size_t bytes; /* size of the struct */
  const bench_column* columns;
  size_t column_count;
} bench_row_type;

#define BENCH_ROW_TYPE(row, columns) \
  { sizeof(row), columns, sizeof columns / sizeof columns[0] }

typedef struct bench_rows {
  const bench_row_type* type;
  void* items; /* [count] structs of the type */
  size_t count;
} bench_rows;

/* Appends rows, all zero, and returns the first of them. */
void* bench_rows_append(bench_rows* rows, size_t count, tool_message* why);
void bench_rows_free(bench_rows* rows);

/* A list of objects: one a row, with a key for each column. */
json_t* bench_rows_json(const bench_row_type* type, const void* items, size_t count);

/* RFC 4180, with a header line; numbers that are not finite are empty. "-" is standard output. */
bool bench_rows_write_csv(const char* path, const bench_row_type* type, const void* items,
                          size_t count, tool_message* why);

#endif
