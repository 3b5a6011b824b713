/* Intersections of cloth with cloth: edges that cross triangles. It checks the engine and shares no
 * code with it. */
#ifndef TOOLS_SIM_CROSSINGS_H
#define TOOLS_SIM_CROSSINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/message.h"
#include "weft/weft.h"

/* Triangles [triangle_count][3] between places [particle_count][3]. */
typedef struct sim_surface {
  const float* places; /* metres */
  uint32_t particle_count;
  const uint32_t* triangles;
  uint32_t triangle_count;
} sim_surface;

typedef struct sim_crossings {
  uint64_t count;    /* pairs of an edge and a triangle that cross */
  uint32_t edge[2];  /* first pair found; undefined without one */
  uint32_t triangle; /* index of its triangle */
} sim_crossings;

/* True if two places are on opposite sides of a triangle's plane, neither on it, and their segment
 * meets the triangle, edges included. Exact for floats. */
bool sim_way_crosses(const float from[3], const float to[3], const float a[3], const float b[3],
                     const float c[3]);

/* Finds all crossing pairs of an edge and a triangle without a common particle; each edge counts
 * once. False if a place is not finite, or without memory. */
bool sim_find_crossings(const sim_surface* surface, sim_crossings* crossings, tool_message* why);

/* Crossings of a world's remaining faces, if it keeps faces. */
bool sim_find_world_crossings(const weft_world* world, sim_crossings* crossings, tool_message* why);

/* Their count, a scene's result: NaN if unknown. */
double sim_count_crossings(const weft_world* world);

#endif
