/* Fields of the defs: each call that takes a def holds each field to its row of base/defs.c. The
 * rows themselves are held against the public headers by tests/check_defs.py. */
#include "support/def_calls.h"
#include "support/test.h"

// ---- values ----

static bool is_named(const char* names, const weft__field* field) {
  const char* member = strchr(field->name, '.') + 1;
  const size_t length = strlen(member);
  for (const char* at = names; (at = strstr(at, member)) != NULL; at += length) {
    const bool begins = at == names || at[-1] == ' ';
    if (begins && (at[length] == ' ' || at[length] == '\0')) return true;
  }
  return false;
}

static bool counts(const def_call* call, const weft__field* field) {
  if (call->rows != NULL) return is_named(call->rows, field);
  return !(field->flags & WEFT__FIELD_CONDITIONAL) && field->kind != WEFT__FIELD_DEF;
}

static any_def new_def(const def_call* call) {
  any_def def;
  weft__set_defaults(call->fields, &def);
  if (call->fill != NULL) call->fill(&def);
  return def;
}

static void expect_refused(const def_call* call, const any_def* def, const weft__field* field,
                           weft_error error, uint64_t index) {
  const char* name = call->error_field != NULL ? call->error_field : field->name;
  expect_error_at(call->call(def), error, name, index);
}

// Accepted, or refused for other reasons than the range of the field.
static void expect_in_range(const def_call* call, const any_def* def, const weft__field* field) {
  const char* name = call->error_field != NULL ? call->error_field : field->name;
  const weft_result result = call->call(def);
  const bool is_range = result.error == WEFT_ERROR_NOT_FINITE || result.error == WEFT_ERROR_RANGE ||
                        result.error == WEFT_ERROR_EMPTY || result.error == WEFT_ERROR_TOO_MANY;
  ck_assert_msg(!is_range || strcmp(result.field, name) != 0, "%s: %s", field->name,
                weft_error_text(result.error));
}

// Fits other fields to a value at the end of its range.
static void fit(const weft__field* field, any_def* def, uint32_t element) {
  if (strcmp(field->name, "weft_joint_def.weights") == 0) {
    def->joint.weights[element == 0 ? 1 : 0] = 1.0f - def->joint.weights[element];
  } else if (strcmp(field->name, "weft_link_def.mode") == 0) {
    def->link.max_length = def->link.mode == WEFT_LINK_MODE_RANGE ? 1.0f : 0.0f;
  } else if (strcmp(field->name, "weft_ball_def.radius") == 0) {
    def->ball.mass = def->ball.radius > 1.0f ? 1e6f : 1e-3f;
  } else if (strcmp(field->name, "weft_ball_def.mass") == 0) {
    def->ball.radius = def->ball.mass > 1.0f ? 1.0f : 0.2f;
  } else if (strcmp(field->name, "weft_cloth_def.columns") == 0) {
    def->cloth.width = (float)(def->cloth.columns - 1);
  } else if (strcmp(field->name, "weft_cloth_def.width") == 0) {
    def->cloth.height = def->cloth.width;
  } else if (strcmp(field->name, "weft_cloth_def.height") == 0) {
    def->cloth.width = def->cloth.height;
  }
}

static bool is_float(const weft__field* field) {
  return field->kind == WEFT__FIELD_FLOAT;
}

static void set_element(any_def* def, const weft__field* field, uint32_t element, double value) {
  const size_t bytes = field->bytes / weft__field_count(field);
  const float real = (float)value;
  const uint32_t half = is_float(field) ? 0 : (uint32_t)(int64_t)value;
  const int64_t whole = is_float(field) ? 0 : (int64_t)value;
  const void* from = is_float(field)         ? (const void*)&real
                     : bytes == sizeof(half) ? (const void*)&half
                                             : &whole;
  memcpy((char*)def + field->offset + element * bytes, from, bytes);
}

static weft_error expected_error(const weft__field* field, double value) {
  const bool is_open = isinf(field->upper), is_count = field->kind == WEFT__FIELD_COUNT;
  if (isnan(value) || (isinf(value) && !is_open)) return WEFT_ERROR_NOT_FINITE;
  if (value == 0.0 && (field->flags & WEFT__FIELD_OR_ZERO)) return WEFT_OK;
  if (value == (double)WEFT_AUTO && (field->flags & WEFT__FIELD_OR_AUTO)) return WEFT_OK;
  if (is_count && value == 0.0 && field->lower > 0.0) return WEFT_ERROR_EMPTY;
  if (value > field->upper) return is_count ? WEFT_ERROR_TOO_MANY : WEFT_ERROR_RANGE;
  const bool is_above =
      field->flags & WEFT__FIELD_ABOVE ? value > field->lower : value >= field->lower;
  return is_above ? WEFT_OK : WEFT_ERROR_RANGE;
}

// Values that the type of the field has, and counts that take no long time where they are accepted.
static bool can_be_tried(const weft__field* field, double value, weft_error error) {
  if (is_float(field)) return true;
  const bool is_signed = field->kind == WEFT__FIELD_INT || field->kind == WEFT__FIELD_LONG;
  const double largest = field->kind == WEFT__FIELD_LONG  ? 0x1p62
                         : field->kind == WEFT__FIELD_INT ? (double)INT32_MAX
                                                          : (double)UINT32_MAX;
  if (!isfinite(value) || value > largest || (value < 0.0 && !is_signed)) return false;
  return error != WEFT_OK || value <= 100000.0 || value == (double)WEFT_AUTO;
}

static double beside(const weft__field* field, double end, double towards) {
  if (!is_float(field)) return towards > end ? end + 1.0 : end - 1.0;
  return (double)nextafterf((float)end, (float)towards);
}

static void try_number(const def_call* call, const weft__field* field, uint32_t element) {
  const double lower = field->lower, upper = field->upper, infinite = (double)INFINITY;
  const double values[] = {(double)NAN,
                           infinite,
                           -infinite,
                           0.0,
                           beside(field, lower, -infinite),
                           lower,
                           is_float(field) ? beside(field, lower, infinite) : lower,
                           upper,
                           beside(field, upper, infinite),
                           (double)WEFT_AUTO};
  for (size_t v = 0; v < sizeof(values) / sizeof(*values); ++v) {
    const weft_error error = expected_error(field, values[v]);
    if (!can_be_tried(field, values[v], error)) continue;
    any_def def = new_def(call);
    set_element(&def, field, element, values[v]);
    if (error == WEFT_OK) {
      fit(field, &def, element);
      expect_in_range(call, &def, field);
    } else {
      expect_refused(call, &def, field, error, element);
    }
  }
}

// A direction or a quaternion: finite, of unit length, at right angles to the one before.
static void try_unit(const def_call* call, const weft__field* field) {
  static const float bad[] = {NAN, INFINITY, -INFINITY};
  static const float lengths[] = {0.0f, 0.998f, 1.002f, 1e-20f, 1e30f};
  for (uint32_t k = 0; k < weft__field_count(field); ++k) {
    for (int n = 0; n < 3; ++n) {
      any_def def = new_def(call);
      memcpy((char*)&def + field->offset + k * sizeof(float), &bad[n], sizeof(float));
      expect_refused(call, &def, field, WEFT_ERROR_NOT_FINITE, k);
    }
  }
  for (int n = 0; n < 5; ++n) {
    any_def def = new_def(call);
    float* unit = (float*)(void*)((char*)&def + field->offset);
    for (uint32_t k = 0; k < weft__field_count(field); ++k) unit[k] *= lengths[n];
    expect_refused(call, &def, field, WEFT_ERROR_RANGE, 0);
  }
  if (!(field->flags & WEFT__FIELD_ORTHOGONAL)) return;
  any_def def = new_def(call);
  const float skewed[] = {0.6f, 0.8f, 0.0f};
  memcpy((char*)&def + field->offset, skewed, sizeof(skewed));
  expect_refused(call, &def, field, WEFT_ERROR_RANGE, 0);
}

static void try_rest(const def_call* call, const weft__field* field) {
  any_def def = new_def(call);
  if (field->flags & WEFT__FIELD_REQUIRED) {
    memset((char*)&def + field->offset, 0, field->bytes);
    expect_refused(call, &def, field, WEFT_ERROR_NULL, 0);
  }
  if (field->flags & WEFT__FIELD_AT_MOST) {
    const float values[] = {0.5f, 0.75f};
    memcpy((char*)&def + field[-1].offset, &values[0], sizeof(float));
    memcpy((char*)&def + field->offset, &values[1], sizeof(float));
    expect_refused(call, &def, field, WEFT_ERROR_RANGE, 0);
  }
}

LOOP_TEST(each_field_is_held_to_its_range_and_named, 0, def_call_count) {
  const def_call* call = &def_calls[_i];
  make_def_world();
  for (uint32_t f = 0; f < call->fields->count; ++f) {
    const weft__field* field = &call->fields->rows[f];
    if (!counts(call, field)) continue;
    const uint32_t elements = call->elements > 0 ? call->elements : weft__field_count(field);
    if (field->kind == WEFT__FIELD_UNIT) try_unit(call, field);
    for (uint32_t k = 0; k < elements; ++k) {
      if (field->kind < WEFT__FIELD_FLAG && field->kind != WEFT__FIELD_UNIT) {
        try_number(call, field, k);
      }
    }
    try_rest(call, field);
  }
}

LOOP_TEST(a_def_not_made_by_its_default_function_is_refused, 0, def_call_count) {
  const def_call* call = &def_calls[_i];
  if (call->fields->cookie == 0) return;
  make_def_world();
  any_def def = new_def(call);
  uint32_t cookie = call->fields->cookie ^ 1u;
  const bool is_material = call->fields == &weft__material_fields;
  memcpy((char*)&def + call->fields->cookie_offset, &cookie, sizeof(cookie));
  expect_error(call->call(&def), WEFT_ERROR_DEF,
               is_material ? "weft_mesh_def.material" : call->fields->name);
  memset(&def, 0, sizeof(def));
  expect_error(call->call(&def), WEFT_ERROR_DEF,
               is_material ? "weft_mesh_def.material" : call->fields->name);
}

LOOP_TEST(defs_that_are_filled_are_accepted, 0, def_call_count) {
  make_def_world();
  const any_def def = new_def(&def_calls[_i]);
  expect_ok(def_calls[_i].call(&def));
}

TEST(every_range_is_tried_at_a_call) {
  // ranges that depend on other fields
  static const char elsewhere[] = "rest_length max_length lower upper isa";
  for (const weft__fields* const* fields = weft__fields_of_defs; *fields != NULL; ++fields) {
    for (uint32_t f = 0; f < (*fields)->count; ++f) {
      const weft__field* field = &(*fields)->rows[f];
      bool is_tried = field->kind >= WEFT__FIELD_FLAG || is_named(elsewhere, field) ||
                      (field->lower == 0.0 && field->upper >= (double)UINT32_MAX);
      for (int c = 0; c < def_call_count && !is_tried; ++c) {
        is_tried = def_calls[c].fields == *fields && counts(&def_calls[c], field);
      }
      ck_assert_msg(is_tried, "%s", field->name);
    }
  }
}
