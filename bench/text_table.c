#include "text_table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool bench_text_table_create(const char* const* heads, const char* sides, size_t row_count,
                             bench_text_table* table) {
  *table = (bench_text_table){heads, sides, strlen(sides), NULL, row_count};
  assert(table->column_count <= BENCH_MAX_COLUMNS);
  table->rows = calloc(row_count + 1, sizeof *table->rows);  // + 1: none at all is no failure
  return table->rows != NULL;
}

void bench_text_table_free(bench_text_table* table) {
  free(table->rows);
  *table = (bench_text_table){0};
}

static int column_width(const bench_text_table* table, size_t column) {
  size_t widest = strlen(table->heads[column]);
  for (size_t i = 0; i < table->row_count; ++i) {
    const size_t width = strlen(table->rows[i].cells[column]);
    if (width > widest) widest = width;
  }
  return (int)widest;
}

/* Nothing follows the last cell, so that one to the left is not filled up. */
static void print_cell(FILE* out, const bench_text_table* table, size_t column, int width,
                       const char* text) {
  const bool last = column + 1 == table->column_count;
  const bool left = table->sides[column] == 'l';
  fprintf(out, "%*s%s", left ? (last ? 0 : -width) : width, text, last ? "\n" : "  ");
}

void bench_text_table_print(FILE* out, const bench_text_table* table) {
  int widths[BENCH_MAX_COLUMNS];
  for (size_t c = 0; c < table->column_count; ++c) {
    widths[c] = column_width(table, c);
    print_cell(out, table, c, widths[c], table->heads[c]);
  }
  for (size_t i = 0; i < table->row_count; ++i) {
    for (size_t c = 0; c < table->column_count; ++c) {
      print_cell(out, table, c, widths[c], table->rows[i].cells[c]);
    }
  }
}
