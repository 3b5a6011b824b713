/* How a question goes through the elements: over all of them, or through trees of boxes.
 *
 * Both ways give the same answers, bit for bit. An element is asked only where its extent, and not only it, is
 * within reach, and its answer is never nearer than its extent is: so what a tree passes over, because a box around
 * the extent is too far, could not have been told by the other way either. Of what is equally near, the first kind
 * and then the lower number is told, whatever comes first. */
#ifndef WEFT_QUERY_SEARCH_H
#define WEFT_QUERY_SEARCH_H

#include "geometry/bvh.h"
#include "query/forms.h"

/* Kinds that have trees: all but colliders. */
#define WEFT__TREE_KINDS 3

/* What is asked, and of which elements. */
typedef struct weft__asked {
  weft__elements elements;
  const weft__bvh* trees; /* NULL = look at each [WEFT__TREE_KINDS] */
  weft_query_filter filter;
} weft__asked;

/* The first that a way meets. */
bool weft__first_of_way(const weft__asked* asked, const weft__query_path* way, weft_query_hit* hit);

/* The nearest to a point. */
bool weft__closest_to(const weft__asked* asked, weft__vec3 point, double most_distance,
                      weft_query_hit* hit);

/* All that are within a radius of a point, and all that reach into a box: returns how many there are, and writes the
 * first of them. */
uint32_t weft__all_near(const weft__asked* asked, weft__vec3 point, double radius,
                        uint32_t capacity, weft_query_hit* hits);
uint32_t weft__all_in_box(const weft__asked* asked, const weft__extent* box, uint32_t capacity,
                          weft_query_hit* hits);

/* The particles whose centres are nearest: returns how many it has written. */
uint32_t weft__nearest_particles(const weft__asked* asked, weft__vec3 point, double most_distance,
                                 uint32_t capacity, weft_query_hit* hits);

/* ---- of a question itself ---- */

/* A question on its way through the elements. */
typedef struct weft__search {
  const weft__asked* asked;
  const void* question;   /* what the walk and the look know */
  weft_element_kind kind; /* that is being looked at */
  double limit;           /* metres: what is further is of no interest */
  /* Looks at an element that the filter lets through; may lower the limit. */
  void (*look)(struct weft__search* search, const weft__element* element);
  /* Sends a tree's items that are within the limit to weft__search_item(). */
  void (*walk)(struct weft__search* search, const weft__bvh* tree);
} weft__search;

/* Looks at all that the filter lets through. */
void weft__search_all(weft__search* search);

/* The visits of trees. */
double weft__search_item(void* search, uint32_t item, double limit);
bool weft__search_each(void* search, uint32_t item);

/* Walks to what is near a point, which is the question. */
void weft__walk_near(weft__search* search, const weft__bvh* tree);

/* How near an element is to the point that is the question; false beyond the limit. */
bool weft__look_near(const weft__search* search, const weft__element* element,
                     weft__answer* answer);

/* How near an extent is to a point, a little less than rounding may add. */
double weft__extent_apart(const weft__extent* extent, weft__vec3 point);

/* The hit that an answer makes. */
weft_query_hit weft__hit_of(const weft__element* element, const weft__answer* answer);

#endif
