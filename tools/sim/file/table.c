#include "sim/file/table.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/near.h"

enum { MOST_KEYS = 64 };

static void* at(void* value, const sim_field* field) {
  return (char*)value + field->offset;
}

void sim_table_defaults(const sim_table* table, void* value) {
  memset(value, 0, table->bytes);
  if (table->defaults) table->defaults(value);
}

// ---- ranges ----

static bool is_any(const sim_field* field) {
  return field->lower == 0.0 && field->upper == 0.0;
}

/* No bound in practice: above every finite number. */
static bool is_open(double upper) {
  return upper >= (double)FLT_MAX;
}

static bool is_whole(const sim_field* field) {
  return field->kind >= SIM_FIELD_COUNT && field->kind <= SIM_FIELD_LONG;
}

static bool in_range(const sim_field* field, double value) {
  // a double beyond the floats would become infinite
  if (isnan(value) || (isfinite(value) && fabs(value) > (double)FLT_MAX)) return false;
  if (is_any(field)) return isfinite(value);
  if (value < field->lower || value > field->upper) return false;
  return !field->above || value > field->lower;
}

/* " from 1 to 10", " above 0", " of 0 or more": follows "a number". */
static void describe_range(const sim_field* field, char* text, size_t room) {
  text[0] = '\0';
  if (is_any(field)) return;
  if (is_open(field->upper) && field->above) {
    snprintf(text, room, " above %g", field->lower);
  } else if (is_open(field->upper)) {
    snprintf(text, room, " of %g or more", field->lower);
  } else if (is_whole(field)) {
    snprintf(text, room, " from %.0f to %.0f", field->lower, field->upper);
  } else {
    snprintf(text, room, " %s %g to %g", field->above ? "above" : "from", field->lower,
             field->upper);
  }
}

static bool refuse(const sim_source* source, const sim_place* place, const sim_field* field,
                   const tool_tree* item) {
  char quote[SIM_MAX_QUOTE], range[96];
  sim_quote(item, quote);
  describe_range(field, range, sizeof range);
  return sim_fault(source, place, "'%s' is not a %snumber%s%s", quote,
                   is_whole(field) ? "whole " : "", range,
                   field->kind == SIM_FIELD_CHOSEN ? ", or auto" : "");
}

// ---- values ----

/* JSON has no infinity: "infinity" and "-infinity" are words. */
static bool number_of(const tool_tree* item, double* number) {
  const char* text = tool_tree_text(item);
  if (text && strcmp(text, "infinity") == 0) return *number = (double)INFINITY, true;
  if (text && strcmp(text, "-infinity") == 0) return *number = -(double)INFINITY, true;
  return tool_tree_number(item, number);
}

static bool read_number(const sim_source* source, const sim_place* place, const sim_field* field,
                        const tool_tree* item, double* number) {
  if (number_of(item, number) && in_range(field, *number)) return true;
  return refuse(source, place, field, item);
}

static bool read_float(const sim_source* source, const sim_place* place, const sim_field* field,
                       const tool_tree* item, float* value) {
  double number = 0.0;
  if (!read_number(source, place, field, item, &number)) return false;
  *value = (float)number;
  return true;
}

static bool read_whole(const sim_source* source, const sim_place* place, const sim_field* field,
                       const tool_tree* item, void* value) {
  const int64_t whole = tool_tree_is(item, TOOL_TREE_WHOLE) ? item->whole : 0;
  if (!tool_tree_is(item, TOOL_TREE_WHOLE) || !in_range(field, (double)whole)) {
    return refuse(source, place, field, item);
  }
  if (field->kind == SIM_FIELD_LONG) {
    *(int64_t*)value = whole;
  } else {
    *(uint32_t*)value = (uint32_t)whole;
  }
  return true;
}

static bool read_chosen(const sim_source* source, const sim_place* place, const sim_field* field,
                        const tool_tree* item, uint32_t* value) {
  const char* text = tool_tree_text(item);
  if (text && strcmp(text, "auto") == 0) return *value = WEFT_AUTO, true;
  return read_whole(source, place, field, item, value);
}

static bool read_choice(const sim_source* source, const sim_place* place, const sim_field* field,
                        const tool_tree* item, int* value) {
  char all[256] = "", quote[SIM_MAX_QUOTE];
  const char* text = tool_tree_text(item);
  for (int i = 0; field->choices[i]; ++i) {
    if (text && strcmp(text, field->choices[i]) == 0) return *value = i, true;
    const size_t length = strlen(all);
    snprintf(all + length, sizeof all - length, "%s%s", i > 0 ? ", " : "", field->choices[i]);
  }
  sim_quote(item, quote);
  return sim_fault(source, place, "'%s' is not one of %s", quote, all);
}

static bool refuse_kind(const sim_source* source, const sim_place* place, const tool_tree* item,
                        const char* kind) {
  char quote[SIM_MAX_QUOTE];
  sim_quote(item, quote);
  return sim_fault(source, place, "'%s' is not %s", quote, kind);
}

static bool read_vector(const sim_source* source, const sim_place* place, const sim_field* field,
                        const tool_tree* item, float* vector) {
  static const char* const kinds[] = {"a list of 2 numbers", "a list of 3 numbers",
                                      "a list of 4 numbers"};
  const size_t count = field->kind == SIM_FIELD_PAIR ? 2 : field->kind == SIM_FIELD_FOUR ? 4 : 3;
  if (tool_tree_size(item) != count) return refuse_kind(source, place, item, kinds[count - 2]);
  for (size_t axis = 0; axis < count; ++axis) {
    const sim_place element = {place, NULL, axis};
    if (!read_float(source, &element, field, &item->items[axis], &vector[axis])) {
      return false;
    }
  }
  return true;
}

bool sim_read_field(const sim_source* source, const sim_place* place, const sim_field* field,
                    const tool_tree* item, void* value) {
  switch (field->kind) {
    case SIM_FIELD_FLOAT:
      return read_float(source, place, field, item, value);
    case SIM_FIELD_REAL:
      return read_number(source, place, field, item, value);
    case SIM_FIELD_COUNT:
    case SIM_FIELD_LONG:
      return read_whole(source, place, field, item, value);
    case SIM_FIELD_CHOSEN:
      return read_chosen(source, place, field, item, value);
    case SIM_FIELD_FLAG:
      if (!tool_tree_is(item, TOOL_TREE_FLAG)) {
        return refuse_kind(source, place, item, "true or false");
      }
      *(bool*)value = item->flag;
      return true;
    case SIM_FIELD_CHOICE:
      return read_choice(source, place, field, item, value);
    case SIM_FIELD_VECTOR:
    case SIM_FIELD_PAIR:
    case SIM_FIELD_FOUR:
      return read_vector(source, place, field, item, value);
    case SIM_FIELD_TEXT:
      if (!tool_tree_is(item, TOOL_TREE_TEXT)) return refuse_kind(source, place, item, "a text");
      *(const char**)value = tool_tree_text(item);
      return true;
    case SIM_FIELD_LIST:
      if (!tool_tree_is(item, TOOL_TREE_LIST)) return refuse_kind(source, place, item, "a list");
      break;
    case SIM_FIELD_OBJECT:
      if (!tool_tree_is(item, TOOL_TREE_OBJECT))
        return refuse_kind(source, place, item, "an object");
      break;
    case SIM_FIELD_ANY:
      break;
  }
  *(const tool_tree**)value = item;
  return true;
}

// ---- objects ----

/* The row of a key, and its struct. */
static const sim_field* find_field(const sim_target* targets, size_t target_count, const char* key,
                                   void** value) {
  for (size_t t = 0; t < target_count; ++t) {
    for (size_t i = 0; i < targets[t].table->count; ++i) {
      const sim_field* field = &targets[t].table->fields[i];
      if (strcmp(field->key, key) == 0) return *value = targets[t].value, field;
    }
  }
  return NULL;
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

static bool check_required(const sim_source* source, const sim_place* place,
                           const tool_tree* object, const sim_table* table) {
  for (size_t i = 0; i < table->count; ++i) {
    const sim_field* field = &table->fields[i];
    if (!field->required || tool_tree_get(object, field->key)) continue;
    return sim_fault(source, &(sim_place){place, field->key, 0}, "missing key");
  }
  return true;
}

bool sim_read_object(const sim_source* source, const sim_place* place, const tool_tree* object,
                     const sim_target* targets, size_t target_count) {
  if (!tool_tree_is(object, TOOL_TREE_OBJECT))
    return refuse_kind(source, place, object, "an object");
  for (size_t t = 0; t < target_count; ++t) sim_table_defaults(targets[t].table, targets[t].value);
  for (size_t i = 0; i < object->count; ++i) {
    void* value = NULL;
    const tool_tree* item = &object->items[i];
    const sim_place here = {place, item->key, 0};
    const sim_field* field = find_field(targets, target_count, item->key, &value);
    if (!field) return refuse_key(source, &here, targets, target_count);
    if (!sim_read_field(source, &here, field, item, at(value, field))) return false;
  }
  for (size_t t = 0; t < target_count; ++t) {
    if (!check_required(source, place, object, targets[t].table)) return false;
  }
  return true;
}

// ---- lists ----

/* `bytes` of each row of the list, whose length is *count; NULL with a message. */
static void* new_rows(const sim_source* source, const sim_place* place, const tool_tree* list,
                      size_t bytes, uint32_t* count) {
  *count = (uint32_t)tool_tree_size(list);  // the file's limit is below 2^32
  if (*count == 0) return sim_fault(source, place, "is empty"), NULL;
  void* rows = malloc(bytes * *count);
  if (!rows) sim_fault(source, place, "no memory for %u elements", *count);
  return rows;
}

bool sim_read_vectors(const sim_source* source, const sim_place* place, const tool_tree* list,
                      float** vectors, uint32_t* count) {
  static const sim_field any = {.kind = SIM_FIELD_VECTOR};
  float* made = new_rows(source, place, list, sizeof(float[3]), count);
  bool ok = made != NULL;
  for (uint32_t i = 0; ok && i < *count; ++i) {
    const sim_place element = {place, NULL, i};
    ok = read_vector(source, &element, &any, &list->items[i], made + (size_t)3 * i);
  }
  if (!ok) free(made);
  *vectors = ok ? made : NULL;
  return ok;
}

static bool read_triple(const sim_source* source, const sim_place* place, const tool_tree* item,
                        uint32_t triple[3]) {
  static const sim_field whole = {.kind = SIM_FIELD_COUNT, .upper = UINT32_MAX};
  if (tool_tree_size(item) != 3) return refuse_kind(source, place, item, "a list of 3 numbers");
  for (size_t k = 0; k < 3; ++k) {
    const sim_place element = {place, NULL, k};
    if (!read_whole(source, &element, &whole, &item->items[k], &triple[k])) return false;
  }
  return true;
}

bool sim_read_triples(const sim_source* source, const sim_place* place, const tool_tree* list,
                      uint32_t** triples, uint32_t* count) {
  uint32_t* made = new_rows(source, place, list, sizeof(uint32_t[3]), count);
  bool ok = made != NULL;
  for (uint32_t i = 0; ok && i < *count; ++i) {
    const sim_place element = {place, NULL, i};
    ok = read_triple(source, &element, &list->items[i], made + (size_t)3 * i);
  }
  if (!ok) free(made);
  *triples = ok ? made : NULL;
  return ok;
}

bool sim_read_numbers(const sim_source* source, const sim_place* place, const tool_tree* list,
                      float** numbers, uint32_t* count) {
  static const sim_field any = {.kind = SIM_FIELD_FLOAT};
  float* made = new_rows(source, place, list, sizeof(float), count);
  bool ok = made != NULL;
  for (uint32_t i = 0; ok && i < *count; ++i) {
    const sim_place element = {place, NULL, i};
    ok = read_float(source, &element, &any, &list->items[i], made + i);
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

size_t sim_find_kind(const sim_source* source, const sim_place* place, const tool_tree* object,
                     const char* key, const char* what, const char* const* names, size_t count) {
  const sim_place here = {place, key, 0};
  const tool_tree* item = tool_tree_get(object, key);
  const char* text = tool_tree_text(item);
  char quote[SIM_MAX_QUOTE];
  if (!tool_tree_is(object, TOOL_TREE_OBJECT)) {
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
