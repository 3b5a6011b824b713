/* Hot loops: a table of SIMD kernels for each ISA, all with the same bits. kernels_body.inl is
 * compiled by a kernels_<isa>.c, the only file with that ISA's compiler flags. Ranges are [begin,
 * end). Pinned particles stay. */
#ifndef WEFT_KERNELS_KERNELS_H
#define WEFT_KERNELS_KERNELS_H

#include "geometry/triangle_batch.h"
#include "tables/bounds.h"
#include "tables/coarse_rest_lengths.h"
#include "tables/collider_batch.h"
#include "tables/face_batch.h"
#include "tables/long_range_attachments.h"
#include "tables/particles.h"
#include "tables/physics.h"
#include "tables/schedule.h"
#include "tables/self_tiles.h"
#include "tables/surface_load.h"
#include "tables/transfer.h"
#include "weft/weft.h"
#include "weft_modules.h"

typedef struct weft__kernels {
  weft_isa isa;

  /* Position Verlet, with forces if there are any. */
  void (*integrate)(weft__particles* particles, const weft__motion* motion, uint32_t begin,
                    uint32_t end);

  /* Makes this share of displacements the last ones: velocities of a shorter substep. */
  void (*shorten)(weft__particles* particles, float share, uint32_t begin, uint32_t end);

  /* Gauss-Seidel pass over a patch's links in schedule order or its reverse, one-sided if the
   * schedule says so. `records`: weft__record_floats(). */
  void (*solve_patch)(weft__particles* particles, const weft__schedule* schedule, uint32_t patch,
                      bool is_backward, float* records);

  void (*solve_hinges)(weft__particles* particles, const weft__hinge_schedule* hinges,
                       uint32_t patch, bool is_backward, float* records);

  void (*solve_membranes)(weft__particles* particles, const weft__membrane_schedule* membranes,
                          uint32_t patch, bool is_backward, float* records);

  /* Restriction of runs: `start` and `moved` of coarse particles become the weighted means over
   * their followers, `pos` their sum; sets the sums of shares. All 0 where no follower is free. */
  void (*restrict_displacements)(const weft__restriction* followers,
                                 const weft__displacements* finer,
                                 const weft__displacements* coarse, uint32_t begin, uint32_t end);

  /* Multipliers of the finer level's lane groups, from a coarse level's. */
  void (*start_multipliers)(const weft__multiplier_origins* origins, const float* coarse,
                            float* finer, uint32_t begin, uint32_t end);

  void (*measure_rests)(const weft__coarse_rest_lengths* rests, const weft__schedule* schedule,
                        uint32_t patch);

  /* Moves a patch's particles by the weighted correction of their parents. */
  void (*prolongate)(weft__particles* particles, const weft__coarse_corrections* corrections,
                     uint32_t patch);

  /* Fills links.torn for a patch's breakable runs; true if any link is overstretched. */
  bool (*find_torn)(const weft__particles* particles, const weft__schedule* schedule,
                    uint32_t patch, float* records);

  /* Projects a patch's particles onto the reach of their anchors, the nearest anchor last. */
  void (*solve_attachments)(weft__particles* particles, const weft__attachments* attachments,
                            uint32_t patch, uint32_t begin, uint32_t end);

  /* Reflects particles beyond a wall and marks contacts. `begin` starts a lane group, `end` ends
   * one or is the last. `first` clears the marks. */
  void (*solve_bounds)(weft__particles* particles, const weft__bounds* bounds,
                       const weft__motion* motion, uint32_t begin, uint32_t end, bool first);

  /* AABB [3] of current and previous positions; at least one particle. */
  void (*measure_extent)(const weft__particles* particles, uint32_t begin, uint32_t end,
                         float* lower, float* upper);

  /* Displacement since the previous positions, metres: a bound, infinite if one is not finite. */
  float (*measure_displacement)(const weft__particles* particles, uint32_t begin, uint32_t end);

  /* Bits of at most 64 particles no further than `distance` from an AABB, which includes the box's
   * radius. */
  uint64_t (*find_near)(const weft__particles* particles, const weft__rounded_box* box,
                        float distance, uint32_t begin, uint32_t end);

  /* Block that begins a lane group, against the encounter's obstacles; reports particles left to
   * the general code. */
  void (*solve_colliders)(weft__particles* particles, weft__collider_batch* encounter,
                          uint32_t begin, uint32_t end);

  /* All pairs of the batch. */
  void (*meet_triangles)(weft__triangle_batch* batch);

  /* Up to WEFT__BATCH_FACES faces. corner: columns of particles [count] */
  void (*load_faces)(const weft__particles* particles, const uint32_t* const corner[3],
                     uint32_t count, weft__face_batch* batch);

  /* Faces that may come within `distance` of the inner box, a bit each. */
  uint64_t (*find_near_faces)(const weft__face_batch* batch, const weft__rounded_box* box,
                              float distance);

  /* Adds the forces of air to a group of the stars. */
  void (*load_air)(weft__particles* particles, const weft__stars* stars, uint32_t group,
                   const weft__surface_load* load);

  /* Replaces the forces of gas at a group of the stars. */
  void (*load_gas)(weft__particles* particles, const weft__stars* stars, uint32_t group,
                   const weft__gas_load* load);

  /* Spheres at `at`, and their displacements since the lists were built. */
  void (*bound_tile)(const weft__self_tiles* tiles, uint32_t tile);

  /* Tiles, of the 16 from 16 x `group`, whose boxes overlap one of `others` relative to which they
   * have moved by more than `margin` since the lists were built; a bit each. */
  uint32_t (*find_stale)(const weft__self_tiles* tiles, uint32_t group, weft__range others,
                         float margin);

  /* Tiles whose boxes overlap a few tiles' boxes. False if too many: then some are listed, of one
   * tile as many as it is tested against. */
  bool (*find_near_tiles)(const weft__self_tiles* tiles, const weft__near_search* search,
                          weft__near_tiles* near);

  /* Neighbours within `skin` and the margins of touching a tile's lanes, in tiles of `near`; rows
   * ascend. */
  void (*list_tile)(const weft__self_tiles* tiles, uint32_t tile, float skin,
                    const weft__near_tiles* near, weft__tile_list* list);

  /* Overlaps of a tile with its near rows, each pair at one end; returns the number. */
  uint32_t (*find_overlaps)(const weft__self_tiles* tiles, uint32_t tile);

  /* Distances, friction and limits of rows [first, end), and impulses of 0. */
  void (*begin_contact_rows)(const weft__self_tiles* tiles, const weft__contact_rows* rows,
                             uint32_t first, uint32_t end);

  /* One pass over rows [first, end), no place twice among them. */
  void (*solve_contact_rows)(const weft__self_tiles* tiles, const weft__contact_rows* rows,
                             uint32_t first, uint32_t end);

  /* Solves the planes of a tile's `lanes`. Old overlap is pushed out by at most `allowed` metres.
   */
  void (*solve_planes)(const weft__self_tiles* tiles, uint32_t tile, uint32_t lanes,
                       weft__tile_planes* planes, float allowed, weft__tile_changes* changes);

  /* Struct that the stage's module declares; NULL: no kernels. */
  const void* of_stage[WEFT__STAGE_COUNT + 1];
} weft__kernels;

/* Floats before the records of the substep's start, which follow the present ones. */
static inline size_t weft__start_records(const weft__schedule* schedule) {
  return 4 * ((size_t)schedule->max_locals + WEFT__FAN_LANES);
}

/* Worker's scratch: both records of any patch, with a lane group for empty lanes. */
static inline size_t weft__record_floats(const weft__schedule* schedule) {
  return 2 * weft__start_records(schedule);
}

/* WEFT_ISA_AUTO: the widest; NULL if this build or CPU lacks it. */
const weft__kernels* weft__kernels_select(weft_isa isa);

extern const weft__kernels weft__kernels_scalar;
extern const weft__kernels weft__kernels_sse2;
extern const weft__kernels weft__kernels_avx2;
extern const weft__kernels weft__kernels_avx512;
extern const weft__kernels weft__kernels_neon;
extern const weft__kernels weft__kernels_simd128;

#endif
