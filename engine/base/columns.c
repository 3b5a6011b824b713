#include "base/columns.h"

#include "base/hash.h"
#include "base/memory.h"

// Nine cache lines, modulo a page, keep up to seven columns in separate cache sets.
#define STAGGER ((size_t)9 * WEFT__CACHE_LINE)
#define PAGE ((size_t)4096)

size_t weft__rows_of(const void* table, const weft__rows* rows) {
  const char* at = (const char*)table + rows->count;
  uint64_t count = 0;
  // little-endian: see base/archive.h
  memcpy(&count, at, rows->width);
  return (size_t)count * rows->times + rows->more;
}

static void set_array(void* table, const weft__column* column, uint32_t part, void* array) {
  memcpy((char*)table + column->offset + part * sizeof(array), &array, sizeof(array));
}

static size_t start_of(const weft__table* of, size_t end, size_t number) {
  if (!of->is_staggered) return weft__round_up(end, WEFT__CACHE_LINE);
  const size_t start = end / PAGE * PAGE + number * STAGGER % PAGE;
  return start >= end ? start : start + PAGE;
}

// Measures without a block. Returns the bytes.
static size_t lay_out(void* table, const weft__table* of, uint32_t group, char* block) {
  size_t end = 0;
  size_t number = 0;
  for (uint32_t c = 0; c < of->count; ++c) {
    const weft__column* column = &of->columns[c];
    if (!weft__is_of_group(column, group)) continue;
    for (uint32_t part = 0; part < column->parts; ++part) {
      const size_t start = start_of(of, end, number++);
      if (block != NULL) set_array(table, column, part, block + start);
      end = start + weft__rows_of(table, &column->allocated) * column->size;
    }
  }
  return end;
}

bool weft__columns_create(void* table, const weft__table* of, uint32_t group, void** block,
                          size_t* bytes) {
  const size_t size = lay_out(table, of, group, NULL);
  *block = weft__alloc_zeroed(size, 1);
  if (*block == NULL) return false;
  *bytes += lay_out(table, of, group, *block);
  return true;
}

static void free_column(void* table, const weft__column* column) {
  for (uint32_t part = 0; part < column->parts; ++part) {
    weft__free(weft__column_array(table, column, part));
    set_array(table, column, part, NULL);
  }
}

static bool allocate_column(void* table, const weft__column* column) {
  const size_t rows = weft__rows_of(table, &column->allocated);
  bool good = true;
  for (uint32_t part = 0; part < column->parts; ++part) {
    void* array = weft__alloc_zeroed(rows, column->size);
    set_array(table, column, part, array);
    good &= array != NULL;
  }
  return good;
}

bool weft__columns_add(void* table, const weft__table* of, uint32_t group, size_t* bytes) {
  bool good = true;
  size_t made = 0;
  for (uint32_t c = 0; c < of->count; ++c) {
    const weft__column* column = &of->columns[c];
    if (!weft__is_of_group(column, group) || column->parts == 0) continue;
    if (weft__column_array(table, column, 0) != NULL) return true;
    good &= allocate_column(table, column);
    made += weft__rows_of(table, &column->allocated) * column->size * column->parts;
  }
  for (uint32_t c = 0; c < of->count && !good; ++c) {
    if (weft__is_of_group(&of->columns[c], group)) free_column(table, &of->columns[c]);
  }
  if (good && bytes != NULL) *bytes += made;
  return good;
}

bool weft__columns_grow(void* table, const weft__table* of, size_t rows, size_t wanted) {
  for (uint32_t c = 0; c < of->count; ++c) {
    const weft__column* column = &of->columns[c];
    void* array = weft__column_array(table, column, 0);
    if (!weft__is_of_group(column, 0) && array == NULL) continue;
    if (!weft__resize(&array, rows, wanted, column->size)) return false;
    set_array(table, column, 0, array);
  }
  return true;
}

void weft__columns_free(void* table, const weft__table* of) {
  for (uint32_t c = 0; c < of->count; ++c) free_column(table, &of->columns[c]);
}

uint64_t weft__columns_hash(uint64_t hash, const void* table, const weft__table* of, uint32_t group,
                            size_t row) {
  for (uint32_t c = 0; c < of->count; ++c) {
    const weft__column* column = &of->columns[c];
    if ((column->kind & WEFT__HASHED) == 0 || !weft__is_of_group(column, group)) continue;
    for (uint32_t part = 0; part < column->parts; ++part) {
      const float* array = weft__column_array(table, column, part);
      hash = weft__hash_float(hash, array[row]);
    }
  }
  return hash;
}
