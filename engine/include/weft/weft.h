/* weft: large cloth, ropes, ragdolls and soft bodies on many CPU cores.
 *
 * Chapters
 *   1  Results       error codes and the field at fault
 *   2  Scene         bodies: particles and the links between them
 *   3  World         a frozen scene that can be stepped: weft/world.h
 *   4  Time          fixed time steps from elapsed nanoseconds: weft/world.h
 *   5  Read back     energies, faces, statistics, the state hash: weft/read.h
 *   6  Change        gravity, wind, bounds, tearing, joints at run time: weft/change.h
 *   7  Bodies        cloth, ropes, tires, ragdolls, webs and more, ready-made: weft/bodies.h
 *   8  Contacts      colliders, self-collision of cloth, particle contacts: weft/contact.h
 *   9  Queries       ray casts, overlaps, nearest particles: weft/query.h
 *  10  Host          threads of the host or shared by worlds, memory, log: weft/host.h
 *  11  Snapshots     save, restore, rewind, one environment of many: weft/snapshot.h
 *  12  Sleep         bodies at rest, left out of the step: weft/sleep.h
 *  13  Environments  many scenes in one world that never touch: weft/environments.h
 *  14  Edit          teleport, pressure at run time: weft/edit.h
 *  15  Attributes    positions, velocities, masses, forces, links .., vertex buffers, views:
 *                    weft/attributes.h
 *  16  Garments      skinned positions, maximum distance, backstop: weft/garment.h
 *  17  Fabrics       materials of measured fabrics: weft/fabric.h
 *  18  Clusters      one world computed by several processes: weft/cluster.h
 *  19  Rods          ropes with bend and twist stiffness: weft/rod.h
 *  20  Inspect       settings by body and their reasons, times, spans, patches: weft/inspect.h
 *
 * This header includes the others.
 *
 * A curtain in ten lines, with check() of tests/example.c:
 *
 *   weft_scene* scene = NULL;
 *   weft_world* world = NULL;
 *   weft_cloth_def cloth = weft_default_cloth_def();
 *   weft_world_def def = weft_default_world_def();
 *   cloth.hooks = 9;
 *   check(weft_scene_create(&scene));
 *   check(weft_scene_add_cloth(scene, &cloth, NULL));
 *   check(weft_world_create(&def, scene, &world));
 *   weft_world_step(world, 60);
 *
 * Threading. A world has its own worker threads, shares a weft_threads, or has tasks of the host
 * (chapter 10); the calling thread is one of the workers. Calls on one world or one scene must not
 * overlap in time, except queries (chapter 9). Different worlds are independent. After fork()
 * between calls the child can go on stepping its copy of the world: the first step starts new
 * workers.
 *
 * Determinism. The same scene and the same calls give the same bits for any worker count, any
 * instruction set, any run, and any floating-point mode of the caller, which no call changes. See
 * weft_world_hash().
 *
 * Units. SI: metres, kilograms, seconds. Time outside the solver is whole nanoseconds.
 *
 * Indices. Particles and links are numbered in the order in which they were added to the scene. The
 * world keeps these numbers, and never reuses the numbers of removed bodies.
 *
 * Handles of colliders, joints and grips go stale with their removal: see weft_collider. */
#ifndef WEFT_WEFT_H
#define WEFT_WEFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEFT_VERSION_MAJOR 0
#define WEFT_VERSION_MINOR 3
#define WEFT_VERSION_PATCH 0

/* Maximum number of workers of a world, and of particles and links of a scene. */
#define WEFT_MAX_WORKERS 256
#define WEFT_MAX_PARTICLES (1u << 28)
#define WEFT_MAX_LINKS (1u << 30)

/* Maximum number of environments of a world, and the number that stands for all of them. */
#define WEFT_MAX_ENVIRONMENTS (1u << 20)
#define WEFT_ALL_ENVIRONMENTS UINT32_MAX

/* Largest magnitude of positions, lengths, velocities, accelerations and forces, in SI units, along
 * each axis. Larger arguments fail with WEFT_ERROR_RANGE unless documented otherwise. */
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
  WEFT_ERROR_IN_USE,        /* a change that comes too late: weft has memory */
  WEFT_ERROR_CORRUPT,       /* not a snapshot, or altered since it was saved */
  WEFT_ERROR_TRUNCATED,     /* a snapshot shorter than it was */
  WEFT_ERROR_VERSION,       /* a snapshot of another version of its layout */
  WEFT_ERROR_FOREIGN,       /* a snapshot of another scene, or of other settings of a world */
  WEFT_ERROR_STOPPED,       /* a function of the caller returned false */
} weft_error;

/* Error code and location. A call that fails changes nothing.
 *
 * Errors of every call, not repeated at each, name the argument or the field:
 *
 *   WEFT_ERROR_NULL            a pointer that is not documented as one that may be NULL
 *   WEFT_ERROR_DEF             a def that its default function has not made
 *   WEFT_ERROR_NOT_FINITE      NaN, or infinity where it is not documented
 *   WEFT_ERROR_RANGE           a number outside of its documented range
 *   WEFT_ERROR_INDEX           a number of a particle, link or patch past the last one; a range
 *                              past the end at "first + count"
 *   WEFT_ERROR_STALE           a handle of something removed
 *   WEFT_ERROR_OUT_OF_MEMORY   where a call allocates
 *
 * For arrays `index` is the first bad element. Arrays are row-major: [count][3] are x y z of the
 * first element, then of the second. */
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

/* Particles of a call, or links or environments, in the caller's order: some calls take a range, a
 * list, or some of either. A range past the end fails with WEFT_ERROR_INDEX at "first + count", a
 * number past it at "selection.indices" and its place in the list. */
typedef struct weft_selection {
  uint32_t first, count;   /* [first, first + count) */
  const uint32_t* indices; /* instead: numbers, [count], in any order; NULL = the range */
  const bool* mask;        /* false leaves an element out, [count]; NULL = none */
} weft_selection;

/* Elements [first, first + count). */
static inline weft_selection weft_range(uint32_t first, uint32_t count) {
  const weft_selection range = {first, count, NULL, NULL};
  return range;
}

/* Elements of these numbers, [count], which are read during the call only. */
static inline weft_selection weft_list(const uint32_t* indices, uint32_t count) {
  const weft_selection list = {0, count, indices, NULL};
  return list;
}

/* Stride of one element that all of a selection share. */
#define WEFT_SAME SIZE_MAX

/* Surface of particles, colliders and bounds, and of two materials. Two friction coefficients a and
 * b combine to sqrt(a^2 + b^2), two restitutions to the smaller one, unless
 * weft_world_def.friction_rule has another rule. */
typedef struct weft_surface_def {
  float restitution;      /* share of the approach speed kept on separation, 0 to 1; default 0 */
  float static_friction;  /* Coulomb coefficient, 0 to 1000; default 0 */
  float dynamic_friction; /* Coulomb coefficient, 0 to static_friction; default 0 */
} weft_surface_def;

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
  /* under-relaxation factor: share of the error that one solve removes, 1e-6 to 1; default 1. Below
   * 1 a link is softer than its compliance */
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
  float spring_damping; /* newton seconds per metre, 0 to 1e12; see weft_solver_def.springs */
  /* Number of a curve of the scene: the force of a spring, in place of elongation / compliance. 0 =
   * none, the default; else relaxation is 1, compliance above 0 and the mode WEFT_LINK_MODE_BOTH.
   * Worlds without springs solve the link by its compliance */
  uint32_t force_curve;
} weft_link_def;

/* A rigid, two-sided structural link; a, b and rest_length remain to be set. */
WEFT_API weft_link_def weft_default_link_def(void);

/* Distance between the free ends of two arms that share a joint, by the law of cosines. Arms are in
 * metres, > 0; the angle in radians, 0 to pi. A link of this length fixes the angle;
 * WEFT_LINK_MODE_COMPRESS makes it a lower limit, WEFT_LINK_MODE_STRETCH an upper one,
 * WEFT_LINK_MODE_RANGE both. Fails with WEFT_ERROR_DEGENERATE for equal arms at angle 0. The same
 * bits on all machines. */
WEFT_RESULT weft_length_at_angle(float arm_a, float arm_b, float angle, float* length);

/* Cloth material in physical units: mass and stiffness are independent of the resolution.
 * Stretch and shear stiffness may be infinite. */
typedef struct weft_material_def {
  /* kilograms per square metre, 1e-6 to 1e6; default 0.2 */
  float density;
  /* newtons per metre, >= 1e-6: tension per metre of width over strain; default 2000 */
  float stretch_stiffness;
  /* newtons per metre, >= 1e-6: shear force per metre of edge at a shear of one radian; default
   * 200. The shear links of sheets that resist bending are WEFT_LINK_MODE_STRETCH with twice this
   * stiffness, unless it is infinite. For sheets, and meshes with `membrane`: other meshes shear
   * with 3/8 of the stretch stiffness, and another value than the default fails with
   * WEFT_ERROR_RANGE */
  float shear_stiffness;
  /* newton metres, >= 0, finite: bending moment per metre of width at a curvature of one radian per
   * metre, about 1e-5 for light cotton; default 0 = no resistance. See Bending */
  float bend_stiffness;
  /* Meshes: triangles resist strain as a continuum, see Membranes. The three fields below need it.
   * Default false */
  bool membrane;
  /* newtons per metre along the weft, >= 1e-6, beside stretch_stiffness along the warp. Default 0 =
   * the same */
  float weft_stiffness;
  /* contraction along the weft over stretch along the warp, of cloth pulled along the warp, -0.99
   * to 10; its square is below 0.99 stretch_stiffness / weft_stiffness. Default 0 */
  float poisson_ratio;
  /* length over rest length, 1 to 1e6, at which the edges of the mesh become inextensible: a hard
   * limit beside the stiffness, solved as links of WEFT_LINK_MODE_STRETCH. Default 0 = none */
  float max_stretch;
  /* radians, 0 to pi: see Creases. Meshes only; needs a bend stiffness. Default 0 = no creases */
  float crease_angle;
  float max_crease; /* radians, 0 to pi: limit of the rest angle of a crease; default pi */
  uint32_t cookie;  /* private */
} weft_material_def;

/* Membranes. The mesh of a material with `membrane` has an element for each triangle, with the
 * plane stress
 *
 *     strain_warp = T_warp / Y_warp - poisson T_weft / Y_warp
 *     strain_weft = T_weft / Y_weft - poisson T_warp / Y_warp      shear strain = T_shear / G
 *
 * T in newtons per metre, strain by the stretch tensor. Any triangulation is orthotropic along warp
 * and weft, weft_mesh_def.uvs or weft_mesh_def.warp, and isotropic if G = Y / (2 (1 + poisson)).
 * Edges are links as in any mesh: they tear, and multigrid levels and attachments are built on
 * them, but sweeps leave them out, and their relaxation reads 0. Sheets have no membranes: fields
 * other than the default fail there.
 *
 * Too few iterations and substeps make cloth softer than its stiffness, as with any compliance. A
 * triangle pressed to a line is pushed open again. */

/* Bending. A material with a bend stiffness B adds bend elements: on a sheet one for every three
 * consecutive particles of a row or a column, on a mesh one for every pair of triangles that share
 * an edge, in place of bend links. Bend links of weft_sheet_def.bend stay beside them, and are
 * rigid. Cloth of curvature k stores B k^2 / 2 joules per square metre, at any resolution and in
 * any direction: on sheets, whose cells resist twist, and on meshes solved directly. Swept,
 * irregular triangles are about a fifth stiffer, right-angled ones up to three times along some
 * directions.
 *
 * A sheet is flat at rest. A mesh is at rest in its given positions, or at the angles of
 * weft_mesh_def.pleats; a fold that is inverted stays inverted.
 *
 * Rows and columns of a sheet are solved directly, once a substep unless iterations are 0: their
 * stiffness is reached at any resolution, with 16 substeps of 60 steps a second to 3 %, with 32 to
 * 2 %; across their cells' diagonals a sheet is up to 80 % too soft. Meshes up to
 * weft_solver_def.direct_bends are solved directly in every direction, with creases, tears and
 * flaws: only the elements of slivers, triangles of an area below 0.002 of their longest edge
 * squared, and of a third triangle at an edge are swept. Swept elements, and those of larger
 * meshes, are far softer, the finer the mesh the more: weft_world_stats.swept_bend_count.
 * Multigrid levels have no bend elements. See docs/materials.md.
 *
 * Creases. An edge of a mesh that is folded beyond its rest angle by more than crease_angle yields:
 * the rest angle follows the fold at this distance, in both directions, up to max_crease.
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
   * 0.001 for cells of `spacing`, not parallel */
  float across[3];
  float down[3];
  float particle_mass; /* kilograms, 1e-12 to 1e12; default 0.001 */
  /* Compliance of structural and shear links, and mass by area; read during weft_scene_add_sheet()
   * only. Default NULL = rigid links, and particle_mass */
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

/* Rest angle of a fold, in place of its angle in the given positions: a pleat. */
typedef struct weft_pleat {
  uint32_t a, b; /* vertices of an edge that is shared by two triangles */
  float angle;   /* radians between the normals of the triangles, 0 = flat, to pi */
} weft_pleat;

/* Triangle mesh. Each edge becomes a structural link, and each pair of triangles that share an edge
 * a bend link between the opposite corners, unless an edge links them already, they coincide, or
 * the mesh has a material: see Bending. An edge may have more than two triangles. Structural links
 * come first, then bend links, both in the order of the faces. Rest lengths are distances of the
 * given positions. Two vertices at one place, as along seams, are two particles without a link; one
 * of no triangle falls by itself. Arrays are read during weft_scene_add_mesh() only. */
typedef struct weft_mesh_def {
  const float* positions;            /* metres, [vertex_count][3] */
  uint32_t vertex_count;             /* > 0 */
  const uint32_t* triangles;         /* vertex numbers, [triangle_count][3] */
  uint32_t triangle_count;           /* > 0 */
  float particle_mass;               /* kilograms, 1e-12 to 1e12; default 0.001 */
  const weft_material_def* material; /* as in weft_sheet_def; default NULL */
  /* Directions of a material with `membrane`; at least one if it is not isotropic. u of the texture
   * coordinates, [vertex_count][2], runs along the warp; or the warp is the projection of a vector
   * on each triangle. UVs go first. Default NULL; 0 0 0. A triangle whose UVs have no area, or that
   * is normal to `warp`, fails with WEFT_ERROR_DEGENERATE and its number */
  const float* uvs;
  float warp[3];
  /* Folds of a material with bend stiffness, [pleat_count], to the side of the fold in the given
   * positions, a hundredth of a radian or more. Fails with the number of a pleat without such an
   * edge (WEFT_ERROR_INDEX), twice the same edge (WEFT_ERROR_DUPLICATE) or an angle out of range.
   * Default NULL, 0 */
  const weft_pleat* pleats;
  uint32_t pleat_count;
  float relaxation;      /* structural links', 1e-6 to 1; default 1; membranes: 1 */
  float bend_relaxation; /* bend links', 0 to 1, 0 = no bend links; default 0.2 */
  float tear_ratio;      /* as in weft_link_def; default 0 */
  uint32_t cookie;       /* private */
} weft_mesh_def;

WEFT_API weft_mesh_def weft_default_mesh_def(void);

/* Creates an empty scene. Fails with WEFT_ERROR_OUT_OF_MEMORY at "scene". */
WEFT_RESULT weft_scene_create(weft_scene** scene);

/* Frees a scene and sets the caller's pointer to NULL. Worlds created from it are unaffected. */
WEFT_API void weft_scene_destroy(weft_scene** scene);

/* Adds particles: positions [count][3] in metres, inverse masses [count] in 1/kg, 0 = pinned.
 * `body` may be NULL. Fails with WEFT_ERROR_EMPTY at "count" for 0, with WEFT_ERROR_TOO_MANY at
 * "particles" beyond WEFT_MAX_PARTICLES, and with the number of the particle at "positions" and
 * "inverse_masses" (0, or WEFT_MIN_INVERSE_MASS to WEFT_MAX_INVERSE_MASS). */
WEFT_RESULT weft_scene_add_particles(weft_scene* scene, const float* positions,
                                     const float* inverse_masses, uint32_t count, weft_body* body);

/* Reserves `count` particles that come and go while a world runs: see weft_world_add_particle().
 * Their numbers are the range of `body`, which may be NULL. A link to one of them fails with
 * WEFT_ERROR_STALE. In weft_scene_get_particles() they are pinned at 0. */
WEFT_RESULT weft_scene_reserve_particles(weft_scene* scene, uint32_t count, weft_body* body);

#define WEFT_MAX_FORCE_CURVES 65535

/* Force of a spring against its strain, piecewise linear; a curve goes on by its outer pieces.
 * Forces may fall as the strain rises unless is_monotone. The steepest piece sets the stability
 * limit of an integrator; implicit Euler takes falling pieces as level in its matrix. */
typedef struct weft_force_curve_def {
  const float* strains; /* length / rest_length - 1, -1 to 1e6, strictly ascending [count] */
  const float* forces;  /* newtons, tension above 0, -1e12 to 1e12 [count] */
  uint32_t count;       /* 2 to 4096 */
  bool is_monotone;     /* forces that fall are refused; default false */
} weft_force_curve_def;

/* Adds a curve for weft_link_def.force_curve and writes its number, 1 for the first. Fails with the
 * index of the bad point: `strains` out of range or not ascending, `forces` out of range or
 * falling; WEFT_ERROR_TOO_MANY beyond WEFT_MAX_FORCE_CURVES. */
WEFT_RESULT weft_scene_add_force_curve(weft_scene* scene, const weft_force_curve_def* def,
                                       uint32_t* curve);

/* Adds links [count] between existing particles of the scene. A pair may be linked only once.
 * `body` may be NULL. Fails with WEFT_ERROR_EMPTY at "count" for 0, with WEFT_ERROR_TOO_MANY at
 * "links" beyond WEFT_MAX_LINKS of the scene, and at "links" with the number of the bad one:
 * WEFT_ERROR_INDEX, WEFT_ERROR_SELF_LINK, WEFT_ERROR_STALE for a reserved particle,
 * WEFT_ERROR_NOT_FINITE, WEFT_ERROR_DEGENERATE for a rest length of 0 or less, WEFT_ERROR_RANGE,
 * WEFT_ERROR_DUPLICATE. */
WEFT_RESULT weft_scene_add_links(weft_scene* scene, const weft_link_def* links, uint32_t count,
                                 weft_body* body);

/* Adds a sheet. `body` may be NULL. Fails at the field of weft_sheet_def, with WEFT_ERROR_EMPTY or
 * WEFT_ERROR_TOO_MANY at columns and rows, WEFT_ERROR_DEGENERATE at "weft_sheet_def.down" if
 * parallel to `across`, WEFT_ERROR_RANGE at "weft_sheet_def.spacing" if a particle would be further
 * than WEFT_MAX_MAGNITUDE from the origin, and at fields of its material. */
WEFT_RESULT weft_scene_add_sheet(weft_scene* scene, const weft_sheet_def* def, weft_body* body);

/* Adds a triangle mesh. `body` may be NULL. Fails at the field of weft_mesh_def, and at fields of
 * its material; at "weft_mesh_def.triangles" with the number of the bad triangle:
 * WEFT_ERROR_INDEX of a vertex, WEFT_ERROR_DEGENERATE for a corner twice, WEFT_ERROR_DUPLICATE for
 * the same triangle twice; with WEFT_ERROR_DEGENERATE at "weft_mesh_def.positions" and the number
 * of a vertex whose edge has no length. */
WEFT_RESULT weft_scene_add_mesh(weft_scene* scene, const weft_mesh_def* def, weft_body* body);

/* Pins particles in place: their inverse mass becomes 0. */
WEFT_RESULT weft_scene_pin(weft_scene* scene, weft_selection particles);

/* Includes the body of a particle, the range added by one call, in the multigrid levels
 * (weft_solver_def.coarse_iterations), or excludes it. Default true. */
WEFT_RESULT weft_scene_set_coarse(weft_scene* scene, uint32_t particle, bool coarse);

/* Fills a closed body with gas of a gauge pressure, pascals above the air's, 0 to 1e12; 0 removes
 * the gas. `pressure` holds at the present volume V0 and is pressure * V0 / V at volume V, which
 * counts as at least V0 / 20. The body is the range of one call, or of several consecutive ones.
 * Each edge must belong to exactly two faces that run along it in opposite directions, and all
 * faces must wind counterclockwise as seen from outside; else this fails with WEFT_ERROR_DEGENERATE
 * and the index of a face. A body that loses a face loses the gas.
 *
 * The force follows the surface in each substep. A shell of m kilograms per square metre oscillates
 * on the gas, stably if pressure * area * substep^2 < 4 * m * volume. */
WEFT_RESULT weft_scene_set_pressure(weft_scene* scene, const weft_body* body, float pressure);

/* Sets the host's data of the body of a particle, which worlds pass on: see
 * weft_world_get_body_user_data(). Default NULL. */
WEFT_RESULT weft_scene_set_user_data(weft_scene* scene, uint32_t particle, void* user_data);

/* Numbers of particles, reserved ones included, and of links; 0 for NULL. */
WEFT_API uint32_t weft_scene_particle_count(const weft_scene* scene);
WEFT_API uint32_t weft_scene_link_count(const weft_scene* scene);

/* Copies particles [first, first + count): positions [count][3] in metres and inverse masses
 * [count] in 1/kg. Either may be NULL. */
WEFT_RESULT weft_scene_get_particles(const weft_scene* scene, uint32_t first, uint32_t count,
                                     float* positions, float* inverse_masses);

/* Copies links [first, first + count) to `links`, [count]. */
WEFT_RESULT weft_scene_get_links(const weft_scene* scene, uint32_t first, uint32_t count,
                                 weft_link_def* links);

#ifdef __cplusplus
}
#endif

// first, as the others use them
#include "weft/host.h"
#include "weft/world.h"

#include "weft/contact.h"

#include "weft/attributes.h"
#include "weft/bodies.h"
#include "weft/change.h"
#include "weft/cluster.h"
#include "weft/edit.h"
#include "weft/environments.h"
#include "weft/fabric.h"
#include "weft/garment.h"
#include "weft/inspect.h"
#include "weft/query.h"
#include "weft/read.h"
#include "weft/rod.h"
#include "weft/sleep.h"
#include "weft/snapshot.h"

#endif
