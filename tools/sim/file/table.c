#include "sim/file/table.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/near.h"
#include "common/number.h"

enum { MOST_KEYS = 64 };

static void* at(void* value, const sim_field* field) {
  return (char*)value + field->offset;
}

void sim_table_defaults(const sim_table* table, void* value) {
  memset(value, 0, table->bytes);
  if (table->def) weft__set_defaults(table->def, (char*)value + table->def_offset);
  if (table->defaults) table->defaults(value);
}

// ---- rows of defs ----

static sim_field_kind kind_of(const weft__field* member) {
  static const sim_field_kind vectors[] = {SIM_FIELD_FLOAT, SIM_FIELD_PAIR, SIM_FIELD_VECTOR,
                                           SIM_FIELD_FOUR};
  switch ((weft__field_kind)member->kind) {
    case WEFT__FIELD_FLOAT:
    case WEFT__FIELD_UNIT:
      return vectors[weft__field_count(member) - 1];
    case WEFT__FIELD_LONG:
      return SIM_FIELD_LONG;
    case WEFT__FIELD_FLAG:
      return SIM_FIELD_FLAG;
    case WEFT__FIELD_INT:
      return SIM_FIELD_CHOICE;
    default:
      return SIM_FIELD_COUNT;
  }
}

/* Member of a def, or of a def within it; *offset is its place. */
static const weft__field* find_member(const weft__fields* def, const char* key, size_t* offset) {
  const size_t prefix = strlen(def->name) + 1;
  for (uint32_t i = 0; i < def->count; ++i) {
    const weft__field* member = &def->rows[i];
    if (strcmp(member->name + prefix, key) == 0) return *offset += member->offset, member;
  }
  for (uint32_t i = 0; i < def->count; ++i) {
    const weft__field* inner = &def->rows[i];
    size_t at = *offset + inner->offset;
    const weft__field* member = inner->inner ? find_member(inner->inner, key, &at) : NULL;
    if (member) return *offset = at, member;
  }
  return NULL;
}

/* An end of a range as the file has it: 1e-6, and not the float that is nearest to it. */
static double end_of(const weft__field* member, double end) {
  const bool is_float = member->kind == WEFT__FIELD_FLOAT && isfinite(end);
  return is_float ? tool_widen((float)end) : end;
}

sim_field sim_table_field(const sim_table* table, size_t row) {
  sim_field field = table->fields[row];
  if (field.kind != SIM_FIELD_OF_DEF) return field;
  field.offset = table->def_offset;
  const weft__field* member = find_member(table->def, field.key, &field.offset);
  // values between 0 and a range that begins above it, and positions too far away, are refused by
  // the library
  const bool or_zero = member->flags & WEFT__FIELD_OR_ZERO;
  const bool is_free = member->kind == WEFT__FIELD_UNIT || member->lower == -WEFT_MAX_MAGNITUDE;
  field.kind = kind_of(member);
  field.above = (member->flags & WEFT__FIELD_ABOVE) && !or_zero;
  field.lower = or_zero || is_free ? 0.0 : end_of(member, member->lower);
  field.upper = is_free ? 0.0 : end_of(member, member->upper);
  return field;
}

// ---- ranges ----

static bool is_any(const sim_field* field) {
  return field->lower == 0.0 && field->upper == 0.0;
}

static bool is_whole(const sim_field* field) {
  return field->kind == SIM_FIELD_COUNT || field->kind == SIM_FIELD_LONG;
}

static bool in_range(const sim_field* field, double value) {
  // a double that no float can hold would become infinite
  if (isnan(value) || (isfinite(value) && fabs(value) > (double)FLT_MAX)) return false;
  if (is_any(field)) return isfinite(value);
  if (value < field->lower || value > field->upper) return false;
  return !field->above || value > field->lower;
}

/* " from 1 to 10", " above 0", " of 0 or more": what follows "a number". */
static void describe_range(const sim_field* field, char* text, size_t room) {
  text[0] = '\0';
  if (is_any(field)) return;
  if (field->upper >= SIM_OPEN && field->above) {
    snprintf(text, room, " above %g", field->lower);
  } else if (field->upper >= SIM_OPEN) {
    snprintf(text, room, " of %g or more", field->lower);
  } else if (is_whole(field)) {
    snprintf(text, room, " from %.0f to %.0f", field->lower, field->upper);
  } else {
    snprintf(text, room, " %s %g to %g", field->above ? "above" : "from", field->lower,
             field->upper);
  }
}

static bool refuse(const sim_source* source, const sim_place* place, const sim_field* field,
                   const json_t* item) {
  char quote[SIM_MAX_QUOTE], range[96];
  sim_quote(item, quote);
  describe_range(field, range, sizeof range);
  return sim_fault(source, place, "'%s' is not a %snumber%s", quote,
                   is_whole(field) ? "whole " : "", range);
}

// ---- values ----

/* An infinite number has no word in JSON: "infinity" and "-infinity" stand for it. */
static bool number_of(const json_t* item, double* number) {
  const char* text = json_string_value(item);
  if (text && strcmp(text, "infinity") == 0) return *number = (double)INFINITY, true;
  if (text && strcmp(text, "-infinity") == 0) return *number = -(double)INFINITY, true;
  *number = json_number_value(item);
  return json_is_number(item);
}

static bool read_number(const sim_source* source, const sim_place* place, const sim_field* field,
                        const json_t* item, double* number) {
  if (number_of(item, number) && in_range(field, *number)) return true;
  return refuse(source, place, field, item);
}

static bool read_float(const sim_source* source, const sim_place* place, const sim_field* field,
                       const json_t* item, float* value) {
  double number = 0.0;
  if (!read_number(source, place, field, item, &number)) return false;
  *value = (float)number;
  return true;
}

static bool read_whole(const sim_source* source, const sim_place* place, const sim_field* field,
                       const json_t* item, void* value) {
  const json_int_t whole = json_integer_value(item);
  if (!json_is_integer(item) || !in_range(field, (double)whole)) {
    return refuse(source, place, field, item);
  }
  if (field->kind == SIM_FIELD_COUNT) {
    *(uint32_t*)value = (uint32_t)whole;
  } else {
    *(int64_t*)value = whole;
  }
  return true;
}

static bool read_choice(const sim_source* source, const sim_place* place, const sim_field* field,
                        const json_t* item, int* value) {
  char all[256] = "", quote[SIM_MAX_QUOTE];
  const char* text = json_string_value(item);
  for (int i = 0; field->choices[i]; ++i) {
    if (text && strcmp(text, field->choices[i]) == 0) return *value = i, true;
    const size_t length = strlen(all);
    snprintf(all + length, sizeof all - length, "%s%s", i > 0 ? ", " : "", field->choices[i]);
  }
  sim_quote(item, quote);
  return sim_fault(source, place, "'%s' is not one of %s", quote, all);
}

static bool refuse_kind(const sim_source* source, const sim_place* place, const json_t* item,
                        const char* kind) {
  char quote[SIM_MAX_QUOTE];
  sim_quote(item, quote);
  return sim_fault(source, place, "'%s' is not %s", quote, kind);
}

static bool read_vector(const sim_source* source, const sim_place* place, const sim_field* field,
                        const json_t* item, float* vector) {
  static const char* const kinds[] = {"a list of 2 numbers", "a list of 3 numbers",
                                      "a list of 4 numbers"};
  const size_t count = field->kind == SIM_FIELD_PAIR ? 2 : field->kind == SIM_FIELD_FOUR ? 4 : 3;
  if (json_array_size(item) != count) return refuse_kind(source, place, item, kinds[count - 2]);
  for (size_t axis = 0; axis < count; ++axis) {
    const sim_place element = {place, NULL, axis};
    if (!read_float(source, &element, field, json_array_get(item, axis), &vector[axis])) {
      return false;
    }
  }
  return true;
}

bool sim_read_field(const sim_source* source, const sim_place* place, const sim_field* field,
                    json_t* item, void* value) {
  switch (field->kind) {
    case SIM_FIELD_FLOAT:
      return read_float(source, place, field, item, value);
    case SIM_FIELD_REAL:
      return read_number(source, place, field, item, value);
    case SIM_FIELD_COUNT:
    case SIM_FIELD_LONG:
      return read_whole(source, place, field, item, value);
    case SIM_FIELD_FLAG:
      if (!json_is_boolean(item)) return refuse_kind(source, place, item, "true or false");
      *(bool*)value = json_is_true(item);
      return true;
    case SIM_FIELD_CHOICE:
      return read_choice(source, place, field, item, value);
    case SIM_FIELD_VECTOR:
    case SIM_FIELD_PAIR:
    case SIM_FIELD_FOUR:
      return read_vector(source, place, field, item, value);
    case SIM_FIELD_TEXT:
      if (!json_is_string(item)) return refuse_kind(source, place, item, "a text");
      *(const char**)value = json_string_value(item);
      return true;
    case SIM_FIELD_LIST:
      if (!json_is_array(item)) return refuse_kind(source, place, item, "a list");
      break;
    case SIM_FIELD_OBJECT:
      if (!json_is_object(item)) return refuse_kind(source, place, item, "an object");
      break;
    case SIM_FIELD_ANY:
    case SIM_FIELD_OF_DEF:
      break;
  }
  *(json_t**)value = item;
  return true;
}

// ---- objects ----

/* The row of a key; and the struct that it fills, NULL without such a row. */
static sim_field find_field(const sim_target* targets, size_t target_count, const char* key,
                            void** value) {
  *value = NULL;
  for (size_t t = 0; t < target_count; ++t) {
    for (size_t i = 0; i < targets[t].table->count; ++i) {
      if (strcmp(targets[t].table->fields[i].key, key) != 0) continue;
      *value = targets[t].value;
      return sim_table_field(targets[t].table, i);
    }
  }
  return (sim_field){0};
}

static bool refuse_key(const sim_source* source, const sim_place* place, const sim_target* targets,
                       size_t target_count) {
  const char* keys[MOST_KEYS];
  size_t count = 0;
  for (size_t t = 0; t < target_count; ++t) {
    for (size_t i = 0; i < targets[t].table->count && count < MOST_KEYS; ++i) {
      keys[count++] = targets[t].table->fields[i].key;
    }
  }
  const char* near = tool_nearest(place->key, keys, count);
  if (!near) return sim_fault(source, place, "unknown key");
  return sim_fault(source, place, "unknown key (did you mean %s?)", near);
}

static bool check_required(const sim_source* source, const sim_place* place, const json_t* object,
                           const sim_table* table) {
  for (size_t i = 0; i < table->count; ++i) {
    const sim_field* field = &table->fields[i];
    if (!field->required || json_object_get(object, field->key)) continue;
    return sim_fault(source, &(sim_place){place, field->key, 0}, "missing key");
  }
  return true;
}

bool sim_read_object(const sim_source* source, const sim_place* place, json_t* object,
                     const sim_target* targets, size_t target_count) {
  const char* key;
  json_t* item;
  if (!json_is_object(object)) return refuse_kind(source, place, object, "an object");
  for (size_t t = 0; t < target_count; ++t) sim_table_defaults(targets[t].table, targets[t].value);
  json_object_foreach(object, key, item) {
    void* value = NULL;
    const sim_place here = {place, key, 0};
    const sim_field field = find_field(targets, target_count, key, &value);
    if (!value) return refuse_key(source, &here, targets, target_count);
    if (!sim_read_field(source, &here, &field, item, at(value, &field))) return false;
  }
  for (size_t t = 0; t < target_count; ++t) {
    if (!check_required(source, place, object, targets[t].table)) return false;
  }
  return true;
}

// ---- lists ----

/* `bytes` of each row of the list, whose length is *count; NULL with a message. */
static void* new_rows(const sim_source* source, const sim_place* place, const json_t* list,
                      size_t bytes, uint32_t* count) {
  *count = (uint32_t)json_array_size(list);  // the file's limit is below 2^32
  if (*count == 0) return sim_fault(source, place, "is empty"), NULL;
  void* rows = malloc(bytes * *count);
  if (!rows) sim_fault(source, place, "no memory for %u elements", *count);
  return rows;
}

bool sim_read_vectors(const sim_source* source, const sim_place* place, json_t* list,
                      float** vectors, uint32_t* count) {
  static const sim_field any = {.kind = SIM_FIELD_VECTOR};
  float* made = new_rows(source, place, list, sizeof(float[3]), count);
  bool ok = made != NULL;
  for (uint32_t i = 0; ok && i < *count; ++i) {
    const sim_place element = {place, NULL, i};
    ok = read_vector(source, &element, &any, json_array_get(list, i), made + (size_t)3 * i);
  }
  if (!ok) free(made);
  *vectors = ok ? made : NULL;
  return ok;
}

static bool read_triple(const sim_source* source, const sim_place* place, const json_t* item,
                        uint32_t triple[3]) {
  static const sim_field whole = {.kind = SIM_FIELD_COUNT, .upper = UINT32_MAX};
  if (json_array_size(item) != 3) return refuse_kind(source, place, item, "a list of 3 numbers");
  for (size_t k = 0; k < 3; ++k) {
    const sim_place element = {place, NULL, k};
    if (!read_whole(source, &element, &whole, json_array_get(item, k), &triple[k])) return false;
  }
  return true;
}

bool sim_read_triples(const sim_source* source, const sim_place* place, json_t* list,
                      uint32_t** triples, uint32_t* count) {
  uint32_t* made = new_rows(source, place, list, sizeof(uint32_t[3]), count);
  bool ok = made != NULL;
  for (uint32_t i = 0; ok && i < *count; ++i) {
    const sim_place element = {place, NULL, i};
    ok = read_triple(source, &element, json_array_get(list, i), made + (size_t)3 * i);
  }
  if (!ok) free(made);
  *triples = ok ? made : NULL;
  return ok;
}

bool sim_read_numbers(const sim_source* source, const sim_place* place, json_t* list,
                      float** numbers, uint32_t* count) {
  static const sim_field any = {.kind = SIM_FIELD_FLOAT};
  float* made = new_rows(source, place, list, sizeof(float), count);
  bool ok = made != NULL;
  for (uint32_t i = 0; ok && i < *count; ++i) {
    const sim_place element = {place, NULL, i};
    ok = read_float(source, &element, &any, json_array_get(list, i), made + i);
  }
  if (!ok) free(made);
  *numbers = ok ? made : NULL;
  return ok;
}

// ---- what the library says ----

bool sim_weft_fault(const sim_source* source, const sim_place* place, const sim_table* table,
                    weft_result result) {
  const char* dot = strrchr(result.field, '.');
  const char* name = dot ? dot + 1 : result.field;
  for (size_t i = 0; i < table->count; ++i) {
    const sim_field* field = &table->fields[i];
    if (strcmp(field->key, name) != 0) continue;
    const sim_place here = {place, field->key, 0};
    const sim_place element = {&here, NULL, (size_t)result.index};
    const bool is_list = field->kind == SIM_FIELD_LIST || result.index > 0;
    return sim_fault(source, is_list ? &element : &here, "%s", weft_error_text(result.error));
  }
  return sim_fault(source, place, "%s: %s", name, weft_error_text(result.error));
}

size_t sim_find_kind(const sim_source* source, const sim_place* place, json_t* object,
                     const char* key, const char* what, const char* const* names, size_t count) {
  const sim_place here = {place, key, 0};
  json_t* item = json_object_get(object, key);
  const char* text = json_string_value(item);
  char quote[SIM_MAX_QUOTE];
  if (!json_is_object(object)) {
    sim_quote(object, quote);
    return sim_fault(source, place, "'%s' is not an object", quote), count;
  }
  if (!item) return sim_fault(source, &here, "missing key"), count;
  for (size_t i = 0; i < count; ++i) {
    if (text && strcmp(text, names[i]) == 0) return i;
  }
  sim_quote(item, quote);
  const char* near = text ? tool_nearest(text, names, count) : NULL;
  if (near) {
    sim_fault(source, &here, "'%s' is not %s (did you mean %s?)", quote, what, near);
  } else {
    sim_fault(source, &here, "'%s' is not %s", quote, what);
  }
  return count;
}
