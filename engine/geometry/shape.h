/* The shapes of colliders: a table of functions, one row a shape. Whoever asks a collider something takes the row
 * of its kind and asks in the collider's own frame, in double precision; nobody else knows the kinds apart. A new
 * shape is a new row. */
#ifndef WEFT_GEOMETRY_SHAPE_H
#define WEFT_GEOMETRY_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/result.h"
#include "base/vec3.h"
#include "weft/weft.h"

#define WEFT__SHAPE_COUNT 10

/* The shape of one collider: its numbers, and what its row has made of the caller's arrays. */
typedef struct weft__shape {
  weft_shape kind;
  double radius;
  double half_size[3];
  double spacing;
  uint32_t size[3];
  void* data; /* of hulls, meshes, heightfields and grids */
  size_t bytes;
} weft__shape;

/* A place of a surface. */
typedef struct weft__surface_point {
  double distance; /* metres from the point that was asked about; negative = that one is inside */
  weft__vec3 point;
  weft__vec3
      normal; /* of length 1, out of the shape; of thin shapes towards the point that was asked about */
} weft__surface_point;

/* What a sphere on its way meets first. */
typedef struct weft__cast {
  double fraction;   /* of the way, 0 to 1 */
  weft__vec3 point;  /* of the shape */
  weft__vec3 normal; /* of length 1, from the shape towards the sphere's centre at the hit */
} weft__cast;

typedef struct weft__shape_row {
  bool is_thin; /* it has no inside, and two sides */

  /* Whether a def of this kind is good, beyond what all have in common: names the field at fault. */
  weft_result (*check)(const weft_collider_def* def);

  /* Makes the shape of a def that has been checked. False when memory cannot be had. NULL = numbers are enough */
  bool (*build)(weft__shape* shape, const weft_collider_def* def);
  void (*destroy)(weft__shape* shape);

  /* The box around it, which may be infinite. */
  void (*bound)(const weft__shape* shape, weft__vec3* least, weft__vec3* most);

  /* The surface's place nearest to a point, if it is within `reach` metres or the point is inside. */
  bool (*find_nearest)(const weft__shape* shape, weft__vec3 point, double reach,
                       weft__surface_point* nearest);

  /* The first that a sphere of `radius`, >= 0, meets, whose centre goes from one place to another. Where it
   * begins inside or touching: fraction 0 and the normal of find_nearest(). A thin shape is met from both sides. */
  bool (*cast)(const weft__shape* shape, weft__vec3 from, weft__vec3 to, double radius,
               weft__cast* cast);

  /* Whether any part of the shape is within a box, which need not lie along the axes: corner `center`, and three
   * half edges. May say yes where they are only nearly so if exact is too dear: then says so where it is
   * written. */
  bool (*meets_box)(const weft__shape* shape, weft__vec3 center, const weft__vec3 half_edges[3]);
} weft__shape_row;

/* By weft_shape. */
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

#endif
