/* Structure-of-arrays tables, described once.
 *
 * A table is a struct of column pointers; beside it stands one constant array that says where each
 * pointer is and how large an element. Whatever is done to every column - allocate, grow, count the
 * bytes, free - is then a loop over that array, and a new column is one line in two places. */
#ifndef WEFT_BASE_COLUMNS_H
#define WEFT_BASE_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct weft__column {
  const char* name;
  size_t offset; /* of the pointer in the table's struct */
  size_t size;   /* bytes an element */
} weft__column;

#define WEFT__COLUMN(type, name) \
  { #name, offsetof(type, name), sizeof(*((type*)0)->name) }

/* Allocates all columns of a fixed table as one block, each `rows` long, zeroed, and stores the
 * block in *block (release it with free()). Columns start on cache lines and are staggered, so that
 * the same row of two columns never shares a cache set. Returns the block's bytes, 0 on failure. */
size_t weft__columns_create(void* table, const weft__column* columns, size_t column_count,
                            size_t rows, void** block);

/* Grows each column, its own malloc-ed array, to `rows` rows. False when memory cannot be had; the
 * rows that were there stay valid. */
bool weft__columns_grow(void* table, const weft__column* columns, size_t column_count, size_t rows);

/* Frees the columns that weft__columns_grow() made and sets them to NULL. */
void weft__columns_free(void* table, const weft__column* columns, size_t column_count);

#endif
