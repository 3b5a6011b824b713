/* What questions are about: one particle, link, face or collider as it is now, in double precision, and the box
 * around it. All that a question knows of the world it knows from here. */
#ifndef WEFT_QUERY_ELEMENTS_H
#define WEFT_QUERY_ELEMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec3.h"
#include "collision/colliders/colliders.h"
#include "collision/materials.h"
#include "tables/faces.h"
#include "tables/particles.h"
#include "tables/schedule.h"
#include "weft/weft.h"

#define WEFT__ELEMENT_KINDS 4

/* Where the world keeps them. */
typedef struct weft__elements {
  const weft__particles* particles;
  const weft__schedule* schedule;
  const weft__materials* materials;
  const weft__faces* faces;
  const weft__colliders* colliders;
  /* the ends of links in solver order, the one with the lower number of the caller's first; NULL: they are
   * looked for in the schedule [link_count] */
  const uint32_t (*ends)[2];
} weft__elements;

/* What an element looks like. */
typedef enum weft__form {
  WEFT__FORM_BALL,      /* half_size[0] around `corner`; a point where that is 0 */
  WEFT__FORM_BOX,       /* half_size along the axes from `corner` */
  WEFT__FORM_ELLIPSOID, /* the same */
  WEFT__FORM_SEGMENT,   /* between two corners */
  WEFT__FORM_TRIANGLE,  /* between three */
  WEFT__FORM_COLLIDER,  /* as its shape says */
} weft__form;
#define WEFT__FORM_COUNT 6

typedef struct weft__extent {
  double least[3], most[3]; /* metres */
} weft__extent;

typedef struct weft__element {
  weft_element_kind kind;
  uint32_t index; /* the caller's number */
  weft__form form;
  weft__vec3 corner[3];
  double half_size[3];
  const weft__collider* collider;
  weft__extent extent; /* around all of it, and a little more */
  bool has_contact;    /* it is asked only if the filter has one of these bits */
  uint32_t category;
} weft__element;

/* How many numbers there are of a kind, those that name nothing now among them. */
uint32_t weft__element_count(const weft__elements* elements, weft_element_kind kind);

/* False where there is nothing by this number: it is gone, or where it is is no number. */
bool weft__element_get(const weft__elements* elements, weft_element_kind kind, uint32_t index,
                       weft__element* element);

/* The two ends of a link as `ends` has them. */
void weft__element_ends(const weft__schedule* schedule, uint32_t link, uint32_t ends[2]);

#endif
