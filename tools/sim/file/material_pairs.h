/* Friction and restitution between two materials: `material_pairs` of a file. */
#ifndef TOOLS_SIM_FILE_MATERIAL_PAIRS_H
#define TOOLS_SIM_FILE_MATERIAL_PAIRS_H

#include "sim/file/table.h"

extern const sim_table sim_material_pair_table;

/* Reads the pairs of a list, NULL for none, and checks them without a world. */
bool sim_check_material_pairs(const sim_source* source, const tool_tree* list);

/* Sets the pairs in a world. */
bool sim_start_material_pairs(const sim_source* source, const tool_tree* list, weft_world* world);

#endif
