/* Bend element of two triangles that share an edge, from the cotangents of the angles at its ends:
 *
 *            x2
 *           /  \            d = (cot a1 + cot b1) x0 + (cot a0 + cot b0) x1
 *         / a0  a1 \              - (cot a0 + cot a1) x2 - (cot b0 + cot b1) x3
 *       x0 -------- x1
 *         \ b0  b1 /        is 0 if all four lie in a plane; across a fold of angle t, |d| is
 *           \  /            2 sin(t / 2) times the edge's length
 *            x3
 *
 * (Bergou, Wardetzky, Harmon, Zorin, Grinspun 2006, "A quadratic bending model for inextensible
 * surfaces", section 3.) They weight |d|^2 with 3 B / (2 (A0 + A1)), A0 and A1 the triangles'
 * areas. But single edges' d approach the curvature only on average: on cylinders of equilateral
 * triangles the sum of squares is three times too large, for any bend direction. The weight here is
 *
 *     B / (2 (A0 + A1)) |d|^2      compliance = (A0 + A1) / B
 *
 * exact on a cylinder of equilateral triangles, and of squares cut along a diagonal if bent along
 * their sides; squares bent across those diagonals store three times as much, irregular meshes 1.18
 * times. */
#include "scene/mesh_hinges.h"

#include <math.h>

#include "base/min_max.h"
#include "base/vec3.h"
#include "scene/material.h"
#include "scene/mesh_edges.h"
#include "scene/scene.h"

// least area over squared edge length; thinner triangles get no bend element
#define MIN_THICKNESS 1e-4
// radians: rounding of flat meshes
#define FLAT_ANGLE 1e-4

// Twice the triangle's area, and cotangents at the edge's ends.
typedef struct side {
  double twice_area;
  double cot[2];
} side;

static side side_of(const weft_mesh_def* def, uint32_t a, uint32_t b, uint32_t corner) {
  const weft__vec3 edge = weft__mesh_offset(def, a, b);
  const weft__vec3 from_a = weft__mesh_offset(def, a, corner);
  const weft__vec3 cross = weft__cross(edge, from_a);
  const double twice = weft__length(cross);
  const double along = weft__dot(edge, from_a);
  return (side){twice, {along / twice, (weft__dot(edge, edge) - along) / twice}};
}

bool weft__mesh_hinge(const weft_mesh_def* def, const uint32_t corners[4], float angle,
                      weft__hinge* hinge) {
  const weft__vec3 edge = weft__mesh_offset(def, corners[0], corners[1]);
  const side a = side_of(def, corners[0], corners[1], corners[2]);
  const side b = side_of(def, corners[0], corners[1], corners[3]);
  const double min_area = 2.0 * MIN_THICKNESS * weft__dot(edge, edge);
  if (!(a.twice_area > min_area && b.twice_area > min_area)) return false;

  double c[4] = {a.cot[1] + b.cot[1], a.cot[0] + b.cot[0], -(a.cot[0] + a.cot[1]),
                 -(b.cot[0] + b.cot[1])};
  // largest coefficient 1: squares stay within the range of float
  double largest = 0.0;
  for (int i = 0; i < 4; ++i) largest = weft__max(largest, fabs(c[i]));
  const weft__vec3 to_1 = edge;
  const weft__vec3 to_2 = weft__mesh_offset(def, corners[0], corners[2]);
  const weft__vec3 to_3 = weft__mesh_offset(def, corners[0], corners[3]);
  for (int i = 0; i < 4; ++i) c[i] /= largest;
  const weft__vec3 d = {c[1] * to_1.x + c[2] * to_2.x + c[3] * to_3.x,
                        c[1] * to_1.y + c[2] * to_2.y + c[3] * to_3.y,
                        c[1] * to_1.z + c[2] * to_2.z + c[3] * to_3.z};
  const double length = weft__length(d);
  const bool is_flat = length * largest < FLAT_ANGLE * weft__length(edge);
  const double area = 0.5 * (a.twice_area + b.twice_area);
  const double stiffness = (double)def->material->bend_stiffness * largest * largest / area;
  // d| of a fold of pi
  const double folded = 2.0 * weft__length(edge) / largest;
  *hinge = (weft__hinge){.rest_length = is_flat ? 0.0f : (float)length,
                         .compliance = weft__compliance_of(stiffness)};
  if (angle >= 0.0f) hinge->rest_length = (float)(folded * weft__sine_of(0.5 * (double)angle));
  const weft_material_def* material = def->material;
  if (material->crease_angle > 0.0f) {
    hinge->yield = (float)(folded * weft__sine_of(0.5 * (double)material->crease_angle));
    hinge->max_rest_length = (float)(folded * weft__sine_of(0.5 * (double)material->max_crease));
  }
  hinge->bend_stiffness = def->material->bend_stiffness;
  static const int ends[5][2] = {{0, 1}, {0, 2}, {1, 2}, {0, 3}, {1, 3}};
  for (int i = 0; i < 5; ++i) {
    const weft__vec3 along = weft__mesh_offset(def, corners[ends[i][0]], corners[ends[i][1]]);
    hinge->side[i] = (float)weft__length(along);
  }
  for (int i = 0; i < 4; ++i) {
    hinge->particle[i] = corners[i];
    hinge->coefficient[i] = (float)c[i];
  }
  // rounded coefficients shall sum to 0
  float* rounded = hinge->coefficient;
  rounded[0] = -(rounded[1] + rounded[2] + rounded[3]);
  return true;
}
