/* Choice of solver settings that the caller leaves to the library: WEFT_AUTO in weft_world_def. */
#ifndef WEFT_WORLD_SOLVER_CHOICE_H
#define WEFT_WORLD_SOLVER_CHOICE_H

#include "scene/scene.h"
#include "weft/weft.h"

/* Replaces WEFT_AUTO in iterations, coarse_iterations, substeps and attachments by settings for
 * this scene. False when out of memory. */
bool weft__choose_solver(weft_world_def* def, const weft_scene* scene);

#endif
