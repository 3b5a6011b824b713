/* weft, chapter 5: read a world back. Include <weft/weft.h>, which brings this.
 *
 * Everything here is called between steps, and changes nothing. */
#ifndef WEFT_READ_H
#define WEFT_READ_H

#include "weft/weft.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_world_stats {
  uint32_t particle_count;
  uint32_t link_count;
  uint32_t patch_count;       /* ranges of particles that are solved as one piece of work */
  uint32_t patch_color_count; /* patches of one colour share no particle */
  uint32_t group_count;       /* lane groups: up to 16 links that share no particle */
  uint32_t run_group_count;   /* of those, groups whose ends are consecutive in memory */
  uint32_t bend_count;        /* bend elements: see Bending at weft_material */
  uint32_t worker_count;
  uint32_t torn_count;  /* links that have broken: weft_link.tear_ratio, weft_world_cut() .. */
  uint32_t joint_count; /* joints that hold */
  uint64_t lost_events; /* torn links that found the buffer full: weft_world_def.max_events */
  weft_isa isa;         /* the one in use, never WEFT_ISA_AUTO */
  uint64_t step_count;  /* steps taken since the world was made */
  uint64_t bytes;       /* all memory that the world holds */
} weft_world_stats;

WEFT_API weft_result weft_world_get_stats(const weft_world* world, weft_world_stats* stats);

/* What a step is made of. */
typedef enum weft_stage {
  WEFT_STAGE_FORCES = 0, /* wind, gas; springs, and what integrators have to do around a substep */
  WEFT_STAGE_LINKS = 1,  /* integration, sweeps, coarse levels, joints */
  WEFT_STAGE_TREES = 2,  /* the direct solve of trees */
  WEFT_STAGE_NEAR = 3,   /* what may meet in a step: the broad phase of contacts */
  WEFT_STAGE_CLOTH = 4,  /* cloth from cloth */
  WEFT_STAGE_BODIES = 5, /* bodies from bodies */
  WEFT_STAGE_COLLIDERS = 6,
  WEFT_STAGE_EXACT = 7, /* what lets nothing pass */
  WEFT_STAGE_BOUNDS = 8,
  WEFT_STAGE_TEARS = 9,
  WEFT_STAGE_EVENTS = 10, /* events of contacts */
} weft_stage;
#define WEFT_STAGE_COUNT 11

/* "forces", "links" .. Never NULL. */
WEFT_API const char* weft_stage_name(weft_stage stage);

/* Seconds that each stage has taken since the world was made, [WEFT_STAGE_COUNT], as the calling
 * thread saw them. They are no part of what is computed. Needs weft_world_def.profile: else
 * WEFT_ERROR_EMPTY. */
WEFT_API weft_result weft_world_get_profile(const weft_world* world, double* seconds);

/* The whole of a world in a few numbers, in double precision. Pinned particles have no part in
 * mass, centre, momentum and energies. Velocities are those of weft_world_get_velocities(): after
 * steps of position Verlet, which are of half a step before, the sum of the energies swings by as
 * much. */
typedef struct weft_measures {
  double mass;          /* kilograms */
  double center[3];     /* metres: the centre of mass; 0 where there is no mass */
  double momentum[3];   /* kilogram metres per second */
  double kinetic;       /* joules */
  double gravitational; /* joules, with 0 at the origin */
  /* joules, of where particles are, not of what the solver has converged to: (length -
   * rest_length)^2 / (2 compliance) of links with a compliance, as far as their mode resists, and
   * B k^2 / 2 a square metre of bend elements: see Bending. Links without a compliance store none,
   * however long they are: see max_strain */
  double elastic;
  float least[3], most[3]; /* metres: the box around all particles */
  /* of unbroken, enabled structural links: the size of length / rest_length - 1, 0 where they do
   * not resist it */
  double mean_strain;
  double max_strain;
} weft_measures;

/* Takes O(particles + links). The same bits whatever the workers and the ISA. */
WEFT_API weft_result weft_world_measure(const weft_world* world, weft_measures* measures);

/* The faces that are left: triangles as particle numbers, [capacity][3], of sheets and meshes, in
 * the order in which they were added. Writes as many as there is room for, the first ones, and
 * sets *count to how many there are, written or not: with capacity 0, triangles may be NULL. A
 * face is gone while one of its links is broken or switched off.
 *
 * Meshes have the triangles that they were given. Each cell of a sheet has two, row by row: with h
 * = row * columns + column these are (h, h + columns, h + 1) and (h + 1, h + columns, h + columns
 * + 1), so that the normals point along down x across.
 *
 * Needs weft_world_def.faces: else WEFT_ERROR_EMPTY. */
WEFT_API weft_result weft_world_get_faces(const weft_world* world, uint32_t capacity,
                                          uint32_t* triangles, uint32_t* count);

/* Says of links [first, first + count) whether they have broken, [count]. One that is switched off
 * has not. */
WEFT_API weft_result weft_world_get_torn(const weft_world* world, uint32_t first, uint32_t count,
                                         bool* torn);

/* Copies the positions of particles [first, first + count), [count][3] in metres. */
WEFT_API weft_result weft_world_get_positions(const weft_world* world, uint32_t first,
                                              uint32_t count, float* positions);

/* Copies positions between the last two steps, as weft_advance.interpolation asks for: 0 gives the
 * step before the last, 1 the last. With substeps, what is before the last substep is what that
 * one's velocities make it; none is behind a wall of weft_bounds. */
WEFT_API weft_result weft_world_get_interpolated(const weft_world* world, float interpolation,
                                                 uint32_t first, uint32_t count, float* positions);

/* Copies velocities, [count][3] in metres per second: see weft_integrator. */
WEFT_API weft_result weft_world_get_velocities(const weft_world* world, uint32_t first,
                                               uint32_t count, float* velocities);

/* FNV-1a, 64 bits, over position x y z and previous position x y z of every particle in the
 * caller's order, each float as four bytes, least significant first. Worlds with springs, or with
 * an integrator other than position Verlet, have velocity x y z behind them. Equal for every
 * worker count and ISA. */
WEFT_API uint64_t weft_world_hash(const weft_world* world);

#ifdef __cplusplus
}
#endif

#endif
