/* The tables of all that a scene file may hold; see table.h. */
#ifndef TOOLS_SIM_FILE_TABLES_H
#define TOOLS_SIM_FILE_TABLES_H

#include "sim/file/table.h"

/* The file itself. */
typedef struct sim_root {
  const char* about;
  double seconds;
  json_t* world;
  json_t* bodies;
  json_t* links;
  json_t* force_curves;
  json_t* events;
  json_t* wind;
  json_t* bounds;
  json_t* colliders;
  json_t* contact_limits;
} sim_root;

extern const sim_table sim_root_table;
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

extern const sim_table sim_link_ends_table;

/* weft_link_def without its ends, of composites too; a rest length of NaN = as far as they are
 * apart. */
extern const sim_table sim_link_table;

/* Prints all of them, as docs/scene-files.md has them. */
void sim_print_reference(FILE* out);

#endif
