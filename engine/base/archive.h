/* Archive: a byte stream of state, and one visitor of that state for all of its uses.
 *
 * Tables are visited by their columns (base/columns.h), lists whose place in memory depends on the
 * workers in an order of their own.
 *
 *             values                   columns           memory that a room lacks
 *   write     into the stream          into the stream   -
 *   check     from the stream          skipped           allocated
 *   load      from the stream          from the stream   is there
 *
 * A check reads values into a copy of their struct and may fail; the load after it cannot: a stream
 * is loaded as a whole or not at all. A stream without a sink is measured.
 *
 * Everything starts at a multiple of 8 bytes. A column is preceded by its count and the size of its
 * elements. Numbers are little-endian, as on all supported hosts. */
#ifndef WEFT_BASE_ARCHIVE_H
#define WEFT_BASE_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/checksum.h"
#include "base/columns.h"
#include "base/host.h"
#include "weft/weft.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "snapshots are little-endian: a host of another byte order would have to swap them"
#endif

typedef enum weft__archive_mode {
  WEFT__ARCHIVE_WRITE,
  WEFT__ARCHIVE_CHECK,
  WEFT__ARCHIVE_LOAD,
} weft__archive_mode;

#define WEFT__ARCHIVE_STAGE 4096u

typedef struct weft__archive {
  weft__archive_mode mode;
  unsigned char* to;            /* write: the caller's memory, or NULL */
  weft_snapshot_writer* writer; /* write: the caller's function, or NULL */
  void* writer_context;
  const unsigned char* from;
  size_t at;
  size_t end; /* bytes of the stream that is read */
  weft__checksum sum;
  weft_result result; /* the first failure; the visit goes on, and changes nothing */
  size_t staged;
  unsigned char stage[WEFT__ARCHIVE_STAGE];
} weft__archive;

static inline bool weft__archive_is_reading(const weft__archive* archive) {
  return archive->mode != WEFT__ARCHIVE_WRITE;
}

static inline bool weft__archive_is_loading(const weft__archive* archive) {
  return archive->mode == WEFT__ARCHIVE_LOAD;
}

static inline bool weft__archive_is_checking(const weft__archive* archive) {
  return archive->mode == WEFT__ARCHIVE_CHECK;
}

static inline bool weft__archive_is_good(const weft__archive* archive) {
  return archive->result.error == WEFT_OK;
}

void weft__archive_fail(weft__archive* archive, weft_error error, const char* field);

/* Fails with WEFT_ERROR_CORRUPT when reading unless the condition holds. True while good. */
bool weft__archive_expect(weft__archive* archive, bool holds);

/* Fails with WEFT_ERROR_OUT_OF_MEMORY unless the condition holds. True while good. */
bool weft__archive_allocated(weft__archive* archive, bool holds);

/* Padding keeps bytes that no assignment writes: equal states would differ. Only gcc can tell. */
#if defined(__GNUC__) && !defined(__clang__) && !defined(NDEBUG)
#define WEFT__HAS_PADDING(object)                          \
  __extension__({                                          \
    __typeof__(object) probe;                              \
    memset((void*)&probe, 0xff, sizeof(probe));            \
    __builtin_clear_padding(&probe);                       \
    memchr((const void*)&probe, 0, sizeof(probe)) != NULL; \
  })
#else
#define WEFT__HAS_PADDING(object) false
#endif

/* Visits a value or struct without pointers and padding: members named `unused` fill the gaps. */
void weft__archive_value(weft__archive* archive, void* value, size_t size);

#define WEFT__ARCHIVE_VALUE(archive, value) \
  (WEFT__ASSERT(!WEFT__HAS_PADDING(value)), weft__archive_value(archive, &(value), sizeof(value)))

void weft__archive_array(weft__archive* archive, void* array, size_t count, size_t size);

#define WEFT__ARCHIVE_ARRAY(archive, array, count) \
  (WEFT__ASSERT(!WEFT__HAS_PADDING(*(array))),     \
   weft__archive_array(archive, array, count, sizeof(*(array))))

/* Begins an array that weft__archive_raw() goes on to write; it is read as one. */
void weft__archive_begin_array(weft__archive* archive, size_t count, size_t size);

/* Reads an array into memory aside when checking, and skips it when loading. */
void weft__archive_array_aside(weft__archive* archive, void* array, uint64_t count, size_t size);

/* Room in the stream for `count` more elements: checked before memory is allocated for them. */
bool weft__archive_can_hold(weft__archive* archive, uint64_t count, size_t size);

/* Visits members and columns of the given kinds, such as WEFT__STATE. A column that the table or
 * the stream lacks is zeroed; memory for the stream's columns must exist. */
void weft__archive_columns(weft__archive* archive, void* table, const weft__table* of,
                           uint32_t kind);

/* WEFT__SAVED, then is_sound() and loaded(). */
void weft__archive_table(weft__archive* archive, void* table, const weft__table* of);

/* The next array's elements; NULL unless it has `count`. */
const unsigned char* weft__archive_view(weft__archive* archive, size_t count, size_t size);

/* Rows of float columns of a kind; rows that the stream lacks keep their values. */
void weft__archive_rows(weft__archive* archive, const void* table, const weft__table* of,
                        uint32_t kind, const uint32_t* rows, size_t count);

/* Compares with the next array and visits nothing. */
bool weft__archive_is_same(const weft__archive* archive, const void* array, size_t count,
                           size_t size);

/* Visits a tag, the first eight letters of a name. */
void weft__archive_name(weft__archive* archive, const char* name);

/* Adds a multiple of 8 bytes. */
void weft__archive_raw(weft__archive* archive, const void* bytes, size_t size);

void weft__archive_flush(weft__archive* archive);

#endif
