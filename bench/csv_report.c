#include "csv_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "common/number.h"
#include "common/output_file.h"

/* Quoted where it must be, inner quotes doubled (RFC 4180). */
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

/* Nothing where the number is not finite. */
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
    case BENCH_COLUMN_REAL:
      write_real(out, *(const double*)at);
      break;
    case BENCH_COLUMN_HASH:
      fprintf(out, "%016" PRIx64, *(const uint64_t*)at);
      break;
  }
}

static void write_names(FILE* out, const bench_column* columns, size_t column_count) {
  for (size_t c = 0; c < column_count; ++c) {
    fprintf(out, "%s%s", c > 0 ? "," : "", columns[c].name);
  }
  fputc('\n', out);
}

static void write_row(FILE* out, const char* row, const bench_column* columns,
                      size_t column_count) {
  for (size_t c = 0; c < column_count; ++c) {
    if (c > 0) fputc(',', out);
    write_cell(out, row, &columns[c]);
  }
  fputc('\n', out);
}

bool bench_csv_write(const char* path, const void* rows, size_t count, size_t row_bytes,
                     const bench_column* columns, size_t column_count, tool_message* why) {
  tool_output output;
  if (!tool_output_open(path, &output, why)) return false;
  write_names(output.stream, columns, column_count);
  for (size_t i = 0; i < count; ++i) {
    write_row(output.stream, (const char*)rows + i * row_bytes, columns, column_count);
  }
  return tool_output_close(&output, true, why);
}
