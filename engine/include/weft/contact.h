/* weft, chapter 8: contacts. Include <weft/weft.h>, which includes this.
 *
 * Particles collide with colliders, which the caller moves; cloth with itself and with other cloth;
 * spheres, boxes and ellipsoids with each other. Calls are made between steps and may allocate; a
 * step never does, and drops and counts contacts that it has no room for: see
 * weft_contact_limits_def.
 *
 * Order. In each substep contacts follow links and trees: self-collision of cloth, particle
 * contacts of bodies, colliders, bounds; last, within the bounds, continuous collision detection
 * (CCD) of WEFT_COLLISION_EXACT.
 *
 * Friction is Coulomb's. The tangential velocity of a contact is removed as a whole if that takes
 * no more than static_friction times the normal impulse; otherwise dynamic_friction times the
 * normal impulse acts against it. Two friction coefficients a and b combine to sqrt(a^2 + b^2),
 * two restitutions to the smaller one, unless weft_world_def.friction_rule has another rule. */
#ifndef WEFT_WEFT_H
// included first: weft.h includes this file again, before others that need its types
#include "weft/weft.h"
#elif !defined(WEFT_CONTACT_H)
#define WEFT_CONTACT_H

#ifdef __cplusplus
extern "C" {
#endif

/* ---- collision shapes of particles ----------------------------------------------------------- */

typedef enum weft_particle_shape {
  /* Collides with colliders and bounds, at a distance of half_size[0], and with exact faces; not
   * with particles */
  WEFT_PARTICLE_SHAPE_POINT = 0,
  /* Particle of a cloth of thickness half_size[0] on either side, which keeps clear of bodies and
   * of other cloth: along the surfaces where both have faces, else as a sphere of that radius. Two
   * joined by a path of links and joints of at most 1.5 times the sum of their radii do not
   * collide: a fold is no sharper than the cloth is thick. Two that any path of links joins collide
   * at most at the distance that they had when a particle of the world first got this shape. A
   * radius of about 0.55 of a sheet's spacing closes the gaps between particles. Not in a plane */
  WEFT_PARTICLE_SHAPE_CLOTH = 1,
  /* Bodies collide with each other by impulses. Spheres rotate if they have `turns`, boxes and
   * ellipsoids do not. A sphere has radius half_size[0]. Resting bodies may overlap by a thousandth
   * of their size. */
  WEFT_PARTICLE_SHAPE_SPHERE = 2,
  WEFT_PARTICLE_SHAPE_BOX = 3,       /* axis-aligned; half_size is half its size */
  WEFT_PARTICLE_SHAPE_ELLIPSOID = 4, /* axis-aligned; half_size are its half axes */
} weft_particle_shape;

/* Guarantee of the contacts of a particle. */
typedef enum weft_collision {
  WEFT_COLLISION_NONE = 0, /* collides with nothing, as without a shape */
  /* Keeps its distance. Cloth, bodies and colliders that approach by more than their size in a
   * substep, or that are forced, may pass through each other */
  WEFT_COLLISION_SOFT = 1,
  /* Continuous collision detection: no particle with a contact passes through its faces, and no
   * edge of its faces through another such edge, at any speed. A face is exact if its three
   * particles are. So are edges without faces, of ropes, chains and nets: the WEFT_LINK_STRUCTURAL
   * links that resist stretch, between two exact particles of which one is no corner of a face;
   * with CLOTH shape they are capsules for each other, of radius half_size[0]. Bodies keep
   * half_size[0] away from faces. Links cannot break this; the caller may, by setting positions.
   * Pairs that intersect already may pass, obstruct nothing, and are pulled apart, see
   * docs/contacts.md. Work a step is bounded: crowded cloth moves rigidly for a while, see
   * weft_contact_stats.ccd_over_budget. A pinned particle that is moved may be stopped. Not in a
   * plane */
  WEFT_COLLISION_EXACT = 2,
} weft_collision;

/* Number of materials of a world: see weft_friction_rule. */
#define WEFT_MAX_MATERIALS 16u

/* Collision shape, surface and filter of a particle. half_size is its size for the bounds, whatever
 * its category and mask. Restitution and friction at the bounds are in weft_bounds_def. */
typedef struct weft_particle_shape_def {
  weft_particle_shape shape; /* default WEFT_PARTICLE_SHAPE_POINT */
  weft_collision collision;  /* default WEFT_COLLISION_SOFT */
  /* metres; 0 to 1e6 for points, 1e-6 to 1e6 for others; a single radius is the first. Default 0 0
   * 0 */
  float half_size[3];
  weft_surface_def surface;
  /* Two collide if each has a bit of its category in the other's mask. Defaults 1 and all bits */
  uint32_t category, mask;
  uint32_t material; /* number for weft_world_set_material_pair(), 0 to 15; default 0 */
  /* The sphere rotates, with the moment of inertia 2/5 m r^2, in a plane 1/2 m r^2; friction with
   * bodies, colliders and bounds turns it; contacts with cloth and with exact faces do not. See
   * WEFT_ATTRIBUTE_ANGULAR_VELOCITY. Only for spheres. Default false */
  bool turns;
  uint32_t cookie; /* private */
} weft_particle_shape_def;

WEFT_API weft_particle_shape_def weft_default_particle_shape_def(void);

/* Mass in kilograms of a body of this shape and a density in kilograms per cubic metre, 1e-9 to
 * 1e9. Fails with WEFT_ERROR_RANGE at "weft_particle_shape_def.shape" for points and cloth, and at
 * "density" if the mass is out of the range of inverse masses. */
WEFT_RESULT weft_particle_shape_get_mass(const weft_particle_shape_def* shape, float density,
                                         float* mass);

/* Sets the contact of particles; NULL = none, the initial state: they
 * collide with nothing. Fails with WEFT_ERROR_DISABLED at "weft_particle_shape_def.collision" for
 * exact ones in a plane. Rotations are kept while particles turn. May allocate, and builds the
 * tables of CCD once calls have named as many particles as the world has. */
WEFT_RESULT weft_world_set_particle_shape(weft_world* world, weft_selection particles,
                                          const weft_particle_shape_def* contact);

/* Sets the contact with which worlds of the scene begin, as weft_world_set_particle_shape() would
 * after weft_world_create(), which then fails where that would. A later call overrides. In a plane
 * CLOTH is POINT, and soft. */
WEFT_RESULT weft_scene_set_particle_shape(weft_scene* scene, weft_selection particles,
                                          const weft_particle_shape_def* contact);

/* Copies the shapes of particles, [count]. Without a contact, and of removed bodies:
 * a point with mask 0. A single radius stands in all of half_size, in a plane the larger of the
 * first two sizes in half_size[2]. */
WEFT_RESULT weft_world_get_particle_shapes(const weft_world* world, weft_selection particles,
                                           weft_particle_shape_def* shapes);

/* ---- friction of pairs ----------------------------------------------------------------------- */

/* Sets friction and restitution between materials a and b, either way; `pair` NULL = none, the
 * initial state: they combine as by default. Materials are numbers below WEFT_MAX_MATERIALS: else
 * WEFT_ERROR_INDEX. Needs WEFT_FRICTION_RULE_TABLE: else WEFT_ERROR_DISABLED. */
WEFT_RESULT weft_world_set_material_pair(weft_world* world, uint32_t a, uint32_t b,
                                         const weft_surface_def* pair);

/* ---- particles that come and go -------------------------------------------------------------- */

/* Particle that is added to a running world. */
typedef struct weft_particle_def {
  float position[3];                    /* metres; default 0 0 0 */
  float velocity[3];                    /* metres per second; default 0 0 0 */
  float inverse_mass;                   /* 1/kg, as of scenes, 0 = pinned; default 1 */
  const weft_particle_shape_def* shape; /* default NULL: collides with nothing */
  uint32_t cookie;                      /* private */
} weft_particle_def;

WEFT_API weft_particle_def weft_default_particle_def(void);

/* Adds a particle in a slot of weft_scene_reserve_particles(): the lowest numbers first, then the
 * one freed last. It has no links. With the same numbers a world has the same bits as if its scene
 * had had the particle, unless cloth with a shape is in it, which is cut into tiles by first
 * positions. Takes the same time in any world, and may allocate as weft_world_set_particle_shape()
 * does. Fails with WEFT_ERROR_TOO_MANY at "world" if no slot is free. */
WEFT_RESULT weft_world_add_particle(weft_world* world, const weft_particle_def* def,
                                    weft_particle* particle);

/* Removes a particle as weft_world_remove_body() does a body. A reserved one frees its slot, which
 * is pinned where it was and left out of the hash; joints to it fail with WEFT_ERROR_STALE. */
WEFT_RESULT weft_world_remove_particle(weft_world* world, weft_particle particle);

/* ---- colliders ------------------------------------------------------------------------------- */

/* Shapes are in the collider's local frame, which its position and rotation place in the world. */
typedef enum weft_collider_shape {
  WEFT_COLLIDER_SHAPE_PLANE = 0,      /* infinite and thin, y = 0, two-sided */
  WEFT_COLLIDER_SHAPE_HALF_SPACE = 1, /* solid for y < 0 */
  WEFT_COLLIDER_SHAPE_SPHERE = 2,     /* `radius`, centred at 0 */
  WEFT_COLLIDER_SHAPE_CAPSULE =
      3,                       /* `radius` around the segment y = -half_size[1] to half_size[1] */
  WEFT_COLLIDER_SHAPE_BOX = 4, /* half_size */
  WEFT_COLLIDER_SHAPE_ELLIPSOID = 5, /* half axes half_size */
  WEFT_COLLIDER_SHAPE_HULL = 6,      /* convex hull of `points`, which must not be coplanar */
  /* y = heights[row * columns + column] at x = column * spacing, z = row * spacing; solid below,
   * without end. Cells are split from (column + 1, row) to (column, row + 1). The edges have
   * vertical walls; nothing is beyond them */
  WEFT_COLLIDER_SHAPE_HEIGHTFIELD = 7,
  /* `triangles` over `points`: thin, two-sided unless `one_sided`; points may move: `deforms` */
  WEFT_COLLIDER_SHAPE_MESH = 8,
  /* Signed distance field, negative inside: samples[(k * size[1] + j) * size[0] + i] at x = i *
   * spacing, y = j * spacing, z = k * spacing; trilinear interpolation; nothing beyond its edges */
  WEFT_COLLIDER_SHAPE_DISTANCE_GRID = 9,
  /* Convex hull of the points of `support` in 4 support_level^2 + 2 directions */
  WEFT_COLLIDER_SHAPE_SUPPORT = 10,
} weft_collider_shape;

/* Support function of a convex shape: writes a point that is furthest along a direction, a unit
 * vector [3], in metres of the collider's frame. It must be pure. Only weft_world_add_collider()
 * calls it, in the calling thread, twice for each direction. */
typedef void weft_support_function(const void* context, const float* direction, float* point);

typedef struct weft_collider_def {
  weft_collider_shape shape; /* default WEFT_COLLIDER_SHAPE_SPHERE */
  float position[3];         /* metres; default 0 0 0 */
  float rotation[4];         /* unit quaternion x y z w, to 0.001; default 0 0 0 1 */
  float radius;              /* metres, 1e-6 to 1e9; default 1; ignored by shapes without one */
  float half_size[3];        /* metres, 1e-6 to 1e9; default 0.5 0.5 0.5; ignored, too */
  const float* points;       /* metres, [point_count][3]: of hulls and meshes */
  uint32_t point_count;      /* up to 2^24; of a hull 4 to 65,535 */
  const uint32_t* triangles; /* [triangle_count][3] */
  uint32_t triangle_count;   /* 1 to 2^25 */
  const float* samples;      /* metres: heights [size[2]][size[0]], or distances */
  uint32_t size[3];          /* samples along x, y, z: 2 to 65,536 each; heightfields ignore y */
  float spacing;             /* metres, 1e-6 to 1e6; default 1 */
  weft_support_function* support; /* default NULL */
  const void* support_context;    /* passed to it; default NULL */
  /* 1 to 127; default 32: 4,098 directions. A polytope is exact once each vertex is the support of
   * a direction; of a smooth surface of radius of curvature R at most R / level^2 is cut off */
  uint32_t support_level;
  bool deforms; /* the points of a mesh move: weft_world_move_collider_points(); default false */
  /* Hits on a triangle of a mesh from behind, where its corners run clockwise, are ignored: cloth
   * inside a closed body leaves it. Default false */
  bool one_sided;
  float velocity[3]; /* metres per second, kinematic; default 0 0 0 */
  float spin[3];     /* radians per second about its position, up to 1e6; default 0 0 0 */
  weft_surface_def surface;
  uint32_t category, mask; /* as in weft_particle_shape_def */
  uint32_t material;       /* the same */
  void* user_data;         /* the host's, in weft_world_get_collider(); default NULL */
  /* number of the environment whose particles it collides with; default WEFT_ALL_ENVIRONMENTS.
   * See weft/environments.h */
  uint32_t environment;
  uint32_t cookie; /* private */
} weft_collider_def;

WEFT_API weft_collider_def weft_default_collider_def(void);

/* Adds a collider; arrays are copied. It takes the lowest free index. Colliders are solved in the
 * order of their indices: the last one overrides. Fails at the field of weft_collider_def, with
 * WEFT_ERROR_INDEX and the number of a triangle at "weft_collider_def.triangles", with
 * WEFT_ERROR_DEGENERATE at coplanar points of a hull, and with WEFT_ERROR_TOO_MANY at "world". */
WEFT_RESULT weft_world_add_collider(weft_world* world, const weft_collider_def* def,
                                    weft_collider* collider);

/* Removes a collider. Its touches end with the next step: see weft_contact_event. */
WEFT_RESULT weft_world_remove_collider(weft_world* world, weft_collider collider);

/* Moves a collider to a position, [3], and a rotation, [4] (NULL = unchanged), during the next
 * step: in equal parts, one each substep, along the shorter arc. Then it is at rest. Particles in
 * its way are swept along. The sweep is sampled in slices of 1/16 radian, or of 1/128 of the
 * rotation in a substep if that is larger. */
WEFT_RESULT weft_world_move_collider(weft_world* world, weft_collider collider,
                                     const float* position, const float* rotation);

/* Moves all points of a mesh that deforms, [3] in metres of the collider's frame, `stride` bytes
 * apart, 0 = packed, during the next step: in equal parts, one each substep. Then they are at rest.
 * Particles in the way are swept along, at any speed. Triangles may collapse. The frame moves as
 * well: see weft_world_move_collider(). A further call before that step replaces the points. Fails
 * with WEFT_ERROR_DISABLED at "weft_collider_def.deforms" for other colliders, and with
 * WEFT_ERROR_RANGE at "count" if that is not the number of its points. */
WEFT_RESULT weft_world_move_collider_points(weft_world* world, weft_collider collider,
                                            uint32_t count, const float* points, size_t stride);

/* Copies the def of a collider with its present position, rotation, velocity and spin. Arrays and
 * support function are NULL, their counts 0. */
WEFT_RESULT weft_world_get_collider(const weft_world* world, weft_collider collider,
                                    weft_collider_def* def);

/* Sets a collider to a def, such as a changed one of weft_world_get_collider(): placed at once, so
 * that no particle is swept along, with velocity, spin and surface; a pending move is cancelled.
 * Fails with WEFT_ERROR_RANGE at "weft_collider_def.shape" for another shape. Arrays stay, and
 * sizes of shapes that have them. */
WEFT_RESULT weft_world_set_collider(weft_world* world, weft_collider collider,
                                    const weft_collider_def* def);

/* ---- loads ----------------------------------------------------------------------------------- */

/* Load on a collider by all particles, friction included, over all substeps of the last step, for a
 * rigid body that the caller simulates: see docs/two-way.md. Divided by the length of the step
 * these are mean force and torque. */
typedef struct weft_collider_load {
  float impulse[3];         /* newton seconds */
  float angular_impulse[3]; /* newton metre seconds, about its position in each substep */
  uint32_t contact_count;   /* contacts of particles, all substeps together */
} weft_collider_load;

/* Loads of colliders, [count], of the last step; 0 before the first one with them. The same bits
 * for any worker count and ISA. `weft_result.index` names the first stale handle. Needs
 * weft_world_def.loads: else WEFT_ERROR_DISABLED. */
WEFT_RESULT weft_world_get_collider_loads(const weft_world* world, const weft_collider* colliders,
                                          uint32_t count, weft_collider_load* loads);

/* ---- events ---------------------------------------------------------------------------------- */

typedef enum weft_contact_event_kind {
  WEFT_CONTACT_EVENT_BEGIN = 0, /* touching in this step, in any substep, not in the previous one */
  WEFT_CONTACT_EVENT_STAY = 1,  /* touching in both; only with weft_contact_limits_def.with_stays */
  WEFT_CONTACT_EVENT_END = 2,   /* touching in the previous step, not in this one */
} weft_contact_event_kind;

/* Contact event of a particle and a collider, or of two bodies. Contacts of cloth with cloth have
 * no events. */
typedef struct weft_contact_event {
  weft_contact_event_kind kind;
  uint32_t particle;
  uint32_t other; /* the other particle, of a higher number; 0 in contact with a collider */
  /* null in contact with a particle; stale if the collider has been removed meanwhile */
  weft_collider collider;
  /* Impulse on the particle in the whole step, newton seconds: impulse * normal + friction, the
   * opposite of the impulse on `other`, or on the collider. 0 for END */
  float impulse;     /* along the normal */
  float normal[3];   /* unit vector towards the particle, the mean by impulse; 0 for END */
  float friction[3]; /* 0 for END */
  /* metres: on the particle's surface, or a collider's where a face touches it, in the last substep
   * with contact; 0 for END */
  float point[3];
  uint32_t reserved; /* 0 */
  uint64_t step;     /* number of the step, from 1 */
} weft_contact_event;

/* Takes the oldest events out of the buffer: *count of them, at most `capacity`; in the order of
 * steps, particles, colliders before particles, indices. Of a reused index the removed collider's
 * events come first. Needs weft_contact_limits_def.max_events: else WEFT_ERROR_DISABLED. */
WEFT_RESULT weft_world_take_contact_events(weft_world* world, uint32_t capacity,
                                           weft_contact_event* events, uint32_t* count);

/* ---- suggested settings ---------------------------------------------------------------------- */

/* Reason of a suggestion. */
typedef enum weft_contact_reason {
  WEFT_CONTACT_REASON_STIFFNESS = 0, /* as many substeps as cloth takes without contacts */
  WEFT_CONTACT_REASON_SPEED = 1,     /* in fewer, layers approach by more than half a thickness */
  WEFT_CONTACT_REASON_TOO_FAST = 2,  /* CCD costs less than the substeps that the speed takes */
  WEFT_CONTACT_REASON_GAPS = 3,      /* CCD, as particles fit between those of the longest links */
} weft_contact_reason;

/* A sentence in English; NULL for other values. */
WEFT_API const char* weft_contact_reason_text(weft_contact_reason reason);

typedef struct weft_contact_suggestion {
  float spacing;            /* metres: mean rest length of the structural links */
  float thickness;          /* metres: weft_particle_shape_def.half_size[0] */
  uint32_t substeps;        /* weft_solver_def.substeps */
  weft_collision collision; /* weft_particle_shape_def.collision: soft or exact */
  weft_contact_reason reason;
  float fastest; /* metres per second: approach by half a thickness in a substep */
  /* metres that the middle of the largest face would reach into a sphere or capsule if only
   * particles collided, at most the radius; 0 for others. Faces collide where it is more than a
   * tenth of their size */
  float dip;
} weft_contact_suggestion;

/* Suggests the contacts of a body of cloth, a sheet or mesh of a scene, and substeps for layers
 * that approach each other at `speed`, metres per second, >= 0. The thickness is 0.55 spacings:
 * contacts, 1.1 spacings long, leave no gap that a particle fits through. Substeps are those of
 * `def`, or so many more that layers approach by at most half a thickness in each; where these are
 * more than twice as many, CCD is suggested, with substeps of a thickness, up to four times as many
 * (docs/contacts.md, Substeps of fine sheets). `collider`: shape that the cloth meets, NULL = none.
 * `def`: world that the scene is for, NULL = the default. Fails with WEFT_ERROR_DEGENERATE at
 * "body" without structural links, with WEFT_ERROR_INDEX at "body" if the scene lacks its links,
 * and at the fields of the defs. Changes nothing; may allocate. */
WEFT_RESULT weft_suggest_contact(const weft_scene* scene, const weft_body* body,
                                 const weft_collider_def* collider, float speed,
                                 const weft_world_def* def, weft_contact_suggestion* suggestion);

/* ---- limits and counts ----------------------------------------------------------------------- */

/* Capacities of a step. Contacts beyond them are dropped and counted in weft_contact_stats. 0 =
 * sized for the world, the default; the maximum is 2^30 each. */
typedef struct weft_contact_limits_def {
  /* Pairs near each other: of particles of cloth, of bodies, of links of exact ropes. A body
   * lists at most 512 neighbours; the rest counts as one dropped */
  uint32_t max_pairs;
  uint32_t max_ccd_pairs; /* CCD pairs of a particle and a face, or of two edges, that may soon
                             collide */
  uint32_t max_touches;   /* touching pairs of a step: see events */
  uint32_t max_events;    /* events until they are taken; default 0 = no events */
  bool with_stays;        /* report WEFT_CONTACT_EVENT_STAY; default false */
  uint32_t cookie;        /* private */
} weft_contact_limits_def;

WEFT_API weft_contact_limits_def weft_default_contact_limits_def(void);

/* Sets the limits. Events in the buffer are kept, the oldest that fit. */
WEFT_RESULT weft_world_set_contact_limits(weft_world* world, const weft_contact_limits_def* limits);

/* Counts of the last step; totals since the world was created where documented. Without padding, so
 * that two can be compared as bytes. */
typedef struct weft_contact_stats {
  uint32_t collider_count;
  uint32_t collider_contacts; /* particles in contact with a collider, in the last substep */
  uint32_t face_contacts;     /* faces in contact with a collider, in the last substep */
  uint32_t self_pairs;        /* pairs of the broad phase of self-collision */
  uint32_t particle_pairs;    /* pairs of the broad phase of bodies */
  uint32_t particle_colors;   /* batches in which body pairs were solved */
  uint32_t ccd_pairs;         /* CCD pairs in use, of max_ccd_pairs; some may be out of date */
  uint32_t ccd_hits; /* CCD pairs that would have passed through each other, all substeps */
  /* distance and time-of-impact tests; bounded for each cluster of 16 faces by 65,536 in a
   * substep, and by 8,192 a substep in the long run */
  uint64_t ccd_tests;
  /* pairs that would have passed and may, as they intersected already, such as at the start of a
   * scene; pairs being untangled are not tested */
  uint32_t ccd_crossed;
  /* clusters of 16 faces, or single particles, in all substeps, that exceeded the test budget or
   * max_ccd_pairs: each moved rigidly with all near it, or not at all */
  uint32_t ccd_over_budget;
  /* rounds over the CCD pairs, in all substeps: at most 63 a substep, four times as many where
   * colliders push out again, and one if nothing collides */
  uint64_t ccd_rounds;
  uint64_t ccd_rollbacks; /* particles rolled back to their last checked positions, total */
  /* particles that each of more than 16 substeps in a row has rolled back: they hang where they are
   */
  uint64_t ccd_stuck;
  /* dropped for lack of room in max_pairs, and lists of weft_world_def.pair_force cut off, total */
  uint64_t lost_pairs;
  uint64_t lost_ccd_pairs; /* in max_ccd_pairs, total */
  uint64_t lost_touches;   /* in max_touches, contacts of all substeps, total */
  uint64_t lost_events;    /* in max_events, total */
  /* Pairs of an edge and an exact face that cross at the end of the step; a lower bound where a
   * cluster of faces has several thousand near it. They are searched where the caller has set
   * positions, and pulled apart, see docs/contacts.md. Then pairs found and pairs gone, in all
   * searches, total */
  uint64_t crossings, crossings_found, crossings_resolved;
  /* Work of the step, in units of some ten nanoseconds, and times that a stage left out work as the
   * step had spent its budget: 8,192 units for each particle and for 768 more. See
   * docs/contacts.md, Bounded work */
  uint64_t work, work_cuts;
} weft_contact_stats;

/* Copies the counts. */
WEFT_RESULT weft_world_get_contact_stats(const weft_world* world, weft_contact_stats* stats);

#ifdef __cplusplus
}
#endif

#endif
