/* Slots of tables whose entries come and go.
 *
 * A slot counts its changes: its generation is odd while in use, even while free. A handle is a
 * slot's index and its entry's generation, and matches neither the freed slot nor its next entry.
 *
 *    change       -    add   remove   add   ...   add          remove   add
 *    generation   0     1      2       3    ...   2^32 - 1       0       1
 *
 * A null handle, of generation 0, matches nothing. Rejected: a generation that only removals
 * increment, which must skip 0 where it wraps, beside a flag for slots in use. */
#ifndef WEFT_BASE_SLOT_H
#define WEFT_BASE_SLOT_H

#include <stdbool.h>
#include <stdint.h>

static inline bool weft__slot_is_used(uint32_t generation) {
  return generation % 2 != 0;
}

static inline bool weft__slot_matches(uint32_t slot_generation, uint32_t handle_generation) {
  return weft__slot_is_used(slot_generation) && slot_generation == handle_generation;
}

#endif
