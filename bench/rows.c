#include "rows.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/json_file.h"
#include "common/number.h"
#include "common/output_file.h"
#include "weft/weft.h"

void* bench_rows_append(bench_rows* rows, size_t count, tool_message* why) {
  const size_t bytes = rows->type->bytes;
  char* items = realloc(rows->items, (rows->count + count) * bytes);
  if (!items) return tool_because(why, "no memory for %zu results", count), NULL;
  char* first = items + rows->count * bytes;
  memset(first, 0, count * bytes);
  rows->items = items;
  rows->count += count;
  return first;
}

void bench_rows_free(bench_rows* rows) {
  free(rows->items);
  *rows = (bench_rows){.type = rows->type};
}

static json_t* cell_json(const char* row, const bench_column* column) {
  const void* at = row + column->offset;
  switch (column->kind) {
    case BENCH_COLUMN_TEXT:
      return tool_json_text(at);
    case BENCH_COLUMN_COUNT:
      return json_integer(*(const uint32_t*)at);
    case BENCH_COLUMN_LARGE:
      return json_integer((json_int_t) * (const uint64_t*)at);
    case BENCH_COLUMN_FLAG:
      return json_boolean(*(const bool*)at);
    case BENCH_COLUMN_REAL:
      return tool_json_number(*(const double*)at);
    default:
      return json_sprintf("%016" PRIx64, *(const uint64_t*)at);
  }
}

json_t* bench_row_json(const bench_row_type* type, const void* item) {
  json_t* object = json_object();
  for (size_t c = 0; c < type->column_count; ++c) {
    json_object_set_new(object, type->columns[c].name, cell_json(item, &type->columns[c]));
  }
  return object;
}

json_t* bench_rows_json(const bench_row_type* type, const void* items, size_t count) {
  json_t* array = json_array();
  for (size_t i = 0; i < count; ++i) {
    json_array_append_new(array, bench_row_json(type, (const char*)items + i * type->bytes));
  }
  return array;
}

static void write_text(FILE* out, const char* text) {
  if (!strpbrk(text, ",\"\r\n")) {
    fputs(text, out);
    return;
  }
  fputc('"', out);
  for (; *text; ++text) {
    if (*text == '"') fputc('"', out);
    fputc(*text, out);
  }
  fputc('"', out);
}

static void write_csv_cell(FILE* out, const char* row, const bench_column* column) {
  const void* at = row + column->offset;
  char text[TOOL_NUMBER_SIZE];
  if (column->kind == BENCH_COLUMN_TEXT) {
    write_text(out, at);
  } else if (column->kind == BENCH_COLUMN_REAL) {
    if (isfinite(*(const double*)at)) fputs(tool_shortest(*(const double*)at, text), out);
  } else if (column->kind == BENCH_COLUMN_HASH) {
    fprintf(out, "%016" PRIx64, *(const uint64_t*)at);
  } else {
    json_t* value = cell_json(row, column);
    (void)json_dumpf(value, out, JSON_ENCODE_ANY);
    json_decref(value);
  }
}

bool bench_rows_write_csv(const char* path, const bench_rows* rows, tool_message* why) {
  const bench_row_type* type = rows->type;
  tool_output output;
  if (!tool_output_open(path, &output, why)) return false;
  FILE* out = output.stream;
  for (size_t c = 0; c < type->column_count; ++c) {
    fprintf(out, "%s%s", c > 0 ? "," : "", type->columns[c].name);
  }
  fputc('\n', out);
  for (size_t i = 0; i < rows->count; ++i) {
    for (size_t c = 0; c < type->column_count; ++c) {
      if (c > 0) fputc(',', out);
      write_csv_cell(out, (const char*)rows->items + i * type->bytes, &type->columns[c]);
    }
    fputc('\n', out);
  }
  return tool_output_close(&output, true, why);
}

static void format_cell(char cell[BENCH_MAX_CELL], const char* row, const bench_column* column) {
  const void* at = row + column->offset;
  if (column->write) {
    column->write(cell, row);
  } else if (column->kind == BENCH_COLUMN_TEXT) {
    snprintf(cell, BENCH_MAX_CELL, "%.*s", BENCH_MAX_CELL - 1, (const char*)at);
  } else if (column->kind == BENCH_COLUMN_COUNT) {
    snprintf(cell, BENCH_MAX_CELL, "%" PRIu32, *(const uint32_t*)at);
  } else if (column->kind == BENCH_COLUMN_LARGE) {
    snprintf(cell, BENCH_MAX_CELL, "%" PRIu64, *(const uint64_t*)at);
  } else if (column->kind == BENCH_COLUMN_HASH) {
    snprintf(cell, BENCH_MAX_CELL, "%016" PRIx64, *(const uint64_t*)at);
  } else if (column->kind == BENCH_COLUMN_WORD) {
    snprintf(cell, BENCH_MAX_CELL, "%s", *(const char* const*)at);
  } else if (column->kind == BENCH_COLUMN_STRAIN) {
    bench_format_strain(cell, *(const double*)at);
  } else if (column->kind == BENCH_COLUMN_MIB) {
    snprintf(cell, BENCH_MAX_CELL, "%.1f", (double)*(const uint64_t*)at / (1u << 20));
  } else if (isfinite(*(const double*)at)) {
    snprintf(cell, BENCH_MAX_CELL, column->format, column->factor * *(const double*)at);
  }
}

static bool is_left(const bench_column* column) {
  return column->kind == BENCH_COLUMN_TEXT || column->kind == BENCH_COLUMN_HASH ||
         column->kind == BENCH_COLUMN_WORD;
}

static int line_width(const int* widths, const char* const* cells, size_t count) {
  int width = 0;
  for (size_t c = 0; c < count; ++c) {
    const int length = (int)strlen(cells[c]);
    width += length > widths[c] ? length : widths[c];
  }
  return width;
}

/* Columns are two spaces apart, or one in lines longer than BENCH_LINE_WIDTH. */
static void print_line(FILE* out, const char* sides, const int* widths, const char* const* cells) {
  const size_t count = strlen(sides);
  const bool wide = line_width(widths, cells, count) + 2 * (int)(count - 1) > BENCH_LINE_WIDTH;
  for (size_t c = 0; c < count; ++c) {
    const bool last = c + 1 == count;
    const int width = sides[c] != 'l' ? widths[c] : last ? 0 : -widths[c];
    fprintf(out, "%*s%s", width, cells[c], last ? "\n" : wide ? " " : "  ");
  }
}

static void print_text_row(FILE* out, const char* sides, const int* widths,
                           const bench_text_row* row) {
  const char* cells[BENCH_MAX_COLUMNS];
  for (size_t c = 0; c < BENCH_MAX_COLUMNS; ++c) cells[c] = row->cells[c];
  print_line(out, sides, widths, cells);
}

void bench_text_rows_print(FILE* out, const char* const* heads, const char* sides,
                           const bench_text_row* rows, size_t count) {
  int widths[BENCH_MAX_COLUMNS] = {0};
  for (size_t c = 0; sides[c]; ++c) {
    widths[c] = (int)strlen(heads[c]);
    for (size_t i = 0; i < count; ++i) {
      const int width = (int)strlen(rows[i].cells[c]);
      if (width > widths[c]) widths[c] = width;
    }
  }
  print_line(out, sides, widths, heads);
  for (size_t i = 0; i < count; ++i) print_text_row(out, sides, widths, &rows[i]);
}

static void list_heads(const bench_row_type* type, const char* heads[BENCH_MAX_COLUMNS],
                       char sides[BENCH_MAX_COLUMNS + 1]) {
  assert(type->column_count <= BENCH_MAX_COLUMNS);
  for (size_t c = 0; c < type->column_count; ++c) {
    heads[c] = type->columns[c].name;
    sides[c] = is_left(&type->columns[c]) ? 'l' : 'r';
  }
}

static void format_row(const bench_row_type* type, const void* item, bench_text_row* row) {
  for (size_t c = 0; c < type->column_count; ++c) {
    format_cell(row->cells[c], item, &type->columns[c]);
  }
}

void bench_rows_print(FILE* out, const bench_row_type* type, const void* items, size_t count) {
  const char* heads[BENCH_MAX_COLUMNS];
  char sides[BENCH_MAX_COLUMNS + 1] = "";
  list_heads(type, heads, sides);
  bench_text_row* rows = calloc(count + 1, sizeof *rows);
  if (!rows) return;
  for (size_t i = 0; i < count; ++i) {
    format_row(type, (const char*)items + i * type->bytes, &rows[i]);
  }
  bench_text_rows_print(out, heads, sides, rows, count);
  free(rows);
}

void bench_row_print(FILE* out, const bench_row_type* type, const int* widths, const void* item) {
  const char* heads[BENCH_MAX_COLUMNS];
  char sides[BENCH_MAX_COLUMNS + 1] = "";
  bench_text_row row = {0};
  list_heads(type, heads, sides);
  if (!item) {
    print_line(out, sides, widths, heads);
    return;
  }
  format_row(type, item, &row);
  print_text_row(out, sides, widths, &row);
}

void bench_format_strain(char cell[BENCH_MAX_CELL], double strain) {
  if (isnan(strain)) {
    snprintf(cell, BENCH_MAX_CELL, "not finite");
  } else {
    snprintf(cell, BENCH_MAX_CELL, strain < 10.0 ? "%.3g %%" : "%.2g x",
             strain < 10.0 ? 100 * strain : strain);
  }
}

void bench_format_stages(char (*cells)[BENCH_MAX_CELL], const double* stage_ms, const int* shown,
                         size_t count) {
  double sum = 0.0;
  for (int stage = 0; stage < WEFT_STAGE_COUNT; ++stage) sum += stage_ms[stage];
  double rest = sum;
  for (size_t i = 0; i <= count; ++i) {
    const double part = i < count ? stage_ms[shown[i]] : rest > 1e-9 * sum ? rest : 0.0;
    if (part > 0.0) snprintf(cells[i], BENCH_MAX_CELL, "%.1f %%", 100.0 * part / sum);
    rest -= part;
  }
}
