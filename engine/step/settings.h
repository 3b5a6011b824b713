/* Settings of a world, from its def: WEFT_AUTO is resolved, and they stay. */
#ifndef WEFT_STEP_SETTINGS_H
#define WEFT_STEP_SETTINGS_H

#include "tables/rate_groups.h"
#include "weft/weft.h"

typedef struct weft__settings {
  uint32_t substeps;
  uint32_t iterations; /* most of the groups */
  weft__rate_groups groups;
  weft_quality quality; /* of groups that adapt */
  weft_sweeps sweeps;
  uint32_t coarse_iterations; /* sweeps over each coarse level; 0 = no levels */
  uint32_t coarse_every;      /* substeps from one with levels to the next */
  uint32_t direct_iterations; /* Newton iterations per tree; 0 = no direct solver */
  uint32_t max_attachments;   /* limit per particle; 0 = none */
  uint32_t direct_bends;      /* vertices of a mesh, at most */
  uint32_t max_joints;        /* capacity */
  uint32_t max_events;        /* capacity for torn links that the caller has not read */
  uint32_t max_spans;         /* each worker's in a step; 0 = they are not recorded */
  weft_integrator integrator;
  bool with_loads;   /* measures loads of colliders, pins and links: see weft_world_def.loads */
  bool with_springs; /* compliant links of stiffness 1 act by forces, and are not swept */
  weft_pair_force_def pair_force;
  float sleep_speed;   /* metres per second; 0: nothing sleeps */
  float sleep_seconds; /* at rest before a body falls asleep */
} weft__settings;

#endif
