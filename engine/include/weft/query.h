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

/* Selects elements of a query. */
typedef struct weft_query_filter_def {
  bool particles, links, faces, colliders; /* default all true */
  /* Particles with a contact and colliders are included if they have a category bit in it; links by
   * their particle of the lower number, faces by their first one. Elements without a contact are
   * always included. Default all bits */
  uint32_t mask;
  uint32_t cookie; /* private */
} weft_query_filter_def;

WEFT_API weft_query_filter_def weft_default_query_filter_def(void);

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

/* Ray cast: first hit from `origin`, [3] in metres, along `direction`, [3], of any length above 0,
 * up to `length` metres, > 0; with infinite length fractions are 0. *found is true if there is a
 * hit, and *hit is written only then. Rays do not hit points and links, which have no radius; see
 * weft_world_cast_sphere(). `filter` may be NULL: all elements. */
WEFT_RESULT weft_world_cast_ray(const weft_world* world, const float* origin,
                                const float* direction, float length,
                                const weft_query_filter_def* filter, weft_query_hit* hit,
                                bool* found);

/* Ray cast along a segment between two points, [3] in metres each; they may coincide. */
WEFT_RESULT weft_world_cast_segment(const weft_world* world, const float* from, const float* to,
                                    const weft_query_filter_def* filter, weft_query_hit* hit,
                                    bool* found);

/* Sphere cast: first hit of a sphere of `radius` metres, >= 0, whose centre moves from one point to
 * another, [3] in metres each. */
WEFT_RESULT weft_world_cast_sphere(const weft_world* world, const float* from, const float* to,
                                   float radius, const weft_query_filter_def* filter,
                                   weft_query_hit* hit, bool* found);

/* Sphere overlap: all elements within `radius` metres, >= 0, of a point, [3] in metres, ordered by
 * kind and number. Writes the first `capacity` hits and sets *count to the number of all; hits may
 * be NULL if capacity is 0. */
WEFT_RESULT weft_world_overlap_sphere(const weft_world* world, const float* point, float radius,
                                      const weft_query_filter_def* filter, uint32_t capacity,
                                      weft_query_hit* hits, uint32_t* count);

/* Box overlap: all elements that intersect the closed axis-aligned box of two corners, [3] in
 * metres each. Sets kind, index and collider of hits, and their other fields to 0; else as
 * weft_world_overlap_sphere(). Colliders are tested conservatively: some that only nearly intersect
 * may be included. */
WEFT_RESULT weft_world_overlap_box(const weft_world* world, const float* lower, const float* upper,
                                   const weft_query_filter_def* filter, uint32_t capacity,
                                   weft_query_hit* hits, uint32_t* count);

/* Nearest element to a point, [3] in metres, within `max_distance` metres, >= 0, which may be
 * infinite. */
WEFT_RESULT weft_world_find_closest(const weft_world* world, const float* point, float max_distance,
                                    const weft_query_filter_def* filter, weft_query_hit* hit,
                                    bool* found);

/* k nearest particles: the `capacity` particles whose centres are nearest to a point, [3] in
 * metres, in the order of distance, within `max_distance` metres, which may be infinite. *count
 * is the number written. */
WEFT_RESULT weft_world_find_nearest(const weft_world* world, const float* point, float max_distance,
                                    const weft_query_filter_def* filter, uint32_t capacity,
                                    weft_query_hit* hits, uint32_t* count);

#ifdef __cplusplus
}
#endif

#endif
