/* Hot loops: a table of SIMD kernels for each ISA.
 *
 * Each kernel is written once, in kernels_body.inl, and compiled once for each ISA by a
 * kernels_<isa>.c, the only file with that ISA's compiler flags. All ISAs give the same bits. */
#ifndef WEFT_KERNELS_KERNELS_H
#define WEFT_KERNELS_KERNELS_H

#include "tables/bounds.h"
#include "tables/coarse_rest_lengths.h"
#include "tables/collider_batch.h"
#include "tables/face_batch.h"
#include "tables/long_range_attachments.h"
#include "tables/particles.h"
#include "tables/physics.h"
#include "tables/schedule.h"
#include "tables/self_tiles.h"
#include "tables/transfer.h"
#include "weft/weft.h"
#include "weft_modules.h"

typedef struct weft__kernels {
  weft_isa isa;

  /* Position Verlet of particles [begin, end), with forces if there are any. Pinned particles
   * stay. */
  void (*integrate)(const weft__particles* particles, const weft__motion* motion, uint32_t begin,
                    uint32_t end);

  /* Solves the links of a patch: one Gauss-Seidel pass in schedule order or its reverse, one-sided
   * if the schedule says so. `records`: scratch of weft__record_floats(). */
  void (*solve_patch)(const weft__particles* particles, const weft__schedule* schedule,
                      uint32_t patch, bool is_backward, float* records);

  /* Solves the hinges of a patch that has some: one Gauss-Seidel pass, likewise. */
  void (*solve_hinges)(const weft__particles* particles, const weft__hinge_schedule* hinges,
                       uint32_t patch, bool is_backward, float* records);

  /* Loads the inverse masses of a block of bend lines and factors its matrices. */
  void (*factor_bend_lines)(const weft__particles* particles, const weft__bend_lines* lines,
                            uint32_t block);

  /* Solves a block of bend lines, whose factors are up to date, and sets its multipliers, one for
   * each row. `positions`: scratch, one for each row. */
  void (*solve_bend_lines)(const weft__particles* particles, const weft__bend_lines* lines,
                           uint32_t block, weft__line_positions* positions,
                           weft__hinge_multiplier* multipliers);

  /* Sets the jumps of edge groups [begin, end) of meshes. */
  void (*measure_bend_edges)(const weft__particles* particles, const weft__mesh_bends* bends,
                             uint32_t begin, uint32_t end);

  /* Eliminates the pivots of a node, whose children are done, from its forces. */
  void (*eliminate_bend_node)(const weft__particles* particles, const weft__mesh_bends* bends,
                              const weft__bend_node* node);

  /* Solves for the pivots of a node, whose parent is done, and moves its particles. */
  void (*substitute_bend_node)(const weft__particles* particles, const weft__mesh_bends* bends,
                               const weft__bend_node* node);

  /* Solves the membrane elements of a patch: one Gauss-Seidel pass, likewise. */
  void (*solve_membranes)(const weft__particles* particles,
                          const weft__membrane_schedule* membranes, uint32_t patch,
                          bool is_backward, float* records);

  /* Restriction of runs [begin, end): sets `start` and `moved` of their coarse particles to the
   * weighted means over their followers of the finer level, `pos` to their sum, and the sums of the
   * shares; all 0 where no follower is free. */
  void (*restrict_displacements)(const weft__restriction* followers,
                                 const weft__displacements* finer,
                                 const weft__displacements* coarse, uint32_t begin, uint32_t end);

  /* Starts the multipliers of lane groups [begin, end) of the finer level from a coarse level's. */
  void (*start_multipliers)(const weft__multiplier_origins* origins, const float* coarse,
                            float* finer, uint32_t begin, uint32_t end);

  /* Sets the rest lengths of a patch of a coarse level. */
  void (*measure_rests)(const weft__coarse_rest_lengths* rests, const weft__schedule* schedule,
                        uint32_t patch);

  /* Prolongation: moves the particles of a patch by the weighted correction of their parents.
   * Pinned particles stay. */
  void (*prolongate)(const weft__particles* particles, const weft__coarse_corrections* corrections,
                     uint32_t patch);

  /* Fills schedule->torn for the breakable runs of a patch; true if any link is overstretched.
   * `records` as above. */
  bool (*find_torn)(const weft__particles* particles, const weft__schedule* schedule,
                    uint32_t patch, float* records);

  /* Long-range attachments: projects particles [begin, end) of a patch onto the reach of their
   * anchors, the nearest anchor last. Pinned particles stay. */
  void (*solve_attachments)(const weft__particles* particles, const weft__attachments* attachments,
                            uint32_t patch, uint32_t begin, uint32_t end);

  /* World bounds: reflects particles [begin, end) that are beyond a wall and marks contacts.
   * `begin` starts a lane group, `end` ends one or is the last. `first` clears the marks. Pinned
   * particles stay. */
  void (*solve_bounds)(const weft__particles* particles, const weft__bounds* bounds,
                       const weft__motion* motion, uint32_t begin, uint32_t end, bool first);

  /* AABB of the current and previous positions of particles [begin, end), at least one; [3]
   * each. */
  void (*measure_extent)(const weft__particles* particles, uint32_t begin, uint32_t end,
                         float* lower, float* upper);

  /* Bound on the displacements of particles [begin, end) since their previous positions, metres;
   * infinite if one is not finite. */
  float (*measure_displacement)(const weft__particles* particles, uint32_t begin, uint32_t end);

  /* Particles [begin, end), at most 64, that are no further than `distance` from an AABB; one bit
   * each. The radius of the box is part of the distance. */
  uint64_t (*find_near)(const weft__particles* particles, const weft__rounded_box* box,
                        float distance, uint32_t begin, uint32_t end);

  /* Resolves the particles [begin, end), a block that begins a lane group, against the obstacles of
   * the encounter, and reports those left to the general code. Pinned particles stay. */
  void (*solve_colliders)(const weft__particles* particles, weft__collider_batch* encounter,
                          uint32_t begin, uint32_t end);

  /* Loads the corners of up to WEFT__BATCH_FACES faces, given by three columns of particles
   * [count], and bounds them. */
  void (*load_faces)(const weft__particles* particles, const uint32_t* const corner[3],
                     uint32_t count, weft__face_batch* batch);

  /* Faces of the batch that may come within `distance` of the inner box of a rounded box, one bit
   * each: all that do, and few others. */
  uint64_t (*find_near_faces)(const weft__face_batch* batch, const weft__rounded_box* box,
                              float distance);

  /* Bounds of a tile's spheres at `at`, and of their displacements since the lists were built. */
  void (*bound_tile)(const weft__self_tiles* tiles, uint32_t tile);

  /* Bits of the tiles, among the 16 from 16 x `group` on, whose boxes overlap one of `others`
   * relative to which they have moved by more than `margin` since the lists were built. */
  uint32_t (*find_stale)(const weft__self_tiles* tiles, uint32_t group, weft__range others,
                         float margin);

  /* Lists tiles whose boxes overlap a few tiles' boxes. False if there are too many; then some are
   * listed: of one tile, as many as it is tested against. */
  bool (*find_near_tiles)(const weft__self_tiles* tiles, const weft__near_search* search,
                          weft__near_tiles* near);

  /* Lists the neighbours within `margin` of touching the lanes of a tile, rows in ascending order,
   * in tiles of `near`. */
  void (*list_tile)(const weft__self_tiles* tiles, uint32_t tile, float margin,
                    const weft__near_tiles* near, weft__tile_list* list);

  /* Determines the supports of a tile's lanes and their predicted positions. Without `was_left` in
   * the substep before there are no supports. */
  void (*prepare_tile)(const weft__self_tiles* tiles, uint32_t tile, bool was_left);

  /* Finds the rows of a tile that overlap it, and the mass splitting weights of its lanes. */
  void (*find_tile_contacts)(const weft__self_tiles* tiles, uint32_t tile);

  /* One relaxation round of a tile against its neighbours. */
  void (*solve_tile)(const weft__self_tiles* tiles, uint32_t tile, const weft__tile_round* round);

  /* Kernels of the modules' stages, in the struct that the module declares; NULL without any. */
  const void* of_stage[WEFT__STAGE_COUNT + 1];
} weft__kernels;

/* First of the records of the start of the substep, which follow the present ones: floats. */
static inline size_t weft__start_records(const weft__schedule* schedule) {
  return 4 * ((size_t)schedule->max_locals + WEFT__FAN_LANES);
}

/* Scratch floats of a worker: for both records of any patch, its locals and one lane group for
 * empty lanes, or for the multipliers of a block of bend lines. */
static inline size_t weft__record_floats(const weft__schedule* schedule) {
  const size_t records = 2 * weft__start_records(schedule);
  const size_t lines = weft__line_floats(&schedule->bend_lines);
  return lines > records ? lines : records;
}

/* Kernels of an ISA, WEFT_ISA_AUTO for the widest; NULL if this build or CPU lacks it. */
const weft__kernels* weft__kernels_select(weft_isa isa);

extern const weft__kernels weft__kernels_scalar;
extern const weft__kernels weft__kernels_sse2;
extern const weft__kernels weft__kernels_avx2;
extern const weft__kernels weft__kernels_avx512;
extern const weft__kernels weft__kernels_neon;
extern const weft__kernels weft__kernels_simd128;

#endif
