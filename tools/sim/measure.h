/* Energies, centre, strain of a world. */
#ifndef TOOLS_SIM_MEASURE_H
#define TOOLS_SIM_MEASURE_H

#include "common/message.h"
#include "weft/weft.h"

/* `scene` and `def` are what the world was made of. */
bool sim_measure(const weft_world* world, const weft_scene* scene, const weft_world_def* def,
                 weft_measures* measures, tool_message* why);

#endif
