/* weft, chapter 5: read a world back. Include <weft/weft.h>, which includes this.
 *
 * All calls are made between steps, and change nothing. */
#ifndef WEFT_READ_H
#define WEFT_READ_H

#include "weft/weft.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_world_stats {
  uint32_t particle_count;
  uint32_t link_count;
  uint32_t patch_count;       /* patches: ranges of particles that one worker solves at a time */
  uint32_t patch_color_count; /* colours of patches; patches of one colour share no particle */
  uint32_t group_count;       /* lane groups: up to 16 links that share no particle */
  uint32_t run_group_count;   /* lane groups whose ends are consecutive in memory */
  uint32_t bend_count;        /* bend elements: see Bending at weft_material_def */
  uint32_t swept_bend_count;  /* bend elements left to sweeps: too soft, the finer the more */
  /* in use, the largest of all bodies: see weft_world_explain() */
  uint32_t substeps, iterations, coarse_iterations, attachments;
  uint32_t last_substeps; /* of the last step: see weft_solver_def.max_substeps */
  uint32_t sweeps;        /* over the links in the last step, all substeps together */
  /* metres: root mean square displacement by the last sweep; 0 without weft_solver_def.tolerance */
  float residual;
  uint32_t worker_count;
  uint32_t torn_count;  /* torn links: weft_link_def.tear_ratio, weft_world_cut() .. */
  uint32_t joint_count; /* unbroken joints */
  uint64_t lost_events; /* torn links lost to a full buffer: weft_world_def.max_events */
  weft_isa isa;         /* in use, never WEFT_ISA_AUTO */
  uint64_t step_count;  /* steps since the world was created */
  uint64_t bytes;       /* memory of the world */
} weft_world_stats;

/* Copies the statistics. */
WEFT_RESULT weft_world_get_stats(const weft_world* world, weft_world_stats* stats);

/* Integral quantities of a world, in double precision. Pinned particles are excluded from mass,
 * centre, momentum and energies. Velocities are as of WEFT_ATTRIBUTE_VELOCITY: with position
 * Verlet they lag by half a step, and the sum of the energies oscillates. */
typedef struct weft_measures {
  double mass;        /* kilograms */
  double center[3];   /* centre of mass, metres; 0 if the mass is 0 */
  double momentum[3]; /* kilogram metres per second */
  /* kilogram metres squared per second about the origin, rotation included */
  double angular_momentum[3];
  double kinetic;       /* joules, rotation included */
  double gravitational; /* joules, 0 at the origin */
  /* joules, from positions: (length - rest_length)^2 / (2 compliance) of links with a compliance
   * where their mode resists, B k^2 / 2 a square metre of bend elements, and bending and twist of
   * rods. Links without a compliance store none: see max_strain */
  double elastic;
  double pair; /* joules of weft_world_def.pair_force, pairs of pinned particles left out */
  float lower[3], upper[3]; /* metres: bounding box of all particles */
  /* |length / rest_length - 1| of intact, enabled structural links; 0 where their mode does not
   * resist */
  double mean_strain;
  double max_strain;
  /* Residual of the constraints, metres: root mean square and largest |C + a u| over the links that
   * act, C being the length error that a link resists, u its Lagrange multiplier in the last
   * substep and a its compliance over the squared substep; 0 in a world of springs. Contacts,
   * bounds and joints that move particles after the last sweep count. (Macklin, Mueller, Chentanez
   * 2016, "XPBD", equation 9) */
  double residual;
  double max_residual;
} weft_measures;

/* Takes O(particles + links) time. Gives the same bits for any worker count and ISA. With
 * weft_world_def.pair_force it allocates, and frees, lists of neighbours. */
WEFT_RESULT weft_world_measure(const weft_world* world, weft_measures* measures);

/* Remaining faces of sheets and meshes: triangles as particle numbers, [capacity][3], in the order
 * in which they were added. Writes the first `capacity` and sets *count to the number of all;
 * triangles may be NULL if capacity is 0. A face is gone while one of its links is torn or switched
 * off.
 *
 * Each cell of a sheet has two, row by row: with h = row * columns + column these are (h, h +
 * columns, h + 1) and (h + 1, h + columns, h + columns + 1): normals point along down x across.
 *
 * Fails with WEFT_ERROR_DISABLED in a plane. */
WEFT_RESULT weft_world_get_faces(const weft_world* world, uint32_t capacity, uint32_t* triangles,
                                 uint32_t* count);

/* Handles of all living particles, in the order of their numbers, which are the `index` of a
 * handle. Writes the first `capacity` and sets *count to the number of all; particles may be NULL
 * if capacity is 0. */
WEFT_RESULT weft_world_list_particles(const weft_world* world, uint32_t capacity,
                                      weft_particle* particles, uint32_t* count);

/* Handle of the particle of a number, for example from a contact event. Fails with WEFT_ERROR_STALE
 * at "number" if it has been removed. */
WEFT_RESULT weft_world_get_particle(const weft_world* world, uint32_t number,
                                    weft_particle* particle);

/* ---- settings -------------------------------------------------------------------------------- */

/* Def of a world as it is set now: with the present gravity, damping, speed limits and step, the
 * choices in place of WEFT_AUTO unless bodies differ in them, and the ISA in use. It makes a world
 * with the same settings. */
WEFT_RESULT weft_world_get_def(const weft_world* world, weft_world_def* def);

/* ---- hash ------------------------------------------------------------------------------------ */

/* State hash: FNV-1a, 64 bits, over position x y z and previous position x y z of every particle
 * in the caller's order, free slots of reserved ones left out, each float as four bytes, least
 * significant first. Worlds with springs, or with an integrator other than position Verlet, append
 * velocity x y z; particles that turn insert angular velocity x y z and orientation x y z w before
 * it. Equal for every worker count and ISA. */
WEFT_API uint64_t weft_world_hash(const weft_world* world);

#ifdef __cplusplus
}
#endif

#endif
