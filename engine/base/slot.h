/* Slots of tables whose entries come and go.
 *
 * The slot of a removed entry is reused. Each slot counts its changes: its generation is odd while
 * the slot is in use, and even while it is free. A handle is the index of a slot and the generation
 * of its entry, so a handle of a removed entry matches neither the free slot nor the next entry.
 *
 *    change       -    add   remove   add   ...   add          remove   add
 *    generation   0     1      2       3    ...   2^32 - 1       0       1
 *
 * A null handle, of generation 0, matches nothing: 0 is even. Rejected: a generation that only
 * removals increment, which has to skip 0 where it wraps, beside a flag for slots in use, which
 * each comparison must read as well. */
#ifndef WEFT_BASE_SLOT_H
#define WEFT_BASE_SLOT_H

#include <stdbool.h>
#include <stdint.h>

static inline bool weft__slot_is_used(uint32_t generation) {
  return generation % 2 != 0;
}

/* True if a handle of this generation names the present entry of the slot. */
static inline bool weft__slot_matches(uint32_t slot_generation, uint32_t handle_generation) {
  return weft__slot_is_used(slot_generation) && slot_generation == handle_generation;
}

#endif
