/* Tables turned into JSON and into the reference. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/number.h"
#include "sim/file/table.h"

// ---- JSON ----

/* As the file is read: infinite numbers are words. */
static json_t* number_json(double number) {
  if (isnan(number)) return json_null();
  if (isinf(number)) return json_string(number > 0.0 ? "infinity" : "-infinity");
  return json_real(number);
}

static json_t* float_json(float value) {
  return number_json(tool_widen(value));
}

static json_t* vector_json(const float* vector, int count) {
  json_t* list = json_array();
  for (int axis = 0; axis < count; ++axis) json_array_append_new(list, float_json(vector[axis]));
  return list;
}

/* NULL where the field is not a value but more JSON. */
static json_t* field_json(const sim_field* field, const void* value) {
  const void* here = (const char*)value + field->offset;
  switch (field->kind) {
    case SIM_FIELD_FLOAT:
      return float_json(*(const float*)here);
    case SIM_FIELD_REAL:
      return number_json(*(const double*)here);
    case SIM_FIELD_COUNT:
      return json_integer(*(const uint32_t*)here);
    case SIM_FIELD_LONG:
      return json_integer(*(const int64_t*)here);
    case SIM_FIELD_FLAG:
      return json_boolean(*(const bool*)here);
    case SIM_FIELD_CHOICE:
      return json_string(field->choices[*(const int*)here]);
    case SIM_FIELD_VECTOR:
      return vector_json(here, 3);
    case SIM_FIELD_PAIR:
      return vector_json(here, 2);
    case SIM_FIELD_FOUR:
      return vector_json(here, 4);
    default:
      return NULL;
  }
}

json_t* sim_table_json(const sim_table* table, const void* value) {
  json_t* object = json_object();
  for (size_t i = 0; i < table->count; ++i) {
    const sim_field field = sim_table_field(table, i);
    json_t* item = field_json(&field, value);
    if (item) json_object_set_new(object, table->fields[i].key, item);
  }
  return object;
}

// ---- the reference ----

static void print_kind(FILE* out, const sim_field* field) {
  static const char* const kinds[] = {"number",      "number", "whole number", "whole number",
                                      "true, false", "one of", "3 numbers",    "2 numbers",
                                      "4 numbers",   "text",   "list",         "object",
                                      "see below"};
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
  const bool open = field->upper >= SIM_OPEN;
  if (field->above) {
    fprintf(out, " above %.12g", field->lower);
  } else {
    fprintf(out, open ? " of %.12g or more" : " from %.12g", field->lower);
  }
  if (!open) fprintf(out, " to %.12g", field->upper);
  if (is_infinite) fputs(", or `\"infinity\"`", out);
}

static void print_default(FILE* out, const sim_field* field, const void* value) {
  if (field->required) {
    fputs("required", out);
    return;
  }
  json_t* item = field_json(field, value);
  if (json_is_null(item)) item = NULL;  // a number that is worked out; null is not counted
  char* text = item ? json_dumps(item, JSON_ENCODE_ANY | JSON_REAL_PRECISION(9)) : NULL;
  fputs(text ? text : "none", out);
  free(text);
  json_decref(item);
}

void sim_print_table(FILE* out, const sim_table* table) {
  void* value = calloc(1, table->bytes + 1);  // some have no struct
  if (!value) return;
  sim_table_defaults(table, value);
  fprintf(out, "### %s\n\n%s\n\n", table->title, table->summary);
  if (table->count > 0) fputs("| key | value | default | |\n|---|---|---|---|\n", out);
  for (size_t i = 0; i < table->count; ++i) {
    const sim_field field = sim_table_field(table, i);
    fprintf(out, "| `%s` | ", field.key);
    print_kind(out, &field);
    print_range(out, &field);
    fputs(" | ", out);
    print_default(out, &field, value);
    fprintf(out, " | %s |\n", field.summary);
  }
  if (table->count > 0) fputc('\n', out);
  free(value);
}
