/* Clearance of ropes: lists name particles, and not the links between them. */
#ifndef WEFT_MODULES_MULTIRATE_STRAND_CLEARANCE_H
#define WEFT_MODULES_MULTIRATE_STRAND_CLEARANCE_H

#include "modules/multirate/multirate.h"

/* Clears is_clear of components whose links, or boxes, meet a link of a rope in the step. */
void weft__strand_clearance_find(const weft__multirate* m, const weft__step_context* step);

#endif
