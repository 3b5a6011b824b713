/* weft: large cloth, ropes, ragdolls and soft bodies on many CPU cores.
 *
 * Chapters
 *   1  Results       what every call that can fail returns
 *   2  Scene         describe bodies: particles and the links between them
 *   3  World         a frozen scene that can be stepped
 *   4  Time          fixed steps out of elapsed nanoseconds
 *   5  Read back     positions, energies, faces, statistics, the state hash: weft/read.h
 *   6  Change        gravity, forces, bounds, tears, joints while it runs: weft/change.h
 *   7  Bodies        ropes, tires, ragdolls, webs and more, ready-made: weft/bodies.h
 *   8  Contacts      colliders, cloth against cloth, bodies that collide: weft/contact.h
 *   9  Questions     rays, nearest particles, what is in a box: weft/query.h
 *
 * This header brings the others.
 *
 * A cloth in ten lines:
 *
 *   weft_scene* scene = NULL;
 *   weft_world* world = NULL;
 *   weft_sheet_def sheet = weft_default_sheet_def();
 *   weft_world_def def = weft_default_world_def();
 *   weft_body cloth;
 *   weft_scene_create(&scene);
 *   weft_scene_add_sheet(scene, &sheet, &cloth);
 *   for (uint32_t i = 0; i < sheet.columns; ++i) weft_scene_pin(scene, cloth.first_particle + i);
 *   weft_world_create(&def, scene, &world);
 *   weft_world_step(world, 60);
 *
 * Threading. A world runs on its own pool of worker threads and the calling thread is one of them.
 * Calls on one world or one scene must not overlap in time, but for questions (chapter 9);
 * different worlds are independent. There are no globals. A child process that fork() makes between
 * calls has the world as it is, and goes on with it by itself: its first step starts the worker
 * threads anew. Where the system refuses it threads, that step ends the child by abort().
 *
 * Determinism. The same scene and the same calls give the same bits for any worker count, any
 * instruction set, any floating-point mode of the caller (rounding, denormals, traps), which no
 * call changes, and any run: see weft_world_hash().
 *
 * Units. SI: metres, kilograms, seconds. Time outside the solver is whole nanoseconds.
 *
 * Indices. Particles and links are numbered in the order in which they were added to the scene, and
 * keep those numbers in the world, whatever order the solver stores them in. */
#ifndef WEFT_WEFT_H
#define WEFT_WEFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEFT_VERSION_MAJOR 0
#define WEFT_VERSION_MINOR 1
#define WEFT_VERSION_PATCH 0

/* The most workers one world may have, and the most particles and links of one scene. */
#define WEFT_MAX_WORKERS 256
#define WEFT_MAX_PARTICLES (1u << 28)
#define WEFT_MAX_LINKS (1u << 30)

/* Positions, lengths, velocities, accelerations and forces are within this, in SI units and along
 * each axis: unless it is said otherwise, more is refused with WEFT_ERROR_RANGE. Areas of faces
 * that are as large, and their squares, are still finite in single precision. */
#define WEFT_MAX_MAGNITUDE 1e9f

/* Inverse masses, 1/kg, are 0 for a pinned particle, and otherwise within these. */
#define WEFT_MIN_INVERSE_MASS 1e-13f
#define WEFT_MAX_INVERSE_MASS 1e13f

#if defined(__GNUC__)
#define WEFT_API __attribute__((visibility("default")))
#else
#define WEFT_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library that is linked, as "major.minor.patch". */
WEFT_API const char* weft_version(void);

/* ---- 1 Results --------------------------------------------------------------------------------
 */

typedef enum weft_error {
  WEFT_OK = 0,
  WEFT_ERROR_NULL,          /* a required pointer is NULL */
  WEFT_ERROR_DEF,           /* a def was not made by its weft_default_..._def() function */
  WEFT_ERROR_NOT_FINITE,    /* NaN or infinity */
  WEFT_ERROR_RANGE,         /* a number outside the range that its field documents */
  WEFT_ERROR_INDEX,         /* an index past the end of what it points into */
  WEFT_ERROR_EMPTY,         /* nothing where at least one is needed */
  WEFT_ERROR_SELF_LINK,     /* a link from a particle to itself */
  WEFT_ERROR_DUPLICATE,     /* the same link, or the same face, twice */
  WEFT_ERROR_DEGENERATE,    /* a face that uses a particle twice, a link of no length, a body not
                               closed */
  WEFT_ERROR_TOO_MANY,      /* more than the library's limit */
  WEFT_ERROR_UNSUPPORTED,   /* an instruction set that this CPU or this build lacks */
  WEFT_ERROR_OUT_OF_MEMORY, /* memory or threads could not be had */
} weft_error;

/* What went wrong, and where. After an error nothing has changed. */
typedef struct weft_result {
  weft_error error; /* WEFT_OK when all went well */
  const char*
      field;      /* the argument or field at fault, such as "weft_sheet_def.spacing"; never NULL */
  uint64_t index; /* the first element at fault, where the field is an array; else 0 */
} weft_result;

/* A short text for an error, such as "not a finite number". Never NULL. */
WEFT_API const char* weft_error_text(weft_error error);

/* ---- 2 Scene ----------------------------------------------------------------------------------
 */

typedef struct weft_scene weft_scene;

/* The particles and links that one call added: consecutive numbers of the scene. */
typedef struct weft_body {
  uint32_t first_particle;
  uint32_t particle_count;
  uint32_t first_link;
  uint32_t link_count;
} weft_body;

typedef enum weft_link_kind {
  WEFT_LINK_STRUCTURAL = 0, /* holds the cloth's threads, or a mesh's edges, at their length */
  WEFT_LINK_SHEAR = 1,      /* the diagonals of a sheet's cells */
  WEFT_LINK_BEND = 2,       /* chords across one particle of a sheet, or across a mesh's edge */
  WEFT_LINK_SUPPORT = 3,    /* keeps a body in shape and is no part that one would draw */
} weft_link_kind;

/* When a link acts at all. */
typedef enum weft_link_mode {
  WEFT_LINK_BOTH = 0,     /* it resists being longer and being shorter than rest_length */
  WEFT_LINK_STRETCH = 1,  /* only longer: a string, a rubber band */
  WEFT_LINK_COMPRESS = 2, /* only shorter: it holds two particles apart */
  WEFT_LINK_RANGE = 3,    /* shorter than rest_length, and longer than max_length */
} weft_link_mode;

/* A link as the caller describes it. */
typedef struct weft_link {
  uint32_t a, b;     /* the two ends: different particles of the scene */
  float rest_length; /* metres, > 0, to WEFT_MAX_MAGNITUDE */
  float stiffness;   /* share of the error removed by one solve, 0 to 1 */
  /* length / rest_length, and of a range length / max_length, at which the link breaks, > 1; 0 =
   * never */
  float tear_ratio;
  weft_link_kind kind;
  /* Metres per newton, 0 to 1e12: how far it gives way to a force, whatever the steps and
   * iterations; 0 = not at all. stiffness should then be 1. */
  float compliance;
  weft_link_mode mode;
  float max_length;     /* metres, >= rest_length: of WEFT_LINK_RANGE; else 0 */
  float spring_damping; /* newton seconds per metre, 0 to 1e12: where it is a spring, see
                           weft_world_def */
} weft_link;

/* The length between the free ends of two arms that meet at an angle, in radians, 0 to pi: the law
 * of cosines. A link of that length between the ends holds the angle; one of the mode
 * WEFT_LINK_COMPRESS keeps it from getting smaller, WEFT_LINK_STRETCH from getting larger,
 * WEFT_LINK_RANGE between two. The arms are in metres, > 0. Fails with WEFT_ERROR_DEGENERATE where
 * the ends would meet: equal arms at an angle of 0. The same bits on all machines. */
WEFT_API weft_result weft_length_at_angle(float arm_a, float arm_b, float angle, float* length);

/* What a cloth is made of, in real units: whatever its resolution, it is as heavy and gives way as
 * much. The stiffnesses may be infinite. */
typedef struct weft_material {
  /* kilograms per square metre, 1e-6 to 1e6; default 0.2 */
  float density;
  /* newtons per metre, >= 1e-6: the tension of a strip one metre wide, were it stretched to twice
   * its length; default 2000 */
  float stretch_stiffness;
  /* newtons per metre, >= 1e-6: the shear force on an edge of one metre, were it sheared by one
   * radian; default 200. Of sheets: an irregular mesh has 3/8 of its stretch stiffness, as springs
   * along its edges have it */
  float shear_stiffness;
  /* newton metres, >= 0 and finite: the moment per metre of width that bends it by one radian a
   * metre, some 1e-5 for light cotton; default 0 = it bends freely, at no cost. See Bending */
  float bend_stiffness;
  uint32_t cookie; /* private */
} weft_material;

/* Bending. A cloth whose material has a bend stiffness B gets bend elements: a sheet one for every
 * three particles in a row or a column, a mesh one for every pair of triangles that share an edge,
 * in the place of its bend links. Rolled up to a curvature k it stores B k^2 / 2 a square metre,
 * whatever its resolution: sheets along their rows and columns, and half of that along their
 * diagonals; meshes of equilateral triangles along anything. Irregular triangles are about a fifth
 * stiffer, and right-angled ones up to three times along some directions.
 *
 * A sheet is flat at rest. A mesh keeps the curve of its given positions, though a fold that is
 * pushed through to its other side stays there. As all links with a compliance, bend elements hold
 * as much as they should where iterations and substeps are enough, and less where they are not;
 * coarse levels do not have them. (Bergou, Wardetzky, Harmon, Zorin, Grinspun 2006, "A quadratic
 * bending model for inextensible surfaces"; Macklin, Mueller, Chentanez 2016, "XPBD: position-based
 * simulation of compliant constrained dynamics") */

/* A light cotton. */
WEFT_API weft_material weft_default_material(void);

/* A rectangular cloth of columns x rows particles, numbered row by row: particle (column, row) is
 * first_particle + row * columns + column, at origin + column * spacing * across + row * spacing *
 * down. */
typedef struct weft_sheet_def {
  uint32_t columns;    /* particles along `across`, 1 to 65,535; default 32 */
  uint32_t rows;       /* particles along `down`, 1 to 65,535; default 32 */
  float spacing;       /* metres between neighbours, 1e-6 to 1e6; default 0.05 */
  float origin[3];     /* metres, of particle (0, 0); default 0 0 0 */
  float across[3];     /* unit vector from column to column; default 1 0 0 */
  float down[3];       /* unit vector from row to row; default 0 -1 0 */
  float particle_mass; /* kilograms, 1e-12 to 1e12; default 0.001 */
  /* Gives structural and shear links their compliance and particles their mass, each that of its
   * share of the area; read during weft_scene_add_sheet() only. Default NULL = links that do not
   * give way, and particle_mass. */
  const weft_material* material;
  bool structural;       /* links to the next column and the next row; default true */
  bool shear;            /* links along both diagonals of each cell; default true */
  bool bend;             /* links to the column and the row after next; default false */
  float stiffness;       /* of structural links, 0 to 1; default 1 */
  float shear_stiffness; /* 0 to 1; default 1 */
  float bend_stiffness;  /* of bend links, 0 to 1; default 0.2 */
  float tear_ratio;      /* as in weft_link; default 0 */
  uint32_t cookie;       /* private */
} weft_sheet_def;

WEFT_API weft_sheet_def weft_default_sheet_def(void);

/* A triangle mesh. Every edge becomes one structural link, and every pair of triangles that share
 * an edge one bend link between the two particles opposite to it; edges of more than two triangles
 * are allowed. The structural links come first, then the bend links, both in the order in which the
 * faces bring the edges; corners that an edge links already, or that lie in one place, get no bend
 * link. With a material there are no bend links, as they would also resist being stretched: see
 * Bending. Rest lengths are the distances of the given positions. The arrays are read during
 * weft_scene_add_mesh() only. */
typedef struct weft_mesh_def {
  const float* positions;        /* metres, [vertex_count][3] */
  uint32_t vertex_count;         /* > 0 */
  const uint32_t* triangles;     /* vertex numbers, [triangle_count][3] */
  uint32_t triangle_count;       /* > 0 */
  float particle_mass;           /* kilograms, 1e-12 to 1e12; default 0.001 */
  const weft_material* material; /* gives edges their compliance and particles their mass, as in
                                    weft_sheet_def; default NULL */
  float stiffness;               /* of the edges' links, 0 to 1; default 1 */
  float bend_stiffness;          /* of bend links, 0 to 1, 0 = no bend links; default 0.2 */
  float tear_ratio;              /* as in weft_link; default 0 */
  uint32_t cookie;               /* private */
} weft_mesh_def;

WEFT_API weft_mesh_def weft_default_mesh_def(void);

/* Creates an empty scene. */
WEFT_API weft_result weft_scene_create(weft_scene** scene);

/* Frees a scene and sets the caller's pointer to NULL. Worlds made from it live on. */
WEFT_API void weft_scene_destroy(weft_scene** scene);

/* Adds free particles, positions [count][3] in metres, inverse masses [count] in 1/kg (0 = pinned).
 * `body` may be NULL. */
WEFT_API weft_result weft_scene_add_particles(weft_scene* scene, const float* positions,
                                              const float* inverse_masses, uint32_t count,
                                              weft_body* body);

/* Adds links between particles that the scene already has. The same pair may be linked only once.
 * `body` may be NULL. */
WEFT_API weft_result weft_scene_add_links(weft_scene* scene, const weft_link* links, uint32_t count,
                                          weft_body* body);

/* Adds a sheet. `body` may be NULL. */
WEFT_API weft_result weft_scene_add_sheet(weft_scene* scene, const weft_sheet_def* def,
                                          weft_body* body);

/* Adds a triangle mesh. `body` may be NULL. */
WEFT_API weft_result weft_scene_add_mesh(weft_scene* scene, const weft_mesh_def* def,
                                         weft_body* body);

/* Pins a particle where it is: its inverse mass becomes 0. */
WEFT_API weft_result weft_scene_pin(weft_scene* scene, uint32_t particle);

/* Says whether coarse levels (weft_world_def.coarse_iterations) stand for the body that a particle
 * was added with: they do unless this is called with false. */
WEFT_API weft_result weft_scene_set_coarse(weft_scene* scene, uint32_t particle, bool coarse);

/* Fills a closed body with gas: `pressure` pascals above that of the air, 0 to 1e12, at the volume
 * that it has now, and inversely as much at others, down to a twentieth of it; 0 takes the gas out
 * again. The body is what one call added, or several one after the other. Each edge must be one of
 * exactly two of its faces, which run along it in opposite directions, and all must turn outwards:
 * counterclockwise as seen from there. (If not: WEFT_ERROR_DEGENERATE, and the index of a face of
 * the body.) With the first face that goes, the gas is gone for good.
 *
 * Its force is found once a step. A shell of m kilograms per square metre swings in and out on it,
 * which is stable where pressure * area * step^2 < 4 * m * volume: more takes shorter steps. */
WEFT_API weft_result weft_scene_set_pressure(weft_scene* scene, const weft_body* body,
                                             float pressure);

WEFT_API uint32_t weft_scene_particle_count(const weft_scene* scene);
WEFT_API uint32_t weft_scene_link_count(const weft_scene* scene);

/* Copies particles [first, first + count): positions [count][3] and inverse masses [count]; either
 * may be NULL. */
WEFT_API weft_result weft_scene_get_particles(const weft_scene* scene, uint32_t first,
                                              uint32_t count, float* positions,
                                              float* inverse_masses);

/* Copies links [first, first + count). */
WEFT_API weft_result weft_scene_get_links(const weft_scene* scene, uint32_t first, uint32_t count,
                                          weft_link* links);

/* ---- 3 World ----------------------------------------------------------------------------------
 */

typedef struct weft_world weft_world;

typedef enum weft_isa {
  /* the one that the environment variable WEFT_ISA names, as weft_isa_name() does; where it is not
   * set, the widest that both the CPU and the build have */
  WEFT_ISA_AUTO = 0,
  WEFT_ISA_SCALAR = 1,
  WEFT_ISA_SSE2 = 2,
  WEFT_ISA_AVX2 = 3,
  WEFT_ISA_AVX512 = 4,
  WEFT_ISA_NEON = 5,
} weft_isa;

/* How a world goes from one substep to the next. All integrators step the same links, bounds and
 * joints; they differ in what they make of forces: gravity, wind, and springs (see
 * weft_world_def.springs). x are positions, v velocities, a forces over masses, and h is the
 * substep, in seconds. An order of n means that errors after some time fall as h^n, where there is
 * no damping but that of springs; links that are no springs, and walls, are met at order 1 by all.
 *
 * Damping comes first: v' = e^(-damping h) v, and what is written v below is that. Then v is held
 * below max_speed wherever it moves a particle. What links and the like move a particle by in a
 * substep is added to its velocity, over h.
 *
 * What is said of energy holds without damping. The limit of the first three is h = 2 / w, w being
 * the fastest angular frequency of the springs, in radians a second; with spring_damping it is
 * less. For springs of stiffness k between particles of mass m, each at n of them, w is at most
 * sqrt(2 n k / m). */
typedef enum weft_integrator {
  /* x' = 2 x - x_before + a h^2 (Verlet 1967). Order 2, symplectic: with springs alone the energy
   * swings about a fixed value for ever, as long as h is below the limit; beyond, it blows up. The
   * form 1.99 x - 0.99 x_before, which loses a hundredth of the velocity a step, is damping =
   * -ln(0.99) / h.
   *
   * With springs it starts at order 2: x_before = x - v h + a h^2 / 2, and velocities are those of
   * the positions' time, order 2; where a wall is hit they are off for one substep. Without,
   * x_before = x - v h, and a velocity is that of the way from x_before to x, half a substep
   * earlier. */
  WEFT_POSITION_VERLET = 0,
  /* v" = v + a h / 2, x' = x + v" h, v' = v" + a' h / 2, with the forces a' at x' (Swope, Andersen,
   * Berens, Wilson 1982). The same motion as position Verlet, and the same limit; velocities of
   * order 2. Forces of springs are found twice a substep. */
  WEFT_VELOCITY_VERLET = 1,
  /* v' = v + a h, x' = x + v' h. Order 1, symplectic, the same limit: the energy swings about a
   * fixed value too, further. */
  WEFT_SEMI_IMPLICIT_EULER = 2,
  /* x' = x + v h, v' = v + a h. Order 1, gains energy always: that of an oscillator without damping
   * grows by 1 + (w h)^2 a substep, so that it blows up at any h. Links hold positions a substep
   * late: what hangs at rest has the velocity that gravity gives it in one. */
  WEFT_EXPLICIT_EULER = 3,
  /* v' = v + a' h, x' = x + v' h, with the forces a' of the end of the substep, linearised once at
   * its beginning and solved by conjugate gradients (Baraff, Witkin 1998, "Large steps in cloth
   * simulation"), to a ten-millionth of the error or in 200 iterations. Order 1, loses energy: that
   * of an oscillator falls to 1 / (1 + (w h)^2) a substep. Springs of any stiffness bear any h;
   * only what turns by more than half a radian or so in a substep goes off on a tangent, as all
   * that is linearised does, and can gain energy. A solve that ends early leaves springs softer. */
  WEFT_IMPLICIT_EULER = 4,
} weft_integrator;

/* What becomes of elapsed time that fills no whole step. */
typedef enum weft_remainder {
  WEFT_REMAINDER_CARRY = 0, /* it waits for the next call */
  /* It is taken as one more, shorter step; below 1,000 nanoseconds it waits. Steps of any length
   * follow each other then, and what is computed depends on the frames. Positions are single
   * precision, so that a short step rounds a velocity to some 1e-7 of its particle's coordinates a
   * step. */
  WEFT_REMAINDER_STEP = 1,
} weft_remainder;

typedef struct weft_world_def {
  float gravity[3];    /* metres per second squared; default 0 -9.81 0 */
  float damping;       /* 1/seconds, >= 0: the rate at which velocity fades; default 0.1 */
  uint32_t iterations; /* sweeps over all links a step, 0 to 10,000; default 10 */
  /* Sweeps over each coarse level a step, 0 to 10,000; default 0 = no levels. They keep large cloth
   * from stretching, wherever it is held: 8 are good, with 2 to 8 iterations. */
  uint32_t coarse_iterations;
  /* The most iterations a step of the direct solve of trees, 0 to 100; default 6, 0 = none. A tree
   * is a rope, a chain, a branch: structural links of stiffness 1 and WEFT_LINK_BOTH without a loop
   * among free particles, at least two. It is solved as a whole and holds any load. What is solved
   * takes no more iterations. */
  uint32_t direct_iterations;
  /* Equal parts that a step is taken in, each with its own iterations, 1 to 1,000; default 1. */
  uint32_t substeps;
  /* Long-range attachments of a particle, 0 to 4; default 0 = none. In each step, before links are
   * solved, a particle is brought back to where it is no further from the nearest pinned one than
   * along the links, at their rest lengths, whatever their compliance; with 2, also from the
   * nearest of those that no links between pinned ones join to that one; and so on. Links that can
   * break do not count, nor do supports and links that act only when compressed or beyond a range;
   * coarse levels pass over these as well. All this is found in the scene: one that it pins holds
   * nothing while it is unpinned in the world, and one that it does not pin never does. Links that
   * are torn or switched off by hand take those along whose way they were. */
  uint32_t attachments;
  weft_integrator integrator; /* default WEFT_POSITION_VERLET */
  /* Links with a compliance and stiffness 1 act as Hooke springs, by forces: (length - rest_length)
   * / compliance, plus spring_damping times the rate at which the length grows, where their mode
   * has them act at all. They are not swept then (a world of nothing else needs no iterations), no
   * tree, attachment or coarse level counts them, and they are stable only where the integrator is.
   * Default false: they are solved like all other links. */
  bool springs;
  /* metres per second along each axis, > 0; what is above WEFT_MAX_MAGNITUDE counts as that;
   * default infinity */
  float max_speed[3];
  /* Keeps the faces of sheets and meshes, 48 bytes each and 4 a particle: for wind, pressure and
   * weft_world_get_faces(). Default false, and true anyway where the scene has pressure. */
  bool faces;
  uint32_t max_joints;    /* that the world has at one time, 0 to 1,000,000; default 64. See
                             weft_joint_def */
  uint32_t max_events;    /* torn links that wait to be taken, 0 to 2^30; default 4096 */
  int64_t step_ns;        /* nanoseconds a step, 1,000 to 1,000,000,000; default 1/60 s */
  uint32_t max_steps;     /* the most whole steps one weft_world_advance() takes, >= 1; default 8 */
  int64_t max_elapsed_ns; /* the most that one weft_world_advance() takes in, >= step_ns; 0 = any,
                             the default */
  bool smooth_elapsed; /* takes the mean of the elapsed time and of the last one; default false */
  weft_remainder remainder; /* default WEFT_REMAINDER_CARRY */
  bool profile; /* takes the time of each stage: see weft_world_get_profile(). Default false */
  uint32_t worker_count; /* threads, the caller's included, 1 to WEFT_MAX_WORKERS; default 1. A
                            small scene takes fewer: see weft_world_stats */
  weft_isa isa;          /* default WEFT_ISA_AUTO */
  uint32_t cookie;       /* private */
} weft_world_def;

WEFT_API weft_world_def weft_default_world_def(void);

/* Freezes a scene into a world: orders the particles, cuts them into patches, colours and groups
 * the links, starts the workers. The scene is only read, and may be changed or destroyed
 * afterwards. */
WEFT_API weft_result weft_world_create(const weft_world_def* def, const weft_scene* scene,
                                       weft_world** world);

/* Stops the workers, frees the world and sets the caller's pointer to NULL. */
WEFT_API void weft_world_destroy(weft_world** world);

/* Takes `count` steps. Cannot fail and does not allocate; a worker takes a lock only to go to
 * sleep, or to wake one that sleeps. */
WEFT_API void weft_world_step(weft_world* world, uint32_t count);

/* True if this build and this CPU can run the instruction set. */
WEFT_API bool weft_isa_supported(weft_isa isa);

/* "auto", "scalar", "sse2", "avx2", "avx512" or "neon". Never NULL. */
WEFT_API const char* weft_isa_name(weft_isa isa);

/* ---- 4 Time -----------------------------------------------------------------------------------
 */

typedef struct weft_advance {
  uint32_t steps; /* whole steps taken */
  /* How far the time that is left over reaches into the next step: 0 to below 1, and with
   * WEFT_REMAINDER_STEP always 1 */
  float interpolation;
  /* Nanoseconds of the shorter step that came after the whole ones; 0 = there was none. */
  int64_t remainder_ns;
  /* Nanoseconds thrown away: of the elapsed time what is above max_elapsed_ns, and of the world's
   * the whole steps above max_steps; at most INT64_MAX. */
  int64_t dropped_ns;
} weft_advance;

/* Takes the world further by elapsed nanoseconds, >= 0. `advance` may be NULL. In this order
 *
 *   1  clamp      of the elapsed time no more than max_elapsed_ns is taken in
 *   2  smooth     smooth_elapsed: that and what the call before took in are averaged; in the first
 * call there is none before. Half a nanosecond waits for the next call 3  scale      times
 * weft_world_set_time_scale(), exactly; what is below a nanosecond waits, too 4  steps      what
 * the call before left over is added, and as many whole steps taken as fit, at most max_steps;
 * further whole ones are dropped 5  remainder  what is left waits for the next call, or is taken as
 * a shorter step: see weft_remainder
 *
 * At a scale of 0 no step is taken, and the interpolation stays. */
WEFT_API weft_result weft_world_advance(weft_world* world, int64_t elapsed_ns,
                                        weft_advance* advance);

#ifdef __cplusplus
}
#endif

#include "weft/bodies.h"
#include "weft/change.h"
#include "weft/contact.h"
#include "weft/query.h"
#include "weft/read.h"

#endif
