/* Determinant of a knot in a line: 1 of an unknot, 3 of an overhand knot. It changes only where the
 * line passes through itself. (Livingston 1993, "Knot theory", section 3.4) */
#ifndef TOOLS_SIM_KNOT_DETERMINANT_H
#define TOOLS_SIM_KNOT_DETERMINANT_H

#include <stdint.h>

/* Determinant, modulo 2^31 - 1 and up to sign, of a line through `count` points, [3] in metres. Its
 * ends are its lowest and highest point along z, joined far away. 0 with more than 4096 crossings,
 * or without memory. */
uint32_t sim_knot_determinant(const float* points, uint32_t count);

#endif
