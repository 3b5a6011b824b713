#include "base/columns.h"

#include "base/memory.h"

// A column starts at its index times this, modulo a page: nine cache lines keep up to seven columns
// in separate cache sets.
#define STAGGER ((size_t)9 * WEFT__CACHE_LINE)
#define PAGE ((size_t)4096)

static void** column_pointer(void* table, const weft__column* column) {
  void* pointer = (char*)table + column->offset;
  return pointer;
}

// Offset of the next column: past `end`, at its own position in the page.
static size_t staggered(size_t end, size_t column) {
  const size_t position = column * STAGGER % PAGE;
  const size_t start = end / PAGE * PAGE + position;
  return start >= end ? start : start + PAGE;
}

size_t weft__columns_create(void* table, const weft__column* columns, size_t column_count,
                            size_t rows, void** block) {
  size_t end = 0;
  for (size_t c = 0; c < column_count; ++c) end = staggered(end, c) + rows * columns[c].size;
  char* memory = weft__alloc_zeroed(end, 1);
  if (memory == NULL) return 0;
  *block = memory;

  end = 0;
  for (size_t c = 0; c < column_count; ++c) {
    const size_t start = staggered(end, c);
    *column_pointer(table, &columns[c]) = memory + start;
    end = start + rows * columns[c].size;
  }
  return end;
}

bool weft__columns_grow(void* table, const weft__column* columns, size_t column_count, size_t rows,
                        size_t wanted) {
  for (size_t c = 0; c < column_count; ++c) {
    if (!weft__resize(column_pointer(table, &columns[c]), rows, wanted, columns[c].size))
      return false;
  }
  return true;
}

void weft__columns_free(void* table, const weft__column* columns, size_t column_count) {
  for (size_t c = 0; c < column_count; ++c) {
    void** pointer = column_pointer(table, &columns[c]);
    weft__free(*pointer);
    *pointer = NULL;
  }
}
