/* Elements of queries: one particle, link, face or collider in its current state, in double
 * precision, with its bounding box. The only access of queries to the world. */
#ifndef WEFT_MODULES_QUERY_ELEMENTS_H
#define WEFT_MODULES_QUERY_ELEMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/aabb.h"
#include "base/vec3.h"
#include "collision/colliders/colliders.h"
#include "collision/materials.h"
#include "tables/faces.h"
#include "tables/particles.h"
#include "tables/schedule.h"
#include "weft/weft.h"

#define WEFT__ELEMENT_KINDS 4

typedef struct weft__elements {
  const weft__particles* particles;
  const weft__schedule* schedule;
  const weft__materials* materials;
  const weft__faces* faces;
  const weft__colliders* colliders;
  /* ends in solver order, lower caller's number first; NULL: looked up in the schedule
   * [link_count] */
  const uint32_t (*ends)[2];
} weft__elements;

typedef enum weft__form {
  WEFT__FORM_SPHERE,    /* half_size[0] around `corner`; a point if that is 0 */
  WEFT__FORM_BOX,       /* half_size along the axes from `corner` */
  WEFT__FORM_ELLIPSOID, /* half_size likewise */
  WEFT__FORM_SEGMENT,   /* between two corners */
  WEFT__FORM_TRIANGLE,  /* between three corners */
  WEFT__FORM_COLLIDER,
} weft__form;
#define WEFT__FORM_COUNT 6

typedef struct weft__extent {
  double lower[3], upper[3]; /* metres */
} weft__extent;

typedef struct weft__element {
  weft_element_kind kind;
  uint32_t index; /* caller's */
  weft__form form;
  weft__vec3 corner[3];
  double half_size[3];
  const weft__collider* collider;
  weft__extent extent; /* bounding box, with a margin */
  bool has_contact;    /* filtered by category */
  uint32_t category;
} weft__element;

/* Rounded outwards. */
static inline weft__aabb weft__extent_aabb(const weft__extent* extent) {
  const double* lower = extent->lower;
  const double* upper = extent->upper;
  return weft__aabb_around((weft__vec3){lower[0], lower[1], lower[2]},
                           (weft__vec3){upper[0], upper[1], upper[2]});
}

/* Removed elements count. */
uint32_t weft__element_count(const weft__elements* elements, weft_element_kind kind);

/* Loads an element. False if it is gone or its position is not finite. */
bool weft__element_load(const weft__elements* elements, weft_element_kind kind, uint32_t index,
                        weft__element* element);

/* Ends of a link, ordered as in `ends`. */
void weft__element_ends(const weft__schedule* schedule, uint32_t link, uint32_t ends[2]);

#endif
