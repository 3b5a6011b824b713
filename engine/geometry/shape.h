/* Collider shapes: a table of functions, one row for each shape. Callers dispatch through the row
 * of a collider's kind, in the collider's own frame and in double precision; no other code depends
 * on the kind. A new shape is a new row. */
#ifndef WEFT_GEOMETRY_SHAPE_H
#define WEFT_GEOMETRY_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/result.h"
#include "base/vec3.h"
#include "weft/weft.h"

#define WEFT__SHAPE_COUNT 11

struct weft__worker_pool;

/* Points that the caller moves: each on a straight line in a substep. */
typedef struct weft__moving_points {
  uint32_t count;
  bool has_target;    /* they move in the next step */
  bool one_sided;     /* hits from behind, against the winding, are ignored */
  float (*target)[3]; /* metres, at the end of the next step [count] */
  double travel;      /* metres: largest displacement of a point in the substep */
} weft__moving_points;

/* Shape of one collider: its parameters, and the data that its row built from the caller's
 * arrays. */
typedef struct weft__shape {
  weft_collider_shape kind;
  double radius;
  double half_size[3];
  double spacing;
  uint32_t size[3];
  void* data;                  /* hulls, meshes, heightfields and grids only */
  weft__moving_points* moving; /* points of the data, if they move or are one-sided; else NULL */
  size_t bytes;
} weft__shape;

/* Nearest point of a surface. */
typedef struct weft__surface_point {
  double distance; /* metres from the query point; negative = the query point is inside */
  weft__vec3 point;
  weft__vec3 normal; /* unit, out of the shape; of thin shapes towards the query point */
} weft__surface_point;

/* First hit of a sphere cast. */
typedef struct weft__cast {
  double fraction;   /* fraction of the displacement, 0 to 1 */
  weft__vec3 point;  /* on the shape */
  weft__vec3 normal; /* unit, from the shape towards the sphere's centre at the hit */
} weft__cast;

/* Part of a substep, as shares of it: rotations are swept in slices. */
typedef struct weft__slice_of_time {
  double begin, end;
} weft__slice_of_time;

/* Contact of a sphere with a surface that moves. */
typedef struct weft__moving_hit {
  double fraction;   /* fraction of the slice at the first contact */
  weft__vec3 point;  /* on the surface, at the end of the slice */
  weft__vec3 normal; /* unit, towards the sphere's centre, at the end of the slice */
  weft__vec3 carry;  /* metres: displacement of the point in the slice */
} weft__moving_hit;

/* Shapes with points that move. */
typedef struct weft__moving_row {
  /* Advances the points through a substep; true if they move in it. */
  bool (*advance)(const weft__shape* shape, uint32_t substep, uint32_t substeps,
                  struct weft__worker_pool* pool);

  /* First contact of a sphere whose centre moves along a segment in the slice. Initial overlap
   * gives fraction 0. */
  bool (*cast)(const weft__shape* shape, weft__slice_of_time slice, weft__vec3 from, weft__vec3 to,
               double radius, weft__moving_hit* hit);

  /* Position at the end of the slice of a point that moves along with the part of the surface that
   * is nearest to it at the beginning: at the same distance, on the same side. */
  weft__vec3 (*follow)(const weft__shape* shape, weft__slice_of_time slice, weft__vec3 point);

  /* Nearest point at the end of the slice, if it is within `reach`, and in front of a one-sided
   * surface. */
  bool (*find_nearest)(const weft__shape* shape, weft__slice_of_time slice, weft__vec3 point,
                       double reach, double* distance, weft__moving_hit* hit);
} weft__moving_row;

typedef struct weft__shape_row {
  bool is_thin; /* no interior, two sides */

  /* Checks the fields that only this kind uses; names the field at fault. */
  weft_result (*check)(const weft_collider_def* def);

  /* Builds the data of a checked def; NULL = parameters suffice. False if out of memory. */
  bool (*build)(weft__shape* shape, const weft_collider_def* def);
  void (*destroy)(weft__shape* shape);

  /* Arrays of the data, and their counts, as a def's, for a snapshot; NULL = there are none. */
  void (*describe)(const weft__shape* shape, weft_collider_def* def);

  /* Builds the same data, to the bit, from such a def; NULL = build() does. */
  bool (*rebuild)(weft__shape* shape, const weft_collider_def* def);

  /* AABB of the shape, which may be infinite. */
  void (*bound)(const weft__shape* shape, weft__vec3* lower, weft__vec3* upper);

  /* Nearest surface point, if it is within `reach` metres or the query point is inside. */
  bool (*find_nearest)(const weft__shape* shape, weft__vec3 point, double reach,
                       weft__surface_point* nearest);

  /* Sphere cast of `radius` >= 0 along the segment from - to. Initial overlap or touching: fraction
   * 0 and the normal of find_nearest(). Thin shapes are hit from both sides. */
  bool (*cast)(const weft__shape* shape, weft__vec3 from, weft__vec3 to, double radius,
               weft__cast* cast);

  /* Overlap test with an oriented box given by its centre and three half edges. May be conservative
   * where an exact test is too dear; the implementation says so. */
  bool (*overlaps_box)(const weft__shape* shape, weft__vec3 center, const weft__vec3 half_edges[3]);

  /* NULL = its points never move. */
  const weft__moving_row* moving;
} weft__shape_row;

/* Indexed by weft_collider_shape. */
extern const weft__shape_row* const weft__shape_rows[WEFT__SHAPE_COUNT];

extern const weft__shape_row weft__plane_row;
extern const weft__shape_row weft__half_space_row;
extern const weft__shape_row weft__sphere_row;
extern const weft__shape_row weft__capsule_row;
extern const weft__shape_row weft__box_row;
extern const weft__shape_row weft__ellipsoid_row;
extern const weft__shape_row weft__hull_row;
extern const weft__shape_row weft__heightfield_row;
extern const weft__shape_row weft__mesh_row;
extern const weft__shape_row weft__distance_grid_row;
extern const weft__shape_row weft__support_row;

#endif
