/* The hot loops, one table of them for each ISA.
 *
 * Each is written once, in kernels_body.inl, and built once for each ISA by a kernels_<isa>.c that
 * alone gets that ISA's compiler flags. All give the same bits. */
#ifndef WEFT_KERNELS_KERNELS_H
#define WEFT_KERNELS_KERNELS_H

#include "tables/attachments.h"
#include "tables/blend.h"
#include "tables/body_contacts.h"
#include "tables/bounds.h"
#include "tables/cloth_tiles.h"
#include "tables/encounter.h"
#include "tables/particles.h"
#include "tables/rests.h"
#include "tables/schedule.h"
#include "weft/weft.h"

/* What integration does in one substep. */
typedef struct weft__motion {
  float kept;            /* share of the velocity that damping leaves */
  float displacement[3]; /* metres: acceleration times the substep squared */
  float reach[3];        /* metres: as far as a particle goes at most along each axis */
  float step_squared;    /* seconds squared: what a force over a mass is multiplied by */
} weft__motion;

typedef struct weft__kernels {
  weft_isa isa;

  /* Position Verlet for particles [begin, end), with their forces where there are some: pinned ones stay. */
  void (*integrate)(const weft__particles* particles, const weft__motion* motion, uint32_t begin,
                    uint32_t end);

  /* Solves the links of a patch in order, as the schedule says one-sided or not: one Gauss-Seidel
   * pass. `records` is room for
   * weft__record_floats(). */
  void (*solve_patch)(const weft__particles* particles, const weft__schedule* schedule,
                      uint32_t patch, float* records);

  /* Solves the hinges of a patch, which has some, in order: one Gauss-Seidel pass. `records` as above. */
  void (*solve_hinges)(const weft__particles* particles, const weft__hinge_schedule* hinges,
                       uint32_t patch, float* records);

  /* Lists the displacements of particles [begin, end) in this substep for a coarser level: see
   * WEFT__DISPLACEMENT_FLOATS. Those whose `follows` is 0, where it is not NULL, are left out. */
  void (*list_displacements)(const weft__particles* particles, const float* follows, uint32_t begin,
                             uint32_t end, float* records);

  /* Sets the records of particles [begin, end) of a coarse level to the means of those that follow them, of the finer
   * level's: all zeros where nothing does that is free. */
  void (*restrict_displacements)(const weft__followers* followers, const float* finer,
                                 uint32_t begin, uint32_t end, float* records);

  /* Sets the rest lengths of a patch of a coarse level. */
  void (*measure_rests)(const weft__rests* rests, const weft__schedule* schedule, uint32_t patch);

  /* Moves the particles of a patch by the mean of what their parents were corrected: pinned ones
   * stay. */
  void (*blend)(const weft__particles* particles, const weft__corrections* corrections,
                uint32_t patch);

  /* Fills schedule->torn for the runs of a patch that can break; true if any link is too long. The same
   * `records` as above. */
  bool (*find_torn)(const weft__particles* particles, const weft__schedule* schedule,
                    uint32_t patch, float* records);

  /* Moves the particles [begin, end) of a patch that are beyond the reach of a tether straight back onto
   * it, the nearest anchor's last: pinned ones stay. */
  void (*attachment)(const weft__particles* particles, const weft__attachments* attachments,
                     uint32_t patch, uint32_t begin, uint32_t end);

  /* Brings the particles [begin, end) back that are beyond a wall, and notes which are at one: pinned ones
   * stay. `begin` starts a lane group, and `end` ends one or is the last. `first` forgets what was noted. */
  void (*bound)(const weft__particles* particles, const weft__bounds* bounds,
                const weft__motion* motion, uint32_t begin, uint32_t end, bool first);

  /* The box around where particles [begin, end), at least one, are and were: [3] each. */
  void (*span)(const weft__particles* particles, uint32_t begin, uint32_t end, float* least,
               float* most);

  /* Takes the particles [begin, end), a block of them that begins a lane group, out of the obstacles of the
   * encounter, and says which it has left to others: pinned ones stay. */
  void (*encounter)(const weft__particles* particles, weft__encounter* encounter, uint32_t begin,
                    uint32_t end);

  /* The box around the spheres of a tile, where `at` has them, and around the ways from `built` to there. */
  void (*measure_tile)(const weft__self_tiles* tiles, uint32_t tile);

  /* Whether a tile's box meets one against which it has moved by more than `skin` since the lists were made. */
  bool (*is_stale)(const weft__self_tiles* tiles, uint32_t tile, float skin);

  /* Lists what is within `skin` of touching the lanes of a tile, in rows that ascend by place. */
  void (*list_tile)(const weft__self_tiles* tiles, uint32_t tile, float skin,
                    weft__tile_list* list);

  /* Finds what holds the lanes of a tile, and where others see them. Where it was not `left` in the substep before,
   * nothing holds them. */
  void (*ready_tile)(const weft__self_tiles* tiles, uint32_t tile, bool was_left);

  /* Finds the rows of a tile that touch it, and how many contacts its lanes count for. */
  void (*touch_tile)(const weft__self_tiles* tiles, uint32_t tile);

  /* One round of moving the lanes of a tile apart from what they touch. */
  void (*part_tile)(const weft__self_tiles* tiles, uint32_t tile, const weft__tile_round* round);

  /* Solves contacts [begin, end) of a sweep, of which no two share a free body, where a body has been stirred. */
  void (*solve_contacts)(weft__contact_sweep* sweep, uint32_t begin, uint32_t end);
} weft__kernels;

/* The floats that a worker needs for the records of any patch: what it touches, and a lane group
 * more for empty lanes. */
static inline size_t weft__record_floats(const weft__schedule* schedule) {
  return 4 * ((size_t)schedule->most_locals + WEFT__FAN_LANES);
}

/* The table for an ISA, WEFT_ISA_AUTO for the widest; NULL if this build or this CPU lacks it. */
const weft__kernels* weft__kernels_select(weft_isa isa);

extern const weft__kernels weft__kernels_scalar;
extern const weft__kernels weft__kernels_sse2;
extern const weft__kernels weft__kernels_avx2;
extern const weft__kernels weft__kernels_avx512;
extern const weft__kernels weft__kernels_neon;

#endif
