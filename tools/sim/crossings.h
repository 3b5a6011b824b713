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
  uint32_t edge[2];  /* particles of the first pair found; undefined if there is none */
  uint32_t triangle; /* its number */
} sim_crossings;

/* True where two places are on opposite sides of a triangle's plane, neither on it, and the way
 * between them meets the triangle, its edges included. For floats the answer is exact. */
bool sim_way_crosses(const float from[3], const float to[3], const float a[3], const float b[3],
                     const float c[3]);

/* Finds all pairs of an edge of a triangle and a triangle that cross and have no particle in
 * common. Every edge is looked at once, however many triangles it has. False where a place is not
 * finite, or there is no memory. */
bool sim_find_crossings(const sim_surface* surface, sim_crossings* crossings, tool_message* why);

/* Those of all faces that are left in a world which keeps them. */
bool sim_find_world_crossings(const weft_world* world, sim_crossings* crossings, tool_message* why);

/* As a result of a scene: their count, NaN where they cannot be told. */
double sim_count_crossings(const weft_world* world);

#endif
