/* Faces of cloth against colliders, at the end of a substep: contacts of particles keep only
 * vertices out. A face keeps half the radius of its particles away. Faces are tested near colliders
 * that they may enter between their corners: small spheres and capsules, and those and boxes that
 * move by more than the cloth is thick in a substep. Stretched faces of cloth are tested near all
 * others but planes, at the middles of their edges: a link through a collider presses its ends onto
 * it, and friction would hold them there.
 *
 *   classify  faces between points and cloth, coloured so that no two of a colour
 *             share a particle, in chunks of one colour      when shapes change
 *   cull      AABB of a chunk, then the distances of corners, by SIMD: a mask for each chunk
 *   solve     the faces that are near, colour by colour: the point of contact as a particle there
 *             (particle_time_of_impact.h), its displacement shared among the corners by barycentric
 *             weights and inverse masses
 *
 * Lists and colours depend on no worker. Positions are tested, not paths: face_shape.h. */
#ifndef WEFT_COLLISION_COLLIDERS_FACE_CONTACTS_H
#define WEFT_COLLISION_COLLIDERS_FACE_CONTACTS_H

#include "base/archive.h"
#include "collision/colliders/colliders.h"
#include "schedule/first_fit_coloring.h"
#include "tables/face_batch.h"

#define WEFT__FACE_CHUNK ((uint32_t)WEFT__BATCH_FACES)

/* Bounds for some faces, metres. */
typedef struct weft__face_sizes {
  float range;    /* largest: weft__face_range(), stretched */
  float thinnest; /* smallest radius of a corner */
  float reach;    /* largest distance that a face keeps */
} weft__face_sizes;

typedef struct weft__face_contacts {
  bool on;
  const weft__faces* faces;
  uint32_t materials_version; /* classified by */
  bool is_classified;

  uint32_t count;        /* with contacts */
  uint32_t* face;        /* by colour, ascending within one [count] */
  uint32_t* color;       /* by face; scratch [face_count] */
  uint32_t* chunk_first; /* in `face` [chunk_count + 1] */
  uint32_t chunk_count;
  uint32_t* color_first; /* first chunk of each [color_count + 1] */
  uint32_t color_count;
  weft__first_fit coloring; /* scratch */

  uint32_t* corner[3];           /* particles in solver order [count] */
  weft__face_sizes* chunk_sizes; /* [chunk_count] */
  weft__face_sizes sizes;        /* bounds for all chunks */
  float longest_range;           /* metres: of faces with and without contacts */

  uint64_t* near;         /* faces that may have contacts, a bit each [chunk_count] */
  uint64_t* stretched;    /* by a quarter or more as the step begins, likewise */
  bool any_stretched;     /* false: they are undefined */
  uint32_t contact_count; /* faces in the last substep */

  void* block;
  size_t bytes;
} weft__face_contacts;

/* Tables are allocated once points or cloth have faces and meet a collider that faces meet. False
 * if out of memory, with nothing changed. */
bool weft__face_contacts_prepare(weft__face_contacts* contacts, const weft__contact_setup* setup);
/* Visits the count of contacts; all else is derived from the materials, which are visited before.
 */
void weft__face_contacts_visit(weft__face_contacts* contacts, weft__archive* archive,
                               const weft__contact_setup* setup);
void weft__face_contacts_destroy(weft__face_contacts* contacts);

/* True if a step may solve contacts: a bound that needs no positions. */
bool weft__face_contacts_may_act(const weft__face_contacts* contacts,
                                 const weft__materials* materials,
                                 const weft__colliders* colliders);

void weft__face_contacts_begin_step(weft__face_contacts* contacts, weft__step_context* step);

void weft__face_contacts_solve(weft__face_contacts* contacts, weft__step_context* step);

#endif
