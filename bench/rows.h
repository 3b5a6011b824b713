/* Rows of results, all of one struct, in JSON, in CSV and as tables. */
#ifndef BENCH_ROWS_H
#define BENCH_ROWS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/message.h"

enum { BENCH_MAX_COLUMNS = 16, BENCH_MAX_CELL = 96, BENCH_LINE_WIDTH = 100 };

typedef enum bench_column_kind {
  BENCH_COLUMN_TEXT,
  BENCH_COLUMN_COUNT, /* uint32_t */
  BENCH_COLUMN_LARGE, /* uint64_t */
  BENCH_COLUMN_REAL,
  BENCH_COLUMN_FLAG,   /* bool */
  BENCH_COLUMN_HASH,   /* uint64_t, written as 16 hexadecimal digits */
  BENCH_COLUMN_WORD,   /* const char*, of tables */
  BENCH_COLUMN_STRAIN, /* double, of tables: bench_format_strain() */
  BENCH_COLUMN_MIB,    /* uint64_t bytes, of tables */
} bench_column_kind;

typedef struct bench_column {
  const char* name; /* key in files, head in tables */
  bench_column_kind kind;
  size_t offset; /* in the struct */
  /* reals in tables: format and factor; cells of numbers that are not finite are empty */
  const char* format;
  double factor;
  /* writes a table's cell in place of these; NULL = none */
  void (*write)(char cell[BENCH_MAX_CELL], const void* row);
} bench_column;

/* The members of a struct that files or a table contain, in order. New ones of files are appended,
 * for readers that count columns. */
typedef struct bench_row_type {
  size_t bytes; /* size of the struct */
  const bench_column* columns;
  size_t column_count;
} bench_row_type;

#define BENCH_ROW_TYPE(...)                                                \
  {                                                                        \
    sizeof(ROW), (const bench_column[]){__VA_ARGS__},                      \
        sizeof((const bench_column[]){__VA_ARGS__}) / sizeof(bench_column) \
  }

/* Columns of the struct ROW, which is defined around them. */
#define BENCH_NAMED(key, type, member) \
  { .name = key, .kind = BENCH_COLUMN_##type, .offset = offsetof(ROW, member) }
#define BENCH_TEXT(member) BENCH_NAMED(#member, TEXT, member)
#define BENCH_COUNT(member) BENCH_NAMED(#member, COUNT, member)
#define BENCH_LARGE(member) BENCH_NAMED(#member, LARGE, member)
#define BENCH_REAL(member) BENCH_NAMED(#member, REAL, member)
#define BENCH_FLAG(member) BENCH_NAMED(#member, FLAG, member)
#define BENCH_HASH(member) BENCH_NAMED(#member, HASH, member)

/* Cells of tables: a real by its format, times a factor, or by a function. */
#define BENCH_SCALED(head, member, text, times)                                               \
  {                                                                                           \
    .name = head, .kind = BENCH_COLUMN_REAL, .offset = offsetof(ROW, member), .format = text, \
    .factor = times                                                                           \
  }
#define BENCH_CELL(head, member, text) BENCH_SCALED(head, member, text, 1.0)
#define BENCH_WRITTEN(head, type, function) \
  { .name = head, .kind = BENCH_COLUMN_##type, .write = function }

typedef struct bench_rows {
  const bench_row_type* type;
  void* items; /* [count] structs of the type */
  size_t count;
} bench_rows;

/* Appends rows of zeros and returns the first. */
void* bench_rows_append(bench_rows* rows, size_t count, tool_message* why);
void bench_rows_free(bench_rows* rows);

/* An object with a key for each column; a list of these. */
json_t* bench_row_json(const bench_row_type* type, const void* item);
json_t* bench_rows_json(const bench_row_type* type, const void* items, size_t count);

/* RFC 4180, with a header line; numbers that are not finite are empty. "-" is standard output. */
bool bench_rows_write_csv(const char* path, const bench_rows* rows, tool_message* why);

/* ---- tables ---------------------------------------------------------------------------------- */

/* Prints columns as wide as their widest cells: texts and hashes to the left, numbers to the right.
 * Nothing when memory cannot be had. */
void bench_rows_print(FILE* out, const bench_row_type* type, const void* items, size_t count);

/* One line of a table printed while it is measured: a row, or the heads for NULL. Columns have
 * these widths, or more where a cell needs it. */
void bench_row_print(FILE* out, const bench_row_type* type, const int* widths, const void* item);

typedef struct bench_text_row {
  char cells[BENCH_MAX_COLUMNS][BENCH_MAX_CELL];
} bench_text_row;

/* `sides` has 'l' or 'r' for each column. */
void bench_text_rows_print(FILE* out, const char* const* heads, const char* sides,
                           const bench_text_row* rows, size_t count);

/* Percent with three digits; "x" above 1000 %: diverged cloth. */
void bench_format_strain(char cell[BENCH_MAX_CELL], double strain);

/* Shares of the shown stages, weft_stage [count], empty where a stage took no time, and of the
 * rest. */
void bench_format_stages(char (*cells)[BENCH_MAX_CELL], const double* stage_ms, const int* shown,
                         size_t count);

#endif
