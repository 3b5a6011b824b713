/* Exclusions over joints: particles collide neither with those that a joint holds them to nor with
 * neighbours of these, along paths of links and joints, as exclusions.h has them along links.
 *
 *     o---o---o---a          path from p to q: links to a, the joint's rest length, links from b
 *         p        \
 *                   b---o---o
 *                       q
 *
 * Joints come and go: paths are found in the exclusion lists and the table of joints, as tiles near
 * a joint are listed, and nothing of them is kept but the mark of such tiles. To an anchor between
 * several particles a joint is longer, by the mean path from these. */
#ifndef WEFT_COLLISION_SELF_SEAMS_H
#define WEFT_COLLISION_SELF_SEAMS_H

#include "collision/self/self.h"
#include "tables/joints.h"

typedef struct weft__seam_path {
  uint32_t particle;
  float length; /* metres */
} weft__seam_path;

/* Shortest paths with joints in them, to at most so many particles. */
typedef struct weft__seam_paths {
  uint32_t count;
  weft__seam_path to[WEFT__MAX_EXCLUSIONS];
} weft__seam_paths;

/* Paths of at most exclusions->max_path metres. */
void weft__seams_find_paths(const weft__exclusions* exclusions, const weft__joints* joints,
                            uint32_t particle, weft__seam_paths* paths);

/* True if a path over joints joins the two that has at most `max_path` metres. */
bool weft__seams_exclude(const weft__exclusions* exclusions, const weft__joints* joints, uint32_t a,
                         uint32_t b, float max_path);

/* Marks the tiles near joints, and drops lists that are outdated. */
void weft__self_renew_seams(weft__self* self, const weft__joints* joints);

/* Lets the particles around the ends of a joint that is gone collide again, from overlap. */
void weft__self_part_seam(weft__self* self, const weft__joint* joint);

/* The same for joints that have broken. */
void weft__self_part_broken(weft__self* self, weft__joints* joints);

/* Leaves excluded pairs out of the list of a tile near joints. */
void weft__self_leave_out_seams(const weft__self* self, const weft__joints* joints, uint32_t tile,
                                weft__tile_list* list);

#endif
