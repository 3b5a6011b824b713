#include "sim/file/table_json.h"

#include <math.h>

#include "common/number.h"

/* Infinite numbers are words, as in files. */
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

/* NULL for fields of nested JSON. */
static json_t* field_json(const sim_field* field, const void* value) {
  const void* here = (const char*)value + field->offset;
  switch (field->kind) {
    case SIM_FIELD_FLOAT:
      return float_json(*(const float*)here);
    case SIM_FIELD_REAL:
      return number_json(*(const double*)here);
    case SIM_FIELD_CHOSEN:
      if (*(const uint32_t*)here == WEFT_AUTO) return json_string("auto");
      // fall through
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
    json_t* item = field_json(&table->fields[i], value);
    if (item) json_object_set_new(object, table->fields[i].key, item);
  }
  return object;
}
