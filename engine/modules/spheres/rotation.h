/* Rotation of spheres: damping before a substep, orientations after it; contacts in between. */
#ifndef WEFT_MODULES_SPHERES_ROTATION_H
#define WEFT_MODULES_SPHERES_ROTATION_H

#include "step/attribute.h"
#include "step/step.h"

extern const weft__attribute weft__rotation_attributes[];

void weft__rotation_begin(weft__step_context* step);

void weft__rotation_end(weft__step_context* step);

#endif
