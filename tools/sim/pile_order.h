/* Order of sheets of cloth that lie on each other. */
#ifndef TOOLS_SIM_PILE_ORDER_H
#define TOOLS_SIM_PILE_ORDER_H

#include "weft/weft.h"

/* Pairs of a particle of `body` and a triangle above it of the sheet `below`, `columns` wide,
 * within a square of `width` metres around the y axis. NaN if out of memory. */
double sim_count_swapped(const weft_world* world, const weft_body* below, uint32_t columns,
                         const weft_body* body, double width);

#endif
