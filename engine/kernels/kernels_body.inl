/* KERNELS_TABLE names the one exported symbol, KERNELS_ISA its ISA. */
#include "kernels/kernels.h"
#include "kernels/wide_records.h"

#include "geometry/advancement.inl"
#include "geometry/closest_points.inl"

#include "kernels/links.inl"
#include "kernels/solve.inl"
#include "kernels/tear.inl"

#include "kernels/bounds.inl"
#include "kernels/contact_rows.inl"
#include "kernels/sphere_casts.inl"

#include "kernels/collider_batch.inl"
#include "kernels/face_batch.inl"
#include "kernels/hinges.inl"
#include "kernels/integrate.inl"
#include "kernels/long_range_attachments.inl"
#include "kernels/membranes.inl"
#include "kernels/motion_aabb.inl"
#include "kernels/restrict.inl"
#include "kernels/self_neighbors.inl"
#include "kernels/surface.inl"
#include "kernels/triangle_batch.inl"

#include "kernels/contact_planes.inl"
#include "kernels/tile_overlaps.inl"

#include "weft_module_kernels.inl"

SPECIALIZED void blend_axis(float* position, const float* moved, const weft__prolongation* b,
                            size_t k, size_t lanes, wide_mask is_free) {
  const wide sum = b->weight[0] * wide_load_first(moved + b->of[0] + k, lanes) +
                   b->weight[1] * wide_load_first(moved + b->of[1] + k, lanes) +
                   b->weight[2] * wide_load_first(moved + b->of[2] + k, lanes) +
                   b->weight[3] * wide_load_first(moved + b->of[3] + k, lanes);
  const wide here = wide_load_first(position, lanes);
  wide_store_first(position, here + wide_keep(sum, is_free), lanes);
}

SPECIALIZED void blend_lanes(weft__particles* p, const weft__coarse_corrections* c,
                             const weft__prolongation* b, size_t k, size_t lanes) {
  const size_t i = b->first + k;
  wide_mask is_free = wide_positive(wide_load_first(p->inv_mass + i, lanes));
  if (c->follows != NULL) is_free &= wide_positive(wide_load_first(c->follows + i, lanes));
  blend_axis(p->pos_x + i, c->x, b, k, lanes, is_free);
  blend_axis(p->pos_y + i, c->y, b, k, lanes, is_free);
  blend_axis(p->pos_z + i, c->z, b, k, lanes, is_free);
}

static void blend_run(weft__particles* p, const weft__coarse_corrections* c,
                      const weft__prolongation* b) {
  size_t k = 0;
  for (; k + WIDE_LANES <= b->count; k += WIDE_LANES) blend_lanes(p, c, b, k, WIDE_LANES);
  if (k < b->count) blend_lanes(p, c, b, k, b->count - k);
}

static void prolongate(weft__particles* particles, const weft__coarse_corrections* corrections,
                       uint32_t patch) {
  const uint32_t end = corrections->patch_first_blend[patch + 1];
  for (uint32_t i = corrections->patch_first_blend[patch]; i < end; ++i) {
    blend_run(particles, corrections, &corrections->blends[i]);
  }
}

const weft__kernels KERNELS_TABLE = {
    .isa = KERNELS_ISA,
    .integrate = integrate,
    .shorten = shorten,
    .solve_patch = solve_patch,
    .solve_hinges = solve_hinges,
    .solve_membranes = solve_membranes,
    .restrict_displacements = restrict_displacements,
    .start_multipliers = start_multipliers,
    .measure_rests = measure_rests,
    .prolongate = prolongate,
    .find_torn = find_torn,
    .solve_attachments = solve_attachments,
    .solve_bounds = solve_bounds,
    .measure_extent = measure_extent,
    .measure_displacement = measure_displacement,
    .find_near = find_near,
    .solve_colliders = solve_colliders,
    .meet_triangles = meet_triangles,
    .load_faces = load_faces,
    .find_near_faces = find_near_faces,
    .load_air = load_air,
    .load_gas = load_gas,
    .bound_tile = bound_tile,
    .find_stale = find_stale,
    .find_near_tiles = find_near_tiles,
    .list_tile = list_tile,
    .find_overlaps = find_overlaps,
    .begin_contact_rows = begin_contact_rows,
    .solve_contact_rows = solve_contact_rows,
    .solve_planes = solve_planes,
    .of_stage = {WEFT__STAGE_KERNELS},
};
