/* weft: large cloth, ropes, ragdolls and soft bodies on many CPU cores.
 *
 * Chapters
 *   1  Results       error codes and the field at fault
 *   2  Scene         bodies: particles and the links between them
 *   3  World         a frozen scene that can be stepped
 *   4  Time          fixed time steps from elapsed nanoseconds
 *   5  Read back     positions, energies, faces, statistics, the state hash: weft/read.h
 *   6  Change        gravity, forces, bounds, tearing, joints at run time: weft/change.h
 *   7  Bodies        ropes, tires, ragdolls, webs and more, ready-made: weft/bodies.h
 *   8  Contacts      colliders, self-collision of cloth, particle contacts: weft/contact.h
 *   9  Queries       ray casts, overlaps, nearest particles: weft/query.h
 *
 * This header includes the others.
 *
 * A cloth in ten lines, with check() of tests/example.c:
 *
 *   weft_scene* scene = NULL;
 *   weft_world* world = NULL;
 *   weft_sheet_def sheet = weft_default_sheet_def();
 *   weft_world_def def = weft_default_world_def();
 *   weft_body cloth;
 *   check(weft_scene_create(&scene));
 *   check(weft_scene_add_sheet(scene, &sheet, &cloth));
 *   check(weft_scene_pin(scene, cloth.first_particle, sheet.columns));
 *   check(weft_world_create(&def, scene, &world));
 *   weft_world_step(world, 60);
 *
 * Threading. A world has its own pool of worker threads; the calling thread is one of the workers.
 * Calls on one world or one scene must not overlap in time, except queries (chapter 9). Different
 * worlds are independent. There are no globals. A worker that has no core, as other processes run,
 * is not waited for. After fork() between calls the child has a copy of the world and can go on
 * stepping it: its first step starts new worker threads, as many as the system grants.
 *
 * Determinism. The same scene and the same calls give the same bits for any worker count, any
 * instruction set, any run, and any floating-point mode of the caller (rounding, denormals, traps);
 * no call changes that mode. See weft_world_hash().
 *
 * Units. SI: metres, kilograms, seconds. Time outside the solver is whole nanoseconds.
 *
 * Indices. Particles and links are numbered in the order in which they were added to the scene. The
 * world keeps these numbers, whatever order the solver stores them in, and never reuses those of
 * removed bodies: hence a weft_body is a range of numbers.
 *
 * Handles. Colliders, joints and grips are added to a running world and removed from it. They are
 * named by handles, which a removal makes stale: see weft_collider. */
#ifndef WEFT_WEFT_H
#define WEFT_WEFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEFT_VERSION_MAJOR 0
#define WEFT_VERSION_MINOR 2
#define WEFT_VERSION_PATCH 0

/* Maximum number of workers of a world, and of particles and links of a scene. */
#define WEFT_MAX_WORKERS 256
#define WEFT_MAX_PARTICLES (1u << 28)
#define WEFT_MAX_LINKS (1u << 30)

/* Largest magnitude of positions, lengths, velocities, accelerations and forces, in SI units,
 * along each axis. Larger arguments fail with WEFT_ERROR_RANGE unless documented otherwise. Areas
 * of faces of this size, and their squares, are still finite in single precision. */
#define WEFT_MAX_MAGNITUDE 1e9f

/* Range of inverse masses, 1/kg. Pinned particles have 0. */
#define WEFT_MIN_INVERSE_MASS 1e-13f
#define WEFT_MAX_INVERSE_MASS 1e13f

#if defined(__GNUC__)
#define WEFT_API __attribute__((visibility("default")))
/* A result that the caller must look at. */
#define WEFT_RESULT WEFT_API __attribute__((warn_unused_result)) weft_result
#else
#define WEFT_API
#define WEFT_RESULT weft_result
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Version of the linked library, as "major.minor.patch". */
WEFT_API const char* weft_version(void);

/* ---- 1 Results ------------------------------------------------------------------------------- */

typedef enum weft_error {
  WEFT_OK = 0,
  WEFT_ERROR_NULL,          /* a required pointer is NULL */
  WEFT_ERROR_DEF,           /* a def was not made by its weft_default_..._def() function */
  WEFT_ERROR_NOT_FINITE,    /* NaN or infinity */
  WEFT_ERROR_RANGE,         /* a number outside the range that its field documents */
  WEFT_ERROR_INDEX,         /* an index past the end of its array */
  WEFT_ERROR_STALE,         /* a handle of something that has been removed, or of nothing */
  WEFT_ERROR_EMPTY,         /* empty where at least one element is needed */
  WEFT_ERROR_SELF_LINK,     /* a link from a particle to itself */
  WEFT_ERROR_DUPLICATE,     /* the same link, or the same face, twice */
  WEFT_ERROR_DEGENERATE,    /* repeated corner, link of no length, open surface */
  WEFT_ERROR_TOO_MANY,      /* more than a limit of the library or of the world */
  WEFT_ERROR_DISABLED,      /* a feature that is off in weft_world_def */
  WEFT_ERROR_UNSUPPORTED,   /* an instruction set that this CPU or this build lacks */
  WEFT_ERROR_OUT_OF_MEMORY, /* allocation or thread creation failed */
} weft_error;

/* Error code and location. A call that fails changes nothing. */
typedef struct weft_result {
  weft_error error;  /* WEFT_OK on success */
  const char* field; /* argument or field at fault, as "weft_sheet_def.spacing"; never NULL */
  uint64_t index;    /* first element at fault if the field is an array; else 0 */
} weft_result;

/* Short text for an error, such as "not a finite number". Never NULL. */
WEFT_API const char* weft_error_text(weft_error error);

/* ---- 2 Scene --------------------------------------------------------------------------------- */

typedef struct weft_scene weft_scene;

/* Range of particles and links that one call added to the scene. */
typedef struct weft_body {
  uint32_t first_particle;
  uint32_t particle_count;
  uint32_t first_link;
  uint32_t link_count;
} weft_body;

typedef enum weft_link_kind {
  WEFT_LINK_STRUCTURAL = 0, /* along the threads of a sheet, or the edges of a mesh */
  WEFT_LINK_SHEAR = 1,      /* diagonals of the cells of a sheet */
  WEFT_LINK_BEND = 2,       /* across one particle of a sheet, or across an edge of a mesh */
  WEFT_LINK_SUPPORT = 3,    /* keeps a body in shape; not meant to be drawn */
} weft_link_kind;

/* Sign of the constraint: two-sided, one-sided, or a range. */
typedef enum weft_link_mode {
  WEFT_LINK_MODE_BOTH = 0,     /* resists all lengths other than rest_length: a rod */
  WEFT_LINK_MODE_STRETCH = 1,  /* resists lengths above rest_length: a string, a rubber band */
  WEFT_LINK_MODE_COMPRESS = 2, /* resists lengths below rest_length: a strut */
  WEFT_LINK_MODE_RANGE = 3,    /* resists lengths below rest_length and above max_length */
} weft_link_mode;

/* Distance constraint between two particles. */
typedef struct weft_link_def {
  uint32_t a, b;     /* ends: two different particles of the scene */
  float rest_length; /* metres, > 0, at most WEFT_MAX_MAGNITUDE */
  /* under-relaxation factor: share of the error that one solve removes, 1e-6 to 1; default 1.
   * Below 1 a link with a compliance is softer than that */
  float relaxation;
  /* length / rest_length at which the link tears, > 1; 0 = never, the default. For
   * WEFT_LINK_MODE_RANGE it is length / max_length */
  float tear_ratio;
  weft_link_kind kind;
  /* XPBD compliance, metres per newton, 0 to 1e12: elongation under a force, independent of step
   * and iteration count; 0 = rigid. default 0 */
  float compliance;
  weft_link_mode mode;
  float max_length;     /* metres, >= rest_length for WEFT_LINK_MODE_RANGE; else 0 */
  float spring_damping; /* newton seconds per metre, 0 to 1e12; see weft_world_def.springs */
} weft_link_def;

/* A rigid, two-sided structural link; a, b and rest_length remain to be set. */
WEFT_API weft_link_def weft_default_link_def(void);

/* Distance between the free ends of two arms that share a joint, by the law of cosines. Arms are in
 * metres, > 0; the angle is in radians, 0 to pi. A link of this length between the free ends fixes
 * the angle; with WEFT_LINK_MODE_COMPRESS it is a lower limit of the angle, with
 * WEFT_LINK_MODE_STRETCH an upper limit, with WEFT_LINK_MODE_RANGE both. Fails with
 * WEFT_ERROR_DEGENERATE if the distance is 0: equal arms at angle 0. Gives the same bits on all
 * machines. */
WEFT_RESULT weft_length_at_angle(float arm_a, float arm_b, float angle, float* length);

/* Cloth material in physical units: mass and stiffness are independent of the resolution.
 * Stretch and shear stiffness may be infinite. */
typedef struct weft_material_def {
  /* kilograms per square metre, 1e-6 to 1e6; default 0.2 */
  float density;
  /* newtons per metre, >= 1e-6: tension per metre of width at 100 % strain, by linear
   * extrapolation; default 2000 */
  float stretch_stiffness;
  /* newtons per metre, >= 1e-6: shear force per metre of edge at a shear of one radian; default
   * 200. Sheets only: the shear stiffness of an irregular mesh is 3/8 of its stretch stiffness, as
   * of any network of springs along its edges */
  float shear_stiffness;
  /* newton metres, >= 0, finite: bending moment per metre of width at a curvature of one radian per
   * metre, about 1e-5 for light cotton; default 0 = no resistance and no cost. See Bending */
  float bend_stiffness;
  uint32_t cookie; /* private */
} weft_material_def;

/* Bending. A material with a bend stiffness B adds bend elements: on a sheet one for every three
 * consecutive particles of a row or a column, on a mesh one for every pair of triangles that share
 * an edge, in place of the bend links of a mesh. Bend links that weft_sheet_def.bend asks for stay
 * beside them, and are rigid. Cloth of curvature k stores B k^2 / 2 joules per square
 * metre, independent of the resolution: on sheets if bent along rows or columns, and half of that
 * along diagonals; on meshes of equilateral triangles along any direction. Irregular triangles are
 * about a fifth stiffer, right-angled ones up to three times stiffer along some directions.
 *
 * A sheet is flat at rest. A mesh is at rest in the curvature of its given positions; a fold that
 * is inverted stays inverted. As of all links with a compliance, the stiffness is reached if
 * iterations and substeps suffice, and is lower if they do not. Multigrid levels have no bend
 * elements.
 *
 * Sources: Bergou, Wardetzky, Harmon, Zorin, Grinspun 2006, "A quadratic bending model for
 * inextensible surfaces"; Macklin, Mueller, Chentanez 2016, "XPBD: position-based simulation of
 * compliant constrained dynamics". */

/* Light cotton without resistance to bending. */
WEFT_API weft_material_def weft_default_material_def(void);

/* Rectangular cloth of columns x rows particles, numbered row by row. Particle (column, row) is
 * first_particle + row * columns + column, at
 * origin + column * spacing * across + row * spacing * down. */
typedef struct weft_sheet_def {
  uint32_t columns; /* particles along `across`, 1 to 65,535; default 32 */
  uint32_t rows;    /* particles along `down`, 1 to 65,535; default 32 */
  float spacing;    /* metres between neighbours, 1e-6 to 1e6; default 0.05 */
  float origin[3];  /* metres, of particle (0, 0); default 0 0 0 */
  /* directions from column to column and from row to row, default 1 0 0 and 0 -1 0: unit vectors to
   * 0.001 for cells of `spacing`, at right angles for square ones, not parallel */
  float across[3];
  float down[3];
  float particle_mass; /* kilograms, 1e-12 to 1e12; default 0.001 */
  /* Compliance of structural and shear links, and mass of particles by their share of the area;
   * read during weft_scene_add_sheet() only. Default NULL = rigid links, and particle_mass */
  const weft_material_def* material;
  bool structural;        /* links to the next column and the next row; default true */
  bool shear;             /* links along both diagonals of each cell; default true */
  bool bend;              /* links to the column and the row after next; default false */
  float relaxation;       /* weft_link_def.relaxation of structural links, 1e-6 to 1; default 1 */
  float shear_relaxation; /* the same of shear links, 1e-6 to 1; default 1 */
  float bend_relaxation;  /* the same of bend links, 1e-6 to 1; default 0.2 */
  float tear_ratio;       /* as in weft_link_def; default 0 */
  uint32_t cookie;        /* private */
} weft_sheet_def;

WEFT_API weft_sheet_def weft_default_sheet_def(void);

/* Triangle mesh. Each edge becomes a structural link, and each pair of triangles that share an
 * edge a bend link between the two opposite corners. An edge may have more than two triangles.
 * Structural links come first, then bend links, both in the order in which the faces list the
 * edges. Opposite corners that an edge links already, or that coincide, get no bend link. A mesh
 * with a material has no bend links, as they would also resist stretching: see Bending. Rest
 * lengths are distances of the given positions. Arrays are read during weft_scene_add_mesh()
 * only. */
typedef struct weft_mesh_def {
  const float* positions;            /* metres, [vertex_count][3] */
  uint32_t vertex_count;             /* > 0 */
  const uint32_t* triangles;         /* vertex numbers, [triangle_count][3] */
  uint32_t triangle_count;           /* > 0 */
  float particle_mass;               /* kilograms, 1e-12 to 1e12; default 0.001 */
  const weft_material_def* material; /* as in weft_sheet_def; default NULL */
  float relaxation;                  /* of structural links, 1e-6 to 1; default 1 */
  float bend_relaxation;             /* of bend links, 0 to 1, 0 = no bend links; default 0.2 */
  float tear_ratio;                  /* as in weft_link_def; default 0 */
  uint32_t cookie;                   /* private */
} weft_mesh_def;

WEFT_API weft_mesh_def weft_default_mesh_def(void);

/* Creates an empty scene. */
WEFT_RESULT weft_scene_create(weft_scene** scene);

/* Frees a scene and sets the caller's pointer to NULL. Worlds created from it are unaffected. */
WEFT_API void weft_scene_destroy(weft_scene** scene);

/* Adds particles: positions [count][3] in metres, inverse masses [count] in 1/kg, 0 = pinned.
 * `body` may be NULL. */
WEFT_RESULT weft_scene_add_particles(weft_scene* scene, const float* positions,
                                     const float* inverse_masses, uint32_t count, weft_body* body);

/* Adds links between existing particles of the scene. A pair may be linked only once. `body` may be
 * NULL. */
WEFT_RESULT weft_scene_add_links(weft_scene* scene, const weft_link_def* links, uint32_t count,
                                 weft_body* body);

/* Adds a sheet. `body` may be NULL. */
WEFT_RESULT weft_scene_add_sheet(weft_scene* scene, const weft_sheet_def* def, weft_body* body);

/* Adds a triangle mesh. `body` may be NULL. */
WEFT_RESULT weft_scene_add_mesh(weft_scene* scene, const weft_mesh_def* def, weft_body* body);

/* Pins particles [first, first + count) in place: their inverse mass becomes 0. */
WEFT_RESULT weft_scene_pin(weft_scene* scene, uint32_t first, uint32_t count);

/* Includes the body of a particle in the multigrid levels (weft_world_def.coarse_iterations), or
 * excludes it. Default true. The body is the range of particles added by the same call. */
WEFT_RESULT weft_scene_set_coarse(weft_scene* scene, uint32_t particle, bool coarse);

/* Fills a closed body with gas of a gauge pressure, in pascals above that of the air, 0 to 1e12; 0
 * removes the gas. `pressure` holds at the present volume V0 and is pressure * V0 / V at volume V,
 * where V counts as at least V0 / 20. The body is the range of one call that added particles, or
 * of several consecutive ones. Each edge must belong to exactly two faces, which run along it in
 * opposite directions, and all faces must wind counterclockwise as seen from outside; else this
 * fails with WEFT_ERROR_DEGENERATE and the index of a face of the body. The gas is lost for good
 * when the body loses a face.
 *
 * The force is computed once a step. A shell of m kilograms per square metre oscillates on the
 * gas. The oscillation is stable if pressure * area * step^2 < 4 * m * volume; higher pressures
 * need shorter steps. */
WEFT_RESULT weft_scene_set_pressure(weft_scene* scene, const weft_body* body, float pressure);

WEFT_API uint32_t weft_scene_particle_count(const weft_scene* scene);
WEFT_API uint32_t weft_scene_link_count(const weft_scene* scene);

/* Copies particles [first, first + count): positions [count][3] in metres and inverse masses
 * [count] in 1/kg. Either may be NULL. */
WEFT_RESULT weft_scene_get_particles(const weft_scene* scene, uint32_t first, uint32_t count,
                                     float* positions, float* inverse_masses);

/* Copies links [first, first + count). */
WEFT_RESULT weft_scene_get_links(const weft_scene* scene, uint32_t first, uint32_t count,
                                 weft_link_def* links);

/* ---- 3 World --------------------------------------------------------------------------------- */

typedef struct weft_world weft_world;

/* Handles of colliders, joints and grips. `index` is a slot in a table of the world; the slot of a
 * removed entry is reused. `generation` distinguishes the entries of a slot; it is never 0, and
 * repeats after 2^31 entries. A zeroed handle is null and names nothing. Two handles are equal if
 * both members are.
 *
 * A call fails with WEFT_ERROR_STALE if its handle is null, if the entry has been removed, or if
 * there is no such slot. A handle is valid only in the world that returned it: in another one it is
 * stale or names another entry. */
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

typedef enum weft_isa {
  /* instruction set named by the environment variable WEFT_ISA, spelled as by weft_isa_name(); if
   * unset, the widest that both the CPU and the build support */
  WEFT_ISA_AUTO = 0,
  WEFT_ISA_SCALAR = 1,
  WEFT_ISA_SSE2 = 2,
  WEFT_ISA_AVX2 = 3,
  WEFT_ISA_AVX512 = 4,
  WEFT_ISA_NEON = 5,
} weft_isa;

/* Time integrators. All of them share links, bounds and joints; they differ in the treatment of
 * forces: gravity, wind, and springs (see weft_world_def.springs). Below, x are positions, v
 * velocities, a forces divided by masses, h is the substep in seconds, and a prime marks values at
 * the end of the substep. Order n means that global errors fall as h^n if springs are the only
 * damping. Links that are not springs, and bounds, are first order with every integrator.
 *
 * Damping is applied first: v := e^(-damping h) v. Then v is clamped to max_speed wherever it
 * moves a particle. A displacement d of a particle by constraints in a substep adds d / h to its
 * velocity.
 *
 * Statements about energy hold without damping. The stability limit of the first three is h = 2 /
 * w, where w is the largest angular frequency of the springs in radians per second; spring_damping
 * lowers it. For springs of stiffness k between particles of mass m with n springs each, w is at
 * most sqrt(2 n k / m). */
typedef enum weft_integrator {
  /* x' = 2 x - x_before + a h^2 (Verlet 1967). Order 2, symplectic: with springs alone the energy
   * oscillates about a fixed value for any time if h is below the limit, and diverges above it.
   * The variant 1.99 x - 0.99 x_before, which removes a hundredth of the velocity a substep, is
   * damping = -ln(0.99) / h.
   *
   * With springs the start is of order 2, x_before = x - v h + a h^2 / 2, and velocities belong to
   * the time of the positions, order 2; they are off for one substep after a collision with a
   * bound. Without springs x_before = x - v h, and velocities are (x - x_before) / h, those of
   * half a substep earlier. */
  WEFT_INTEGRATOR_POSITION_VERLET = 0,
  /* v" = v + a h / 2, x' = x + v" h, v' = v" + a' h / 2, with a' evaluated at x' (Swope, Andersen,
   * Berens, Wilson 1982). Trajectory and limit of position Verlet, velocities of order 2. Spring
   * forces are evaluated twice a substep. */
  WEFT_INTEGRATOR_VELOCITY_VERLET = 1,
  /* v' = v + a h, x' = x + v' h. Order 1, symplectic, the same limit; the energy oscillates about a
   * fixed value with a larger amplitude. */
  WEFT_INTEGRATOR_SEMI_IMPLICIT_EULER = 2,
  /* x' = x + v h, v' = v + a h. Order 1, gains energy: that of an undamped oscillator grows by a
   * factor 1 + (w h)^2 a substep, so it diverges at any h. Constraints act one substep late: a
   * particle that hangs at rest has the velocity that gravity adds in one substep. */
  WEFT_INTEGRATOR_EXPLICIT_EULER = 3,
  /* v' = v + a' h, x' = x + v' h, with a' of the end of the substep, linearised once at its
   * beginning and solved by conjugate gradients (Baraff, Witkin 1998, "Large steps in cloth
   * simulation") to a residual of 1e-7 of the first one or for 200 iterations. Order 1, loses
   * energy: that of an oscillator falls by a factor 1 / (1 + (w h)^2) a substep. Stable for
   * springs of any stiffness at any h, except that bodies that rotate by more than about half a
   * radian in a substep can gain energy, an error of the linearisation. A solve that is cut off at
   * 200 iterations leaves springs softer. */
  WEFT_INTEGRATOR_IMPLICIT_EULER = 4,
} weft_integrator;

/* Treatment of elapsed time that is shorter than a whole step. */
typedef enum weft_remainder {
  WEFT_REMAINDER_CARRY = 0, /* carried over to the next call */
  /* Taken as one more, shorter step; below 1,000 nanoseconds it is carried over. Step lengths then
   * vary, and results depend on the frames. Positions are single precision: a step of
   * h seconds rounds velocities to about 1e-7 |x| / h */
  WEFT_REMAINDER_STEP = 1,
} weft_remainder;

/* Value of iterations, coarse_iterations, substeps and attachments for which weft_world_create()
 * chooses a setting from the scene, so that cloth does not stretch under its own weight;
 * weft_world_stats has the choice. It is one for the whole world:
 *
 *   substeps      step_ns / 1,041,667, rounded up, at most 32: 16 for 1/60 s; 1 without links
 *   attachments   4 if there is pinned cloth and all structural links are rigid and cannot tear;
 *                 else 0
 *   levels        2 iterations each if a cloth that attachments do not hold would sag by more than
 *                 0.2 %, such as large cloth without pins or of an elastic material; else none
 *   iterations    2 with levels, else 1
 *
 * Source: Macklin, Storey, Lu, Terdiman, Chentanez, Jeschke, Mueller 2019, "Small steps in physics
 * simulation". */
#define WEFT_AUTO UINT32_MAX

typedef struct weft_world_def {
  float gravity[3];    /* metres per second squared; default 0 -9.81 0 */
  float damping;       /* 1/seconds, >= 0: rate of exponential decay of velocities; default 0.1 */
  uint32_t iterations; /* sweeps over all links a substep, 0 to 10,000; default WEFT_AUTO */
  /* Sweeps over each coarse multigrid level a substep, 0 to 10,000; 0 = no levels; default
   * WEFT_AUTO. They keep large cloth from stretching, wherever it is held */
  uint32_t coarse_iterations;
  /* Maximum number of Newton iterations for each tree and substep of the direct solver, 0 to 100;
   * default 6, 0 = off. It
   * solves trees, such as ropes, chains and branches: at least two structural links of relaxation 1
   * and mode WEFT_LINK_MODE_BOTH that form no loop among free particles. A tree is solved as a
   * whole and bears any load. Iterations end on convergence */
  uint32_t direct_iterations;
  /* Substeps of equal length in a step, each with all iterations, 1 to 1,000; default WEFT_AUTO */
  uint32_t substeps;
  /* Long-range attachments (LRA) of a particle, 0 to 4; 0 = none; default WEFT_AUTO. Before links
   * are solved, a particle is moved to within the geodesic distance of the nearest pinned particle:
   * the length of the shortest path along links at their rest lengths, whatever their compliance,
   * less what the path zigzags across a surface, at most a sixth. Pinned particles that links
   * connect are one island; with n attachments a particle has one to each of the n nearest islands.
   * Links that can tear, supports, and links of mode
   * WEFT_LINK_MODE_COMPRESS or WEFT_LINK_MODE_RANGE are not part of a path; multigrid levels ignore
   * the latter two modes and supports, too.
   *
   * Attachments are built from the pins of the scene. An anchor that is unpinned in the world
   * holds nothing meanwhile; particles pinned later are no anchors. An attachment ends when a link
   * of its path is torn or switched off by a call */
  uint32_t attachments;
  weft_integrator integrator; /* default WEFT_INTEGRATOR_POSITION_VERLET */
  /* If true, links with a compliance and relaxation 1 are Hooke springs: a force of (length -
   * rest_length) / compliance plus spring_damping times the rate of elongation, where their mode
   * resists. Springs are not swept (a world of springs alone needs no iterations), are no part of
   * trees, attachments and multigrid levels, and are stable only within the limit of the
   * integrator. Default false: such links are solved as constraints, as all others */
  bool springs;
  /* metres per second along each axis, > 0; clamped to WEFT_MAX_MAGNITUDE; default infinity */
  float max_speed[3];
  /* Keep the faces of sheets and meshes, 48 bytes a face and 4 a particle, for wind, pressure, CCD
   * (weft_particle_shape_def.ccd), queries and weft_world_get_faces(). Default false; a scene with
   * pressure implies true */
  bool faces;
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
  /* threads, the caller's included, 1 to WEFT_MAX_WORKERS; default 1. Small scenes use fewer, and
   * no world has more than weft_available_cpus(): see weft_world_stats */
  uint32_t worker_count;
  weft_isa isa;    /* default WEFT_ISA_AUTO */
  uint32_t cookie; /* private */
} weft_world_def;

WEFT_API weft_world_def weft_default_world_def(void);

/* The default, but with the plain sweeps of a textbook: 10 iterations a step, one substep, no
 * levels, no attachments. Large cloth is as soft as rubber with these. For comparisons, and for
 * scenes whose settings the caller knows. */
WEFT_API weft_world_def weft_plain_world_def(void);

/* Freezes a scene into a world: orders the particles, cuts them into patches, colours and batches
 * the links, starts the workers. The scene is only read, and may be changed or destroyed
 * afterwards. */
WEFT_RESULT weft_world_create(const weft_world_def* def, const weft_scene* scene,
                              weft_world** world);

/* Resets a world to its first state: the world is as weft_world_create() makes it of its def and of
 * `scene`, to the bit, and the pointer stays valid. Positions, torn links and removed bodies are
 * back; bounds, colliders, shapes of particles, contacts, wind, forces, joints, grips, events,
 * statistics, settings and time are those of a new world, and handles name nothing. `scene` is as a
 * rule the one the world was created from; another one is as good. Freezes the scene anew, with the
 * former world in memory until that is done. Fails with WEFT_ERROR_EMPTY at "scene" if there is no
 * particle, and with WEFT_ERROR_OUT_OF_MEMORY; the world is unchanged then. */
WEFT_RESULT weft_world_reset(weft_world* world, const weft_scene* scene);

/* Stops the workers, frees the world and sets the caller's pointer to NULL. */
WEFT_API void weft_world_destroy(weft_world** world);

/* Takes `count` steps; none of a NULL world. Cannot fail, and does not allocate. Workers lock a
 * mutex only to sleep and to wake sleeping workers. */
WEFT_API void weft_world_step(weft_world* world, uint32_t count);

/* CPUs that this process may use: those of its affinity mask, at most the CPU quota of its control
 * group rounded up, at least 1. */
WEFT_API uint32_t weft_available_cpus(void);

/* True if this build and this CPU can run the instruction set. */
WEFT_API bool weft_isa_supported(weft_isa isa);

/* "auto", "scalar", "sse2", "avx2", "avx512" or "neon". Never NULL. */
WEFT_API const char* weft_isa_name(weft_isa isa);

/* ---- 4 Time ---------------------------------------------------------------------------------- */

typedef struct weft_advance {
  uint32_t steps; /* whole steps taken */
  /* remaining time as a share of the next step, 0 to below 1; always 1 with WEFT_REMAINDER_STEP */
  float interpolation;
  /* nanoseconds of the shorter step after the whole ones; 0 = none was taken */
  int64_t remainder_ns;
  /* nanoseconds dropped: elapsed time above max_elapsed_ns, plus world time of the whole steps
   * above max_steps; at most INT64_MAX */
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
 * At a scale of 0 no step is taken and the interpolation is unchanged. */
WEFT_RESULT weft_world_advance(weft_world* world, int64_t elapsed_ns, weft_advance* advance);

#ifdef __cplusplus
}
#endif

#include "weft/bodies.h"
#include "weft/change.h"
#include "weft/contact.h"
#include "weft/query.h"
#include "weft/read.h"

#endif
