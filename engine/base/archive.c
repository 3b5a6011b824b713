#include "base/archive.h"

#include <string.h>

#include "base/memory.h"
#include "base/result.h"

#ifdef __has_feature
#define WEFT__HAS_MEMORY_SANITIZER __has_feature(memory_sanitizer)
#else
#define WEFT__HAS_MEMORY_SANITIZER 0
#endif
#if WEFT__HAS_MEMORY_SANITIZER
#include <sanitizer/msan_interface.h>
#endif

#define WORD ((size_t)8)

void weft__archive_fail(weft__archive* archive, weft_error error, const char* field) {
  if (weft__archive_is_good(archive)) archive->result = weft__fail(error, field);
}

bool weft__archive_expect(weft__archive* archive, bool holds) {
  if (weft__archive_is_reading(archive) && !holds) {
    weft__archive_fail(archive, WEFT_ERROR_CORRUPT, "snapshot");
  }
  return weft__archive_is_good(archive);
}

bool weft__archive_allocated(weft__archive* archive, bool holds) {
  if (!holds) weft__archive_fail(archive, WEFT_ERROR_OUT_OF_MEMORY, "world");
  return weft__archive_is_good(archive);
}

static void hand_over(weft__archive* archive, const void* bytes, size_t size) {
  if (size == 0 || !weft__archive_is_good(archive)) return;
  if (!archive->writer(archive->writer_context, bytes, size)) {
    weft__archive_fail(archive, WEFT_ERROR_STOPPED, "writer");
  }
}

void weft__archive_flush(weft__archive* archive) {
  hand_over(archive, archive->stage, archive->staged);
  archive->staged = 0;
}

// The memory sanitizer names the origin of bytes that nobody has written.
static void expect_written(const void* bytes, size_t size) {
#if WEFT__HAS_MEMORY_SANITIZER
  __msan_check_mem_is_initialized(bytes, size);
#else
  (void)bytes;
  (void)size;
#endif
}

void weft__archive_raw(weft__archive* archive, const void* bytes, size_t size) {
  expect_written(bytes, size);
  if (archive->to != NULL) {
    weft__checksum_copy(&archive->sum, archive->to + archive->at, bytes, size);
  } else if (archive->writer != NULL) {
    weft__checksum_add(&archive->sum, bytes, size);
    if (size > WEFT__ARCHIVE_STAGE - archive->staged) weft__archive_flush(archive);
    if (size > WEFT__ARCHIVE_STAGE) {
      hand_over(archive, bytes, size);
    } else {
      memcpy(archive->stage + archive->staged, bytes, size);
      archive->staged += size;
    }
  }
  archive->at += size;
}

static void write_padded(weft__archive* archive, const void* bytes, size_t size) {
  const size_t whole = size - size % WORD;
  if (whole > 0) weft__archive_raw(archive, bytes, whole);
  if (whole == size) return;
  unsigned char last[8] = {0};
  memcpy(last, (const char*)bytes + whole, size - whole);
  weft__archive_raw(archive, last, WORD);
}

static const unsigned char* take(weft__archive* archive, size_t size) {
  if (!weft__archive_is_good(archive)) return NULL;
  const size_t left = archive->end - archive->at;
  if (!weft__archive_expect(archive, size <= left && weft__round_up(size, WORD) <= left)) {
    return NULL;
  }
  const unsigned char* bytes = archive->from + archive->at;
  archive->at += weft__round_up(size, WORD);
  return bytes;
}

void weft__archive_value(weft__archive* archive, void* value, size_t size) {
  if (!weft__archive_is_reading(archive)) {
    write_padded(archive, value, size);
    return;
  }
  const unsigned char* bytes = take(archive, size);
  if (bytes != NULL) memcpy(value, bytes, size);
}

typedef struct array_head {
  uint64_t count;
  uint64_t size;
} array_head;

void weft__archive_begin_array(weft__archive* archive, size_t count, size_t size) {
  const array_head head = {count, size};
  weft__archive_raw(archive, &head, sizeof(head));
}

static void visit_elements(weft__archive* archive, void* array, size_t count, size_t size) {
  if (!weft__archive_is_reading(archive)) {
    write_padded(archive, array, count * size);
    return;
  }
  const unsigned char* bytes = take(archive, count * size);
  if (bytes != NULL && count > 0 && weft__archive_is_loading(archive)) {
    memcpy(array, bytes, count * size);
  }
}

void weft__archive_array(weft__archive* archive, void* array, size_t count, size_t size) {
  array_head head = {count, size};
  WEFT__ARCHIVE_VALUE(archive, head);
  if (!weft__archive_expect(archive, head.count == count && head.size == size)) return;
  visit_elements(archive, array, count, size);
}

void weft__archive_array_aside(weft__archive* archive, void* array, uint64_t count, size_t size) {
  const size_t at = archive->at + sizeof(array_head);
  const weft__archive_mode mode = archive->mode;
  if (mode == WEFT__ARCHIVE_LOAD) archive->mode = WEFT__ARCHIVE_CHECK;
  weft__archive_array(archive, array, (size_t)count, size);
  archive->mode = mode;
  if (mode != WEFT__ARCHIVE_CHECK || count == 0 || !weft__archive_is_good(archive)) return;
  memcpy(array, archive->from + at, (size_t)count * size);
}

bool weft__archive_can_hold(weft__archive* archive, uint64_t count, size_t size) {
  if (!weft__archive_is_reading(archive)) return true;
  return weft__archive_expect(archive, count <= (archive->end - archive->at) / size);
}

// A column has no rows in a stream whose world lacked it. Returns the rows there.
static size_t visit_head(weft__archive* archive, const void* array, size_t rows, size_t size) {
  array_head head = {array != NULL ? rows : 0, size};
  WEFT__ARCHIVE_VALUE(archive, head);
  const bool fits = head.count == 0 || (head.count == rows && array != NULL);
  return weft__archive_expect(archive, head.size == size && fits) ? (size_t)head.count : 0;
}

static void visit_column(weft__archive* archive, const void* table, const weft__column* column) {
  const size_t rows = weft__rows_of(table, &column->used);
  if (!weft__archive_expect(archive, rows <= weft__rows_of(table, &column->allocated))) return;
  for (uint32_t part = 0; part < column->parts && rows > 0; ++part) {
    void* array = weft__column_array(table, column, part);
    const size_t count = visit_head(archive, array, rows, column->size);
    visit_elements(archive, array, count, column->size);
    const bool lacks = weft__archive_is_loading(archive) && count == 0 && array != NULL;
    if (lacks) memset(array, 0, rows * column->size);
  }
}

void weft__archive_columns(weft__archive* archive, void* table, const weft__table* of,
                           uint32_t kind) {
  for (uint32_t c = 0; c < of->count && weft__archive_is_good(archive); ++c) {
    const weft__column* column = &of->columns[c];
    if ((column->kind & kind) == 0) continue;
    visit_column(archive, table, column);
    if (column->parts > 0) continue;
    weft__archive_value(archive, (char*)table + column->offset, column->size);
  }
}

void weft__archive_table(weft__archive* archive, void* table, const weft__table* of) {
  weft__archive_columns(archive, table, of, WEFT__SAVED);
  if (of->is_sound != NULL && !weft__archive_expect(archive, of->is_sound(table))) return;
  if (of->loaded != NULL && weft__archive_is_loading(archive)) of->loaded(table);
}

const unsigned char* weft__archive_view(weft__archive* archive, size_t count, size_t size) {
  array_head head = {count, size};
  WEFT__ARCHIVE_VALUE(archive, head);
  const bool fits = head.count == count && head.size == size;
  return weft__archive_expect(archive, fits) ? take(archive, count * size) : NULL;
}

static void write_rows(weft__archive* archive, const float* array, const uint32_t* rows,
                       size_t count) {
  float gathered[256];
  const size_t most = WEFT__COUNT_OF(gathered);
  for (size_t begin = 0; begin < count; begin += most) {
    const size_t part = count - begin < most ? count - begin : most;
    for (size_t n = 0; n < part; ++n) gathered[n] = array[rows[begin + n]];
    write_padded(archive, gathered, part * sizeof(*gathered));
  }
}

static void visit_rows(weft__archive* archive, float* array, const uint32_t* rows, size_t count) {
  count = visit_head(archive, array, count, sizeof(*array));
  if (!weft__archive_is_reading(archive)) {
    write_rows(archive, array, rows, count);
    return;
  }
  const unsigned char* bytes = take(archive, count * sizeof(*array));
  if (bytes == NULL || !weft__archive_is_loading(archive)) return;
  for (size_t n = 0; n < count; ++n)
    memcpy(&array[rows[n]], bytes + n * sizeof(*array), sizeof(*array));
}

void weft__archive_rows(weft__archive* archive, const void* table, const weft__table* of,
                        uint32_t kind, const uint32_t* rows, size_t count) {
  for (uint32_t c = 0; c < of->count && count > 0; ++c) {
    const weft__column* column = &of->columns[c];
    if ((column->kind & kind) == 0) continue;
    WEFT__ASSERT(column->size == sizeof(float));
    for (uint32_t part = 0; part < column->parts; ++part) {
      visit_rows(archive, weft__column_array(table, column, part), rows, count);
    }
  }
}

bool weft__archive_is_same(const weft__archive* archive, const void* array, size_t count,
                           size_t size) {
  const size_t bytes = sizeof(array_head) + count * size;
  if (!weft__archive_is_good(archive) || bytes > archive->end - archive->at) return false;
  return memcmp(archive->from + archive->at + sizeof(array_head), array, count * size) == 0;
}

void weft__archive_name(weft__archive* archive, const char* name) {
  char letters[8] = {0};
  for (size_t k = 0; k < sizeof(letters) && name[k] != '\0'; ++k) letters[k] = name[k];
  char found[8];
  memcpy(found, letters, sizeof(found));
  WEFT__ARCHIVE_VALUE(archive, found);
  (void)weft__archive_expect(archive, memcmp(found, letters, sizeof(found)) == 0);
}
