/* Continuous collision of one particle with one collider. */
#ifndef WEFT_COLLISION_COLLIDERS_PARTICLE_TIME_OF_IMPACT_H
#define WEFT_COLLISION_COLLIDERS_PARTICLE_TIME_OF_IMPACT_H

#include "collision/colliders/colliders.h"

/* State of a particle in the substep, metres in the world. */
typedef struct weft__moving_particle {
  weft__vec3 origin;    /* position when the substep began; stays when `prev` changes */
  weft__vec3 pos, prev; /* position, and previous position for the velocity */
  const weft__material* material;
  const weft__pair_rule* between;
  double support_share;              /* share of its material's support */
  double inner_radius, outer_radius; /* least and greatest extent of its shape */
  bool prev_is_origin;               /* `prev` still is the origin */
  bool has_contact;                  /* with the last collider */
  weft__vec3 contact_normal;         /* normal of that contact, in the world */
  bool velocity_changed;             /* an impact within the substep */
  double roll_factor;                /* m r^2 / I; 0 = it does not turn */
  weft__vec3
      roll; /* r times its rotation vector in the substep: see modules/spheres/contact_tables.h */
} weft__moving_particle;

/* Extent along a unit normal, metres. */
static inline double weft__moving_particle_support(const weft__moving_particle* particle,
                                                   weft__vec3 normal) {
  return particle->support_share * weft__material_support(particle->material, normal);
}

/* True if both ends of the particle's path lie on one side of the collider's swept AABB. A path
 * seen from a rotating frame is taken as straight and might hit by error: this test keeps the
 * result independent of other particles of the block. */
bool weft__misses_swept_box(const weft__moving_particle* particle, const weft__collider* collider);

/* Moves a particle out of a collider; true if there was a contact. `gravity` is the displacement of
 * a substep, metres. The first pass of a substep applies restitution and friction; later passes,
 * after corrections by other colliders, only resolve the overlap. */
bool weft__collider_resolve(const weft__collider* collider, weft__vec3 gravity, bool is_first,
                            weft__moving_particle* particle);

#endif
