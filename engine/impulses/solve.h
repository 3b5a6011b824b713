/* Impulses, colour after colour, and walls after them. */
#ifndef WEFT_IMPULSES_SOLVE_H
#define WEFT_IMPULSES_SOLVE_H

#include "impulses/impulses.h"
#include "impulses/team.h"
#include "impulses/touch.h"

/* Solves the contacts of a substep and moves the bodies. All meet before it returns. */
void weft__solve_contacts(weft__impulses* impulses, const weft__contact_stage* stage,
                          const weft__touch_scale* scale, const weft__team* team);

#endif
