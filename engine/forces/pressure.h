/* Pressure in closed bodies, by Boyle's law:
 *
 *     p = pressure V0 / V,    V = sum over faces of a . (b x c) / 6     (the divergence theorem)
 *
 * a, b and c are a face's corners relative to a particle of the body. Forces follow the surface in
 * each substep: constant over a step, they drive every mode of the shell that swings within it.
 * Sums are taken over fixed
 * blocks of faces, then over blocks in order: they do not depend on workers. V is at least V0 / 20,
 * as a collapsed body would explode. A body that loses a face loses its pressure for good. */
#ifndef WEFT_FORCES_PRESSURE_H
#define WEFT_FORCES_PRESSURE_H

#include "base/grain_size.h"
#include "base/vec3.h"
#include "parallel/step_context.h"
#include "scene/scene.h"
#include "tables/faces.h"
#include "tables/stars.h"

#define WEFT__FACE_BLOCK WEFT__GRAIN(256u, 8u)

typedef struct weft__pressure {
  uint32_t first_block, end_block;       /* faces are in blocks [first_block, end_block) */
  uint32_t first_particle, end_particle; /* in the list of all bodies */
  double pressure;                       /* pascals */
  double volume;                         /* cubic metres at that pressure, V0 */
  weft__vec3 spin;    /* angular momentum times the substep, kilogram square metres */
  float pressure_now; /* pascals in this substep, 0 if leaked */
  bool is_linked;     /* to particles outside */
  bool has_leaked;
  bool conserves_spin; /* in this substep: forces/spin.h */
  bool unused;
} weft__pressure;

/* Faces [first, end) of one closed body. */
typedef struct weft__face_block {
  uint32_t first, end;
  uint32_t body;
  bool has_hole;
  double six_volumes; /* cubic metres */
} weft__face_block;

typedef struct weft__pressures {
  uint32_t count;
  uint32_t block_count;
  uint32_t particle_count;
  weft__pressure* pressures; /* closed bodies [count] */
  const uint8_t* solves;     /* in clusters: this process's; NULL: all [count] */
  weft__face_block* blocks;  /* bodies' faces, in order [block_count] */
  uint32_t* particles;       /* in closed bodies, solver order [particle_count] */
  uint32_t* body_of;         /* or WEFT__NONE; by particle of the world, NULL if count is 0 */
  bool* has_gas;             /* by group of the stars, NULL if count is 0 */
  /* gas's share of the forces, newtons, 0 between steps; by particle of the world, NULL if count is
   * 0 */
  float* force[3];
  void* block;
  size_t bytes;
} weft__pressures;

static inline bool weft__pressures_solves(const weft__pressures* pressures, uint32_t body) {
  return pressures->solves == NULL || pressures->solves[body] != 0;
}

/* Particles of closed bodies, and the columns that spin and volume read. */
extern const weft__halo_rows weft__pressure_rows;
extern const weft__halo_read weft__pressure_read;

bool weft__pressures_create(weft__pressures* pressures, const weft_scene* scene,
                            const weft__schedule* schedule);
void weft__pressures_destroy(weft__pressures* pressures);

/* Loads the particles of this process for a substep. any_torn: a link of the world is torn */
void weft__pressures_load(const weft__pressures* pressures, const weft__faces* faces,
                          const weft__stars* stars, bool any_torn, weft__step_context* step);

#endif
