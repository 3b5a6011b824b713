/* Whether something that flies has passed through a surface that moves. It is here to judge what
 * the engine does, and shares no code with it. */
#ifndef TOOLS_SIM_PASSES_H
#define TOOLS_SIM_PASSES_H

#include <stdbool.h>
#include <stdint.h>

/* Something goes from one place to the next along a line, while the corners of triangles do. */
typedef struct sim_passage {
  const float *from, *to;           /* [3] */
  const float *old_places, *places; /* of particles, [][3] */
  const uint32_t* triangles;        /* [triangle_count][3] */
  uint32_t triangle_count;
} sim_passage;

/* How often it goes through a triangle along its normal, less how often it does against it. Through
 * an edge or a corner that triangles share it goes once. */
int sim_count_passes(const sim_passage* passage);

#endif
