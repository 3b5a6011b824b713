/* The links of a scene, listed at both their ends. */
#ifndef WEFT_SCENE_ADJACENCY_H
#define WEFT_SCENE_ADJACENCY_H

#include "scene/scene.h"

/* Those of particle p are the entries [first[p], first[p + 1]), in the order of the scene. */
typedef struct weft__adjacency {
  uint32_t* first; /* [particle_count + 2] */
  uint32_t* to;    /* the particle at the other end [first[particle_count]] */
  uint32_t* link;  /* the scene's number of the link [first[particle_count]] */
} weft__adjacency;

/* Whether a link is to be listed. */
typedef bool weft__keep_link(const void* context, const weft_scene* scene, uint32_t link);

/* Lists the links that `keep` keeps, or all where it is NULL. False when memory cannot be had, and
 * nothing made. */
bool weft__adjacency_create(weft__adjacency* adjacency, const weft_scene* scene,
                            weft__keep_link* keep, const void* context);
void weft__adjacency_destroy(weft__adjacency* adjacency);

/* Marks the particles of lattices; NULL when memory cannot be had. [particle_count], to be freed. */
bool* weft__mark_lattices(const weft_scene* scene);

#endif
