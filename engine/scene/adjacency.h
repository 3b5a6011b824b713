/* Adjacency lists: the links of a scene at both of their ends. */
#ifndef WEFT_SCENE_ADJACENCY_H
#define WEFT_SCENE_ADJACENCY_H

#include "scene/scene.h"

/* Entries [first[p], first[p + 1]) belong to particle p, in scene order. */
typedef struct weft__adjacency {
  uint32_t* first; /* [particle_count + 2] */
  uint32_t* to;    /* particle at the other end [first[particle_count]] */
  uint32_t* link;  /* the scene's number of the link [first[particle_count]] */
} weft__adjacency;

/* Filter: true if a link is to be listed. */
typedef bool weft__keep_link(const void* context, const weft_scene* scene, uint32_t link);

/* Lists the links that `keep` accepts, all if it is NULL. False if out of memory, with nothing
 * allocated. */
bool weft__adjacency_create(weft__adjacency* adjacency, const weft_scene* scene,
                            weft__keep_link* keep, const void* context);
void weft__adjacency_destroy(weft__adjacency* adjacency);

/* Marks the particles of lattices; NULL if out of memory. [particle_count], freed by the caller. */
bool* weft__mark_lattices(const weft_scene* scene);

#endif
