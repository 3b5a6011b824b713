/* Surface links: the links of a scene that lie in a triangulated surface. */
#ifndef WEFT_SOLVERS_LONG_RANGE_ATTACHMENTS_SURFACE_H
#define WEFT_SOLVERS_LONG_RANGE_ATTACHMENTS_SURFACE_H

#include "scene/adjacency.h"

/* Marks the links that are a side of a non-degenerate triangle of links. The others, as in a rope
 * or a sheet without diagonals, can turn within their surface, so a zigzag of them can be pulled
 * straight. [link_count], freed by the caller; NULL when out of memory. */
bool* weft__mark_surface(const weft_scene* scene, const weft__adjacency* links);

#endif
