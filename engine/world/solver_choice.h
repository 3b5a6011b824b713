/* Choice of solver settings that the caller leaves to the library: WEFT_AUTO in weft_world_def. */
#ifndef WEFT_WORLD_SOLVER_CHOICE_H
#define WEFT_WORLD_SOLVER_CHOICE_H

#include "scene/scene.h"
#include "weft/weft.h"

/* Replaces WEFT_AUTO in iterations, coarse_iterations, substeps and attachments, and
 * WEFT_AVERAGING_AUTO, by settings for this scene. False when out of memory. */
bool weft__choose_solver(weft_world_def* def, const weft_scene* scene);

/* True if a world integrates velocities: forces of constraints are then not averaged. */
bool weft__keeps_velocities(const weft_world_def* def);

#endif
