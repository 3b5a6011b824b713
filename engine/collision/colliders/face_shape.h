/* A face of cloth against a sphere, a capsule or a box, in the frame of the shape.
 *
 * A sphere is a capsule without length. The contact of a capsule is at the closest points of the
 * triangle and the axis. Within the face its normal is the triangle's, on the side where the axis
 * was at the beginning of the substep. The contact of a box is on the axis of least penetration
 * (separating axis test: normals of the box, normal of the triangle, cross products of edges).
 *
 * A face that a capsule's axis crosses near an edge moves freely, as one that intersects at the
 * start does: neither side is known. */
#ifndef WEFT_COLLISION_COLLIDERS_FACE_SHAPE_H
#define WEFT_COLLISION_COLLIDERS_FACE_SHAPE_H

#include "geometry/shape.h"

/* Corners in the frame of the shape, metres. */
typedef struct weft__local_face {
  weft__vec3 corner[3];   /* at the end of the substep */
  weft__vec3 previous[3]; /* at its beginning, in the frame of that time */
} weft__local_face;

typedef struct weft__face_contact {
  double share[3];   /* barycentric coordinates of the contact */
  weft__vec3 point;  /* on the shape, metres */
  weft__vec3 normal; /* unit, from the shape to the face */
  double depth;      /* metres, > 0 */
} weft__face_contact;

static inline bool weft__meets_faces(weft_collider_shape kind) {
  return kind == WEFT_COLLIDER_SHAPE_SPHERE || kind == WEFT_COLLIDER_SHAPE_CAPSULE ||
         kind == WEFT_COLLIDER_SHAPE_BOX;
}

/* True if a plane separates the corners from the shape by `reach` metres: a test of few
 * operations, that most faces near a shape pass. */
bool weft__face_is_apart(const weft__shape* shape, const weft__vec3 corner[3], double reach);

/* Finds the contact of a face that comes within `reach` metres. */
bool weft__face_find_contact(const weft__shape* shape, const weft__local_face* face, double reach,
                             weft__face_contact* contact);

#endif
