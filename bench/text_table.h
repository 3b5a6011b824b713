/* A table for people: columns as wide as their widest cell, text to the left and numbers to the
 * right. */
#ifndef BENCH_TEXT_TABLE_H
#define BENCH_TEXT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { BENCH_MAX_COLUMNS = 16, BENCH_MAX_CELL = 96, BENCH_LINE_WIDTH = 100 };

typedef struct bench_text_row {
  char cells[BENCH_MAX_COLUMNS][BENCH_MAX_CELL];
} bench_text_row;

typedef struct bench_text_table {
  const char* const* heads; /* [column_count] */
  const char* sides;        /* alignment of each column: 'l' or 'r' */
  size_t column_count;      /* up to BENCH_MAX_COLUMNS */
  bench_text_row* rows;     /* [row_count], empty cells until they are written */
  size_t row_count;
} bench_text_table;

/* `sides` has a letter for each column. False when memory cannot be had: the results themselves
 * are safe then. */
bool bench_text_table_create(const char* const* heads, const char* sides, size_t row_count,
                             bench_text_table* table);

/* Prints the table and frees it. */
void bench_text_table_print(FILE* out, bench_text_table* table);

/* Writes the cells of a row of results. */
typedef void bench_format_row(const void* row, bench_text_row* text);

/* Prints a table of `count` rows of `row_size` bytes; nothing when memory cannot be had. */
void bench_text_rows_print(FILE* out, const char* const* heads, const char* sides, const void* rows,
                           size_t count, size_t row_size, bench_format_row* format);

/* One line of a table whose columns have these widths, or more where a cell needs it: two spaces
 * apart, or one where the line would be longer than BENCH_LINE_WIDTH. */
void bench_text_line_print(FILE* out, const char* sides, const int* widths,
                           const char* const* cells);

/* Percent with three digits; "x" above 1000 %, as diverged cloth has. */
void bench_format_strain(char cell[BENCH_MAX_CELL], double strain);

#endif
