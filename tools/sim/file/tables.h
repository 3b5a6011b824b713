/* All tables of scene files; see table.h. */
#ifndef TOOLS_SIM_FILE_TABLES_H
#define TOOLS_SIM_FILE_TABLES_H

#include "sim/file/table.h"

typedef struct sim_root {
  const char* about;
  double seconds;
  const tool_tree *parameters, *let, *require, *state, *results;
  const tool_tree* world;
  const tool_tree* bodies;
  const tool_tree* links;
  const tool_tree* seams;
  const tool_tree* force_curves;
  const tool_tree* events;
  const tool_tree* wind;
  const tool_tree* bounds;
  const tool_tree* colliders;
  const tool_tree* material_pairs;
  const tool_tree* contact_limits;
} sim_root;

/* Condition of `require`. */
typedef struct sim_requirement {
  bool that;
  const char* otherwise;
} sim_requirement;

extern const sim_table sim_root_table;
extern const sim_table sim_requirement_table;
extern const sim_table sim_world_table;    /* weft_world_def */
extern const sim_table sim_material_table; /* weft_material_def */
extern const sim_table sim_fabric_table;   /* further key of a material */
extern const sim_table sim_wind_table;     /* weft_wind_def */
extern const sim_table sim_bounds_table;   /* weft_bounds_def */
extern const sim_table sim_limits_table;   /* weft_contact_limits_def */

/* Ends of a link between bodies. */
typedef struct sim_link_ends {
  const char *from, *to;
} sim_link_ends;

/* Other keys of a link, of composites too. */
typedef struct sim_link {
  float rest_length; /* NaN = distance of the ends */
  float relaxation;
  float tear_ratio;
  float compliance;
  float max_length;
  float spring_damping;
  uint32_t force_curve;
  int kind;
  int mode;
} sim_link;

extern const sim_table sim_link_ends_table;
extern const sim_table sim_link_table;

/* A link of these values, without ends; a rest length of NaN is left to be set. */
weft_link_def sim_link_def(const sim_link* link);

/* Prints all of them for docs/scene-files.md. */
void sim_print_reference(FILE* out);

#endif
