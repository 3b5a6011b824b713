#ifndef WEFT_FORCES_FACES_H
#define WEFT_FORCES_FACES_H

#include "scene/scene.h"
#include "tables/faces.h"

/* O(particles + links + faces). */
bool weft__faces_create(weft__faces* faces, const weft_scene* scene,
                        const weft__schedule* schedule);

#endif
