#ifndef WEFT_WORLD_SOLVER_CHOICE_H
#define WEFT_WORLD_SOLVER_CHOICE_H

#include "scene/scene.h"
#include "weft/weft.h"

/* Replaces WEFT_AUTO in iterations, coarse_iterations, substeps and attachments. */
bool weft__choose_solver(weft_world_def* def, const weft_scene* scene);

#endif
