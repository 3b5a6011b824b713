/* Faces and their edges that let nothing pass, by continuous detection. */
#ifndef WEFT_EXACT_EXACT_H
#define WEFT_EXACT_EXACT_H

#include "contact/stage.h"

typedef struct weft__exact {
  bool on;
  uint32_t pair_count; /* that might have met, in the last step */
  uint32_t hit_count;  /* that would have passed, in the last step */
  uint64_t stop_count; /* particles put back to where a substep began, ever */
  uint64_t lost;       /* pairs for which there was no room, ever */
  size_t bytes;
} weft__exact;

/* Switches it on where materials want it, and makes room as the limits say. False when memory cannot be had; then
 * all is as before. */
bool weft__exact_prepare(weft__exact* exact, const weft__contact_setup* setup);

void weft__exact_destroy(weft__exact* exact);

/* Once a step, before its first substep: which particles and faces, and which edges, may meet. */
void weft__exact_find(weft__exact* exact, const weft__contact_stage* stage);

/* At the end of a substep: what would have passed through each other since the substep began does not. */
void weft__exact_hold(weft__exact* exact, const weft__contact_stage* stage);

#endif
