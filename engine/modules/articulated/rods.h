/* Rods: chains of links with bend and twist stiffness, as columns by segment and by point.
 *
 *     point    0       1       2       3      particles; each but the ends has a bend element
 *     segment  o---1---o---2---o---3---o      links; each has a frame with its third axis along it
 *
 * The frame of a clamped end is held, or turns as the caller says; a bend element of half a segment
 * joins it to the first or last segment. No two rods have a common particle. */
#ifndef WEFT_MODULES_ARTICULATED_RODS_H
#define WEFT_MODULES_ARTICULATED_RODS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/archive.h"
#include "scene/scene.h"
#include "tables/schedule.h"

typedef struct weft__rod_node weft__rod_node;

typedef struct weft__rod_end {
  double frame[4];  /* clamped end */
  double spin[3];   /* radians per second, clamped end */
  double torque[3]; /* newton metres on the last segment */
  uint64_t is_clamped;
} weft__rod_end;

/* Rod r has points [first_segment[r] + r, first_segment[r + 1] + r + 1). */
typedef struct weft__rods {
  uint32_t rod_count, segment_count, point_count;
  uint32_t* first_particle;  /* caller's order, ascending [rod_count] */
  uint32_t* first_link;      /* caller's order, ascending [rod_count] */
  uint32_t* first_segment;   /* [rod_count + 1] */
  double (*stiffness)[3];    /* N m^2: both axes across, then about the rod [rod_count] */
  double* inertia;           /* kg m: of spin, per metre [rod_count] */
  uint32_t* particle;        /* points', solver order [segment_count + rod_count] */
  double (*rest)[3];         /* radians: strain at rest of points' elements [as particle] */
  uint32_t* slot;            /* lane of the link [segment_count] */
  float* rest_length;        /* metres [segment_count] */
  float* compliance;         /* metres per newton [segment_count] */
  const uint16_t* lane_mask; /* the schedule's: a torn link's bit is clear */
  double inv_step_sq;        /* 1 / h^2 */
  double multiplier_scale;   /* factor of multipliers to this h: 1 unless h has just changed */

  /* state */
  double (*frame)[4]; /* unit quaternions x y z w [segment_count] */
  double* spin;       /* radians per second about the axis [segment_count] */
  double* multiplier; /* kg m: tension times h^2 in the last substep [segment_count] */
  weft__rod_end* end; /* first and last [rod_count][2] */

  bool has_memory_by_worker;
  uint32_t largest;
  uint32_t solved_count; /* points of all rods in memory of solves */
  weft__rod_node* nodes;
  void* block;
  size_t bytes;
} weft__rods;

extern const weft__table weft__rods_table;

bool weft__rods_create(weft__rods* rods, const weft_scene* scene, const weft__schedule* schedule);

bool weft__rods_divide(weft__rods* rods, uint32_t worker_count);
void weft__rods_destroy(weft__rods* rods);

void weft__rods_assign(const weft_scene* scene, uint8_t* solver);

static inline uint32_t weft__rod_segments(const weft__rods* rods, uint32_t rod) {
  return rods->first_segment[rod + 1] - rods->first_segment[rod];
}

static inline uint32_t weft__rod_first_point(const weft__rods* rods, uint32_t rod) {
  return rods->first_segment[rod] + rod;
}

static inline bool weft__rod_is_torn(const weft__rods* rods, uint32_t segment) {
  return !weft__is_marked(rods->lane_mask, rods->slot[segment]);
}

bool weft__rod_is_wound(const weft__rods* rods, uint32_t rod);

typedef struct weft__rod_point {
  uint32_t rod; /* WEFT__NONE: none */
  uint32_t point;
} weft__rod_point;

/* Caller's order; WEFT__NONE if of no rod. */
uint32_t weft__rods_find_segment(const weft__rods* rods, uint32_t link);
weft__rod_point weft__rods_find_point(const weft__rods* rods, uint32_t particle);

/* Metres between the middles of the segments beside point k, or from a clamped end. */
double weft__rod_element_length(const weft__rods* rods, uint32_t rod, uint32_t k);

#endif
