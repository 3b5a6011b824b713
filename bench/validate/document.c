#include "validate/document.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/output_file.h"
#include "option_table.h"

void validate_format(char cell[VALIDATE_CELL], double value) {
  snprintf(cell, VALIDATE_CELL, isfinite(value) ? "%.4g" : "not finite", value);
}

void validate_format_error(char cell[VALIDATE_CELL], const validate_row* row, double error) {
  if (!isfinite(error)) {
    snprintf(cell, VALIDATE_CELL, "not finite");
  } else if (row->is_absolute) {
    snprintf(cell, VALIDATE_CELL, "%.3g", error);
  } else {
    snprintf(cell, VALIDATE_CELL, "%.3g %%", 100.0 * error);
  }
}

static void write_head(FILE* out, const bench_machine* machine, bool is_quick) {
  fprintf(out,
          "# Validation\n\n"
          "`weft-bench validate` compares weft with closed forms. This page is its output, written "
          "by\n\n"
          "    weft-bench validate --markdown docs/validation.md --json validation.json\n"
          "    tools/plot.sh validate validation.json validation.svg      # errors as a chart\n\n"
          "and not by hand. A row is missed if its error exceeds the tolerance, and the command "
          "then exits\nwith status 1. Tests take the settings of one table: the default of a "
          "world (`WEFT_AUTO`) unless\na row says otherwise.\n\n");
  fprintf(out, "weft %s, %s, %s.%s\n\n", machine->version, machine->cpu, machine->compiler,
          is_quick ? " With --quick: a part of the cases." : "");
}

typedef struct tally {
  uint32_t count, held;
  double worst; /* error over tolerance */
} tally;

static tally count_rows(const bench_rows* rows, const char* test) {
  tally found = {0, 0, 0.0};
  const validate_row* row = rows->items;
  for (size_t i = 0; i < rows->count; ++i) {
    if (strcmp(row[i].test, test) != 0) continue;
    ++found.count;
    found.held += row[i].holds;
    const double share = fabs(row[i].error) / row[i].tolerance;
    if (!(share <= found.worst)) found.worst = share;
  }
  return found;
}

static void write_summary(FILE* out, const bench_rows* rows) {
  fprintf(out, "| test | held | largest error over tolerance |\n|---|---|---|\n");
  for (uint32_t t = 0; t < validate_test_count; ++t) {
    const tally found = count_rows(rows, validate_tests[t].name);
    if (found.count == 0) continue;
    fprintf(out, "| [%s](#%s): %s | %u of %u | %.2g |\n", validate_tests[t].name,
            validate_tests[t].name, validate_tests[t].summary, found.held, found.count,
            found.worst);
  }
  fputs("\n", out);
}

static void write_row(FILE* out, const validate_row* row) {
  char expected[VALIDATE_CELL], measured[VALIDATE_CELL], error[VALIDATE_CELL],
      tolerance[VALIDATE_CELL];
  validate_format(expected, row->expected);
  validate_format(measured, row->measured);
  validate_format_error(error, row, row->error);
  validate_format_error(tolerance, row, row->tolerance);
  const char* blank = row->unit[0] ? " " : "";
  fprintf(out, "| %s | %s%s%s | %s | %s | %s | %s | %u | %.3g | %g x %u | %u, %u, %u | %.3g |\n",
          row->check, expected, blank, row->unit, measured, error, tolerance,
          row->holds ? "yes" : "**missed**", row->particles, 100.0 * row->spacing, row->rate,
          row->substeps, row->iterations, row->coarse_iterations, row->attachments, row->step_ms);
}

static void write_test(FILE* out, const validate_test* test, const bench_rows* rows) {
  const validate_row* row = rows->items;
  if (count_rows(rows, test->name).count == 0) return;
  fprintf(out, "## %s\n\n", test->name);
  bench_write_wrapped(out, test->reference, 0, 0);
  fputc('\n', out);
  fprintf(out,
          "| check | expected | measured | error | tolerance | holds | particles | cm | steps/s x "
          "substeps | sweeps, of levels, attachments | ms a step |\n"
          "|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (size_t i = 0; i < rows->count; ++i) {
    if (strcmp(row[i].test, test->name) == 0) write_row(out, &row[i]);
  }
  fputs("\n", out);
}

bool validate_write_document(const char* path, const bench_machine* machine, bool is_quick,
                             const bench_rows* rows, tool_message* why) {
  tool_output output;
  if (!tool_output_open(path, &output, why)) return false;
  write_head(output.stream, machine, is_quick);
  write_summary(output.stream, rows);
  for (uint32_t t = 0; t < validate_test_count; ++t) {
    write_test(output.stream, &validate_tests[t], rows);
  }
  return tool_output_close(&output, !ferror(output.stream), why);
}
