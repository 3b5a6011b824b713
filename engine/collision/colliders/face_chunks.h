/* Faces of cloth and points by colour, in chunks of one colour: no two of a colour share a
 * particle. Lists and colours depend on no worker. */
#ifndef WEFT_COLLISION_COLLIDERS_FACE_CHUNKS_H
#define WEFT_COLLISION_COLLIDERS_FACE_CHUNKS_H

#include "collision/colliders/face_contacts.h"

/* Share of its thickness that a face keeps. */
#define WEFT__FACE_SHARE 0.5

/* Range of a face, stretched by a quarter, metres. */
float weft__stretched_range(const weft__faces* faces, uint32_t face);

weft__face_sizes weft__face_sizes_of(const weft__face_contacts* contacts,
                                     const weft__materials* materials, uint32_t face);

/* Lists the faces that have contacts, when materials have changed. */
void weft__face_chunks_classify(weft__face_contacts* contacts, const weft__materials* materials);

#endif
