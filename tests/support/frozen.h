/* A scene of the catalogue, frozen, with its schedule listed by group. */
#ifndef TESTS_SUPPORT_FROZEN_H
#define TESTS_SUPPORT_FROZEN_H

#include "tables/schedule.h"
#include "weft/weft.h"

typedef struct frozen {
  weft_scene* scene;
  weft__schedule schedule;
  weft_link_def* links;     /* the scene's [link_count] */
  const weft__run** run_of; /* the run of each group [group_count] */
  uint32_t* batch_of;       /* the batch of each group [group_count] */
  uint32_t* patch_of;       /* the patch that solves each group [group_count] */
} frozen;

/* Freezes the scene and takes it over. Fails the test unless patches, batches, runs and groups each
 * follow one another without a gap: then run_of, batch_of and patch_of cover every group. */
frozen freeze(weft_scene* scene);
#endif
