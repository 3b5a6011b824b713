/* weft, chapter 7: ready-made bodies. Include <weft/weft.h>, which includes this.
 *
 * Each body has a def with defaults and a call that adds it to a scene. Bodies consist of the
 * particles and links of chapter 2 and of nothing else, so everything documented there applies.
 * `body` may be NULL in all calls. A call that fails changes nothing.
 *
 * Placement. Flat bodies lie in the plane of two orthogonal unit vectors: `across`, to the right,
 * and `up`; `origin` is a point of the plane, in metres. Defaults are origin 0 0 0, across 1 0 0
 * and up 0 1 0: the xy plane. Bodies in the xy plane with gravity in it stay in it to the last
 * bit.
 *
 * Contacts. EXACT bodies are SOFT in a library without the module ccd.
 *
 * Links. `relaxation`, `compliance` and `tear_ratio` are as in weft_link_def: 1e-6 to 1, 0 to
 * 1e12 metres per newton, and 0 or above 1; defaults 1, 0 and 0. Links that are not meant to be
 * drawn have the kind WEFT_LINK_SUPPORT. */
#ifndef WEFT_BODIES_H
#define WEFT_BODIES_H

#include "weft/weft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- cloth ----------------------------------------------------------------------------------- */

/* Cloth, ready to use: it hangs, drapes, collides with itself and with all else, and comes to rest.
 * A rectangle, a sheet of weft/weft.h with square cells, or a triangle mesh. */
typedef struct weft_cloth_def {
  float origin[3]; /* metres, of the rectangle's first corner; default 0 0 0 */
  float across[3]; /* unit vector along the width; default 1 0 0 */
  float down[3];   /* unit vector along the height; default 0 -1 0 */
  float width;     /* metres, 1e-3 to 1e5; default 1 */
  float height;    /* metres, 1e-3 to 1e5, rounded to whole cells; default 1 */
  /* particles along the width, 2 to 65,535; default 65. Particle (column, row) is first_particle +
   * row * columns + column */
  uint32_t columns;
  /* Mesh in place of the rectangle, as in weft_mesh_def; default NULL, 0 */
  const float* positions; /* metres, [vertex_count][3] */
  uint32_t vertex_count;
  const uint32_t* triangles; /* [triangle_count][3] */
  uint32_t triangle_count;
  /* pinned particles of the rectangle's first row, from corner to corner, any number: hook h is
   * particle h * (columns - 1) / (hooks - 1); all of them if there are fewer; default 0: loose; 1:
   * the first corner */
  uint32_t hooks;
  /* Default NULL: light cotton, 0.12 kg/m2, bend stiffness 1e-5 N m, inextensible along its
   * threads, which on rectangles shears with 60 N/m (docs/materials.md) */
  const weft_material_def* material;
  /* metres on either side that contacts keep, 1e-6 to 1e3; default 0: weft_suggest_contact(), 0.55
   * of the mean edge */
  float thickness;
  float friction;           /* Coulomb coefficient, static and dynamic, 0 to 1000; default 0.3 */
  weft_collision collision; /* with cloth, bodies and colliders; default WEFT_COLLISION_EXACT */
  /* displacement of the first positions along the normal, at random, as a share of the mean edge, 0
   * to 0.1; default 1e-5: flat cloth that is pushed together folds. Rest lengths are without it */
  float ripple;
  uint32_t seed; /* of the ripple, any number; default 1 */
  /* the scene has still air, unless it has a wind: see weft_scene_set_wind(); default true */
  bool in_air;
  float tear_ratio; /* default 0 */
  uint32_t cookie;  /* private */
} weft_cloth_def;

WEFT_API weft_cloth_def weft_default_cloth_def(void);

/* Adds a cloth. Fails at the field of weft_cloth_def, and as weft_scene_add_sheet() and
 * weft_scene_add_mesh(). */
WEFT_RESULT weft_scene_add_cloth(weft_scene* scene, const weft_cloth_def* def, weft_body* body);

/* ---- rope ------------------------------------------------------------------------------------ */

/* Line of particles from `origin`, the first, to `end`, the last; or through given points, a
 * particle at each. It hangs, coils, knots and collides. In a plane it collides with colliders and
 * bounds only. */
typedef struct weft_rope_def {
  float origin[3];   /* metres; default 0 0 0 */
  float end[3];      /* metres, other than origin; default 0 -1 0 */
  uint32_t segments; /* links, 1 to 1,000,000; default 16 */
  /* metres, [point_count][3], consecutive ones apart: take the place of origin, end and segments;
   * read during weft_scene_add_rope() only. Default NULL */
  const float* points;
  uint32_t point_count; /* 2 to 1,000,001; default 0 */
  float slack;          /* length is 1 + slack times that from end to end along the points, -0.9
                            to 100; default 0; negative = under tension */
  float mass_per_metre; /* kilograms per metre of length, 1e-9 to 1e9; default 0.1 */
  bool pin_origin;      /* default false */
  bool pin_end;         /* default false */
  weft_link_mode mode;  /* BOTH (default): rods, solved directly; or STRETCH: threads */
  float relaxation;     /* default 1 */
  float compliance;     /* 1/newtons: strain of the rope per newton of tension, independent of
                            `segments`, 0 to 1e6; default 0 */
  float tear_ratio;     /* default 0 */
  /* metres from the axis that contacts keep, 1e-6 to 1e3; default 0: laid rope's of this mass, at
   * 900 kg/m3, at most 0.55 of the mean link; a rod's radius */
  float thickness;
  float friction;           /* Coulomb coefficient, static and dynamic, 0 to 1000; default 0.3 */
  weft_collision collision; /* with cloth, bodies and colliders; default WEFT_COLLISION_EXACT */
  bool in_air;              /* as of cloth; air acts on ropes that collide; default true */
  uint32_t cookie;          /* private */
} weft_rope_def;

WEFT_API weft_rope_def weft_default_rope_def(void);
WEFT_RESULT weft_scene_add_rope(weft_scene* scene, const weft_rope_def* def, weft_body* body);

/* ---- rod ------------------------------------------------------------------------------------- */

/* Rope that resists bending and twist: see weft/rod.h. */
typedef struct weft_rod_def {
  weft_rope_def rope;     /* shape, mass, pins; its mode is BOTH, its relaxation 1 */
  float bend_stiffness;   /* EI1, N m2, about the first material axis, 0 to 1e12; default 1e-3 */
  float bend_stiffness_2; /* EI2, about the second one; negative = the same; default -1 */
  float twist_stiffness;  /* GJ, N m2, 0 to 1e12; default 1e-3 */
  /* metres, 1e-6 to 1e3, of a round section, for the rotational inertia about the tangent,
   * mass times radius^2 / 2; default 0.005 */
  float radius;
  /* direction of the first material axis at the origin, of any length; the part across the rod
   * counts; along the rod or 0 0 0 (default): any */
  float normal[3];
  float twist; /* radians per metre, -1e6 to 1e6 and at most pi a segment: of the frames as given,
                  which else turn about the rod by no more than it bends; default 0 */
  /* true (default): at rest as given; false: at rest with the curvatures and the twist of
   * `rest_strain` */
  bool keeps_shape;
  /* k1', k2', t': radians per metre, -1e6 to 1e6, together (the root of their squares) at most pi
   * on the longest segment; an error has the index of the largest; default 0 0 0: straight */
  float rest_strain[3];
  bool clamp_origin; /* at the frame that it has, along the first segment; default false */
  bool clamp_end;    /* default false */
  uint32_t cookie;   /* private */
} weft_rod_def;

WEFT_API weft_rod_def weft_default_rod_def(void);
WEFT_RESULT weft_scene_add_rod(weft_scene* scene, const weft_rod_def* def, weft_body* body);

/* ---- flat shapes ----------------------------------------------------------------------------- */

/* Ring of particles, counterclockwise from the one at `across`. With a hub, the last particle, it
 * has spokes to all of them. Links of the ring come first, then spokes. */
typedef struct weft_circle_def {
  float origin[3], across[3], up[3]; /* centre and plane, see Placement */
  float radius;                      /* metres, 1e-6 to 1e6; default 0.5 */
  uint32_t count;                    /* particles of the ring, 3 to 1,000,000; default 16 */
  bool hub;                          /* default false */
  float mass;                        /* kilograms in all, 1e-9 to 1e9, in equal parts; default 1 */
  float relaxation, compliance, tear_ratio; /* see Links */
  uint32_t cookie;                          /* private */
} weft_circle_def;

WEFT_API weft_circle_def weft_default_circle_def(void);
WEFT_RESULT weft_scene_add_circle(weft_scene* scene, const weft_circle_def* def, weft_body* body);

/* Rectangle of columns x rows particles, row by row from the lower left corner, with links along
 * the sides and both diagonals of each cell. */
typedef struct weft_box_def {
  float origin[3], across[3], up[3]; /* centre and plane, see Placement */
  float width, height;               /* metres, 1e-6 to 1e6; default 1 */
  uint32_t columns, rows;            /* particles, 2 to 1,000 each; default 2: corners only */
  float mass;                        /* kilograms, 1e-9 to 1e9, by share of the area; default 1 */
  float relaxation, compliance, tear_ratio; /* see Links */
  uint32_t cookie;                          /* private */
} weft_box_def;

WEFT_API weft_box_def weft_default_box_def(void);
WEFT_RESULT weft_scene_add_box(weft_scene* scene, const weft_box_def* def, weft_body* body);

/* Three particles: lower left, lower right, and top, above the middle of the base. */
typedef struct weft_triangle_def {
  float origin[3], across[3], up[3]; /* centre of mass and plane, see Placement */
  float width;                       /* base, metres, 1e-6 to 1e6; default 1 */
  float height;                      /* metres, 1e-6 to 1e6; default 0.8660254: equilateral */
  float mass;                        /* kilograms in all, 1e-9 to 1e9, in equal parts; default 1 */
  float relaxation, compliance, tear_ratio; /* see Links */
  uint32_t cookie;                          /* private */
} weft_triangle_def;

WEFT_API weft_triangle_def weft_default_triangle_def(void);
WEFT_RESULT weft_scene_add_triangle(weft_scene* scene, const weft_triangle_def* def,
                                    weft_body* body);

/* Wheel: a ring of particles, counterclockwise from the one at `across`, and a hub, the last
 * particle. Links of the tread come first, then spokes, then supports from each particle of the
 * ring to the second next, as stiff as the tread, which keep it from folding. */
typedef struct weft_tire_def {
  float origin[3], across[3], up[3]; /* hub and plane, see Placement */
  float radius;                      /* metres, 1e-6 to 1e6; default 0.5 */
  uint32_t count;                    /* particles of the ring, 5 to 1,000,000; default 24 */
  float mass;                        /* kilograms in all, 1e-9 to 1e9, in equal parts; default 5 */
  float tread_relaxation;            /* 1e-6 to 1; default 1 */
  float tread_compliance;            /* metres per newton, 0 to 1e12; default 1e-6 */
  float spoke_relaxation;            /* 1e-6 to 1; default 1 */
  float spoke_compliance;            /* metres per newton, 0 to 1e12; default 1e-4 */
  float tear_ratio;                  /* tread and spokes; default 0 */
  uint32_t cookie;                   /* private */
} weft_tire_def;

WEFT_API weft_tire_def weft_default_tire_def(void);
WEFT_RESULT weft_scene_add_tire(weft_scene* scene, const weft_tire_def* def, weft_body* body);

/* ---- composite ------------------------------------------------------------------------------- */

/* Body of any particles and links, given in a local frame: x along `across`, y along `up`, z
 * orthogonal to both. Arrays are read during weft_scene_add_composite() only. */
typedef struct weft_composite_def {
  float origin[3], across[3], up[3]; /* origin of the local frame and plane, see Placement */
  float scale;                       /* scale of positions and lengths, 1e-6 to 1e6; default 1 */
  const float* positions;            /* metres before scaling, [particle_count][3] */
  const float* inverse_masses;       /* 1/kg, 0 = pinned, [particle_count] */
  uint32_t particle_count;           /* > 0 */
  const weft_link_def* links; /* between its particles, numbered from 0; NULL or [link_count] */
  uint32_t link_count;        /* default 0 */
  uint32_t cookie;            /* private */
} weft_composite_def;

WEFT_API weft_composite_def weft_default_composite_def(void);
WEFT_RESULT weft_scene_add_composite(weft_scene* scene, const weft_composite_def* def,
                                     weft_body* body);

/* ---- ragdoll --------------------------------------------------------------------------------- */

/* Parts of a ragdoll: part p is particle body.first_particle + p. Markers are not meant to be
 * drawn: they lie in front of or behind a joint or the trunk and define its orientation. */
typedef enum weft_ragdoll_part {
  WEFT_RAGDOLL_HEAD = 0, /* centre of the head */
  WEFT_RAGDOLL_NECK,     /* between the shoulders */
  WEFT_RAGDOLL_SHOULDER_LEFT,
  WEFT_RAGDOLL_SHOULDER_RIGHT,
  WEFT_RAGDOLL_ELBOW_LEFT,
  WEFT_RAGDOLL_ELBOW_RIGHT,
  WEFT_RAGDOLL_HAND_LEFT, /* the wrist */
  WEFT_RAGDOLL_HAND_RIGHT,
  WEFT_RAGDOLL_PELVIS, /* between the hips */
  WEFT_RAGDOLL_HIP_LEFT,
  WEFT_RAGDOLL_HIP_RIGHT,
  WEFT_RAGDOLL_KNEE_LEFT,
  WEFT_RAGDOLL_KNEE_RIGHT,
  WEFT_RAGDOLL_FOOT_LEFT, /* the ankle */
  WEFT_RAGDOLL_FOOT_RIGHT,
  WEFT_RAGDOLL_PART_COUNT,
  WEFT_RAGDOLL_KNEECAP_LEFT = WEFT_RAGDOLL_PART_COUNT, /* markers from here on */
  WEFT_RAGDOLL_KNEECAP_RIGHT,
  WEFT_RAGDOLL_ELBOW_TIP_LEFT,
  WEFT_RAGDOLL_ELBOW_TIP_RIGHT,
  WEFT_RAGDOLL_BELLY,
  WEFT_RAGDOLL_SPINE,
  WEFT_RAGDOLL_PARTICLE_COUNT,
} weft_ragdoll_part;

/* Bones are the first links of a ragdoll, of the kind WEFT_LINK_STRUCTURAL. */
#define WEFT_RAGDOLL_BONE_COUNT 14u

/* Standing person with average human proportions and masses. It faces along `across`: knees point
 * there, and hands move there when elbows bend.
 *
 * A flat ragdoll lies in the plane: trunk facing the viewer, limbs seen from the side, left side
 * away from `across`. Otherwise shoulders and hips are orthogonal to the plane, the left side
 * behind it.
 *
 * Joint limits. Knees bend by 140 degrees and elbows by 145, never backwards; thighs swing forward
 * by 120 degrees and back by 20; the head leans by 50. Arms of a flat ragdoll swing freely except
 * for 60 degrees around straight back; otherwise at most 60 degrees back. Thighs of a ragdoll that
 * is not flat spread by 50 degrees and cross by 20, and limbs twist freely: a knee bends away from
 * its kneecap.
 *
 * Bones form a tree: the direct solver keeps their lengths. Joint limits are swept. They hold if
 * no part moves relative to the next one by more than about a twentieth of the height in a
 * substep: at 10 metres per second that needs substeps = 4. Bones keep their lengths at bounds,
 * too, except that sliding friction and a bounce displace a part by up to its motion in a substep.
 *
 * Sources: Drillis, Contini 1966, "Body segment parameters"; Dempster 1955, "Space requirements of
 * the seated operator"; both as in Winter, "Biomechanics and motor control of human movement",
 * chapter 4. */
typedef struct weft_ragdoll_def {
  float origin[3], across[3], up[3]; /* ground between the feet and plane, see Placement */
  float height;                      /* metres, 1e-3 to 1e3; default 1.75 */
  float mass;                        /* kilograms, 1e-6 to 1e6; default 75 */
  bool flat;                         /* default true */
  /* metres, [WEFT_RAGDOLL_PART_COUNT][3], by part: joints of a skeleton in the frame of the plane,
   * as of a composite. The ragdoll has bones of these lengths, its trunk keeps this shape, and it
   * begins in this pose; joint limits are as above, and `height` still gives the head and the
   * depth of the flesh. Joints of one bone are apart; in a flat ragdoll z = 0. Read
   * during weft_scene_add_ragdoll() only. Default NULL: standing */
  const float* joints;
  float tear_ratio; /* bones; default 0. Joint limits remain when a bone tears */
  uint32_t cookie;  /* private */
} weft_ragdoll_def;

WEFT_API weft_ragdoll_def weft_default_ragdoll_def(void);
WEFT_RESULT weft_scene_add_ragdoll(weft_scene* scene, const weft_ragdoll_def* def, weft_body* body);

/* Radius of the head in metres, from its centre to the crown; 0 for NULL. */
WEFT_API float weft_ragdoll_get_head_radius(const weft_ragdoll_def* def);

/* ---- tree ------------------------------------------------------------------------------------ */

/* Plant that branches repeatedly. Particle 0 is the base, pinned at the origin; particle 1 is the
 * top of the trunk; then follow the ends of branches, generation by generation, with the leaves at
 * the end. Roots come last, pinned beside the base: two if flat, else three. The first links are
 * the trunk and the branches, link i ends at particle i + 1; then follow supports that resist
 * bending, softer in each generation. */
typedef struct weft_tree_def {
  float origin[3], across[3], up[3]; /* base and plane, see Placement; grows along `up` */
  uint32_t depth;                    /* generations of branches, 0 to 16; default 5 */
  uint32_t branches;                 /* per fork, 2 to 16; default 2. At most 1,000,000 in all */
  float length;                      /* length of the trunk, metres, 1e-6 to 1e6; default 1 */
  float length_ratio;                /* branch to parent, 0.1 to 2; default 0.75 */
  float spread;          /* radians from parent to outer branches, 0.01 to 1.5; default 0.5 */
  float irregularity;    /* random variation of angles and lengths, 0 to 0.9; default 0.3 */
  uint32_t seed;         /* seed of the variation; default 1 */
  bool flat;             /* grows in its plane only; default true */
  float mass;            /* kilograms above the base, 1e-9 to 1e9; default 20 */
  float bend_compliance; /* trunk's supports, metres per newton, 0 to 1e6; default 1e-6 */
  float softening;       /* ratio of compliance per generation, 1 to 100; default 2 */
  float tear_ratio;      /* trunk and branches; default 0 */
  uint32_t cookie;       /* private */
} weft_tree_def;

WEFT_API weft_tree_def weft_default_tree_def(void);
WEFT_RESULT weft_scene_add_tree(weft_scene* scene, const weft_tree_def* def, weft_body* body);

/* Tips of the branches: *count particles from body.first_particle + *first. */
WEFT_RESULT weft_tree_get_leaves(const weft_tree_def* def, uint32_t* first, uint32_t* count);

/* ---- web ------------------------------------------------------------------------------------- */

/* Spider's web. Particle 0 is the hub; then follow the crossings, 1 + turn * radials + radial,
 * counterclockwise from `across` and from inside out; the outer ends of the radials are last, and
 * pinned. Threads are links of mode WEFT_LINK_MODE_STRETCH: first the radials, each from inside
 * out, then the rings or the spiral. */
typedef struct weft_web_def {
  float origin[3], across[3], up[3]; /* hub and plane, see Placement */
  float radius;                      /* from the hub to the pins, metres, 1e-6 to 1e6; default 1 */
  uint32_t radials;                  /* 3 to 10,000; default 16 */
  uint32_t rings;       /* or turns, 1 to 10,000; default 8. At most 1,000,000 crossings */
  bool spiral;          /* one spiral thread instead of closed rings; default true */
  float tension;        /* share by which rest lengths are shorter, 0 to 0.9; default 0.02 */
  float mass_per_metre; /* kilograms per metre of thread, 1e-9 to 1e9; default 0.001 */
  float compliance;     /* 1/newtons: strain of a thread per newton, 0 to 1e6; default 0.02 */
  float tear_ratio;     /* default 0 */
  uint32_t cookie;      /* private */
} weft_web_def;

WEFT_API weft_web_def weft_default_web_def(void);
WEFT_RESULT weft_scene_add_web(weft_scene* scene, const weft_web_def* def, weft_body* body);

/* ---- double pendulum ------------------------------------------------------------------------- */

/* Double pendulum: pin, upper mass and lower mass are particles 0, 1 and 2. */
typedef struct weft_double_pendulum_def {
  float origin[3], across[3], up[3]; /* pin and plane, see Placement */
  float lengths[2];                  /* metres, 1e-6 to 1e6; default 1 1 */
  float angles[2];  /* radians from straight down to `across`, -100 to 100; default 2 2.5 */
  float masses[2];  /* kilograms, 1e-12 to 1e12; default 1 1 */
  float compliance; /* metres per newton, 0 to 1e12; default 0: stiff rods */
  float tear_ratio; /* default 0 */
  uint32_t cookie;  /* private */
} weft_double_pendulum_def;

WEFT_API weft_double_pendulum_def weft_default_double_pendulum_def(void);
WEFT_RESULT weft_scene_add_double_pendulum(weft_scene* scene, const weft_double_pendulum_def* def,
                                           weft_body* body);

/* ---- ball ------------------------------------------------------------------------------------ */

/* Hollow ball: an icosphere, an icosahedron whose triangles are divided in four `level` times and
 * projected to the sphere. It is a mesh: its links are its edges, and its faces point outwards. */
typedef struct weft_ball_def {
  float origin[3]; /* centre, metres; default 0 0 0 */
  float radius;    /* metres, 1e-4 to 1e4; default 0.5 */
  uint32_t level;  /* 0 to 5: 12, 42, 162, 642, 2562 or 10242 particles; default 2 */
  float mass;      /* kilograms by area, 1e-6 to 1e6, and that per square metre; default 2 */
  float stretch_stiffness; /* newtons per metre, >= 1e-6 or infinite; default 5000 */
  float bend_stiffness;    /* newton metres, >= 0; default 0; see weft_material_def */
  float pressure;          /* pascals, 0 to 1e12: see weft_scene_set_pressure(); default 0 */
  float tear_ratio;        /* default 0 */
  /* metres on either side that contacts keep, 1e-6 to 1e3; default 0: 0.55 of the mean edge, at
   * most 0.02 of the radius */
  float thickness;
  float friction;           /* Coulomb coefficient, static and dynamic, 0 to 1000; default 0.3 */
  weft_collision collision; /* with cloth, bodies and colliders; default WEFT_COLLISION_EXACT */
  bool in_air;              /* as of cloth; default true */
  uint32_t cookie;          /* private */
} weft_ball_def;

WEFT_API weft_ball_def weft_default_ball_def(void);
WEFT_RESULT weft_scene_add_ball(weft_scene* scene, const weft_ball_def* def, weft_body* body);

#ifdef __cplusplus
}
#endif

#endif
