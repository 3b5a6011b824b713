#ifndef WEFT_WORLD_SOLVER_CHOICE_H
#define WEFT_WORLD_SOLVER_CHOICE_H

#include "scene/scene.h"
#include "tables/rate_groups.h"
#include "weft/weft.h"

typedef struct weft__solver_choice {
  weft__part* parts; /* the scene's, with rate groups, on levels only if these help [part_count] */
  weft_body_settings* bodies; /* [part_count] */
  weft__rate_groups groups;
  bool bodies_differ; /* or adapt: numbers do not say all */
} weft__solver_choice;

/* Replaces WEFT_AUTO in iterations, coarse_iterations, substeps and attachments by the largest of
 * all bodies. False if out of memory; the choice is to be freed either way. */
bool weft__choose_solver(weft_world_def* def, const weft_scene* scene, weft__solver_choice* choice);
void weft__solver_choice_free(weft__solver_choice* choice);

#endif
