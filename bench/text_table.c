#include "text_table.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool bench_text_table_create(const char* const* heads, const char* sides, size_t row_count,
                             bench_text_table* table) {
  *table = (bench_text_table){heads, sides, strlen(sides), NULL, row_count};
  assert(table->column_count <= BENCH_MAX_COLUMNS);
  table->rows = calloc(row_count + 1, sizeof *table->rows);  // + 1: none at all is no failure
  return table->rows != NULL;
}

static int column_width(const bench_text_table* table, size_t column) {
  size_t widest = strlen(table->heads[column]);
  for (size_t i = 0; i < table->row_count; ++i) {
    const size_t width = strlen(table->rows[i].cells[column]);
    if (width > widest) widest = width;
  }
  return (int)widest;
}

static int line_width(const int* widths, const char* const* cells, size_t count) {
  int width = 0;
  for (size_t c = 0; c < count; ++c) {
    const int length = (int)strlen(cells[c]);
    width += length > widths[c] ? length : widths[c];
  }
  return width;
}

/* Nothing follows the last cell, so that one to the left is not filled up. */
void bench_text_line_print(FILE* out, const char* sides, const int* widths,
                           const char* const* cells) {
  const size_t count = strlen(sides);
  // long numbers take the place of the gaps between columns
  const bool wide = line_width(widths, cells, count) + 2 * (int)(count - 1) > BENCH_LINE_WIDTH;
  for (size_t c = 0; c < count; ++c) {
    const bool last = c + 1 == count;
    const int width = sides[c] != 'l' ? widths[c] : last ? 0 : -widths[c];
    fprintf(out, "%*s%s", width, cells[c], last ? "\n" : wide ? " " : "  ");
  }
}

void bench_text_table_print(FILE* out, bench_text_table* table) {
  int widths[BENCH_MAX_COLUMNS];
  for (size_t c = 0; c < table->column_count; ++c) widths[c] = column_width(table, c);
  bench_text_line_print(out, table->sides, widths, table->heads);
  for (size_t i = 0; i < table->row_count; ++i) {
    const char* cells[BENCH_MAX_COLUMNS];
    for (size_t c = 0; c < table->column_count; ++c) cells[c] = table->rows[i].cells[c];
    bench_text_line_print(out, table->sides, widths, cells);
  }
  free(table->rows);
  *table = (bench_text_table){0};
}

void bench_text_rows_print(FILE* out, const char* const* heads, const char* sides, const void* rows,
                           size_t count, size_t row_size, bench_format_row* format) {
  bench_text_table table;
  if (!bench_text_table_create(heads, sides, count, &table)) return;
  for (size_t i = 0; i < count; ++i) format((const char*)rows + i * row_size, &table.rows[i]);
  bench_text_table_print(out, &table);
}

void bench_format_strain(char cell[BENCH_MAX_CELL], double strain) {
  if (isnan(strain)) {
    snprintf(cell, BENCH_MAX_CELL, "not finite");
  } else {
    snprintf(cell, BENCH_MAX_CELL, strain < 10.0 ? "%.3g %%" : "%.2g x",
             strain < 10.0 ? 100 * strain : strain);
  }
}
