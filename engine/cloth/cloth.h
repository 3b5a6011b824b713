/* Cloth meets itself and other cloth: spheres around its particles that stay clear of each other. */
#ifndef WEFT_CLOTH_CLOTH_H
#define WEFT_CLOTH_CLOTH_H

#include "contact/stage.h"

typedef struct weft__cloth {
  bool on;
  uint32_t pair_count; /* that were near, in the last step */
  uint64_t lost;       /* pairs for which there was no room, ever */
  size_t bytes;
} weft__cloth;

/* Switches it on where materials want it, and makes room as the limits say. False when memory cannot be had; then
 * all is as before. */
bool weft__cloth_prepare(weft__cloth* cloth, const weft__contact_setup* setup);

void weft__cloth_destroy(weft__cloth* cloth);

/* Once a step, before its first substep: which particles may come near each other. */
void weft__cloth_find(weft__cloth* cloth, const weft__contact_stage* stage);

/* At the end of a substep: moves those apart that are too near. */
void weft__cloth_hold(weft__cloth* cloth, const weft__contact_stage* stage);

#endif
