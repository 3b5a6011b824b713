/* weft, chapters 3 and 4: worlds and their time. Include <weft/weft.h>, which includes this. */
#ifndef WEFT_WEFT_H
// included first: weft.h includes this file again, after the types that it needs
#include "weft/weft.h"
#elif !defined(WEFT_WORLD_H)
#define WEFT_WORLD_H

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 3 World --------------------------------------------------------------------------------- */

typedef struct weft_world weft_world;

/* Handles. `index` is a slot in a table of the world, of a particle its number; slots are reused.
 * `generation` distinguishes the entries of a slot; it is never 0, and repeats after 2^31 entries.
 * A zeroed handle is null. Two handles are equal if both members are. A call fails with
 * WEFT_ERROR_STALE if its handle is null, removed, or has no such slot. Handles are valid only in
 * the world that returned them. */
typedef struct weft_collider {
  uint32_t index;
  uint32_t generation;
} weft_collider;

typedef struct weft_joint {
  uint32_t index;
  uint32_t generation;
} weft_joint;

typedef struct weft_grip {
  uint32_t index;
  uint32_t generation;
} weft_grip;

typedef struct weft_particle {
  uint32_t index;
  uint32_t generation;
} weft_particle;

typedef enum weft_isa {
  /* named by the environment variable WEFT_ISA, as by weft_isa_name(); if unset, the widest that
   * CPU and build support */
  WEFT_ISA_AUTO = 0,
  WEFT_ISA_SCALAR = 1,
  WEFT_ISA_SSE2 = 2,
  WEFT_ISA_AVX2 = 3,
  WEFT_ISA_AVX512 = 4,
  WEFT_ISA_NEON = 5,
  WEFT_ISA_SIMD128 = 6, /* WebAssembly */
} weft_isa;

/* Time integrators of gravity, wind and springs (weft_solver_def.springs); links, bounds and joints
 * are the same with all. x are positions, v velocities, a accelerations, h the substep in seconds,
 * a prime the end of the substep. Order n: global errors fall as h^n if only springs damp. Other
 * links, and bounds, are first order.
 *
 * Damping comes first: v := e^(-damping h) v. v is clamped to max_speed wherever it moves a
 * particle. A displacement d by constraints adds d / h to the velocity.
 *
 * Energies are without damping. The first three are stable below h = 2 / w, w the largest angular
 * frequency of the springs in radians per second; spring_damping lowers it. Springs of stiffness k,
 * n at each particle of mass m, have w of at most sqrt(2 n k / m). */
typedef enum weft_integrator {
  /* x' = 2 x - x_before + a h^2 (Verlet 1967). Order 2, symplectic: with springs only, the energy
   * oscillates about a fixed value. The variant 1.99 x - 0.99 x_before is damping = -ln(0.99) / h.
   *
   * With springs the start is of order 2, x_before = x - v h + a h^2 / 2, and velocities, of order
   * 2, belong to the time of the positions, but for one substep after a collision with a bound.
   * Without springs x_before = x - v h, and velocities are (x - x_before) / h, half a substep
   * earlier. */
  WEFT_INTEGRATOR_POSITION_VERLET = 0,
  /* v" = v + a h / 2, x' = x + v" h, v' = v" + a' h / 2 (Swope, Andersen, Berens, Wilson 1982).
   * Trajectory and limit of position Verlet, velocities of order 2. Two spring evaluations a
   * substep. */
  WEFT_INTEGRATOR_VELOCITY_VERLET = 1,
  /* v' = v + a h, x' = x + v' h. Order 1, symplectic, the same limit, a larger amplitude of the
   * energy. */
  WEFT_INTEGRATOR_SEMI_IMPLICIT_EULER = 2,
  /* x' = x + v h, v' = v + a h. Order 1; the energy of an oscillator grows by a factor 1 + (w h)^2
   * a substep: unstable at any h. Constraints act one substep late: a particle that hangs at rest
   * has the velocity that gravity adds in one substep. */
  WEFT_INTEGRATOR_EXPLICIT_EULER = 3,
  /* v' = v + a' h, x' = x + v' h, a' linearised once at the start of the substep and solved by
   * conjugate gradients (Baraff, Witkin 1998, "Large steps in cloth simulation") to 1e-7 of the
   * first residual or for 200 iterations, which leaves springs softer. Order 1; the energy of an
   * oscillator falls by a factor 1 / (1 + (w h)^2) a substep. Stable for springs of any stiffness
   * at any h, except that bodies that rotate by more than half a radian a substep can gain energy.
   */
  WEFT_INTEGRATOR_IMPLICIT_EULER = 4,
  /* Four stages (Kutta 1901): spring forces at x, twice at h / 2, once at h, weights 1, 2, 2, 1
   * over 6. Order 4 for springs, their damping and gravity; wind, gas, moved pins and damping
   * beside springs are constant in a substep. Not symplectic: the energy of an oscillator falls by
   * a factor 1 - (w h)^6 / 72 a substep, and grows above h = 2.83 / w. Four spring evaluations a
   * substep, 72 bytes a particle */
  WEFT_INTEGRATOR_RUNGE_KUTTA_4 = 5,
} weft_integrator;

/* Treatment of elapsed time that is shorter than a whole step. */
typedef enum weft_remainder {
  WEFT_REMAINDER_CARRY = 0, /* carried over to the next call */
  /* Taken as a further, shorter step: see weft_world_set_step(). Below 1,000 nanoseconds it is
   * carried over. Results depend on the frames. Costs as much as a whole step, and 12 bytes a
   * particle */
  WEFT_REMAINDER_STEP = 1,
} weft_remainder;

/* Value of iterations, coarse_iterations, substeps and attachments for which weft_world_create()
 * chooses for each body, as if it were the only one, so that cloth does not stretch under its own
 * weight. A body is what links, bend elements or gas join. weft_world_explain() has the choices:
 *
 *   substeps      step_ns / 2,083,334, rounded up, at most 16: 8 for 1/60 s; 1 without links.
 *                 Twice as many for cloth that collides by weft_scene_set_particle_shape(). Four
 *                 times as many for cloth of measured stiffness, unless iterations or levels are
 *                 given: an elastic mesh without gas, or an elastic sheet that resists bending
 *   in a step     the most of all bodies. Others take fewer, longer ones: bodies without contacts,
 *                 joints and moved or held particles, and cloth and ropes that collide while
 *                 nothing is near them. Not meshes that resist bending, and not in worlds with
 *                 bounds, loads, skin limits or paused environments
 *   attachments   4 on pinned cloth whose links are rigid and cannot tear; else 0. Ropes and trees
 *                 are solved directly
 *   levels        2 iterations each for cloth that attachments do not hold and that would sag by
 *                 more than 0.2 %, or 0.5 % for cloth of measured stiffness; else none. Levels miss
 *                 moduli and bends: see docs/materials.md
 *   iterations    6 for cloth of measured stiffness, 24 with gas, 12 if substeps are given; else 4
 *                 for elastic sheets, in twice as many substeps; else 2
 *
 * If all but attachments are WEFT_AUTO, rigid cloth that hangs by about one edge, or falls free,
 * takes as many substeps as its strain needs, an eighth at rest; if it is large, with levels, but
 * in violent motion. Ropes and other trees, all of whose links are solved directly and cannot tear,
 * take an eighth at rest, else all.
 *
 * Source: Macklin, Storey, Lu, Terdiman, Chentanez, Jeschke, Mueller 2019, "Small steps in physics
 * simulation". */
#define WEFT_AUTO UINT32_MAX

typedef enum weft_pair_force {
  WEFT_PAIR_FORCE_NONE = 0,
  /* U(r) = 4 strength ((size / r)^12 - (size / r)^6), less the force at the cutoff (Toxvaerd, Dyre
   * 2011); nearer than a hundredth of the size the force grows no more */
  WEFT_PAIR_FORCE_LENNARD_JONES = 1,
  /* pushes apart by strength * (cutoff - r) */
  WEFT_PAIR_FORCE_SPRING = 2,
} weft_pair_force;

/* Forces between particles nearer to each other than a cutoff, linked or not, pinned ones included.
 * They act as springs do, with every integrator but WEFT_INTEGRATOR_IMPLICIT_EULER, whose solve
 * leaves them out.
 *
 * A particle tests at most 4,096 others for its list of neighbours, and keeps at most
 * max_neighbors; lists cut off count in weft_contact_stats.lost_pairs, and momentum is not
 * conserved then. */
typedef struct weft_pair_force_def {
  weft_pair_force kind;   /* default WEFT_PAIR_FORCE_NONE; else the fields below count */
  float strength;         /* joules, or newtons per metre of a spring, 1e-12 to 1e12; default 1 */
  float size;             /* metres, 1e-6 to 1e6, of Lennard-Jones; default 1 */
  float cutoff;           /* metres, 1e-6 to 1e6, of Lennard-Jones 1 to 10 sizes; default 2.5 */
  uint32_t max_neighbors; /* per particle, 1 to 4096; default 128; 4 bytes each */
  uint32_t first, count;  /* particles, by number; count 0 = all from first. default 0, 0 */
} weft_pair_force_def;

/* Friction of two surfaces with coefficients a and b, static and dynamic. Contacts of cloth by its
 * thickness always combine by the default. */
typedef enum weft_friction_rule {
  WEFT_FRICTION_RULE_ROOT_SUM_SQUARES = 0, /* sqrt(a^2 + b^2) */
  WEFT_FRICTION_RULE_MEAN = 1,             /* (a + b) / 2 */
  /* weft_world_set_material_pair(), restitution too; pairs that are not set as by default */
  WEFT_FRICTION_RULE_TABLE = 2,
} weft_friction_rule;

/* Sweeps over links, bend elements and membranes. */
typedef enum weft_sweeps {
  /* Half of a substep's sweeps in one order, then half in the reverse, which makes no energy; an
   * odd number counts as the next even one. Links are corrected along their direction at the start
   * of the substep, which makes and loses no spin (SHAKE; Ryckaert, Ciccotti, Berendsen 1977), or
   * along the present one if they have turned by more than 37 degrees since, or if they are
   * elastic and so taut that their ends swing faster than a substep resolves. See docs/motion.md */
  WEFT_SWEEPS_SYMMETRIC = 0,
  /* Every sweep in the same order, along the present direction (Mueller, Heidelberger, Hennix,
   * Ratcliff 2007, "Position based dynamics", section 3.3): for comparison. Swings and spins decay,
   * a vertex of many links may gain energy without bound */
  WEFT_SWEEPS_TEXTBOOK = 1,
} weft_sweeps;

/* Aim of WEFT_AUTO. */
typedef enum weft_quality {
  /* Rigid cloth that adapts keeps a mean strain of 0.1 %, or 0.5 % where it is large, hangs and
   * moves, or is in contact, unless all its substeps and, of sheets, four times the sweeps do not
   * suffice */
  WEFT_QUALITY_FINE = 0,
  /* five times these, in half as many substeps: for games */
  WEFT_QUALITY_DRAFT = 1,
  /* all substeps in every step, and levels on large hung cloth: twice the time of violent motion */
  WEFT_QUALITY_EXACT = 2,
} weft_quality;

/* Solver of the equations: effort and methods. Numbers that are WEFT_AUTO are chosen for each
 * body.
 */
typedef struct weft_solver_def {
  uint32_t iterations; /* sweeps over all links a substep, 0 to 10,000; default WEFT_AUTO */
  /* Tolerance in metres, 0 to 1e6; 0 = off, the default. Else sweeps end when the root mean square
   * displacement of free particles by the last one is at most this, `iterations` being the cap.
   * Costs a pass over the particles after each sweep, 12 bytes a particle */
  float tolerance;
  /* Sweeps over each coarse multigrid level a substep, 0 to 10,000; 0 = no levels; default
   * WEFT_AUTO. They keep large cloth from stretching */
  uint32_t coarse_iterations;
  /* Coarse levels act in the first substep of a step and in every n-th one from there, 1 to 1,000;
   * default 1. With 2, large cloth takes two thirds of the time and stretches twice as far */
  uint32_t coarse_every;
  /* Most Newton iterations for each tree and substep of the direct solver, 0 to 100; default 6, 0 =
   * off. Trees are ropes, chains, branches: at least two structural links of relaxation 1 and mode
   * WEFT_LINK_MODE_BOTH that form no loop among free particles. They bear any load */
  uint32_t direct_iterations;
  /* Substeps of equal length in a step, each with all iterations, 1 to 1,000; default WEFT_AUTO */
  uint32_t substeps;
  /* Substeps of a step at most, 1 to 1,000; default WEFT_AUTO = four times `substeps`; `substeps`
   * or less = always `substeps`. A step takes more while cloth and a collider near it, planes
   * aside, move by more than 0.35 of the spacing of its particles in a substep, seen from each
   * other: so many that they do not. Their number falls once fewer have been enough for a sixth of
   * a second. Worlds of several environments always take `substeps`. weft_world_stats has the last
   * number */
  uint32_t max_substeps;
  /* Long-range attachments (LRA) of a particle, 0 to 4; 0 = none; default WEFT_AUTO. Before links
   * are solved, a particle is moved to within the geodesic distance of the nearest pinned particle:
   * the shortest path along links at rest lengths, less its zigzags across a surface, at most a
   * sixth. Pinned particles that links connect are one island; a particle has one attachment to
   * each of the nearest islands. Links with a compliance, links that can tear, supports, and links
   * of mode WEFT_LINK_MODE_COMPRESS or WEFT_LINK_MODE_RANGE are not part of a path.
   *
   * Anchors are the pins of the scene; one that is unpinned in the world holds nothing meanwhile.
   * An attachment ends when a link of its path is torn or switched off by a call */
  uint32_t attachments;
  weft_quality quality; /* aim of WEFT_AUTO; default WEFT_QUALITY_FINE */

  /* Most vertices of a mesh whose bending is solved directly; 0 = none; default 20000. Larger
   * meshes have swept bend elements: far too soft, the finer the more. 1,000 vertices take 2 MB,
   * 16,000 about 60 MB; the matrix is factored when made and when a mass or the length of a step
   * changes: 5 ms and 0.4 s. Tears renew it within some steps, which take up to twice as long
   * meanwhile; the matrix of a mesh so stiff that it swings faster than a substep resolves is
   * factored as a whole, as often. Not with loads */
  uint32_t direct_bends;

  weft_integrator integrator; /* default WEFT_INTEGRATOR_POSITION_VERLET */
  weft_sweeps sweeps;         /* default WEFT_SWEEPS_SYMMETRIC */
  /* Links with a compliance and relaxation 1 are Hooke springs: a force of (length - rest_length) /
   * compliance plus spring_damping times the rate of elongation, where their mode resists. Springs
   * are not swept, are no part of trees, attachments and levels, and are stable within the limit of
   * the integrator. Default false: they are constraints */
  bool springs;
} weft_solver_def;

typedef struct weft_world_def {
  float gravity[3]; /* metres per second squared; default 0 -9.81 0 */
  float damping;    /* 1/seconds, >= 0: rate of exponential decay of velocities; default 0.1 */
  weft_solver_def solver;         /* iterations, substeps and the like */
  weft_pair_force_def pair_force; /* forces between particles without links; default none */
  /* metres per second along each axis, > 0; clamped to WEFT_MAX_MAGNITUDE; default infinity */
  float max_speed[3];
  weft_friction_rule friction_rule; /* default WEFT_FRICTION_RULE_ROOT_SUM_SQUARES */
  /* Particles stay in the plane z = 0 to the bit. There are no faces, so neither wind nor normals,
   * nor WEFT_COLLISION_EXACT. Spheres are discs, boxes rectangles, ellipsoids
   * ellipses; half_size[2] has no effect. Colliders are WEFT_COLLIDER_SHAPE_PLANE to
   * WEFT_COLLIDER_SHAPE_ELLIPSOID, whose cross-section goes on along z; they rotate about z.
   * Default false.
   *
   * Fails with WEFT_ERROR_RANGE, in any call, at a position, velocity, force, gravity or offset
   * whose z is not 0, at a rotation not about z, at bounds that are not open along z, at a scene
   * with pressure, at other colliders, and at WEFT_PARTICLE_SHAPE_CLOTH */
  bool plane;
  /* Measure loads: impulses on colliders, reactions of pins, tensions of links, see
   * weft_world_get_collider_loads() and WEFT_ATTRIBUTE_LINK_TENSION. Levels and attachments carry
   * load past the links: WEFT_AUTO chooses none, and a number above 0 fails with WEFT_ERROR_RANGE.
   * Default false */
  bool loads;
  /* metres per second, >= 0: islands no faster than this for sleep_seconds fall asleep, see
   * weft/sleep.h; 0, the default, = never. 0.05 suits bodies of a metre */
  float sleep_speed;
  float sleep_seconds;      /* 1e-6 to 1e6; default 0.5 */
  uint32_t max_joints;      /* at one time, 0 to 1,000,000; default 64. See weft_joint_def */
  uint32_t max_events;      /* capacity for torn links until taken, 0 to 2^30; default 4096 */
  int64_t step_ns;          /* step, nanoseconds, 1,000 to 1,000,000,000; default 1/60 s */
  uint32_t max_steps;       /* most whole steps of one weft_world_advance(), >= 1; default 8 */
  int64_t max_elapsed_ns;   /* clamp of the elapsed time: 0 = none, the default; else >= step_ns */
  int64_t min_elapsed_ns;   /* shorter elapsed times count as this, 0 to 1,000,000,000 and, if there
                               is one, max_elapsed_ns; default 0 */
  bool smooth_elapsed;      /* mean of this elapsed time and the last mean; default false */
  weft_remainder remainder; /* default WEFT_REMAINDER_CARRY */
  bool profile;             /* time each stage: see weft_world_get_profile(); default false */
  /* Spans of each worker kept of the last step, 72 bytes each, 0 to 2^22: see
   * weft_world_get_spans(); default 0 = off. A caller without help then takes loops in pieces, as
   * workers do */
  uint32_t span_capacity;
  /* threads, the caller's included, 1 to WEFT_MAX_WORKERS; default 1. Small scenes use fewer. A
   * world has at most weft_available_cpus(), with shared threads these and the caller */
  uint32_t worker_count;
  weft_threads* threads;        /* shared with other worlds; default NULL = none. See chapter 10 */
  weft_task_system task_system; /* the host's, if there are no `threads`; default none */
  /* CPU of each worker by the system's number, [worker_count], read by weft_world_create(); NULL,
   * the default, leaves workers to the system. Each must be in the affinity mask of the calling
   * thread. Worker 0 is the thread that steps: it binds itself, after weft_world_create(). Linux
   * only. NULL with `threads` or a task system */
  const uint32_t* worker_cpus;
  void* user_data; /* the host's, in weft_world_get_def(); default NULL */
  weft_isa isa;    /* default WEFT_ISA_AUTO */
  uint32_t cookie; /* private */
} weft_world_def;

WEFT_API weft_world_def weft_default_world_def(void);

/* The default with the sweeps of a textbook: 10 iterations a step, one substep, no levels, no
 * attachments. Large cloth is as soft as rubber with these. */
WEFT_API weft_world_def weft_plain_world_def(void);

/* Freezes a scene into a world and starts the workers. The scene is only read, and may be changed
 * or destroyed afterwards. Fails at the field of weft_world_def; with WEFT_ERROR_EMPTY at "scene"
 * if it has no particle, with WEFT_ERROR_RANGE at "scene" where the def excludes it (plane,
 * environments that links join), with WEFT_ERROR_UNSUPPORTED at "weft_world_def.isa", and with
 * WEFT_ERROR_OUT_OF_MEMORY at "world". */
WEFT_RESULT weft_world_create(const weft_world_def* def, const weft_scene* scene,
                              weft_world** world);

/* Resets a world to the state of weft_world_create() with its def and `scene`, to the bit; the
 * pointer stays valid, all handles are stale. Any scene will do. Freezes the scene anew, with the
 * former world in memory until then. Fails with WEFT_ERROR_EMPTY at "scene" if there is no
 * particle, and with WEFT_ERROR_OUT_OF_MEMORY; the world is unchanged then. */
WEFT_RESULT weft_world_reset(weft_world* world, const weft_scene* scene);

/* Stops the workers, frees the world and sets the caller's pointer to NULL. */
WEFT_API void weft_world_destroy(weft_world** world);

/* Sets and reads the host's data of the body of a particle, at first from
 * weft_scene_set_user_data(). Fails with WEFT_ERROR_INDEX at "particle". */
WEFT_RESULT weft_world_set_body_user_data(weft_world* world, uint32_t particle, void* user_data);
WEFT_RESULT weft_world_get_body_user_data(const weft_world* world, uint32_t particle,
                                          void** user_data);

/* Takes `count` steps; none of a NULL world. Cannot fail, and does not allocate. */
WEFT_API void weft_world_step(weft_world* world, uint32_t count);

/* CPUs that this process may use: its affinity mask, at most the CPU quota of its control group
 * rounded up, at least 1. */
WEFT_API uint32_t weft_available_cpus(void);

/* True if this build and this CPU can run the instruction set. */
WEFT_API bool weft_isa_supported(weft_isa isa);

/* "auto", "scalar", "sse2", "avx2", "avx512", "neon" or "simd128". Never NULL. */
WEFT_API const char* weft_isa_name(weft_isa isa);

/* ---- 4 Time ---------------------------------------------------------------------------------- */

typedef struct weft_advance {
  uint32_t steps; /* whole steps taken */
  /* remaining time as a share of the next step, 0 to below 1; always 1 with WEFT_REMAINDER_STEP */
  float interpolation;
  /* nanoseconds of the shorter step after the whole ones; 0 = none was taken */
  int64_t remainder_ns;
  /* nanoseconds dropped: elapsed time above max_elapsed_ns, and whole steps above max_steps; at
   * most INT64_MAX */
  int64_t dropped_ns;
} weft_advance;

/* Advances the world by elapsed nanoseconds, >= 0, in fixed time steps. `advance` may be NULL. The
 * elapsed time passes these stages in order:
 *
 *   1  clamp      from min_elapsed_ns to max_elapsed_ns
 *   2  smooth     with smooth_elapsed, the mean of this clamped time and the previous call's mean:
 *                 after a spike of 100 ms frames of 16 ms count as 58, 37, 26.5 .. ms. The first
 *                 call uses its own. Half a nanosecond is carried over to the next call
 *   3  scale      by weft_world_set_time_scale(), exactly; fractions of a nanosecond are carried
 *                 over
 *   4  steps      the remainder of the previous call is added, and whole steps are taken, at most
 *                 max_steps; further whole steps are dropped
 *   5  remainder  is carried over to the next call or taken as a shorter step: see weft_remainder
 *
 * At a scale of 0 no step is taken and the interpolation is unchanged. Fails with WEFT_ERROR_RANGE
 * at "elapsed_ns" below 0. */
WEFT_RESULT weft_world_advance(weft_world* world, int64_t elapsed_ns, weft_advance* advance);

#ifdef __cplusplus
}
#endif

#endif
