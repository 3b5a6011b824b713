/* Untangling: cloth that crosses itself or other cloth, as in some imported garments, is pulled
 * apart.
 *
 *   crossings    pairs of an edge and a face that cross, in the cluster pairs that CCD has listed:
 *                searched at the end of a step whose positions were set, in which CCD let crossed
 *                pairs pass, or that follows one that found any.
 *   sides        A contour along which cloth crosses cuts the mesh: particles are connected by
 *                the edges that cross no face. The end of a crossed edge that is connected with
 *                fewer particles is inside and has to return (flood fill of Baraff, Witkin, Kass
 *                2003, "Untangling cloth"). Contours that end at a border leave both ends
 *                connected; then edge and face move along the gradient of the contour's length
 *                (Volino, Magnenat-Thalmann 2006, "Resolving surface collisions through
 *                intersection contour minimization").
 *   push         Edge and face move apart along the normal of the face, without velocity, by the
 *                depth of the inside end and at most half an edge and MAX_SPEED. CCD lets pairs
 *                of tangled particles pass, and holds all others.
 *   shift        Cloths without pins that cross others move as a whole along the sum of their
 *                pushes: links undo most of a push at a contour from border to border.
 *   shape        Cloth around contours that last is drawn to its shape: shape_matching.h.
 *   thickness    Particles at a contour or inside have none in self-collision: it would push them
 *                further in.
 *
 * Sums are taken by the caller in the order of crossings, which no number of workers changes.
 * Sleeping and pinned particles stay. */
#ifndef WEFT_MODULES_CCD_UNTANGLE_H
#define WEFT_MODULES_CCD_UNTANGLE_H

#include <stdatomic.h>

#include "base/aabb.h"
#include "base/vec3.h"
#include "modules/ccd/shape_matching.h"
#include "parallel/step_context.h"

struct weft__ccd;

/* An edge of the mesh that crosses a face of the table. */
typedef struct weft__ccd_crossing {
  uint32_t edge, face;
} weft__ccd_crossing;

/* Motion of a whole cloth that crosses another. */
typedef struct weft__cloth_shift {
  weft__vec3 sum; /* its pushes, as multiples of the largest */
  double limit;   /* metres: the largest push in a step */
  uint32_t particle_count;
  bool is_held; /* a particle is pinned: it stays */
} weft__cloth_shift;

typedef struct weft__ccd_tangles {
  uint32_t crossing_count; /* in the last search, 0 = cloth does not cross */
  uint64_t found_count;    /* sum of the growth of crossing_count from search to search */
  uint64_t resolved_count; /* sum of its decline */
  bool is_due;             /* this step ends with a search */

  /* state */
  float* push[3];              /* metres in the next step [particle_count] */
  uint8_t* is_tangled;         /* at a contour or inside: without thickness [particle_count] */
  uint8_t* is_cluster_tangled; /* all particles of it are [cluster] */

  /* scratch */
  weft__ccd_crossing* crossing; /* [capacity] */
  uint32_t capacity;
  uint32_t listed;             /* part of crossing_count; a later step finds the others */
  uint32_t* first;             /* in crossing [cluster + 1] */
  weft__aabb* box;             /* [face cluster] */
  uint32_t* parent;            /* union-find over edges that do not cross [particle_count] */
  uint32_t* size;              /* particles of a root [particle_count] */
  uint32_t* pair_count;        /* crossings that push a particle [particle_count] */
  uint32_t* cloth;             /* union-find over all edges [particle_count] */
  weft__cloth_shift* shift;    /* by root of a cloth [particle_count] */
  _Atomic uint8_t* is_crossed; /* at a contour [particle_count] */
  uint8_t* is_contour_end;     /* [particle_count] */
  uint8_t* is_edge_crossed;    /* [edge_count] */

  weft__shape_matching shapes;
} weft__ccd_tangles;

/* Forgets all crossings, as clusters are built anew. */
void weft__ccd_forget_crossings(struct weft__ccd* ccd);

/* Lists the crossings of the present positions, as many as there is room for; returns the number of
 * all. */
uint32_t weft__ccd_list_crossings(struct weft__ccd* ccd, const weft__step_context* step);

/* Searches for crossings after the last pass of a step, if that is due, and plans the pushes of the
 * next step. */
void weft__ccd_find_crossings(struct weft__ccd* ccd, weft__step_context* step);

/* True if there is anything to untangle, or it recovers. */
bool weft__ccd_is_untangling(const struct weft__ccd* ccd);

/* Moves tangled particles by their share of the push, in a substep before contacts are solved. */
void weft__ccd_untangle(struct weft__ccd* ccd, weft__step_context* step);

/* Tangled particles, by particle; NULL if there are none. */
const uint8_t* weft__ccd_tangled(const struct weft__ccd* ccd);

#endif
