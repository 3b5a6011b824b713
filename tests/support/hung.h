/* Cloths of a material, hung up, and how far they come down. */
#ifndef TESTS_SUPPORT_HUNG_H
#define TESTS_SUPPORT_HUNG_H

#include <stdint.h>

#include "weft/weft.h"

#define GRAVITY 9.81

/* A strip of cloth that hangs by its top row, its bottom row laden. */
typedef struct strip {
  uint32_t columns, rows;
  float width, length; /* metres at rest */
  weft_material_def material;
  float load;   /* newtons, shared out along the bottom row as the width is */
  bool is_mesh; /* of equilateral triangles, without bend links; then length follows from the width
                 */
} strip;

/* The weight of the strip itself, in newtons. */
double strip_weight(const strip* s);

/* A world in which the strip hangs. Of the def only gravity is not the caller's. */
weft_world* new_strip_world(const weft_world_def* def, const strip* s);

/* The length of the strip from one row to another, as a share of that at rest, less 1. */
double strain_between(const weft_world* world, const strip* s, uint32_t from, uint32_t to);

/* Fails the test unless all particles of a world are at finite places. Returns its largest speed in
 * metres per second. */
double check_finite_and_get_speed(const weft_world* world);

#endif
