/* Which links lie in a surface. */
#ifndef WEFT_SOLVERS_ATTACHMENTS_SURFACE_H
#define WEFT_SOLVERS_ATTACHMENTS_SURFACE_H

#include "scene/adjacency.h"

/* Marks the links that are a side of a triangle of links which has an area: the others, those of a rope
 * or of a sheet without diagonals, can be turned in their surface, so that a zigzag of them can be
 * pulled straight. NULL when memory cannot be had. [link_count], to be freed. */
bool* weft__mark_surface(const weft_scene* scene, const weft__adjacency* links);

#endif
