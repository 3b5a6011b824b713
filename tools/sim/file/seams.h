/* Borders of bodies that are sewn together: `seams` of a file. */
#ifndef TOOLS_SIM_FILE_SEAMS_H
#define TOOLS_SIM_FILE_SEAMS_H

#include "sim/file/bodies.h"

extern const sim_table sim_seam_table;

typedef struct sim_seam {
  // read
  const char *from, *to;
  const tool_tree *particles, *to_particles; /* NULL = all, as `particles` */
  bool reversed;
  weft_seam_def def;
  // built
  uint32_t* pairs; /* [def.count][2] */
} sim_seam;

typedef struct sim_seams {
  sim_seam* items; /* [count] */
  size_t count;
} sim_seams;

/* Reads and checks all; the caller frees them either way. */
bool sim_read_seams(const sim_source* source, const tool_tree* list, sim_seams* seams);

/* Pairs the particles of bodies that have been added; *joints: pairs of all seams. */
bool sim_pair_seams(const sim_source* source, const sim_bodies* bodies, sim_seams* seams,
                    uint32_t* joints);

/* Adds the seams to a world. */
bool sim_start_seams(const sim_source* source, const sim_seams* seams, weft_world* world);

void sim_free_seams(sim_seams* seams);

#endif
