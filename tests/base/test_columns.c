#include "base/columns.h"

#include "base/memory.h"
#include "support/test.h"

// seven columns of several sizes: as many as the stagger keeps apart
typedef struct example {
  uint32_t rows;
  double* wide;
  float* x;
  float* y;
  uint16_t* half;
  uint8_t* byte;
  uint32_t* index;
  float* z;
} example;

static const weft__column columns[] = {
    WEFT__COLUMN(example, wide, rows, WEFT__STATE), WEFT__COLUMN(example, x, rows, WEFT__STATE),
    WEFT__COLUMN(example, y, rows, WEFT__STATE),    WEFT__COLUMN(example, half, rows, WEFT__STATE),
    WEFT__COLUMN(example, byte, rows, WEFT__STATE), WEFT__COLUMN(example, index, rows, WEFT__STATE),
    WEFT__COLUMN(example, z, rows, WEFT__STATE),
};
enum { COLUMN_COUNT = WEFT__COUNT_OF(columns) };

static const weft__table example_table = {
    .columns = columns, .count = COLUMN_COUNT, .is_staggered = true};

static const size_t row_counts[] = {0, 1, 15, 16, 17, 1000, 1024, 4096, 100003, 1 << 20};
enum { ROW_COUNTS = sizeof(row_counts) / sizeof(*row_counts) };

static char* column_of(const example* table, size_t column) {
  return weft__column_array(table, &columns[column], 0);
}

// Allocates a block of the rows of a loop test. Returns its bytes.
static size_t create(example* table, size_t rows, void** block) {
  size_t bytes = 0;
  *table = (example){.rows = (uint32_t)rows};
  ck_assert(weft__columns_create(table, &example_table, 0, block, &bytes));
  return bytes;
}

LOOP_TEST(columns_lie_on_cache_lines_inside_their_block_and_apart, 0, ROW_COUNTS) {
  const size_t rows = row_counts[_i];
  example table;
  void* block = NULL;
  const size_t bytes = create(&table, rows, &block);
  char* free_from = block;
  for (size_t c = 0; c < COLUMN_COUNT; ++c) {
    char* begin = column_of(&table, c);
    ck_assert_uint_eq((uintptr_t)begin % WEFT__CACHE_LINE, 0);
    ck_assert(begin >= free_from);
    free_from = begin + rows * columns[c].size;
  }
  ck_assert(free_from <= (char*)block + bytes);
  weft__free(block);
}

LOOP_TEST(the_starts_of_two_columns_never_share_a_cache_set, 0, ROW_COUNTS) {
  example table;
  void* block = NULL;
  (void)create(&table, row_counts[_i], &block);
  // a way of a level-1 cache has the size of a page: lines at equal offsets in pages share a set
  for (size_t c = 0; c < COLUMN_COUNT; ++c) {
    for (size_t d = c + 1; d < COLUMN_COUNT; ++d) {
      ck_assert_uint_ne((uintptr_t)column_of(&table, c) % 4096 / WEFT__CACHE_LINE,
                        (uintptr_t)column_of(&table, d) % 4096 / WEFT__CACHE_LINE);
    }
  }
  weft__free(block);
}

LOOP_TEST(new_columns_are_zero_and_writing_one_leaves_the_others, 0, ROW_COUNTS) {
  const size_t rows = row_counts[_i];
  example table;
  void* block = NULL;
  (void)create(&table, rows, &block);
  size_t wrong = 0;
  for (size_t c = 0; c < COLUMN_COUNT; ++c) {
    const char* memory = column_of(&table, c);
    for (size_t i = 0; i < rows * columns[c].size; ++i) wrong += memory[i] != 0;
    memset(column_of(&table, c), (int)c + 1, rows * columns[c].size);
  }
  for (size_t c = 0; c < COLUMN_COUNT; ++c) {
    const char* memory = column_of(&table, c);
    for (size_t i = 0; i < rows * columns[c].size; ++i) wrong += memory[i] != (char)(c + 1);
  }
  ck_assert_uint_eq(wrong, 0);
  weft__free(block);
}

TEST(columns_that_grow_keep_their_rows_and_are_freed_to_null) {
  example table = {0};
  for (size_t rows = 1; rows <= 1000; rows *= 10) {
    ck_assert(weft__columns_grow(&table, &example_table, rows / 10, rows));
    table.x[rows - 1] = (float)rows;
    table.byte[rows - 1] = (uint8_t)(rows % 251);
  }
  for (size_t rows = 1; rows <= 1000; rows *= 10) {
    ck_assert_float_eq(table.x[rows - 1], (float)rows);
    ck_assert_uint_eq(table.byte[rows - 1], rows % 251);
  }
  ck_assert(!weft__columns_grow(&table, &example_table, 1000, SIZE_MAX / 2));
  ck_assert_float_eq(table.x[999], 1000.0f);
  weft__columns_free(&table, &example_table);
  for (size_t c = 0; c < COLUMN_COUNT; ++c) ck_assert_ptr_null(column_of(&table, c));
}

// Three columns of a vector by themselves, twice as long and one more, and one that comes later.
typedef struct grouped {
  uint32_t count, many;
  float* at[3];
  uint16_t* late;
} grouped;

TEST(groups_are_added_once_and_counted) {
  static const weft__column parts[] = {
      WEFT__VECTOR_TIMES(grouped, at, 2, count, 1, WEFT__STATE),
      WEFT__COLUMN(grouped, late, count, WEFT__GROUP(1) | WEFT__STATE),
  };
  const weft__table of = WEFT__TABLE(parts);
  grouped table = {.count = 10};
  size_t bytes = 0;
  ck_assert_uint_eq(weft__rows_of(&table, &parts[0].used), 21);
  ck_assert(weft__columns_add(&table, &of, 0, &bytes));
  ck_assert_uint_eq(bytes, 3 * 21 * sizeof(float));
  ck_assert_ptr_null(table.late);
  ck_assert(weft__columns_add(&table, &of, WEFT__GROUP(1), &bytes));
  table.late[9] = 7;
  ck_assert(weft__columns_add(&table, &of, WEFT__GROUP(1), &bytes));
  ck_assert_uint_eq(table.late[9], 7);
  ck_assert_uint_eq(bytes, 3 * 21 * sizeof(float) + 10 * sizeof(uint16_t));
  for (int axis = 0; axis < 3; ++axis) ck_assert_float_eq(table.at[axis][20], 0.0f);
  weft__columns_free(&table, &of);
  for (int axis = 0; axis < 3; ++axis) ck_assert_ptr_null(table.at[axis]);
  // more bytes than a number holds: nothing is left of the group
  table.many = UINT32_MAX;
  static const weft__column huge[] = {
      WEFT__COLUMN(grouped, late, count, WEFT__GROUP(1)),
      WEFT__COLUMN_TIMES(grouped, at[0], UINT32_MAX, many, 0, WEFT__GROUP(1)),
  };
  const weft__table too_large = WEFT__TABLE(huge);
  ck_assert(!weft__columns_add(&table, &too_large, WEFT__GROUP(1), &bytes));
  ck_assert_ptr_null(table.late);
}
