/* Planes that touch the colliders near the nodes of a tree: see tree_contacts.h. */
#ifndef WEFT_MODULES_ARTICULATED_TREE_PLANES_H
#define WEFT_MODULES_ARTICULATED_TREE_PLANES_H

#include "modules/articulated/tree_contacts.h"

/* A weft__tree_find_planes: the two nearest colliders of a node. */
void weft__colliders_find_tree_planes(weft__step_context* step, uint32_t worker,
                                      const uint32_t* particle, uint32_t count,
                                      const weft__tree_joint* joints,
                                      weft__tree_node_contacts* nodes);

/* A weft__tree_record. */
void weft__colliders_record_tree_contact(const weft__step_context* step, uint32_t worker,
                                         uint32_t particle, const weft__tree_plane* plane,
                                         weft__vec3 impulse);

#endif
