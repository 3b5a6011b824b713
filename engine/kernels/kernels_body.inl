/* All kernels, for WIDE_LANES lanes. The including file defines KERNELS_TABLE, the name of the one
 * exported symbol, and KERNELS_ISA. */
#include "kernels/kernels.h"
#include "kernels/particle_contact.h"
#include "kernels/wide.h"

#include "kernels/solve.inl"
#include "kernels/tear.inl"

#include "kernels/bounds.inl"
#include "kernels/self_contacts.inl"
#include "kernels/sphere_casts.inl"

#include "kernels/attachments.inl"
#include "kernels/collider_batch.inl"
#include "kernels/hinges.inl"
#include "kernels/integrate.inl"
#include "kernels/motion_aabb.inl"
#include "kernels/particle_contacts.inl"
#include "kernels/restrict.inl"
#include "kernels/self_neighbors.inl"
#include "kernels/self_solve.inl"

// ---- prolongation from a coarser level ----

// One axis of WIDE_LANES particles: weighted sum of the displacements of their parents.
static inline wide wide_blend(const float* moved, const weft__prolongation* b, size_t k) {
  return b->weight[0] * wide_load(moved + b->of[0] + k) +
         b->weight[1] * wide_load(moved + b->of[1] + k) +
         b->weight[2] * wide_load(moved + b->of[2] + k) +
         b->weight[3] * wide_load(moved + b->of[3] + k);
}

static inline void blend_axis(float* position, const float* moved, const weft__prolongation* b,
                              size_t k, wide_mask is_free) {
  wide_store(position, wide_load(position) + wide_keep(wide_blend(moved, b, k), is_free));
}

// Scalar remainder.
static inline void blend_one(float* position, const float* moved, const weft__prolongation* b,
                             size_t k, bool is_free) {
  const float sum = b->weight[0] * moved[b->of[0] + k] + b->weight[1] * moved[b->of[1] + k] +
                    b->weight[2] * moved[b->of[2] + k] + b->weight[3] * moved[b->of[3] + k];
  *position += is_free ? sum : 0.0f;
}

static void blend_run(const weft__particles* p, const weft__coarse_corrections* c,
                      const weft__prolongation* b) {
  size_t k = 0;
  size_t i = b->first;
  for (; k + WIDE_LANES <= b->count; k += WIDE_LANES, i += WIDE_LANES) {
    wide_mask is_free = wide_positive(wide_load(p->inv_mass + i));
    if (c->follows != NULL) is_free &= wide_positive(wide_load(c->follows + i));
    blend_axis(p->pos_x + i, c->x, b, k, is_free);
    blend_axis(p->pos_y + i, c->y, b, k, is_free);
    blend_axis(p->pos_z + i, c->z, b, k, is_free);
  }
  for (; k < b->count; ++k, ++i) {
    const bool is_free = p->inv_mass[i] > 0.0f && (c->follows == NULL || c->follows[i] > 0.0f);
    blend_one(p->pos_x + i, c->x, b, k, is_free);
    blend_one(p->pos_y + i, c->y, b, k, is_free);
    blend_one(p->pos_z + i, c->z, b, k, is_free);
  }
}

static void blend(const weft__particles* particles, const weft__coarse_corrections* corrections,
                  uint32_t patch) {
  const uint32_t end = corrections->patch_first_blend[patch + 1];
  for (uint32_t i = corrections->patch_first_blend[patch]; i < end; ++i) {
    blend_run(particles, corrections, &corrections->blends[i]);
  }
}

const weft__kernels KERNELS_TABLE = {
    .isa = KERNELS_ISA,
    .integrate = integrate,
    .solve_patch = solve_patch,
    .solve_hinges = solve_hinges,
    .list_displacements = list_displacements,
    .restrict_displacements = restrict_displacements,
    .measure_rests = measure_rests,
    .blend = blend,
    .find_torn = find_torn,
    .attachment = attachment,
    .bound = bound,
    .span = span,
    .encounter = encounter,
    .bound_tile = bound_tile,
    .is_stale = is_stale,
    .list_tile = list_tile,
    .prepare_tile = prepare_tile,
    .find_tile_contacts = find_tile_contacts,
    .solve_tile = solve_tile,
    .solve_contacts = solve_contacts,
};
