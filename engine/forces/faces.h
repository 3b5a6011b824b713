#ifndef WEFT_FORCES_FACES_H
#define WEFT_FORCES_FACES_H

#include "parallel/domain.h"
#include "scene/scene.h"
#include "tables/faces.h"

/* O(particles + links + faces). */
bool weft__faces_create(weft__faces* faces, const weft_scene* scene,
                        const weft__schedule* schedule);

/* Corners of the faces of own particles. */
extern const weft__halo_rows weft__face_rows;

#endif
