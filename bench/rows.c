#include "rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/json_file.h"
#include "common/number.h"
#include "common/output_file.h"

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

// ---- JSON ----

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

json_t* bench_rows_json(const bench_row_type* type, const void* items, size_t count) {
  json_t* array = json_array();
  for (size_t i = 0; i < count; ++i) {
    const char* row = (const char*)items + i * type->bytes;
    json_t* object = json_object();
    for (size_t c = 0; c < type->column_count; ++c) {
      json_object_set_new(object, type->columns[c].name, cell_json(row, &type->columns[c]));
    }
    json_array_append_new(array, object);
  }
  return array;
}

// ---- CSV ----

/* Quoted where necessary, inner quotes doubled. */
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

static void write_real(FILE* out, double value) {
  char text[TOOL_NUMBER_SIZE];
  if (isfinite(value)) fputs(tool_shortest(value, text), out);
}

static void write_cell(FILE* out, const char* row, const bench_column* column) {
  const void* at = row + column->offset;
  switch (column->kind) {
    case BENCH_COLUMN_TEXT:
      write_text(out, at);
      break;
    case BENCH_COLUMN_COUNT:
      fprintf(out, "%" PRIu32, *(const uint32_t*)at);
      break;
    case BENCH_COLUMN_LARGE:
      fprintf(out, "%" PRIu64, *(const uint64_t*)at);
      break;
    case BENCH_COLUMN_FLAG:
      fputs(*(const bool*)at ? "true" : "false", out);
      break;
    case BENCH_COLUMN_REAL:
      write_real(out, *(const double*)at);
      break;
    case BENCH_COLUMN_HASH:
      fprintf(out, "%016" PRIx64, *(const uint64_t*)at);
      break;
  }
}

bool bench_rows_write_csv(const char* path, const bench_row_type* type, const void* items,
                          size_t count, tool_message* why) {
  tool_output output;
  if (!tool_output_open(path, &output, why)) return false;
  FILE* out = output.stream;
  for (size_t c = 0; c < type->column_count; ++c) {
    fprintf(out, "%s%s", c > 0 ? "," : "", type->columns[c].name);
  }
  fputc('\n', out);
  for (size_t i = 0; i < count; ++i) {
    for (size_t c = 0; c < type->column_count; ++c) {
      if (c > 0) fputc(',', out);
      write_cell(out, (const char*)items + i * type->bytes, &type->columns[c]);
    }
    fputc('\n', out);
  }
  return tool_output_close(&output, true, why);
}
