/* Particles that carry a sphere, a box or an ellipsoid collide by impulses. */
#ifndef WEFT_IMPULSES_IMPULSES_H
#define WEFT_IMPULSES_IMPULSES_H

#include "contact/stage.h"

typedef struct weft__impulses {
  bool on;
  uint32_t pair_count;  /* that were near, in the last step */
  uint32_t color_count; /* batches that these were solved in */
  uint64_t lost;        /* pairs for which there was no room, ever */
  size_t bytes;
} weft__impulses;

/* Switches it on where materials want it, and makes room as the limits say. False when memory cannot be had; then
 * all is as before. */
bool weft__impulses_prepare(weft__impulses* impulses, const weft__contact_setup* setup);

void weft__impulses_destroy(weft__impulses* impulses);

/* Once a step, before its first substep: which may come near each other. */
void weft__impulses_find(weft__impulses* impulses, const weft__contact_stage* stage);

/* At the end of a substep: impulses, and what lies in each other is moved apart. */
void weft__impulses_hold(weft__impulses* impulses, const weft__contact_stage* stage);

#endif
