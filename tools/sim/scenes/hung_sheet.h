/* A thin square sheet that hangs from its pinned upper edge. */
#ifndef TOOLS_SIM_SCENES_HUNG_SHEET_H
#define TOOLS_SIM_SCENES_HUNG_SHEET_H

#include "sim/scene.h"

/* size x size particles, `width` metres wide, in the plane z = 0 around the origin, 200 grams a
 * square metre. */
bool sim_hang_sheet(weft_scene* scene, uint32_t size, double width, tool_message* why);

#endif
