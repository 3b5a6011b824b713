/* Triangles of a mesh near the path of a point, kept while both go on as foreseen.
 *
 *       (  . .   .  . )           The origin drifts along with a triangle nearby. All triangles
 *      (  origin -->   ) reach    that come nearer to it than `reach` before the points of the mesh
 *       (  .  .  .  . )           get another path are listed, by their least distance: a point
 *                                 `away` from where the origin has drifted to finds among the first
 * of them all within reach - away of itself. */
#ifndef WEFT_GEOMETRY_TRIANGLE_LIST_H
#define WEFT_GEOMETRY_TRIANGLE_LIST_H

#include <stdint.h>

#include "geometry/shape.h"
#include "geometry/shell.h"

struct weft__moving_shell;

enum { WEFT__LISTED_TRIANGLES = 24 };

/* Reach of a list over the reach of a contact: beyond rounding. */
#define WEFT__LIST_MARGIN 1.0625

typedef struct weft__triangle_list {
  uint32_t number, generation; /* collider's */
  uint32_t paths;              /* of its points, as counted by weft__moving_points; 1 at rest */
  uint32_t used;               /* substep, counted through */
  uint32_t count;
  weft__vec3 origin, drift; /* metres; drift of a whole step */
  double time;              /* step's, at the origin */
  double reach;             /* metres; 0: none */
  uint32_t triangle[WEFT__LISTED_TRIANGLES];
  float least[WEFT__LISTED_TRIANGLES]; /* metres: bound of the distance, ascending */
} weft__triangle_list;

/* Path of a point in a slice of a substep, straight and at a constant speed. */
typedef struct weft__point_path {
  weft__vec3 from, to;
  weft__slice_of_time slice;
} weft__point_path;

/* Bound of `least` for all triangles within `reach` metres of the path. Renews the list if the path
 * has left it; infinite if there are too many to list. `moving`: the shell's, NULL: it is at rest,
 * and paths have no times. */
double weft__triangle_list_find(weft__triangle_list* list, const weft__shell* shell,
                                const struct weft__moving_shell* moving,
                                const weft__point_path* path, double reach);

#endif
