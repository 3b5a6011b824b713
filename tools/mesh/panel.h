/* A panel: one flat piece of cloth. It begins as the loop of points along its cut edge, is filled
 * with scattered points, then triangulated. */
#ifndef WEFT_TOOLS_MESH_PANEL_H
#define WEFT_TOOLS_MESH_PANEL_H

#include <stdbool.h>
#include <stdint.h>

#include "random.h"

typedef struct panel_point {
  double x, y; /* metres */
} panel_point;

typedef struct panel {
  panel_point* points; /* [point_count], the loop's first, counter-clockwise */
  uint32_t loop_count; /* points on the cut edge */
  uint32_t point_count;
  uint32_t point_capacity;
  uint32_t* triangles; /* [triangle_count][3], counter-clockwise */
  uint32_t triangle_count;
} panel;

/* Appends a point, moved to the nearest multiple of 2^-24 m: exact in a float, and free of the last
 * bit of a machine's cos(). Ends the program without memory. */
void panel_add_point(panel* piece, double x, double y);

bool panel_holds(const panel* piece, double x, double y);

/* Area inside the loop, square metres. */
double panel_area(const panel* piece);

/* Fills the panel with points at least `distance` metres from each other and the loop. */
void panel_scatter(panel* piece, double distance, random_source* source);

/* Triangulates the panel's points. False, with the reason on stderr, if that failed. */
bool panel_triangulate(panel* piece);

void panel_free(panel* piece);

#endif
