/* Nested dissection: an elimination order of unknowns that elements couple. (George 1973, "Nested
 * dissection of a regular finite element mesh")
 *
 * Elements are sorted along an axis and cut near the middle, where the fewest unknowns are on both
 * sides. These are the node's pivots, eliminated after its halves', down to leaves of few
 * elements. */
#ifndef WEFT_MODULES_BENDING_DISSECTION_H
#define WEFT_MODULES_BENDING_DISSECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sort.h"

#define WEFT__ELEMENT_UNKNOWNS 6

typedef struct weft__dissection_element {
  uint32_t unknown[WEFT__ELEMENT_UNKNOWNS]; /* or WEFT__NONE */
  float center[3];                          /* metres */
} weft__dissection_element;

typedef struct weft__dissection_node {
  uint32_t depth;
  uint32_t parent;   /* WEFT__NONE: root */
  uint32_t child[2]; /* WEFT__NONE: leaf */
  uint32_t first_element, element_count;
  uint32_t first_pivot, pivot_count;
  uint32_t first_row, row_count; /* unknowns of ancestors that the elements have */
} weft__dissection_node;

typedef struct weft__dissection {
  const weft__dissection_element* elements; /* [element_count] */
  uint32_t element_count;
  uint32_t unknown_count;
  uint32_t leaf_elements;       /* per leaf, at most */
  uint32_t* order;              /* elements, contiguous per node [element_count] */
  weft__dissection_node* nodes; /* parents first */
  size_t node_count, node_capacity;
  uint32_t* pivots;
  size_t pivot_count, pivot_capacity;
  uint32_t* rows;
  size_t row_count, row_capacity;
  bool* is_given;                          /* pivots [unknown_count] */
  uint32_t *stamp, *first, *last;          /* [unknown_count] */
  weft__sort_item *items, *best, *scratch; /* [element_count] */
  int32_t* change; /* step in the number on both sides [element_count + 1] */
} weft__dissection;

bool weft__dissection_begin(weft__dissection* d);

/* Tree of elements [begin, end), which share no unknown with others. */
bool weft__dissection_add(weft__dissection* d, uint32_t begin, uint32_t end);

void weft__dissection_destroy(weft__dissection* d);

#endif
