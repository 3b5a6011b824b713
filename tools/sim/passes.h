/* Particles that have passed through a moving surface. It checks the engine and shares no code with
 * it. */
#ifndef TOOLS_SIM_PASSES_H
#define TOOLS_SIM_PASSES_H

#include <stdbool.h>
#include <stdint.h>

/* A particle moves along a line, while the corners of triangles do. */
typedef struct sim_passage {
  const float *from, *to;           /* [3] */
  const float *old_places, *places; /* positions of particles, [][3] */
  const uint32_t* triangles;        /* [triangle_count][3] */
  uint32_t triangle_count;
} sim_passage;

/* Passes through triangles along their normals, minus passes against them. A pass through a shared
 * edge or corner counts once. */
int sim_count_passes(const sim_passage* passage);

#endif
