/* A column of results: what a file calls it, and where it stands in a row. */
#ifndef BENCH_COLUMN_H
#define BENCH_COLUMN_H

#include <stddef.h>

typedef enum bench_column_kind {
  BENCH_COLUMN_TEXT,
  BENCH_COLUMN_COUNT, /* uint32_t */
  BENCH_COLUMN_LARGE, /* uint64_t */
  BENCH_COLUMN_REAL,
  BENCH_COLUMN_HASH, /* uint64_t, written as 16 hexadecimal digits */
} bench_column_kind;

typedef struct bench_column {
  const char* name;
  bench_column_kind kind;
  size_t offset; /* in the row's struct */
} bench_column;

#endif
