/* Anchors of long-range attachments: pinned particles that limit how far free ones can go. (Kim,
 * Chentanez, Mueller 2012, "Long Range Attachments - A Method to Simulate Inextensible Clothing in
 * Computer Games", section 4)
 *
 * Pinned particles joined by links form an *island*, whose particles imply nearly the same limit: a
 * free particle is tied to the nearest particle of each of the nearest islands.
 *
 *     P P P     P     two islands; o is tied to the last particle of the first, and to
 *     . . . . . .     the second. Paths follow links through free particles only: beyond a
 *     . . . o . .     pinned particle, that particle is the anchor. */
#ifndef WEFT_SOLVERS_LONG_RANGE_ATTACHMENTS_ANCHORS_H
#define WEFT_SOLVERS_LONG_RANGE_ATTACHMENTS_ANCHORS_H

#include "scene/scene.h"

typedef struct weft__tie {
  double length;   /* along links */
  double drawn;    /* in the scene's positions */
  uint32_t anchor; /* numbered from weft__anchors.first */
  uint32_t island; /* lowest number of its particles */
  uint32_t from;   /* previous particle on the path; the anchor if it is one link */
  bool settled;
  bool on_surface; /* no link of the path can turn within its surface: see surface.h */
} weft__tie;

typedef struct weft__anchors {
  uint32_t capacity; /* ties of one particle */
  uint32_t first;    /* number of the scene's first particle; 0 unless the scene is a part */
  const weft_sheet_def* sheet; /* the scene is a part of it; or NULL */
  uint8_t* count;              /* ties, 0 if pinned [particle_count] */
  weft__tie* ties;             /* nearest first [particle_count][capacity] */
} weft__anchors;

bool weft__anchors_find(weft__anchors* anchors, const weft_scene* scene, uint32_t capacity);
/* Paths come from outside by the ties of others. */
typedef struct weft__anchor_part {
  weft__range own;           /* tied particles */
  const uint32_t* island_of; /* islands of pinned particles [particle_count] */
  /* Ties of a particle outside `own` [capacity], of infinite length after the last; NULL: none. May
   * be NULL. */
  const weft__tie* (*seeds)(void* context, uint32_t particle);
  void* context;
} weft__anchor_part;

bool weft__anchors_find_part(weft__anchors* anchors, const weft_scene* scene,
                             const weft__anchor_part* part);

void weft__anchors_destroy(weft__anchors* anchors);

weft__tie* weft__anchors_find_tie(const weft__anchors* anchors, uint32_t particle, uint32_t island);

/* Largest distance from the tie's anchor, metres. A path over a surface counts as a zigzag if it is
 * at most a sixth longer than the straight line. */
float weft__tie_reach(const weft__tie* tie, const weft__anchors* anchors, const weft_scene* scene,
                      uint32_t particle);

#endif
