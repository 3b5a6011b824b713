/* Pieces: hinges or membranes, solved on records, 16 of a colour at a time. A patch has several
 * pieces only if its hinges touch too many particles for the records of one. */
#ifndef WEFT_SCHEDULE_PIECES_H
#define WEFT_SCHEDULE_PIECES_H

#include <stdbool.h>

#include "schedule/emit.h"

typedef struct weft__pieces weft__pieces;

/* Scratch. NULL if out of memory. */
weft__pieces* weft__pieces_create(const weft__constraints* constraints);
void weft__pieces_destroy(weft__pieces* pieces);

/* These return false if out of memory. */

/* Adds a group of hinges that share no particle, WEFT__EMPTY_LANE in empty lanes. */
bool weft__pieces_add(weft__pieces* pieces, weft__emitter* emitter,
                      const uint32_t hinge[WEFT__LANES]);

/* Emits the piece under construction, if any: the end of a patch. */
bool weft__pieces_close(weft__pieces* pieces, weft__emitter* emitter);

#endif
