/* Force against strain of non-linear springs: `force_curves` of a file. */
#ifndef TOOLS_SIM_FILE_FORCE_CURVES_H
#define TOOLS_SIM_FILE_FORCE_CURVES_H

#include "sim/file/table.h"

extern const sim_table sim_force_curve_table;

/* Adds the curves of a list, NULL for none, in its order. */
bool sim_add_force_curves(const sim_source* source, const tool_tree* list, weft_scene* scene);

#endif
