/* weft, chapter 7: bodies, ready-made. Include <weft/weft.h>, which brings this.
 *
 * Each is a def with defaults and a call that adds it to a scene. All are made of the particles
 * and links of chapter 2 and of nothing else, so that what goes for those goes for these. `body`
 * may be NULL in all calls, and after an error nothing has changed.
 *
 * Where a body lies. What is flat lies in the plane that two unit vectors at right angles span:
 * `across`, to the right, and `up`; `origin` is a place in it, in metres. The defaults are 0 0 0,
 * 1 0 0 and 0 1 0: the xy plane. Bodies in the xy plane with gravity in it stay in it to the last
 * bit.
 *
 * Links. `stiffness`, `compliance` and `tear_ratio` go to the links as in weft_link, 0 to 1, 0 to
 * 1e12 metres per newton, and 0 or above 1; their defaults are 1, 0 and 0. What one would not draw
 * has the kind WEFT_LINK_SUPPORT. */
#ifndef WEFT_BODIES_H
#define WEFT_BODIES_H

#include "weft/weft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Pins all particles of a body where they are. */
WEFT_API weft_result weft_scene_pin_body(weft_scene* scene, const weft_body* body);

/* ---- rope -------------------------------------------------------------------------------------
 */

/* A line of particles, first to last from `origin` to `end`. */
typedef struct weft_rope_def {
  float origin[3];      /* metres; default 0 0 0 */
  float end[3];         /* metres, not at the origin; default 0 -1 0 */
  uint32_t segments;    /* links, 1 to 1,000,000; default 16 */
  float slack;          /* its length is 1 + slack times the way from origin to end, -0.9 to 100;
                            default 0; it is taut below */
  float mass_per_metre; /* kilograms per metre of its length, 1e-9 to 1e9; default 0.1 */
  bool pin_origin;      /* default false */
  bool pin_end;         /* default false */
  weft_link_mode mode;  /* BOTH, default: rods, which are solved directly; or STRETCH: threads */
  float stiffness;      /* default 1 */
  float compliance; /* 1/newtons: the share of its length that it gives way to a newton, whatever
                            the segments, 0 to 1e6; default 0 */
  float tear_ratio; /* default 0 */
  uint32_t cookie;  /* private */
} weft_rope_def;

WEFT_API weft_rope_def weft_default_rope_def(void);
WEFT_API weft_result weft_scene_add_rope(weft_scene* scene, const weft_rope_def* def,
                                         weft_body* body);

/* ---- flat shapes ------------------------------------------------------------------------------
 */

/* A ring of particles, counter-clockwise from the one at `across`; with a hub, which is the last
 * particle, spokes to all. First the links of the ring, then the spokes. */
typedef struct weft_circle_def {
  float origin[3], across[3], up[3];       /* the centre, and the plane: see above */
  float radius;                            /* metres, 1e-6 to 1e6; default 0.5 */
  uint32_t count;                          /* particles of the ring, 3 to 1,000,000; default 16 */
  bool hub;                                /* default false */
  float mass;                              /* kilograms, 1e-9 to 1e9, in equal parts; default 1 */
  float stiffness, compliance, tear_ratio; /* see above */
  uint32_t cookie;                         /* private */
} weft_circle_def;

WEFT_API weft_circle_def weft_default_circle_def(void);
WEFT_API weft_result weft_scene_add_circle(weft_scene* scene, const weft_circle_def* def,
                                           weft_body* body);

/* A rectangle of columns x rows particles, row by row from the lower left corner, with links along
 * the cells' sides and both of their diagonals. */
typedef struct weft_box_def {
  float origin[3], across[3], up[3]; /* the centre, and the plane: see above */
  float width, height;               /* metres, 1e-6 to 1e6; default 1 */
  uint32_t columns, rows;            /* particles, 2 to 1,000 each; default 2: corners only */
  float mass; /* kilograms, 1e-9 to 1e9, by the share of the area; default 1 */
  float stiffness, compliance, tear_ratio; /* see above */
  uint32_t cookie;                         /* private */
} weft_box_def;

WEFT_API weft_box_def weft_default_box_def(void);
WEFT_API weft_result weft_scene_add_box(weft_scene* scene, const weft_box_def* def,
                                        weft_body* body);

/* Three particles, lower left, lower right and top, the last above the middle of the others. */
typedef struct weft_triangle_def {
  float origin[3], across[3], up[3]; /* the centre of mass, and the plane: see above */
  float width;                       /* metres, 1e-6 to 1e6, of the base; default 1 */
  float height; /* metres, 1e-6 to 1e6; default 0.8660254: its sides are equal */
  float mass;   /* kilograms, 1e-9 to 1e9, in equal parts; default 1 */
  float stiffness, compliance, tear_ratio; /* see above */
  uint32_t cookie;                         /* private */
} weft_triangle_def;

WEFT_API weft_triangle_def weft_default_triangle_def(void);
WEFT_API weft_result weft_scene_add_triangle(weft_scene* scene, const weft_triangle_def* def,
                                             weft_body* body);

/* A wheel: a ring of particles, counter-clockwise from the one at `across`, and a hub, the last
 * particle. First the links of the tread, then the spokes, then supports from each particle of the
 * ring to the one after next, which are as stiff as the tread and keep it from folding. */
typedef struct weft_tire_def {
  float origin[3], across[3], up[3]; /* the hub, and the plane: see above */
  float radius;                      /* metres, 1e-6 to 1e6; default 0.5 */
  uint32_t count;                    /* particles of the ring, 5 to 1,000,000; default 24 */
  float mass;                        /* kilograms, 1e-9 to 1e9, in equal parts; default 5 */
  float tread_stiffness;             /* 0 to 1; default 1 */
  float tread_compliance;            /* metres per newton, 0 to 1e12; default 1e-6 */
  float spoke_stiffness;             /* 0 to 1; default 1 */
  float spoke_compliance;            /* metres per newton, 0 to 1e12; default 1e-4 */
  float tear_ratio;                  /* of tread and spokes; default 0 */
  uint32_t cookie;                   /* private */
} weft_tire_def;

WEFT_API weft_tire_def weft_default_tire_def(void);
WEFT_API weft_result weft_scene_add_tire(weft_scene* scene, const weft_tire_def* def,
                                         weft_body* body);

/* ---- composite --------------------------------------------------------------------------------
 */

/* Any particles and links as one body, drawn in a frame of its own: x is along `across`, y along
 * `up`, z at right angles to both. The arrays are read during weft_scene_add_composite() only. */
typedef struct weft_composite_def {
  float origin[3], across[3], up[3]; /* where 0 0 0 of its frame lies, and the plane: see above */
  float scale;                       /* of positions and lengths, 1e-6 to 1e6; default 1 */
  const float* positions;            /* [particle_count][3] */
  const float* inverse_masses;       /* 1/kg, 0 = pinned, [particle_count] */
  uint32_t particle_count;           /* > 0 */
  const weft_link* links; /* between its own particles, counted from 0; NULL with a count of 0 */
  uint32_t link_count;    /* default 0 */
  uint32_t cookie;        /* private */
} weft_composite_def;

WEFT_API weft_composite_def weft_default_composite_def(void);
WEFT_API weft_result weft_scene_add_composite(weft_scene* scene, const weft_composite_def* def,
                                              weft_body* body);

/* ---- ragdoll ----------------------------------------------------------------------------------
 */

/* The particles of a ragdoll: particle body.first_particle + part. Markers are no parts that one
 * would draw: they lie before or behind a joint or the trunk, and tell its front from its back. */
typedef enum weft_ragdoll_part {
  WEFT_RAGDOLL_HEAD = 0, /* its centre */
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

/* The first links of a ragdoll are its bones, of the kind WEFT_LINK_STRUCTURAL. */
#define WEFT_RAGDOLL_BONE_COUNT 14u

/* A person that stands, with the proportions and masses that people have on average. It looks
 * along `across`, where its knees point to and its hands go when the elbows bend.
 *
 * Flat, all of it lies in the plane, its trunk turned to the viewer and its limbs seen from the
 * side, its left on the side away from `across`. Otherwise its shoulders and hips stand at right
 * angles to the plane, its left behind.
 *
 * Knees bend by 140 degrees, elbows by 145, and neither the other way; thighs swing forward by 120
 * degrees and back by 20; the head leans by 50. Flat, an arm swings all the way but for 60 degrees
 * around straight back, and otherwise not further back than by 60. Otherwise thighs also spread by
 * 50 degrees and cross by 20, and limbs turn about their own length as they like: a knee then
 * bends back from where its kneecap points.
 *
 * Its bones are a tree: they are solved directly, and keep their lengths. The ranges of its joints
 * are swept; they hold as long as no part moves by more than about a twentieth of its height in a
 * substep, against the next one: at 10 metres per second that asks for substeps = 4. Bones keep
 * their lengths at the walls of bounds, too; only friction that slows down what slips, and a
 * bounce, take a part of it a little further than the bones would, by as much as it moves in a
 * substep.
 *
 * (Drillis, Contini 1966, "Body segment parameters", and Dempster 1955, "Space requirements of the
 * seated operator", both as in Winter, "Biomechanics and motor control of human movement", chapter
 * 4) */
typedef struct weft_ragdoll_def {
  float origin[3], across[3], up[3]; /* the ground between the feet, and the plane: see above */
  float height;                      /* metres, 1e-3 to 1e3; default 1.75 */
  float mass;                        /* kilograms, 1e-6 to 1e6; default 75 */
  bool flat;                         /* default true */
  float
      tear_ratio; /* of its bones; default 0. What holds a limb to its range stays where it tears */
  uint32_t cookie; /* private */
} weft_ragdoll_def;

WEFT_API weft_ragdoll_def weft_default_ragdoll_def(void);
WEFT_API weft_result weft_scene_add_ragdoll(weft_scene* scene, const weft_ragdoll_def* def,
                                            weft_body* body);

/* Metres from the centre of the head to its crown; 0 for NULL. */
WEFT_API float weft_ragdoll_head_radius(const weft_ragdoll_def* def);

/* ---- tree -------------------------------------------------------------------------------------
 */

/* A plant that forks again and again. Particle 0 is the base, pinned at the origin, 1 the top of
 * the trunk, and then come the ends of branches, generation by generation, leaves last. Behind
 * them are its roots, pinned beside the base: two, or three where it is not flat. The first links
 * are the trunk and the branches, link i ends at particle i + 1; then come supports that resist
 * bending, softer from generation to generation. */
typedef struct weft_tree_def {
  float origin[3], across[3], up[3]; /* the base, and the plane; it grows along `up` */
  uint32_t depth;                    /* times that it forks, 0 to 16; default 5 */
  uint32_t branches;  /* at a fork, 2 to 16; default 2. The branches are at most 1,000,000 in all */
  float length;       /* metres, 1e-6 to 1e6, of the trunk; default 1 */
  float length_ratio; /* of a branch to what it grows from, 0.1 to 2; default 0.75 */
  float spread; /* radians, 0.01 to 1.5, from straight on to the outer branches; default 0.5 */
  float
      irregularity; /* share by which angles and lengths differ at random, 0 to 0.9; default 0.3 */
  uint32_t seed;    /* of that; default 1 */
  bool flat;        /* it grows in its plane only; default true */
  float mass;       /* kilograms, 1e-9 to 1e9, above the base; default 20 */
  float bend_compliance; /* metres per newton, 0 to 1e6, of the trunk's supports; default 1e-6 */
  float softening;  /* how much more those of the next generation give way, 1 to 100; default 2 */
  float tear_ratio; /* of trunk and branches; default 0 */
  uint32_t cookie;  /* private */
} weft_tree_def;

WEFT_API weft_tree_def weft_default_tree_def(void);
WEFT_API weft_result weft_scene_add_tree(weft_scene* scene, const weft_tree_def* def,
                                         weft_body* body);

/* Where leaves grow: the tips are the *count particles from body.first_particle + *first on. */
WEFT_API weft_result weft_tree_leaves(const weft_tree_def* def, uint32_t* first, uint32_t* count);

/* ---- web --------------------------------------------------------------------------------------
 */

/* A spider's web. Particle 0 is the hub; then come the crossings, 1 + turn * radials + radial,
 * counter-clockwise from `across` and from inside out; the last are the outer ends of the radials,
 * pinned. Its threads are links of the mode WEFT_LINK_STRETCH: first those of the radials, each
 * from inside out, then those of the rings, or of the spiral. */
typedef struct weft_web_def {
  float origin[3], across[3], up[3]; /* the hub, and the plane: see above */
  float radius;                      /* metres, 1e-6 to 1e6, to the pins; default 1 */
  uint32_t radials;                  /* 3 to 10,000; default 16 */
  uint32_t rings; /* or turns of the spiral, 1 to 10,000; default 8. At most 1,000,000 crossings */
  bool spiral;    /* one thread, where rings are closed; default true */
  float tension;  /* share by which threads are shorter than drawn, 0 to 0.9; default 0.02 */
  float mass_per_metre; /* kilograms per metre of thread, 1e-9 to 1e9; default 0.001 */
  float compliance; /* 1/newtons: the share of its length that a thread gives way to a newton, 0 to
                           1e6; default 0.02 */
  float tear_ratio; /* default 0 */
  uint32_t cookie;  /* private */
} weft_web_def;

WEFT_API weft_web_def weft_default_web_def(void);
WEFT_API weft_result weft_scene_add_web(weft_scene* scene, const weft_web_def* def,
                                        weft_body* body);

/* ---- double pendulum --------------------------------------------------------------------------
 */

/* A pin, a mass that swings on it, and another that swings on that one: particles 0, 1 and 2. */
typedef struct weft_double_pendulum_def {
  float origin[3], across[3], up[3]; /* the pin, and the plane: see above */
  float lengths[2];                  /* metres, 1e-6 to 1e6; default 1 1 */
  float angles[2];  /* radians from straight down towards `across`, -100 to 100; default 2 2.5 */
  float masses[2];  /* kilograms, 1e-12 to 1e12; default 1 1 */
  float compliance; /* metres per newton, 0 to 1e12; default 0: stiff rods */
  float tear_ratio; /* default 0 */
  uint32_t cookie;  /* private */
} weft_double_pendulum_def;

WEFT_API weft_double_pendulum_def weft_default_double_pendulum_def(void);
WEFT_API weft_result weft_scene_add_double_pendulum(weft_scene* scene,
                                                    const weft_double_pendulum_def* def,
                                                    weft_body* body);

/* ---- ball -------------------------------------------------------------------------------------
 */

/* A hollow ball: an icosahedron whose triangles are divided in four, `level` times, drawn out to
 * the sphere. It is a mesh: its links are its edges, and it has faces, which turn outwards. */
typedef struct weft_ball_def {
  float origin[3]; /* metres, the centre; default 0 0 0 */
  float radius;    /* metres, 1e-4 to 1e4; default 0.5 */
  uint32_t level;  /* 0 to 5: 12, 42, 162, 642, 2562 or 10242 particles; default 2 */
  float
      mass; /* kilograms, 1e-6 to 1e6, spread over its area; at most 1e6 and at least 1e-6 kilograms
                      a square metre; default 2 */
  float
      stretch_stiffness; /* newtons per metre, >= 1e-6 or infinite; as in weft_material; default 5000 */
  float bend_stiffness; /* newton metres, >= 0; as in weft_material; default 0 */
  float pressure; /* pascals above the air's, 0 to 1e12: see weft_scene_set_pressure(); default 0 */
  float tear_ratio; /* default 0 */
  uint32_t cookie;  /* private */
} weft_ball_def;

WEFT_API weft_ball_def weft_default_ball_def(void);
WEFT_API weft_result weft_scene_add_ball(weft_scene* scene, const weft_ball_def* def,
                                         weft_body* body);

#ifdef __cplusplus
}
#endif

#endif
