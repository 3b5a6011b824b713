/* Tables: structs of column pointers and single values, with one constant array that names each.
 * Allocation, hashes, archives and messages are loops over it: a new column is one line in the
 * struct and one in the array:
 *
 *   static const weft__column columns[] = {
 *       WEFT__MEMBER(weft__sleep, settled),
 *       WEFT__COLUMN(weft__sleep, members, particle_count, WEFT__DERIVED),
 *       WEFT__VECTOR(weft__sleep, start, particle_count, WEFT__STATE),
 *   };
 *   const weft__table weft__sleep_table = WEFT__TABLE(columns);
 *
 * Loops over columns run between stages; within them code reads the struct's pointers. */
#ifndef WEFT_BASE_COLUMNS_H
#define WEFT_BASE_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Classes and flags. Columns without a class are the host's, the scene's, or saved separately. */
enum {
  WEFT__STATE = 1,   /* changed by steps or calls, read by later steps: saved */
  WEFT__CACHE = 2,   /* lists and warm starts of the last substep: saved */
  WEFT__DERIVED = 4, /* computed from def, scene or state */
  WEFT__SCRATCH = 8, /* written before it is read in every step */
  WEFT__SAVED = WEFT__STATE | WEFT__CACHE,

  WEFT__MOTION = 16,  /* in a snapshot of a range */
  WEFT__HALO = 32,    /* sent by the rank that owns the row */
  WEFT__HASHED = 64,  /* in the hash of a world */
  WEFT__TURNED = 128, /* a direction that turns with the particle */
};

/* Group 0 is allocated with the table, others on demand. */
#define WEFT__GROUP(number) ((uint32_t)(number) << 8)

/* Number of rows: times * count + more. */
typedef struct weft__rows {
  uint32_t count; /* offset of the count in the table's struct */
  uint32_t width; /* bytes of the count; 0: none */
  uint32_t times;
  uint32_t more;
} weft__rows;

typedef struct weft__column {
  const char* name;
  size_t offset; /* first pointer's, or the member's */
  uint32_t size;
  uint32_t parts; /* side by side, one an axis; 0: a member */
  uint32_t kind;
  weft__rows used, allocated; /* rows that hold data, rows of memory */
} weft__column;

typedef struct weft__table {
  const weft__column* columns;
  uint32_t count;
  bool is_staggered; /* starts of columns in a block never share a cache set */
  /* NULL, or: members that were read fit together; updates derived values after a load */
  bool (*is_sound)(const void* table);
  void (*loaded)(void* table);
} weft__table;

#define WEFT__VECTOR_COLUMNS(name)           \
  union {                                    \
    float* name[3];                          \
    struct {                                 \
      float *name##_x, *name##_y, *name##_z; \
    };                                       \
  }

#define WEFT__COUNT_OF(array) (sizeof(array) / sizeof(*(array)))
#define WEFT__TABLE(array) \
  { .columns = (array), .count = WEFT__COUNT_OF(array) }

#define WEFT__ROWS(type, count, times, more) \
  { offsetof(type, count), sizeof(((type*)0)->count), times, more }
#define WEFT__COLUMN_OF(type, name, element, parts, kind, used, allocated) \
  { #name, offsetof(type, name), sizeof(((type*)0)->element), parts, kind, used, allocated }

#define WEFT__MEMBER(type, name) WEFT__COLUMN_OF(type, name, name, 0, WEFT__STATE, {0}, {0})

#define WEFT__COLUMN(type, name, rows, kind) WEFT__COLUMN_TIMES(type, name, 1, rows, 0, kind)
#define WEFT__COLUMN_TIMES(type, name, times, rows, more, kind)                      \
  WEFT__COLUMN_OF(type, name, name[0], 1, kind, WEFT__ROWS(type, rows, times, more), \
                  WEFT__ROWS(type, rows, times, more))

/* Column with room for `capacity` rows; for `padding` more than in use. */
#define WEFT__LIST(type, name, rows, capacity, kind) \
  WEFT__LIST_TIMES(type, name, 1, rows, capacity, kind)
#define WEFT__LIST_TIMES(type, name, times, rows, capacity, kind)                 \
  WEFT__COLUMN_OF(type, name, name[0], 1, kind, WEFT__ROWS(type, rows, times, 0), \
                  WEFT__ROWS(type, capacity, times, 0))
#define WEFT__COLUMN_PADDED(type, name, rows, padding, kind)                  \
  WEFT__COLUMN_OF(type, name, name[0], 1, kind, WEFT__ROWS(type, rows, 1, 0), \
                  WEFT__ROWS(type, rows, 1, padding))

#define WEFT__PARTS(type, name) WEFT__COUNT_OF(((type*)0)->name)
#define WEFT__VECTOR(type, name, rows, kind) WEFT__VECTOR_TIMES(type, name, 1, rows, 0, kind)
#define WEFT__VECTOR_TIMES(type, name, times, rows, more, kind)          \
  WEFT__COLUMN_OF(type, name, name[0][0], WEFT__PARTS(type, name), kind, \
                  WEFT__ROWS(type, rows, times, more), WEFT__ROWS(type, rows, times, more))
#define WEFT__VECTOR_PADDED(type, name, rows, padding, kind)             \
  WEFT__COLUMN_OF(type, name, name[0][0], WEFT__PARTS(type, name), kind, \
                  WEFT__ROWS(type, rows, 1, 0), WEFT__ROWS(type, rows, 1, padding))

/* Column grown by its owner, who counts its rows. */
#define WEFT__GROWN(type, name) WEFT__COLUMN_OF(type, name, name[0], 1, WEFT__DERIVED, {0}, {0})

size_t weft__rows_of(const void* table, const weft__rows* rows);

static inline bool weft__is_of_group(const weft__column* column, uint32_t group) {
  return column->kind / WEFT__GROUP(1) == group / WEFT__GROUP(1);
}

static inline void* weft__column_array(const void* table, const weft__column* column,
                                       uint32_t part) {
  void* array = NULL;
  memcpy(&array, (const char*)table + column->offset + part * sizeof(array), sizeof(array));
  return array;
}

/* Allocates a group as one zeroed block for weft__free(); adds its bytes. Fails unchanged. */
bool weft__columns_create(void* table, const weft__table* of, uint32_t group, void** block,
                          size_t* bytes);

/* Allocates a group's missing columns one by one, zeroed; `bytes` may be NULL. Fails unchanged. */
bool weft__columns_add(void* table, const weft__table* of, uint32_t group, size_t* bytes);

/* Grows columns of one part each, allocated one by one: group 0 and those that exist of others.
 * Existing rows stay valid on failure. */
bool weft__columns_grow(void* table, const weft__table* of, size_t rows, size_t wanted);

void weft__columns_free(void* table, const weft__table* of);

/* Hash of floats, continued with a row of a group's hashed columns. */
uint64_t weft__columns_hash(uint64_t hash, const void* table, const weft__table* of, uint32_t group,
                            size_t row);

#endif
