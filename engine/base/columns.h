/* Structure-of-arrays tables, described once.
 *
 * A table is a struct of column pointers, with one constant array of their offsets and element
 * sizes. Allocating, growing, freeing or measuring all columns is a loop over that array, and a new
 * column is one line in two places. */
#ifndef WEFT_BASE_COLUMNS_H
#define WEFT_BASE_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct weft__column {
  const char* name;
  size_t offset; /* offset of the pointer in the table's struct */
  size_t size;   /* bytes of an element */
} weft__column;

#define WEFT__COLUMN(type, name) \
  { #name, offsetof(type, name), sizeof(*((type*)0)->name) }

/* Columns of a vector. */
#define WEFT__COLUMNS_XYZ(type, name) \
  WEFT__COLUMN(type, name##_x), WEFT__COLUMN(type, name##_y), WEFT__COLUMN(type, name##_z)

/* Allocates all columns of a fixed table as one zeroed block, each `rows` long, and stores it in
 * *block; release with weft__free(). Columns start on cache lines and are staggered, so that the
 * same row of two columns never shares a cache set. Returns the block's bytes, 0 if out of memory.
 */
size_t weft__columns_create(void* table, const weft__column* columns, size_t column_count,
                            size_t rows, void** block);

/* Grows each column, an array of its own, from `rows` to `wanted` rows. False if out of memory;
 * existing rows stay valid. */
bool weft__columns_grow(void* table, const weft__column* columns, size_t column_count, size_t rows,
                        size_t wanted);

/* Frees the columns that weft__columns_grow() made and sets them to NULL. */
void weft__columns_free(void* table, const weft__column* columns, size_t column_count);

#endif
