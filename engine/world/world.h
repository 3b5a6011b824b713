/* World: owner of all tables and stages. world.c creates and steps; other public functions are in a
 * file per topic. */
#ifndef WEFT_WORLD_WORLD_H
#define WEFT_WORLD_WORLD_H

#include "base/result.h"
#include "base/selection.h"
#include "base/vec3.h"
#include "step/fixed_step.h"
#include "step/step.h"
#include "weft/weft.h"

/* A part of the scene. */
typedef struct weft__body_data {
  uint32_t first_particle; /* in the caller's order */
  weft_body_settings settings;
  void* user_data;
} weft__body_data;

struct weft_world {
  weft_world_def def;    /* as given to weft_world_create(), with the ISA in use */
  uint32_t* worker_cpus; /* copy of the def's, [def.worker_count]; NULL = none */
  weft__stepper stepper;
  weft__fixed_step fixed_step;
  uint64_t fingerprint; /* covers the scene and its order in the tables: see scene/fingerprint.h */
  uint64_t step_count;
  /* counts changes of positions and of active links that outdate the query index */
  uint64_t changes;
  weft__body_data* bodies; /* ascending [body_count] */
  size_t body_count;
  bool bodies_differ; /* in settings that were WEFT_AUTO, or adapt */
};

/* Removes the contact materials of particles, in the caller's order. Failure changes nothing. */
bool weft__remove_contacts(weft_world* world, uint32_t first, uint32_t count);

/* Allocates and loads radii once a world has had bounds and shapes. Failure changes nothing. */
bool weft__prepare_radii(weft_world* world);

/* Loads the radii of particles, in the caller's order, from their shapes, if they are allocated. */
void weft__load_radii(weft_world* world, uint32_t first, uint32_t count);

/* Wakes particles, in the caller's order: see weft__wake() and weft__disturb(). */
void weft__wake_range(weft_world* world, uint32_t first, uint32_t count);
void weft__disturb_range(weft_world* world, uint32_t first, uint32_t count);

/* Inverse mass of a particle in solver order, asleep or awake, 1/kilograms. */
static inline float weft__inverse_mass_of(const weft_world* world, uint32_t particle) {
  return weft__particles_own_inverse_mass(&world->stepper.particles, particle);
}

/* Seconds of a substep in steps of this length. */
double weft__substep_length(const weft_world* world, int64_t step_ns);

/* Seconds of the last substep: between the current and the previous positions. */
double weft__last_substep(const weft_world* world);

/* Sets the speed limits, clamped to WEFT_MAX_MAGNITUDE: the displacement of a substep stays finite
 * under any force. */
void weft__set_max_speed(weft_world* world, const float max_speed[3]);

/* Updates the motion of a substep after a change of gravity, damping or speed limits; all wake. */
void weft__update_motion(weft_world* world);

/* Sets the contact of particles: weft_world_set_particle_shape() within a computation. */
weft_result weft__set_contact(weft_world* world, const weft_selection* particles,
                              const weft_particle_shape_def* contact);

/* Gives a new world the contacts of its scene. */
weft_result weft__begin_contacts(weft_world* world, const weft_scene* scene);

weft_result weft__check_contact(const weft_particle_shape_def* contact);

/* Ranges and arrays of the shape; not the rules of worlds of a plane. */
weft_result weft__check_collider(const weft_collider_def* def);

/* Sets the wind of environments: weft_world_set_environment_wind() after checks of the range. */
weft_result weft__set_winds(weft_world* world, const weft__selection* at,
                            const weft_wind_def* wind);

/* Continues a hash with these particles, in the caller's order: see weft_world_hash(). */
uint64_t weft__world_hash_range(const weft_world* world, uint64_t hash, weft__range users);

/* Checks that z of a point or vector, [3], is 0 in a world of a plane: see weft_world_def.plane. */
weft_result weft__check_plane(const weft_world* world, const float values[3], const char* field);

/* Input of the contact stages outside of steps, from the present materials and limits. */
weft__contact_setup weft__contact_setup_of(const weft_world* world);

#endif
