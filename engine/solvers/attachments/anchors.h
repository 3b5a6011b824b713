/* Which pinned particles hold which free ones.
 *
 * Pinned particles joined to each other by links are an *island*: a row of a sheet, the waistband of a
 * skirt. A particle can be held by any of them, but most say the same about it: it is tied to the
 * nearest of each of the nearest islands.
 *
 *     P P P     P     two islands; o is tied to the last one of the first, and to the other one:
 *     . . . . . .     the ways lead along links, through free particles only, as what lies behind a
 *     . . . o . .     pinned particle is held by that one
 *
 * (Kim, Chentanez, Mueller 2012, "Long Range Attachments - A Method to Simulate Inextensible Clothing
 * in Computer Games", section 4) */
#ifndef WEFT_SOLVERS_ATTACHMENTS_ANCHORS_H
#define WEFT_SOLVERS_ATTACHMENTS_ANCHORS_H

#include "scene/scene.h"

/* A particle's way to the nearest particle of an island. */
typedef struct weft__tie {
  double length; /* metres along links */
  double drawn;  /* the same way as the scene draws it */
  uint32_t anchor;
  uint32_t island; /* its particle of the lowest number */
  uint32_t from; /* the particle before it on its way, the anchor itself where that is all of it */
  bool settled;
  bool on_surface; /* all along links that cannot be turned in their surface: see surface.h */
} weft__tie;

typedef struct weft__anchors {
  uint32_t most;   /* ties of one particle */
  uint8_t* count;  /* ties of a particle, 0 where it is pinned [particle_count] */
  weft__tie* ties; /* nearest first [particle_count][most] */
} weft__anchors;

/* Ties the particles of a scene to up to `most` islands each. False when memory cannot be had; the
 * caller destroys the anchors either way. */
bool weft__anchors_find(weft__anchors* anchors, const weft_scene* scene, uint32_t most);
void weft__anchors_destroy(weft__anchors* anchors);

/* A particle's tie to an island; NULL where it has none. */
weft__tie* weft__anchors_tie(const weft__anchors* anchors, uint32_t particle, uint32_t island);

/* How far the particle may be from the tie's anchor, in metres. A way over a surface, around a hole say,
 * that is at most a sixth longer than the straight line is taken for a zigzag. */
float weft__tie_reach(const weft__tie* tie, const weft_scene* scene, uint32_t particle);

#endif
