/* Hanging cloths of a material, and their strain. */
#ifndef TESTS_SUPPORT_HUNG_H
#define TESTS_SUPPORT_HUNG_H

#include <stdint.h>

#include "weft/weft.h"

#define GRAVITY 9.81

/* A strip of cloth that hangs by its top row, with a load at its bottom row. */
typedef struct strip {
  uint32_t columns, rows;
  float width, length; /* metres at rest */
  weft_material_def material;
  float load;   /* newtons, distributed along the bottom row by width */
  bool is_mesh; /* equilateral triangles, no bend links; length follows from the width */
} strip;

/* The weight of the strip itself, in newtons. */
double strip_weight(const strip* s);

/* A world in which the strip hangs; gravity of the def must be GRAVITY. */
weft_world* new_strip_world(const weft_world_def* def, const strip* s);

/* Strain of the strip between two rows: length over rest length, less 1. */
double strain_between(const weft_world* world, const strip* s, uint32_t from, uint32_t to);

/* Fails the test unless all positions and velocities of a world are finite. Returns the largest
 * speed in metres per second. */
double check_finite_and_get_speed(const weft_world* world);

#endif
