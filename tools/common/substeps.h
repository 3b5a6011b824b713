/* Substeps chosen by scenes. */
#ifndef TOOLS_COMMON_SUBSTEPS_H
#define TOOLS_COMMON_SUBSTEPS_H

#include "weft/weft.h"

/* Parts of a step, each no longer than `seconds`: from 1 to 1000. */
double tool_parts(double step, double seconds);

/* Metres per second after a fall from rest by `height` metres, damping in 1/seconds. */
double tool_fall_speed(double height, double damping);

/* Substeps of at most this many seconds, at the def's steps. */
uint32_t tool_substeps(const weft_world_def* def, double seconds);

/* Substeps in each of which cloth that has fallen by `height` at the def's damping moves by at most
 * `thickness`, its own on either side, both in metres: docs/contacts.md, "Substeps of fine sheets".
 * A substep is at most `longest` seconds, and at least 1/1920. */
uint32_t tool_fall_substeps(const weft_world_def* def, double height, double thickness,
                            double longest);

#endif
