#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/number.h"
#include "sim/file/table.h"

static void print_kind(FILE* out, const sim_field* field) {
  static const char* const kinds[] = {"number",       "number",      "whole number", "whole number",
                                      "whole number", "true, false", "one of",       "3 numbers",
                                      "2 numbers",    "4 numbers",   "text",         "list",
                                      "object",       "see below"};
  fputs(kinds[field->kind], out);
  for (size_t i = 0; field->kind == SIM_FIELD_CHOICE && field->choices[i]; ++i) {
    fprintf(out, "%s `%s`", i > 0 ? "," : "", field->choices[i]);
  }
}

static void print_range(FILE* out, const sim_field* field) {
  const bool is_infinite = isinf(field->upper);
  const bool is_list = field->kind == SIM_FIELD_VECTOR || field->kind == SIM_FIELD_PAIR;
  if (field->kind > SIM_FIELD_LONG && !is_list) return;
  if (field->lower == 0.0 && field->upper == 0.0) return;
  if (is_infinite && isinf(field->lower)) {
    fputs(", or `\"infinity\"`, `\"-infinity\"`", out);
    return;
  }
  const bool open = field->upper >= (double)FLT_MAX;
  if (field->above) {
    fprintf(out, " above %.12g", field->lower);
  } else {
    fprintf(out, open ? " of %.12g or more" : " from %.12g", field->lower);
  }
  if (!open) fprintf(out, " to %.12g", field->upper);
  if (is_infinite) fputs(", or `\"infinity\"`", out);
  if (field->kind == SIM_FIELD_CHOSEN) fputs(", or `\"auto\"`", out);
}

/* As in a file; NaN is a default computed elsewhere. */
static void print_number(FILE* out, double number) {
  char text[32];
  if (isinf(number)) {
    fputs(number > 0.0 ? "\"infinity\"" : "\"-infinity\"", out);
    return;
  }
  snprintf(text, sizeof text, "%.9g", number);
  fputs(text, out);
  if (!strpbrk(text, ".e")) fputs(".0", out);
}

static void print_vector(FILE* out, const float* vector, int count) {
  for (int i = 0; i < count; ++i) {
    fputs(i == 0 ? "[" : ", ", out);
    print_number(out, tool_widen(vector[i]));
  }
  fputc(']', out);
}

static void print_default(FILE* out, const sim_field* field, const void* value) {
  const void* here = (const char*)value + field->offset;
  const sim_field_kind kind = field->kind;
  const double number = kind == SIM_FIELD_FLOAT  ? tool_widen(*(const float*)here)
                        : kind == SIM_FIELD_REAL ? *(const double*)here
                                                 : 0.0;
  if (field->required) {
    fputs("required", out);
  } else if (kind >= SIM_FIELD_TEXT || isnan(number)) {
    fputs("none", out);
  } else if (kind <= SIM_FIELD_REAL) {
    print_number(out, number);
  } else if (kind == SIM_FIELD_CHOSEN && *(const uint32_t*)here == WEFT_AUTO) {
    fputs("\"auto\"", out);
  } else if (kind == SIM_FIELD_COUNT || kind == SIM_FIELD_CHOSEN) {
    fprintf(out, "%u", *(const uint32_t*)here);
  } else if (kind == SIM_FIELD_LONG) {
    fprintf(out, "%lld", (long long)*(const int64_t*)here);
  } else if (kind == SIM_FIELD_FLAG) {
    fputs(*(const bool*)here ? "true" : "false", out);
  } else if (kind == SIM_FIELD_CHOICE) {
    fprintf(out, "\"%s\"", field->choices[*(const int*)here]);
  } else {
    print_vector(out, here, kind == SIM_FIELD_PAIR ? 2 : kind == SIM_FIELD_FOUR ? 4 : 3);
  }
}

void sim_print_table(FILE* out, const sim_table* table) {
  void* value = calloc(1, table->bytes + 1);  // some have no struct
  if (!value) return;
  sim_table_defaults(table, value);
  fprintf(out, "### %s\n\n%s\n\n", table->title, table->summary);
  if (table->count > 0) fputs("| key | value | default | |\n|---|---|---|---|\n", out);
  for (size_t i = 0; i < table->count; ++i) {
    const sim_field* field = &table->fields[i];
    fprintf(out, "| `%s` | ", field->key);
    print_kind(out, field);
    print_range(out, field);
    fputs(" | ", out);
    print_default(out, field, value);
    fprintf(out, " | %s |\n", field->summary);
  }
  if (table->count > 0) fputc('\n', out);
  free(value);
}
