/* Pieces: hinges or membranes on records, 16 of a colour at a time; several a patch only if its
 * hinges touch too many particles for one. */
#ifndef WEFT_SCHEDULE_PIECES_H
#define WEFT_SCHEDULE_PIECES_H

#include <stdbool.h>

#include "schedule/emit.h"

typedef struct weft__pieces weft__pieces;

weft__pieces* weft__pieces_create(const weft__constraints* constraints);
void weft__pieces_destroy(weft__pieces* pieces);

/* Group without common particles, WEFT__EMPTY_LANE in empty lanes. */
bool weft__pieces_add(weft__pieces* pieces, weft__emitter* emitter,
                      const uint32_t hinge[WEFT__LANES]);

bool weft__pieces_close(weft__pieces* pieces, weft__emitter* emitter);

#endif
