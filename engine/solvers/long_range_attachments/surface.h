#ifndef WEFT_SOLVERS_LONG_RANGE_ATTACHMENTS_SURFACE_H
#define WEFT_SOLVERS_LONG_RANGE_ATTACHMENTS_SURFACE_H

#include "scene/adjacency.h"

/* Links that are a side of a non-degenerate triangle of links. Others, as in a rope or a sheet
 * without diagonals, can turn within their surface: a zigzag of them can be pulled straight.
 * [link_count], freed by the caller */
bool* weft__mark_surface(const weft_scene* scene, const weft__adjacency* links);

#endif
