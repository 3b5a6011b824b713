/* Collider shapes: one row of functions each, in the collider's own frame and in double precision.
 * No other code depends on the kind. */
#ifndef WEFT_GEOMETRY_SHAPE_H
#define WEFT_GEOMETRY_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/result.h"
#include "base/vec3.h"
#include "weft/weft.h"

#define WEFT__SHAPE_COUNT 11

struct weft__triangle_batch;
struct weft__triangle_list;
struct weft__worker_pool;

/* Points that the caller moves, on straight lines in a substep. */
typedef struct weft__moving_points {
  uint32_t count;
  bool has_target;      /* for the next step */
  bool one_sided;       /* hits from behind, against the winding, are ignored */
  const float (*at)[3]; /* metres, the shape's [count] */
  float (*target)[3];   /* metres, at the end of the next step [count] */
  double travel;        /* metres: largest displacement in the substep */
  uint32_t paths;       /* number of the paths they have been given */
} weft__moving_points;

typedef struct weft__shape {
  weft_collider_shape kind;
  double radius;
  double half_size[3];
  double spacing;
  uint32_t size[3];
  void* data;                  /* only of hulls, meshes, heightfields and grids */
  weft__moving_points* moving; /* points that move or are one-sided; else NULL */
  size_t bytes;
} weft__shape;

typedef struct weft__surface_point {
  double distance; /* metres; negative: the query point is inside */
  weft__vec3 point;
  weft__vec3 normal; /* unit, out of the shape; of thin shapes towards the query point */
} weft__surface_point;

typedef struct weft__cast {
  double fraction;   /* displacement's, 0 to 1 */
  weft__vec3 point;  /* on the shape */
  weft__vec3 normal; /* unit, towards the sphere's centre at the hit */
} weft__cast;

/* Shares of a substep: rotations are swept in slices. */
typedef struct weft__slice_of_time {
  double begin, end;
} weft__slice_of_time;

/* Triangles near the path of a ball, in a batch that a kernel has met. */
typedef struct weft__met_triangles {
  const struct weft__triangle_batch* batch; /* NULL: none */
  weft__vec3 from, to;                      /* ball's */
  double reach;                             /* ball's */
  double beyond;                            /* metres: all others are further away */
  uint32_t first, end;                      /* in the batch */
} weft__met_triangles;

/* Ball whose centre moves along a segment. */
typedef struct weft__ball_path {
  weft__vec3 from, to;
  double radius; /* of the sweep */
  double reach;  /* of a touch at the end: larger than the radius of boxes and ellipsoids */
  const weft__met_triangles* met; /* used if it is the same path's; NULL: none */
} weft__ball_path;

enum { WEFT__NEAR_POINTS = 8 };

/* Points nearest to the end of a path, one of each triangle near it. */
typedef struct weft__near_points {
  double reach;   /* metres: all other triangles are further away; 0: not known */
  uint32_t count; /* of the arrays, if `reach` is known */
  weft__vec3 point[WEFT__NEAR_POINTS];
  double distance[WEFT__NEAR_POINTS];
} weft__near_points;

typedef struct weft__moving_hit {
  double fraction;   /* slice's, at the first contact */
  weft__vec3 point;  /* on the surface, at the end of the slice */
  weft__vec3 normal; /* unit, towards the sphere's centre, at the end of the slice */
  weft__vec3 carry;  /* metres: displacement of the point in the slice */
  double distance;   /* metres, at the end; 0 of a sweep */
  double clearance;  /* metres: no other triangle is nearer to the end */
} weft__moving_hit;

typedef struct weft__moving_row {
  /* True if the points move in the substep. */
  bool (*advance)(const weft__shape* shape, uint32_t substep, uint32_t substeps,
                  struct weft__worker_pool* pool);

  /* Adds the triangles near a path, of a whole substep, to a batch. False: no room. */
  bool (*gather)(const weft__shape* shape, const weft__ball_path* ball,
                 struct weft__triangle_list* list, struct weft__triangle_batch* batch,
                 weft__met_triangles* met);

  /* First contact of a sweep that may cross the surface, else the nearest point within reach of its
   * end. `list` is renewed if the path has left it. */
  bool (*touch)(const weft__shape* shape, weft__slice_of_time slice, const weft__ball_path* ball,
                struct weft__triangle_list* list, weft__near_points* near, weft__moving_hit* hit);

  /* End of a point that moves along with the surface nearest to it at the beginning: same distance,
   * same side. */
  weft__vec3 (*follow)(const weft__shape* shape, weft__slice_of_time slice, weft__vec3 point);
} weft__moving_row;

/* Triangles of a mesh. */
typedef struct weft__triangle_set {
  const uint32_t* triangle;
  uint32_t count;
} weft__triangle_set;

/* Meshes at rest, of which a particle keeps the triangles near it. */
typedef struct weft__listed_row {
  /* The triangles within `reach` metres of a path, and some more. `list` is renewed if the path has
   * left it. False if there are too many to list. */
  bool (*find)(const weft__shape* shape, weft__vec3 from, weft__vec3 to, double reach,
               struct weft__triangle_list* list, weft__triangle_set* near);

  /* As those of weft__shape_row, to the bit, if all triangles near enough are in the set. */
  bool (*find_nearest)(const weft__shape* shape, const weft__triangle_set* near, weft__vec3 point,
                       double reach, weft__surface_point* nearest);
  bool (*cast)(const weft__shape* shape, const weft__triangle_set* near, weft__vec3 from,
               weft__vec3 to, double radius, weft__cast* cast);
} weft__listed_row;

typedef struct weft__shape_row {
  bool is_thin; /* no interior, two sides */

  /* Fields that only this kind uses. */
  weft_result (*check)(const weft_collider_def* def);

  /* Data of a checked def; NULL: parameters suffice. False if out of memory. */
  bool (*build)(weft__shape* shape, const weft_collider_def* def);
  void (*destroy)(weft__shape* shape);

  /* Arrays and counts as a def's, for a snapshot; NULL: none. */
  void (*describe)(const weft__shape* shape, weft_collider_def* def);

  /* The same data, to the bit, from such a def; NULL: build(). */
  bool (*rebuild)(weft__shape* shape, const weft_collider_def* def);

  /* May be infinite. */
  void (*bound)(const weft__shape* shape, weft__vec3* lower, weft__vec3* upper);

  /* Surface point within `reach` metres, or any if the query point is inside. */
  bool (*find_nearest)(const weft__shape* shape, weft__vec3 point, double reach,
                       weft__surface_point* nearest);

  /* Sphere cast of `radius` >= 0. Initial overlap or touching: fraction 0 and the normal of
   * find_nearest(). Thin shapes are hit from both sides. */
  bool (*cast)(const weft__shape* shape, weft__vec3 from, weft__vec3 to, double radius,
               weft__cast* cast);

  /* Oriented box by centre and half edges. May be conservative; the implementation says so. */
  bool (*overlaps_box)(const weft__shape* shape, weft__vec3 center, const weft__vec3 half_edges[3]);

  const weft__moving_row* moving; /* NULL: points never move */
  const weft__listed_row* listed; /* NULL: no triangles */
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
