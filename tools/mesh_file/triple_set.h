/* A set of triples of 32-bit words, numbered in order of insertion. */
#ifndef TOOLS_MESH_FILE_TRIPLE_SET_H
#define TOOLS_MESH_FILE_TRIPLE_SET_H

#include <stdbool.h>
#include <stdint.h>

typedef struct triple_set {
  uint32_t (*triples)[3]; /* [count] */
  uint32_t* slots;        /* [slot_mask + 1], number of a triple + 1, or 0 */
  uint32_t slot_mask;
  uint32_t count;
} triple_set;

/* Room for `capacity` triples. False without memory. */
bool triple_set_create(triple_set* set, uint32_t capacity);
void triple_set_free(triple_set* set);

/* Number of the triple, new if it equals the count before the call. */
uint32_t triple_set_add(triple_set* set, const uint32_t triple[3]);

#endif
