#ifndef WEFT_SCENE_ADJACENCY_H
#define WEFT_SCENE_ADJACENCY_H

#include "scene/scene.h"

/* Particle p has entries [first[p], first[p + 1]), scene order. */
typedef struct weft__adjacency {
  uint32_t* first; /* [particle_count + 2] */
  uint32_t* to;    /* other end [first[particle_count]] */
  uint32_t* link;  /* scene's number [first[particle_count]] */
} weft__adjacency;

typedef bool weft__keep_link(const void* context, const weft_scene* scene, uint32_t link);

/* Links that `keep` accepts, NULL: all. Nothing is left allocated if it fails. */
bool weft__adjacency_create(weft__adjacency* adjacency, const weft_scene* scene,
                            weft__keep_link* keep, const void* context);
void weft__adjacency_destroy(weft__adjacency* adjacency);

/* [particle_count], freed by the caller */
bool* weft__mark_lattices(const weft_scene* scene);

#endif
