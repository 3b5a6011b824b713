/* A panel: one flat piece of cloth. It begins as the loop of points along its cut edge, is filled
 * with scattered points, and is then triangulated. */
#ifndef WEFT_TOOLS_MESH_PANEL_H
#define WEFT_TOOLS_MESH_PANEL_H

#include <stdbool.h>
#include <stdint.h>

#include "random.h"

typedef struct panel_point {
  double x, y; /* metres */
} panel_point;

typedef struct panel {
  panel_point* points;     /* [point_count], the loop's first, counter-clockwise */
  uint32_t loop_count;     /* points on the cut edge */
  uint32_t point_count;    /* points in all */
  uint32_t point_capacity; /* points that there is memory for */
  uint32_t* triangles;     /* [triangle_count][3], counter-clockwise */
  uint32_t triangle_count;
} panel;

/* Appends a point, moved to the nearest multiple of 2^-24 m: a float holds that exactly, and the
 * last bit of a machine's cos() cannot show. Ends the program when memory runs out. */
void panel_add_point(panel* piece, double x, double y);

/* True if a point lies inside the panel's loop. */
bool panel_holds(const panel* piece, double x, double y);

/* The area inside the loop, square metres. */
double panel_area(const panel* piece);

/* Fills the panel with points that are at least `distance` metres from each other and the loop. */
void panel_scatter(panel* piece, double distance, random_source* source);

/* Triangulates the panel's points. Returns false, having said why on stderr, if that failed. */
bool panel_triangulate(panel* piece);

void panel_free(panel* piece);

#endif
