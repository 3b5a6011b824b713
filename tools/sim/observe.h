/* Measurements of bodies, equal on every machine. */
#ifndef TOOLS_SIM_OBSERVE_H
#define TOOLS_SIM_OBSERVE_H

#include "sim/scene.h"

typedef struct sim_position {
  double x, y, z;
} sim_position;

sim_position sim_position_of(const weft_world* world, uint32_t particle);
double sim_distance(sim_position a, sim_position b);

/* Metres per second: largest speed of the particles [first, first + count). Not finite if one of
 * them is not. */
double sim_fastest(const weft_world* world, uint32_t first, uint32_t count);

/* Mean position of the particles [first, first + count). */
sim_position sim_middle(const weft_world* world, uint32_t first, uint32_t count);

/* True from the step that begins nearest to a second on. */
bool sim_is_due(const sim_moment* moment, double second);

#endif
