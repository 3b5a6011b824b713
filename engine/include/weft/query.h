/* weft, chapter 9: queries. Include <weft/weft.h>, which includes this.
 *
 * Between steps any number of threads may query a world at the same time: no call here changes the
 * world or allocates, except weft_world_build_index(), which must not overlap with other calls.
 * Results are as if every element were tested, in double precision where that matters, and have
 * the same bits for any worker count and ISA. Equal distances are resolved in the order of
 * weft_element_kind, then by number. */
#ifndef WEFT_QUERY_H
#define WEFT_QUERY_H

#include "weft/weft.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum weft_element_kind {
  /* the shape of its weft_particle_shape_def: a point or a sphere of radius half_size[0], a box, an
   * ellipsoid; a point of radius 0 without a contact */
  WEFT_ELEMENT_PARTICLE = 0,
  WEFT_ELEMENT_LINK = 1, /* a segment; torn and disabled links are ignored */
  /* a two-sided triangle, numbered as by weft_world_get_faces() before any face is gone; faces
   * that are gone are ignored and keep their numbers. None in a plane */
  WEFT_ELEMENT_FACE = 2,
  WEFT_ELEMENT_COLLIDER = 3,
} weft_element_kind;

typedef enum weft_query_kind {
  /* First hit of a ray from `point` along `to`, a direction of any length above 0, up to `length`,
   * with which fractions are 0 if it is infinite. Rays do not hit points and links, which have no
   * radius */
  WEFT_QUERY_RAY = 0,
  /* first hit of a sphere of `radius` whose centre moves from `point` to `to`; 0 = a ray along this
   * segment. Both may coincide */
  WEFT_QUERY_CAST = 1,
  /* all elements within `radius` of `point`, ordered by kind and number */
  WEFT_QUERY_SPHERE = 2,
  /* All elements that intersect the closed box from `point`, its lower corner, to `to`, in the same
   * order. Sets kind, index and collider of hits, and their other fields to 0. Colliders are tested
   * conservatively: some that only nearly intersect may be included */
  WEFT_QUERY_BOX = 3,
  /* nearest element to `point` within `length` */
  WEFT_QUERY_CLOSEST = 4,
  /* the `capacity` particles whose centres are nearest to `point`, within `length`, in the order of
   * distance */
  WEFT_QUERY_NEAREST = 5,
} weft_query_kind;

typedef struct weft_query_def {
  weft_query_kind kind; /* default WEFT_QUERY_RAY */
  float point[3];       /* metres; default 0 0 0 */
  float to[3];          /* metres; default 0 0 0 */
  float radius;         /* metres, >= 0; default 0 */
  float length;         /* metres, >= 0, above 0 for rays, may be infinite; default infinity */
  bool particles, links, faces, colliders; /* default all true */
  /* Particles with a contact and colliders are included if they have a category bit in it; links by
   * their particle of the lower number, faces by their first one. Elements without a contact are
   * always included. Default all bits */
  uint32_t mask;
  uint32_t cookie; /* private */
} weft_query_def;

WEFT_API weft_query_def weft_default_query_def(void);

typedef struct weft_query_hit {
  weft_element_kind kind;
  uint32_t index;         /* number of the element; of a collider, its handle's */
  weft_collider collider; /* handle of the collider; null for other kinds */
  float fraction;         /* casts: hit distance over cast length, 0 to 1; 0 if it starts inside */
  float distance; /* metres: along the cast, or from the query point to the element; 0 = inside */
  float point[3]; /* metres: hit or nearest point of the element; the query point if inside */
  /* unit normal of the element, towards the origin of the query; 0 if that is inside */
  float normal[3];
} weft_query_hit;

/* Builds bounding volume hierarchies (BVH) of particles, links and faces in their present
 * positions. Queries then take logarithmic time. Without an index, or after positions have
 * changed, they test each element and give the same results. Colliders are always tested one by
 * one. Runs on the world's workers. The first call allocates and takes longer. */
WEFT_RESULT weft_world_build_index(weft_world* world);

/* Asks a query. Writes the first `capacity` hits and sets *count to the number of all; of the
 * nearest particles to the number written, and to 0 or 1 for kinds with one hit. hits may be NULL
 * if capacity is 0. */
WEFT_RESULT weft_world_query(const weft_world* world, const weft_query_def* def, uint32_t capacity,
                             weft_query_hit* hits, uint32_t* count);

#ifdef __cplusplus
}
#endif

#endif
