#include "scene/mesh_membranes.h"

#include <math.h>

#include "base/min_max.h"
#include "scene/material.h"
#include "scene/mesh_edges.h"

// least area of a triangle over its longest edge squared, and sine between warp direction and
// normal
#define MIN_THICKNESS 1e-4
#define MIN_SINE 1e-3

static weft__vec3 edge_of(const weft_mesh_def* def, uint32_t triangle, int corner) {
  const uint32_t* corners = def->triangles + (size_t)3 * triangle;
  return weft__mesh_offset(def, corners[0], corners[corner]);
}

static double uv_change(const weft_mesh_def* def, uint32_t triangle, int corner, size_t axis) {
  const uint32_t* corners = def->triangles + (size_t)3 * triangle;
  return (double)def->uvs[(size_t)2 * corners[corner] + axis] -
         (double)def->uvs[(size_t)2 * corners[0] + axis];
}

// Along which u grows and v does not; not normalized, 0 if UVs are degenerate.
static weft__vec3 direction_of_u(const weft_mesh_def* def, uint32_t triangle, weft__vec3 to_1,
                                 weft__vec3 to_2) {
  const double u1 = uv_change(def, triangle, 1, 0), u2 = uv_change(def, triangle, 2, 0);
  const double v1 = uv_change(def, triangle, 1, 1), v2 = uv_change(def, triangle, 2, 1);
  const double area = u1 * v2 - u2 * v1;
  const double largest = weft__max(weft__max(u1 * u1 + v1 * v1, u2 * u2 + v2 * v2), 1e-300);
  if (fabs(area) < 1e-9 * largest) return (weft__vec3){0.0, 0.0, 0.0};
  return weft__minus(weft__scaled(v2 / area, to_1), weft__scaled(v1 / area, to_2));
}

static bool has_no_frame(const weft_mesh_def* def) {
  return def->uvs == NULL && def->warp[0] == 0.0f && def->warp[1] == 0.0f && def->warp[2] == 0.0f;
}

bool weft__mesh_frame(const weft_mesh_def* def, uint32_t triangle, weft__vec3 frame[2]) {
  const weft__vec3 to_1 = edge_of(def, triangle, 1);
  const weft__vec3 to_2 = edge_of(def, triangle, 2);
  const weft__vec3 across = weft__minus(to_2, to_1);
  const weft__vec3 normal = weft__cross(to_1, to_2);
  const double twice_area = weft__length(normal);
  const double longest =
      weft__max(weft__max(weft__dot(to_1, to_1), weft__dot(to_2, to_2)), weft__dot(across, across));
  if (!(twice_area > 2.0 * MIN_THICKNESS * longest)) return false;

  const weft__vec3 n = weft__scaled(1.0 / twice_area, normal);
  weft__vec3 warp = {(double)def->warp[0], (double)def->warp[1], (double)def->warp[2]};
  if (has_no_frame(def)) warp = to_1;
  if (def->uvs != NULL) warp = direction_of_u(def, triangle, to_1, to_2);
  const weft__vec3 in_plane = weft__minus(warp, weft__scaled(weft__dot(warp, n), n));
  const double length = weft__length(in_plane);
  if (!(length > MIN_SINE * weft__length(warp))) return false;
  frame[0] = weft__scaled(1.0 / length, in_plane);
  frame[1] = weft__cross(n, frame[0]);
  return true;
}

weft_result weft__check_mesh_membranes(const weft_mesh_def* def) {
  if (!weft__mesh_has_membranes(def)) return weft__ok();
  WEFT__FAIL_IF(has_no_frame(def) && !weft__material_is_isotropic(def->material), WEFT_ERROR_RANGE,
                "weft_mesh_def.warp");
  const char* frame_field = def->uvs != NULL ? "weft_mesh_def.uvs" : "weft_mesh_def.warp";
  weft_mesh_def without_frame = *def;
  without_frame.uvs = NULL;
  for (int i = 0; i < 3; ++i) without_frame.warp[i] = 0.0f;
  for (uint32_t t = 0; t < def->triangle_count; ++t) {
    weft__vec3 frame[2];
    if (weft__mesh_frame(def, t, frame)) continue;
    const bool has_shape = weft__mesh_frame(&without_frame, t, frame);
    return weft__fail_at(WEFT_ERROR_DEGENERATE, has_shape ? frame_field : "weft_mesh_def.triangles",
                         t);
  }
  return weft__ok();
}

weft__membrane weft__mesh_membrane(const weft_mesh_def* def, uint32_t triangle) {
  weft__vec3 frame[2];
  (void)weft__mesh_frame(def, triangle, frame);
  const weft__vec3 to_1 = edge_of(def, triangle, 1);
  const weft__vec3 to_2 = edge_of(def, triangle, 2);
  const double u1 = weft__dot(to_1, frame[0]), v1 = weft__dot(to_1, frame[1]);
  const double u2 = weft__dot(to_2, frame[0]), v2 = weft__dot(to_2, frame[1]);
  const double twice_area = u1 * v2 - u2 * v1;
  weft__membrane membrane = {
      .gradient_u = {(float)(v2 / twice_area), (float)(-v1 / twice_area)},
      .gradient_v = {(float)(-u2 / twice_area), (float)(u1 / twice_area)},
  };
  double compliance[WEFT__MEMBRANE_COMPLIANCES];
  weft__membrane_compliance(def->material, compliance);
  for (int i = 0; i < WEFT__MEMBRANE_COMPLIANCES; ++i) {
    membrane.compliance[i] = (float)(compliance[i] / (0.5 * fabs(twice_area)));
  }
  const uint32_t* corners = def->triangles + (size_t)3 * triangle;
  for (int i = 0; i < 3; ++i) membrane.particle[i] = corners[i];
  return membrane;
}
