#include "base/fields.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"

static uint32_t element_bytes(const weft__field* field) {
  static const uint8_t bytes[] = {
      [WEFT__FIELD_FLOAT] = sizeof(float),    [WEFT__FIELD_UNIT] = sizeof(float),
      [WEFT__FIELD_COUNT] = sizeof(uint32_t), [WEFT__FIELD_WHOLE] = sizeof(uint32_t),
      [WEFT__FIELD_INT] = sizeof(int),        [WEFT__FIELD_LONG] = sizeof(int64_t),
      [WEFT__FIELD_SIZE] = sizeof(size_t),    [WEFT__FIELD_FLAG] = sizeof(bool),
  };
  const bool has_elements = field->kind < WEFT__FIELD_POINTER;
  return has_elements ? bytes[field->kind] : field->bytes;
}

uint32_t weft__field_count(const weft__field* field) {
  return field->bytes / element_bytes(field);
}

typedef union element {
  float real;
  uint32_t whole;
  int number;
  int64_t large;
  size_t size;
  bool flag;
} element;

static void store(const weft__field* field, void* at, double value) {
  element e = {0};
  switch ((weft__field_kind)field->kind) {
    case WEFT__FIELD_FLOAT:
    case WEFT__FIELD_UNIT:
      e.real = (float)value;
      break;
    case WEFT__FIELD_COUNT:
    case WEFT__FIELD_WHOLE:
      e.whole = (uint32_t)value;
      break;
    case WEFT__FIELD_INT:
      e.number = (int)value;
      break;
    case WEFT__FIELD_LONG:
      e.large = (int64_t)value;
      break;
    case WEFT__FIELD_SIZE:
      e.size = (size_t)value;
      break;
    case WEFT__FIELD_FLAG:
      e.flag = value != 0.0;
      break;
    case WEFT__FIELD_POINTER:
    case WEFT__FIELD_DEF:
      return;
  }
  memcpy(at, &e, element_bytes(field));
}

static double load(const weft__field* field, const void* at) {
  element e;
  memcpy(&e, at, element_bytes(field));
  switch ((weft__field_kind)field->kind) {
    case WEFT__FIELD_FLOAT:
    case WEFT__FIELD_UNIT:
      return (double)e.real;
    case WEFT__FIELD_COUNT:
    case WEFT__FIELD_WHOLE:
      return (double)e.whole;
    case WEFT__FIELD_INT:
      return (double)e.number;
    case WEFT__FIELD_LONG:
      return (double)e.large;
    case WEFT__FIELD_SIZE:
      return (double)e.size;
    default:
      return 0.0;
  }
}

void weft__set_defaults(const weft__fields* fields, void* def) {
  memset(def, 0, fields->bytes);
  for (uint32_t i = 0; i < fields->count; ++i) {
    const weft__field* field = &fields->rows[i];
    char* at = (char*)def + field->offset;
    if (field->kind == WEFT__FIELD_DEF) weft__set_defaults(field->inner, at);
    if (field->kind >= WEFT__FIELD_POINTER) continue;
    for (uint32_t k = 0; k < weft__field_count(field); ++k) {
      store(field, at + (size_t)k * element_bytes(field), field->initial[k]);
    }
  }
  if (fields->cookie == 0) return;
  memcpy((char*)def + fields->cookie_offset, &fields->cookie, sizeof(fields->cookie));
}

static weft_error check_number(const weft__field* field, double value) {
  const bool takes_infinity = isinf(field->lower) || isinf(field->upper);
  const bool is_count = field->kind == WEFT__FIELD_COUNT;
  if (isnan(value) || (isinf(value) && !takes_infinity)) return WEFT_ERROR_NOT_FINITE;
  if ((field->flags & WEFT__FIELD_OR_ZERO) && value == 0.0) return WEFT_OK;
  if ((field->flags & WEFT__FIELD_OR_AUTO) && value == (double)WEFT_AUTO) return WEFT_OK;
  if (value < field->lower) return is_count && value == 0.0 ? WEFT_ERROR_EMPTY : WEFT_ERROR_RANGE;
  if (value == field->lower && (field->flags & WEFT__FIELD_ABOVE)) return WEFT_ERROR_RANGE;
  if (value > field->upper) return is_count ? WEFT_ERROR_TOO_MANY : WEFT_ERROR_RANGE;
  return WEFT_OK;
}

static weft_result check_element(const weft__field* field, const void* values, uint32_t index,
                                 const char* name) {
  const void* at = (const char*)values + (size_t)index * element_bytes(field);
  const weft_error error = check_number(field, load(field, at));
  return error == WEFT_OK ? weft__ok() : weft__fail_at(error, name, index);
}

static weft_result check_value(const weft__field* field, const void* value, const char* name) {
  if (field->kind == WEFT__FIELD_UNIT) {
    return weft__field_count(field) == 3 ? weft__check_direction(value, name)
                                         : weft__check_rotation(value, name);
  }
  if (field->kind == WEFT__FIELD_POINTER) {
    const bool is_missing = (field->flags & WEFT__FIELD_REQUIRED) && *(void* const*)value == NULL;
    return is_missing ? weft__fail(WEFT_ERROR_NULL, name) : weft__ok();
  }
  if (field->kind >= WEFT__FIELD_FLAG) return weft__ok();
  for (uint32_t k = 0; k < weft__field_count(field); ++k) {
    WEFT__TRY(check_element(field, value, k, name));
  }
  return weft__ok();
}

// Checks a field against the one before it.
static bool suits_field_before(const weft__field* field, const void* def) {
  if (!(field->flags & (WEFT__FIELD_ORTHOGONAL | WEFT__FIELD_AT_MOST))) return true;
  const float* value = (const void*)((const char*)def + field->offset);
  const float* before = (const void*)((const char*)def + field[-1].offset);
  if (field->flags & WEFT__FIELD_AT_MOST) return *value <= *before;
  const float cosine = before[0] * value[0] + before[1] * value[1] + before[2] * value[2];
  return fabsf(cosine) <= WEFT__UNIT_TOLERANCE;
}

weft_result weft__check_def(const weft__fields* fields, const void* def) {
  uint32_t cookie = 0;
  if (fields->cookie != 0) {
    memcpy(&cookie, (const char*)def + fields->cookie_offset, sizeof(cookie));
  }
  WEFT__FAIL_IF(cookie != fields->cookie, WEFT_ERROR_DEF, fields->name);
  for (uint32_t i = 0; i < fields->count; ++i) {
    const weft__field* field = &fields->rows[i];
    if (field->flags & WEFT__FIELD_CONDITIONAL) continue;
    if (field->kind == WEFT__FIELD_DEF)
      WEFT__TRY(weft__check_def(field->inner, (const char*)def + field->offset));
    WEFT__TRY(check_value(field, (const char*)def + field->offset, field->name));
    WEFT__FAIL_IF(!suits_field_before(field, def), WEFT_ERROR_RANGE, field->name);
  }
  return weft__ok();
}

static const weft__field* field_at(const weft__fields* fields, size_t offset) {
  const weft__field* field = fields->rows;
  while (field->offset != offset) ++field;
  return field;
}

weft_result weft__check_field(const weft__fields* fields, const void* def, size_t offset) {
  const weft__field* field = field_at(fields, offset);
  return check_value(field, (const char*)def + offset, field->name);
}

weft_result weft__check_element(const weft__fields* fields, const void* def, size_t offset,
                                uint32_t index) {
  const weft__field* field = field_at(fields, offset);
  return check_element(field, (const char*)def + offset, index, field->name);
}

weft_result weft__check_as(const weft__fields* fields, size_t offset, const void* value,
                           const char* name) {
  return check_value(field_at(fields, offset), value, name);
}

void weft__set_defaults_of(const char* name, void* def) {
  for (const weft__fields* const* fields = weft__fields_of_defs; *fields != NULL; ++fields) {
    if (strcmp((*fields)->name, name) == 0) weft__set_defaults(*fields, def);
  }
}

static const weft__field* find_field(const char* name) {
  for (const weft__fields* const* fields = weft__fields_of_defs; *fields != NULL; ++fields) {
    for (uint32_t i = 0; i < (*fields)->count; ++i) {
      if (strcmp((*fields)->rows[i].name, name) == 0) return &(*fields)->rows[i];
    }
  }
  return NULL;
}

void weft__describe_range(const char* name, char* text, size_t room) {
  const weft__field* field = find_field(name);
  text[0] = '\0';
  if (field == NULL || field->kind >= WEFT__FIELD_FLAG) return;
  const char* zero = field->flags & WEFT__FIELD_OR_ZERO ? "0 or " : "";
  const char* sign = field->flags & WEFT__FIELD_ABOVE ? ">" : ">=";
  if (field->upper >= (double)FLT_MAX) {
    (void)snprintf(text, room, "%s%s %.7g", zero, sign, field->lower);
  } else {
    (void)snprintf(text, room, "%s%.7g to %.7g", zero, field->lower, field->upper);
  }
}
