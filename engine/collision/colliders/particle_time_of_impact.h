#ifndef WEFT_COLLISION_COLLIDERS_PARTICLE_TIME_OF_IMPACT_H
#define WEFT_COLLISION_COLLIDERS_PARTICLE_TIME_OF_IMPACT_H

#include "collision/colliders/colliders.h"

/* metres in the world */
typedef struct weft__moving_particle {
  weft__vec3 origin;    /* at the start of the substep; stays when `prev` changes */
  weft__vec3 pos, prev; /* `prev`: for the velocity */
  const weft__material* material;
  const weft__pair_rule* between;
  double support_share;              /* its material's */
  double inner_radius, outer_radius; /* least and greatest extent of its shape */
  bool prev_is_origin;
  bool has_contact;               /* with the last collider */
  bool is_clear;                  /* pushed out of it so that it touches nothing else of it */
  weft__vec3 contact_normal;      /* last contact's, in the world */
  bool velocity_changed;          /* by an impact within the substep */
  weft__triangle_list* list;      /* of triangles near it */
  const weft__met_triangles* met; /* triangles near its first path; NULL: not met */
  double roll_factor;             /* m r^2 / I; 0: it does not turn */
  weft__vec3
      roll; /* r times its rotation vector in the substep: modules/spheres/contact_tables.h */
} weft__moving_particle;

/* metres along a unit normal */
static inline double weft__moving_particle_support(const weft__moving_particle* particle,
                                                   weft__vec3 normal) {
  return particle->support_share * weft__material_support(particle->material, normal);
}

/* Both ends on one side of the swept AABB. Paths seen from a rotating frame, taken as straight,
 * might hit by error: results stay independent of other particles of the block. */
bool weft__misses_swept_box(const weft__moving_particle* particle, const weft__collider* collider);

/* Friction with a collider that presses a particle by `push` metres along a unit normal, in the
 * world, against another one. */
void weft__collider_hold(const weft__collider* collider, weft__vec3 normal, double push,
                         weft__moving_particle* particle);

/* Moves a particle out of the plane through a point of a collider's surface, in its frame, as a
 * first pass does; true if it was within its support of the plane. */
bool weft__collider_press(const weft__collider* collider, weft__vec3 gravity, weft__vec3 point,
                          weft__vec3 normal, weft__moving_particle* particle);

/* Moves a particle out of a collider; true if there was a contact. `gravity` is the displacement of
 * a substep, metres. The first pass of a substep applies restitution and friction; later passes,
 * after corrections by other colliders, only resolve the overlap. */
bool weft__collider_resolve(const weft__collider* collider, weft__vec3 gravity, bool is_first,
                            weft__moving_particle* particle);

#endif
