/* The table of attributes: each one by each form of selection and stride, against single elements;
 * each error once. */
#include <stddef.h>

#include "support/test.h"

enum { SIDE = 12, SHEET = SIDE * SIDE, BALLS = 4, COUNT = SHEET + BALLS, MOST = 40, ROOM = 20 };

typedef enum call { GET = 1, SET = 2, ADD = 4 } call;

typedef enum item { IS_FLOAT, IS_UINT32, IS_INT8, IS_BOOL } item;

static const size_t item_sizes[] = {sizeof(float), sizeof(uint32_t), sizeof(int8_t), sizeof(bool)};

/* The documented table. Elements that a call may name begin at `first`: pins, balls .. */
static const struct row {
  weft_attribute attribute;
  item kind;
  uint32_t width;
  uint32_t calls;
  uint32_t first;
  float low, high; /* of good numbers */
} rows[] = {
    {WEFT_ATTRIBUTE_POSITION, IS_FLOAT, 3, GET | SET | ADD, 20, -0.1f, 0.1f},
    {WEFT_ATTRIBUTE_VELOCITY, IS_FLOAT, 3, GET | SET | ADD, 20, -1.0f, 1.0f},
    {WEFT_ATTRIBUTE_TARGET, IS_FLOAT, 3, GET | SET, 0, -0.1f, 0.1f},
    {WEFT_ATTRIBUTE_INVERSE_MASS, IS_FLOAT, 1, GET | SET, 20, 100.0f, 900.0f},
    {WEFT_ATTRIBUTE_FORCE, IS_FLOAT, 3, GET | SET | ADD, 20, -0.1f, 0.1f},
    {WEFT_ATTRIBUTE_NORMAL, IS_FLOAT, 3, GET, 20, 0.0f, 0.0f},
    {WEFT_ATTRIBUTE_TANGENT, IS_FLOAT, 4, 0, 20, 0.0f, 0.0f},
    {WEFT_ATTRIBUTE_ORIENTATION, IS_FLOAT, 4, GET | SET, SHEET, 0.5f, 0.5f},
    {WEFT_ATTRIBUTE_ANGULAR_VELOCITY, IS_FLOAT, 3, GET | SET | ADD, SHEET, -5.0f, 5.0f},
    {WEFT_ATTRIBUTE_REACTION, IS_FLOAT, 3, GET, 0, 0.0f, 0.0f},
    {WEFT_ATTRIBUTE_BOUNDS_CONTACT, IS_INT8, 3, GET, SHEET, 0.0f, 0.0f},
    {WEFT_ATTRIBUTE_PATCH, IS_UINT32, 1, GET, 0, 0.0f, 0.0f},
    {WEFT_ATTRIBUTE_LEVEL, IS_UINT32, 1, GET, 0, 0.0f, 0.0f},
    {WEFT_ATTRIBUTE_LINK_REST_LENGTH, IS_FLOAT, 1, GET | SET, 30, 0.09f, 0.11f},
    {WEFT_ATTRIBUTE_LINK_COMPLIANCE, IS_FLOAT, 1, GET | SET, 30, 1e-6f, 1e-5f},
    {WEFT_ATTRIBUTE_LINK_TENSION, IS_FLOAT, 1, GET, 30, 0.0f, 0.0f},
    {WEFT_ATTRIBUTE_LINK_ENABLED, IS_BOOL, 1, GET | SET, 30, 0.0f, 1.0f},
    {WEFT_ATTRIBUTE_LINK_TORN, IS_BOOL, 1, GET | SET, 30, 0.0f, 1.0f},
};
enum { ROWS = sizeof(rows) / sizeof(*rows) };

typedef struct row row;

static size_t size_of(const row* r) {
  return item_sizes[r->kind] * r->width;
}

// Elements that all calls of an attribute take.
static uint32_t count_of(const row* r) {
  return r->first == SHEET ? BALLS : r->first == 0 ? SIDE : MOST;
}

// A sheet that is pinned along its first row, and balls that lie on the floor.
static weft_world* new_stage(void) {
  weft_scene* scene = new_sheet_scene(SIDE, SIDE, ALL_FAMILIES);
  expect_ok(weft_scene_pin(scene, weft_range(0, SIDE)));
  for (uint32_t b = 0; b < BALLS; ++b) {
    const float at[3] = {(float)b, -4.95f, 2.0f}, inverse_mass = 1.0f;
    expect_ok(weft_scene_add_particles(scene, at, &inverse_mass, 1, NULL));
  }
  weft_world* world = new_plain_world(scene, .loads = true, .worker_count = 2, .iterations = 4);
  shape_particles(world, SHEET, BALLS, .shape = WEFT_PARTICLE_SHAPE_SPHERE,
                  .half_size = {0.05f, 0.05f, 0.05f}, .turns = true);
  put_floor(world, -5.0f, 0.5f);
  const float spin[3] = {1.0f, 2.0f, 3.0f}, push[3] = {0.0f, 0.1f, 0.0f};
  expect_set(world, WEFT_ATTRIBUTE_ANGULAR_VELOCITY, SHEET, BALLS, spin, WEFT_SAME);
  expect_set(world, WEFT_ATTRIBUTE_LINK_ENABLED, 40, 3, &(bool){false}, WEFT_SAME);
  weft_world_step(world, 4);
  expect_add(world, WEFT_ATTRIBUTE_FORCE, 30, 9, push, WEFT_SAME);
  return world;
}

static void draw_value(const row* r, random_source* random, void* value) {
  for (uint32_t k = 0; k < r->width; ++k) {
    if (r->kind == IS_BOOL) ((bool*)value)[k] = random_below(random, 2) == 1;
    if (r->kind == IS_FLOAT) ((float*)value)[k] = random_float(random, r->low, r->high);
  }
}

// ---- forms ----

typedef enum form { RANGE, LIST, MASKED_RANGE, MASKED_LIST, FORMS } form;

typedef struct chosen {
  weft_selection selection;
  uint32_t numbers[MOST];
  bool mask[MOST];
} chosen;

// Elements of a form: lists descend, masks leave out a third.
static void choose(chosen* c, const row* r, form f, random_source* random) {
  const uint32_t count = count_of(r);
  for (uint32_t n = 0; n < count; ++n) {
    c->numbers[n] = r->first + count - 1 - n;
    c->mask[n] = random_below(random, 3) > 0;
  }
  const bool is_listed = f == LIST || f == MASKED_LIST;
  c->selection = is_listed ? weft_list(c->numbers, count) : weft_range(r->first, count);
  if (f >= MASKED_RANGE) c->selection.mask = c->mask;
}

static bool counts(const chosen* c, uint32_t n) {
  return c->selection.mask == NULL || c->selection.mask[n];
}

static uint32_t number_of(const chosen* c, uint32_t n) {
  return c->selection.indices != NULL ? c->selection.indices[n] : c->selection.first + n;
}

static void get_one(const weft_world* world, const row* r, uint32_t number, void* value) {
  expect_get(world, r->attribute, number, 1, value);
}

// Strides of an element: packed, packed by its size, apart.
static size_t stride_of(const row* r, int layout) {
  return layout == 0 ? 0 : layout == 1 ? size_of(r) : ROOM * item_sizes[r->kind];
}

LOOP_TEST(an_attribute_is_read_by_any_selection_and_stride, 0, ROWS) {
  const row* r = &rows[_i];
  random_source random = {(uint64_t)_i + 1};
  if ((r->calls & GET) == 0) return;
  weft_world* world = new_stage();
  for (int f = 0; f < FORMS; ++f) {
    for (int layout = 0; layout < 3; ++layout) {
      chosen c;
      choose(&c, r, (form)f, &random);
      const size_t stride = stride_of(r, layout), step = stride == 0 ? size_of(r) : stride;
      unsigned char values[MOST * ROOM * sizeof(float)], one[4 * sizeof(float)];
      memset(values, 0xa5, sizeof(values));
      expect_ok(weft_world_get(world, r->attribute, c.selection, values, stride));
      for (uint32_t n = 0; n < c.selection.count; ++n) {
        memset(one, 0xa5, sizeof(one));
        if (counts(&c, n)) get_one(world, r, number_of(&c, n), one);
        require(memcmp(values + n * step, one, size_of(r)) == 0);
        // gaps stay as they are
        for (size_t k = size_of(r); k < step; ++k) require(values[n * step + k] == 0xa5);
      }
    }
  }
}

static weft_result change(weft_world* world, const row* r, call by, weft_selection selection,
                          const void* values, size_t stride) {
  return by == ADD ? weft_world_add(world, r->attribute, selection, values, stride)
                   : weft_world_set(world, r->attribute, selection, values, stride);
}

// Same state now and after some steps.
static void expect_same(weft_world* a, weft_world* b) {
  for (int r = 0; r < ROWS; ++r) {
    unsigned char one[4 * sizeof(float)] = {0}, other[4 * sizeof(float)] = {0};
    for (uint32_t n = 0; n < count_of(&rows[r]) && (rows[r].calls & GET) != 0; ++n) {
      get_one(a, &rows[r], rows[r].first + n, one);
      get_one(b, &rows[r], rows[r].first + n, other);
      require(memcmp(one, other, sizeof(one)) == 0);
    }
  }
  weft_world_step(a, 3);
  weft_world_step(b, 3);
  ck_assert_uint_eq(weft_world_hash(a), weft_world_hash(b));
}

// Draws values where they count, and what no call may look at elsewhere.
static void draw_values(const row* r, const chosen* c, size_t step, random_source* random,
                        unsigned char* values, size_t size) {
  memset(values, 0xff, size);
  for (uint32_t n = 0; n < c->selection.count; ++n) {
    if (counts(c, n)) draw_value(r, random, values + n * step);
  }
}

static void compare_change(const row* r, call by, form f, int layout, random_source* random) {
  weft_world *world = new_stage(), *single = new_stage();
  chosen c;
  choose(&c, r, f, random);
  const bool is_same = layout == 3;
  const size_t stride = is_same ? WEFT_SAME : stride_of(r, layout);
  const size_t step = is_same ? 0 : stride == 0 ? size_of(r) : stride;
  unsigned char values[MOST * ROOM * sizeof(float)];
  draw_values(r, &c, step, random, values, sizeof(values));
  expect_ok(change(world, r, by, c.selection, values, stride));
  for (uint32_t n = 0; n < c.selection.count; ++n) {
    const weft_selection one = weft_range(number_of(&c, n), 1);
    if (counts(&c, n)) expect_ok(change(single, r, by, one, values + n * step, 0));
  }
  // links that one call tears are events of one batch
  expect_same(world, single);
  weft_world_destroy(&world);
  weft_world_destroy(&single);
}

LOOP_TEST(an_attribute_is_changed_by_any_selection_and_stride_as_one_by_one, 0, ROWS) {
  const row* r = &rows[_i];
  random_source random = {(uint64_t)_i + 1};
  for (uint32_t by = SET; by <= ADD; by *= 2) {
    for (int f = 0; f < FORMS && (r->calls & by) != 0; ++f) {
      for (int layout = 0; layout < 4; ++layout)
        compare_change(r, (call)by, (form)f, layout, &random);
    }
  }
}

// ---- meaning ----

TEST(what_is_set_is_read_and_what_is_added_is_the_sum) {
  weft_world* world = new_stage();
  for (int k = 0; k < ROWS; ++k) {
    const row* r = &rows[k];
    if (r->kind != IS_FLOAT || (r->calls & SET) == 0) continue;
    random_source random = {(uint64_t)k + 1};
    float first[4], more[4], read[4];
    draw_value(r, &random, first);
    draw_value(r, &random, more);
    expect_set(world, r->attribute, r->first, 1, first, 0);
    get_one(world, r, r->first, read);
    for (uint32_t i = 0; i < r->width; ++i) require(fabsf(read[i] - first[i]) < 1e-5f);
    if ((r->calls & ADD) == 0) continue;
    expect_add(world, r->attribute, r->first, 1, more, 0);
    get_one(world, r, r->first, read);
    for (uint32_t i = 0; i < r->width; ++i) require(fabsf(read[i] - first[i] - more[i]) < 1e-5f);
  }
}

TEST(a_link_that_is_torn_stays_so_and_false_tears_none) {
  weft_world* world = new_stage();
  const bool torn[3] = {true, false, true}, on[3] = {true, true, true};
  bool is[3];
  expect_set(world, WEFT_ATTRIBUTE_LINK_TORN, 50, 3, torn, 0);
  expect_set(world, WEFT_ATTRIBUTE_LINK_TORN, 50, 3, &(bool){false}, WEFT_SAME);
  expect_set(world, WEFT_ATTRIBUTE_LINK_ENABLED, 50, 3, on, 0);
  expect_get(world, WEFT_ATTRIBUTE_LINK_TORN, 50, 3, is);
  ck_assert(is[0] && !is[1] && is[2]);
  expect_get(world, WEFT_ATTRIBUTE_LINK_ENABLED, 50, 3, is);
  ck_assert(!is[0] && is[1] && !is[2]);
}

// ---- refused input ----

LOOP_TEST(calls_that_an_attribute_does_not_take_are_refused, 0, ROWS) {
  const row* r = &rows[_i];
  weft_world* world = new_stage();
  const weft_selection one = weft_range(r->first, 1);
  float values[4] = {0.5f, 0.5f, 0.5f, 0.5f};
  const weft_result results[] = {weft_world_get(world, r->attribute, one, values, 0),
                                 weft_world_set(world, r->attribute, one, values, 0),
                                 weft_world_add(world, r->attribute, one, values, 0)};
  for (uint32_t k = 0; k < 3; ++k) {
    const bool is_taken = (r->calls & 1u << k) != 0;
    if (!is_taken) expect_error(results[k], WEFT_ERROR_RANGE, "attribute");
    if (is_taken) require(strcmp(results[k].field, "attribute") != 0);
  }
}

// Each error of selections, pointers and strides, of a call on one attribute.
static void refuse(weft_world* world, const row* r, call by) {
  unsigned char values[MOST * ROOM * sizeof(float)] = {0};
  const uint32_t total = r->attribute < WEFT_ATTRIBUTE_LINK_REST_LENGTH
                             ? particle_count_of(world)
                             : stats_of(world).link_count;
  const uint32_t beyond[3] = {r->first, total, r->first + 1};
  const uint32_t twice[3] = {r->first + 1, r->first, r->first + 1};
  const bool mask[3] = {true, false, true};
  weft_selection left_out = weft_list(beyond, 3);
  left_out.mask = mask;
#define CALL(world, selection, values, stride)                                \
  (by == GET ? weft_world_get(world, r->attribute, selection, values, stride) \
             : change(world, r, by, selection, values, stride))
  expect_null(CALL(NULL, weft_range(r->first, 1), values, 0), "world");
  expect_null(CALL(world, weft_range(r->first, 1), NULL, 0), "values");
  expect_past_end(CALL(world, weft_range(total - 1, 2), values, 0));
  expect_past_end(CALL(world, weft_range(UINT32_MAX, UINT32_MAX), values, 0));
  expect_error_at(CALL(world, weft_list(beyond, 3), values, 0), WEFT_ERROR_INDEX,
                  "selection.indices", 1);
  if (by != GET) {
    expect_error_at(CALL(world, weft_list(twice, 3), values, 0), WEFT_ERROR_DUPLICATE,
                    "selection.indices", 2);
  }
  const size_t size = size_of(r);
  if (size > 1) {
    expect_error(CALL(world, weft_range(r->first, 1), values, size - 1), WEFT_ERROR_RANGE,
                 "stride");
  }
  if (item_sizes[r->kind] > 1) {
    expect_error(CALL(world, weft_range(r->first, 1), values, size + 1), WEFT_ERROR_RANGE,
                 "stride");
  }
  if (by == GET) {
    expect_error(CALL(world, weft_range(r->first, 1), values, WEFT_SAME), WEFT_ERROR_RANGE,
                 "stride");
    expect_ok(CALL(world, left_out, values, 0));
    expect_ok(CALL(world, weft_list(twice, 3), values, 0));
  }
  expect_ok(CALL(world, weft_range(total, 0), NULL, 0));
#undef CALL
}

LOOP_TEST(bad_selections_pointers_and_strides_are_refused_and_change_nothing, 0, ROWS) {
  const row* r = &rows[_i];
  weft_world* world = new_stage();
  const uint64_t hash = weft_world_hash(world);
  for (uint32_t by = GET; by <= ADD; by *= 2) {
    if ((r->calls & by) != 0) refuse(world, r, (call)by);
  }
  ck_assert_uint_eq(weft_world_hash(world), hash);
}

LOOP_TEST(bad_values_are_refused_at_their_element_and_change_nothing, 0, ROWS) {
  const row* r = &rows[_i];
  if (r->kind != IS_FLOAT || (r->calls & SET) == 0) return;
  weft_world* world = new_stage();
  const uint64_t hash = weft_world_hash(world);
  random_source random = {(uint64_t)_i + 1};
  float values[3][4];
  const float bad[] = {NAN, INFINITY, -1e13f};
  for (uint32_t by = SET; by <= ADD; by *= 2) {
    for (int k = 0; k < 3 && (r->calls & by) != 0; ++k) {
      for (int n = 0; n < 3; ++n) draw_value(r, &random, values[n]);
      values[2][0] = bad[k];
      const weft_error error = k < 2 ? WEFT_ERROR_NOT_FINITE : WEFT_ERROR_RANGE;
      const weft_selection three = weft_range(r->first, 3);
      expect_error_at(change(world, r, (call)by, three, values, sizeof(values[0])), error, "values",
                      2);
    }
  }
  ck_assert_uint_eq(weft_world_hash(world), hash);
}

TEST(numbers_that_are_no_attributes_are_refused) {
  weft_world* world = new_stage();
  float value[4];
  const int numbers[] = {-1, WEFT_ATTRIBUTE_COUNT, 1 << 30};
  for (int k = 0; k < 3; ++k) {
    const weft_attribute none = (weft_attribute)numbers[k];
    const weft_selection one = weft_range(0, 1);
    expect_error(weft_world_get(world, none, one, value, 0), WEFT_ERROR_RANGE, "attribute");
    expect_error(weft_world_set(world, none, one, value, 0), WEFT_ERROR_RANGE, "attribute");
    expect_error(weft_world_add(world, none, one, value, 0), WEFT_ERROR_RANGE, "attribute");
  }
}

TEST(elements_that_an_attribute_does_not_fit_are_refused_at_their_number) {
  weft_world* world = new_stage();
  const uint32_t pins[3] = {3, 4, SIDE}, balls[2] = {SHEET, 7};
  const float at[3] = {0.0f};
  expect_error_at(weft_world_set(world, WEFT_ATTRIBUTE_TARGET, weft_list(pins, 3), at, WEFT_SAME),
                  WEFT_ERROR_RANGE, "selection.indices", 2);
  expect_error_at(weft_world_set(world, WEFT_ATTRIBUTE_TARGET, weft_range(10, 3), at, WEFT_SAME),
                  WEFT_ERROR_RANGE, "selection.first", 2);
  expect_error_at(
      weft_world_add(world, WEFT_ATTRIBUTE_ANGULAR_VELOCITY, weft_list(balls, 2), at, WEFT_SAME),
      WEFT_ERROR_RANGE, "selection.indices", 1);
  weft_world* without = new_world_of(new_sheet_scene(4, 4, ALL_FAMILIES));
  float load[3];
  expect_error(weft_world_get(without, WEFT_ATTRIBUTE_LINK_TENSION, weft_range(0, 1), load, 0),
               WEFT_ERROR_DISABLED, "weft_world_def.loads");
}

TEST(sums_beyond_the_largest_magnitude_are_refused) {
  weft_world* world = new_stage();
  const weft_attribute attributes[] = {WEFT_ATTRIBUTE_POSITION, WEFT_ATTRIBUTE_FORCE};
  const float most[3] = {0.0f, -0.75f * WEFT_MAX_MAGNITUDE, 0.0f};
  for (int k = 0; k < 2; ++k) {
    expect_set(world, attributes[k], 130, 2, most, WEFT_SAME);
    expect_error_at(weft_world_add(world, attributes[k], weft_range(129, 3), most, WEFT_SAME),
                    WEFT_ERROR_RANGE, "values", 1);
  }
}
