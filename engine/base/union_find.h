/* Union-find with path halving (Tarjan, van Leeuwen 1984). A set's root is its lowest index, so the
 * order of unions does not show. */
#ifndef WEFT_BASE_UNION_FIND_H
#define WEFT_BASE_UNION_FIND_H

#include <stdbool.h>
#include <stdint.h>

static inline uint32_t weft__find_root(uint32_t* parent, uint32_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

/* False if in one set already. */
static inline bool weft__unite(uint32_t* parent, uint32_t a, uint32_t b) {
  a = weft__find_root(parent, a);
  b = weft__find_root(parent, b);
  parent[a > b ? a : b] = a < b ? a : b;
  return a != b;
}

#endif
