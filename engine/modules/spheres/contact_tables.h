/* Contacts of the sequential impulse solver: records of four floats, as the kernels load them. */
#ifndef WEFT_MODULES_SPHERES_CONTACT_TABLES_H
#define WEFT_MODULES_SPHERES_CONTACT_TABLES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct weft__particle_pair {
  uint32_t a, b;
} weft__particle_pair;

typedef struct weft__impulse {
  float normal;   /* newton seconds */
  float along[3]; /* friction */
} weft__impulse;

typedef struct weft__particle_motion {
  float velocity[3];
  float inv_mass; /* 1/kilograms, 0 = pinned */
} weft__particle_motion;

/* A contact at distance r from the centre sees r times the angular velocity across the normal. */
typedef struct weft__particle_roll {
  float speed[3]; /* metres per second: r times the angular velocity */
  float inv_mass; /* 1/kilograms: r^2 / I; 0: contacts do not turn it */
} weft__particle_roll;

/* Two bodies, or a body and a wall: one cache line. */
typedef struct weft__particle_contact {
  float normal[3];            /* unit, from a to b */
  float min_separation_speed; /* metres per second along the normal */

  weft__impulse impulse; /* on b; the opposite on a */

  float mass; /* kilograms: 1 / (1/a + 1/b); 0: no contact in this substep */
  float static_friction, dynamic_friction;
  float bounce; /* metres per second: separating velocity after an impact; -1: inelastic */

  uint32_t a, b;
  float gap;  /* metres they may still approach */
  float slop; /* metres: allowed penetration */
} weft__particle_contact;

/* In the substep: two records. */
typedef struct weft__body_path {
  float from[3];
  float inv_mass;    /* 1/kilograms, 0: pinned */
  float to[3];       /* metres */
  uint32_t material; /* row of the materials */
} weft__body_path;

#define WEFT__SPHERE_PAIRS 16u

typedef struct weft__sphere_pairs {
  const weft__body_path* paths; /* by body */
  weft__particle_contact* contacts;
  double rate;             /* 1/seconds: substeps */
  double max_displacement; /* metres: of any body in the substep */
  float slop_share;        /* slop over a pair's size */
  uint32_t count;          /* others repeat the first pair */
  uint32_t contact[WEFT__SPHERE_PAIRS];
  uint32_t first[WEFT__SPHERE_PAIRS], second[WEFT__SPHERE_PAIRS]; /* bodies */
  double radii[WEFT__SPHERE_PAIRS];                               /* metres, summed */
  double size[WEFT__SPHERE_PAIRS];                                /* metres: of the smaller one */
  double restitution[WEFT__SPHERE_PAIRS];
  float static_friction[WEFT__SPHERE_PAIRS], dynamic_friction[WEFT__SPHERE_PAIRS];
  /* metres per second: gravity in a substep; slower impacts do not bounce */
  double gravity[3][WEFT__SPHERE_PAIRS], rest_speed[WEFT__SPHERE_PAIRS];
} weft__sphere_pairs;

/* Planes of conservative advancement, and the gap that counts as touching, over the smallest half
 * size of a pair. */
#define WEFT__MAX_PLANES 17
#define WEFT__TOUCH_SHARE 1e-6
/* Distance of near pairs, likewise, without the margin for motion. */
#define WEFT__NEAR_SHARE 0.1

typedef struct weft__contact_sweep weft__contact_sweep;
struct weft__contact_sweep {
  weft__particle_contact* contacts;
  /* without contacts with walls, which come last */
  const weft__particle_pair* ends;
  weft__particle_motion* bodies;
  weft__particle_roll* rolls; /* by body; NULL if none turns */
  /* that changed a body by more than `enough`, by body */
  uint8_t* active_sweep;
  void (*solve_contacts)(weft__contact_sweep* sweep, uint32_t begin, uint32_t end);
  float h;
  float change;   /* largest of a velocity, squared, (metres per second)^2 */
  float enough;   /* likewise; a larger change activates the bodies */
  uint8_t number; /* from 1 */
  uint8_t found;  /* bits: impacts and overlaps met, see solve.c */
  bool is_whole;  /* over all contacts, not only active ones */
};

/* Another contact may have activated a body in this sweep or the last. */
static inline bool weft__contact_is_active(const weft__contact_sweep* sweep,
                                           weft__particle_pair pair) {
  return sweep->is_whole || sweep->active_sweep[pair.a] + 1 >= sweep->number ||
         sweep->active_sweep[pair.b] + 1 >= sweep->number;
}

/* Pinned bodies may be shared within a colour and stay inactive. */
static inline void weft__mark_active(const weft__contact_sweep* sweep,
                                     const weft__particle_contact* c) {
  if (sweep->bodies[c->a].inv_mass > 0.0f) sweep->active_sweep[c->a] = sweep->number;
  if (sweep->bodies[c->b].inv_mass > 0.0f) sweep->active_sweep[c->b] = sweep->number;
}

#endif
