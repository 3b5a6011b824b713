#ifndef WEFT_MODULES_BENDING_FIND_PLATES_H
#define WEFT_MODULES_BENDING_FIND_PLATES_H

#include <stdbool.h>
#include <stdint.h>

#include "scene/scene.h"

/* Corners in the caller's numbers, ascending; edge i is opposite corner i. */
typedef struct weft__plate {
  uint32_t corner[3];
  uint32_t hinge[3]; /* each of two plates; WEFT__NONE at the border */
  double length[3];  /* metres */
  float sign[3];
  float bend_stiffness;
} weft__plate;

typedef struct weft__bend_elements {
  weft__plate* plates;
  uint32_t plate_count;
  uint32_t* mesh_of; /* first particle of a particle's mesh or sheet, caller's numbers */
} weft__bend_elements;

/* Plates of meshes of at most scene->direct_bends vertices. Slivers have none, and of an edge of
 * more than two triangles one hinge has two. To be destroyed in any case. */
bool weft__bend_elements_find(weft__bend_elements* elements, const weft_scene* scene);

void weft__bend_elements_destroy(weft__bend_elements* elements);

/* Square metres, by Heron's formula, stable for thin triangles. (Kahan 2014) */
double weft__plate_area(const weft__plate* p);

double weft__plate_cosine(const weft__plate* p, int k);

#endif
