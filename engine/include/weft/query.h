/* weft, chapter 9: questions to a world. Include <weft/weft.h>, which brings this.
 *
 * Between steps, any number of threads may ask at one time: nothing here changes the world or
 * allocates, but for weft_world_index(), which is called alone. The answers are those of a look at
 * every element, in double precision where that matters, and the same bits whatever the workers
 * and the ISA; what is equally near is told in the order of weft_element_kind, and then by
 * number. */
#ifndef WEFT_QUERY_H
#define WEFT_QUERY_H

#include "weft/weft.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum weft_element_kind {
  /* as what its contact says: a point or a sphere of radius half_size[0], a box, an ellipsoid; a
   * point of no radius where it has none */
  WEFT_ELEMENT_PARTICLE = 0,
  WEFT_ELEMENT_LINK = 1, /* a segment; those that are torn or switched off are not there */
  /* a triangle, with two sides; those that are gone are not there, but have their numbers: they
   * are those of weft_world_get_faces() when none is. Only where weft_world_def.faces */
  WEFT_ELEMENT_FACE = 2,
  WEFT_ELEMENT_COLLIDER = 3,
} weft_element_kind;

/* Which elements a question is about. */
typedef struct weft_query_filter {
  bool particles, links, faces, colliders; /* default all true */
  /* Particles that have a contact and colliders are asked only where one of their category's bits
   * is in it; links by the particle of theirs with the lower number, faces by their first; what
   * has no contact always. Default all bits */
  uint32_t mask;
  uint32_t cookie; /* private */
} weft_query_filter;

WEFT_API weft_query_filter weft_default_query_filter(void);

typedef struct weft_query_hit {
  weft_element_kind kind;
  uint32_t index; /* the element's number */
  float fraction; /* of casts: share of the way, 0 to 1; 0 where it begins inside */
  float distance; /* metres: of casts the way to the hit; else how far the element is, 0 = inside */
  float point
      [3]; /* metres, of the element: where it is met, or is nearest; the question's own inside it */
  /* of length 1, away from the element, towards where the question comes from; 0 where that is
   * inside */
  float normal[3];
} weft_query_hit;

/* Sorts the particles, links and faces of the world as it is now, so that questions take the
 * logarithm of their number; without it, or after what moves particles since, they look at each
 * and answer the same. Colliders are looked at one by one always. Runs on the world's workers. The
 * first call allocates, and takes longer. */
WEFT_API weft_result weft_world_index(weft_world* world);

/* The first that a ray meets: from `origin`, [3] in metres, along `direction`, [3] of any length
 * above 0, for `length` metres, > 0, which may be infinite: then fractions are 0. *found says
 * whether there is one, and only then *hit is written. A point or a link without a radius is not
 * met by rays; see weft_world_cast_sphere(). `filter` may be NULL: all. */
WEFT_API weft_result weft_world_cast_ray(const weft_world* world, const float* origin,
                                         const float* direction, float length,
                                         const weft_query_filter* filter, weft_query_hit* hit,
                                         bool* found);

/* The first that is met from one place to another, [3] in metres each. */
WEFT_API weft_result weft_world_cast_segment(const weft_world* world, const float* from,
                                             const float* to, const weft_query_filter* filter,
                                             weft_query_hit* hit, bool* found);

/* The first that a sphere meets, `radius` metres, >= 0, whose centre goes from one place to
 * another. */
WEFT_API weft_result weft_world_cast_sphere(const weft_world* world, const float* from,
                                            const float* to, float radius,
                                            const weft_query_filter* filter, weft_query_hit* hit,
                                            bool* found);

/* All elements within `radius` metres, >= 0, of a point, [3] in metres: by kind and number. Writes
 * as many as there is room for, and sets *count to how many there are; with capacity 0, hits may
 * be NULL. */
WEFT_API weft_result weft_world_find_near(const weft_world* world, const float* point, float radius,
                                          const weft_query_filter* filter, uint32_t capacity,
                                          weft_query_hit* hits, uint32_t* count);

/* All elements of which a part is in the box, corners [3] in metres, its surface included: the
 * kinds and numbers of hits; the rest of them is 0. Otherwise as above. Colliders that only nearly
 * reach into it may be told, too. */
WEFT_API weft_result weft_world_find_in_box(const weft_world* world, const float* least,
                                            const float* most, const weft_query_filter* filter,
                                            uint32_t capacity, weft_query_hit* hits,
                                            uint32_t* count);

/* The element nearest to a point, if one is within `most_distance` metres, >= 0, which may be
 * infinite. */
WEFT_API weft_result weft_world_find_closest(const weft_world* world, const float* point,
                                             float most_distance, const weft_query_filter* filter,
                                             weft_query_hit* hit, bool* found);

/* The `capacity` particles whose centres are nearest to a point, the nearest first, all of them
 * within `most_distance` metres, which may be infinite; *count is how many were written. */
WEFT_API weft_result weft_world_find_nearest(const weft_world* world, const float* point,
                                             float most_distance, const weft_query_filter* filter,
                                             uint32_t capacity, weft_query_hit* hits,
                                             uint32_t* count);

#ifdef __cplusplus
}
#endif

#endif
