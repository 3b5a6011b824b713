/* Pressure in closed bodies, by Boyle's law: it grows as the volume shrinks.
 *
 *     p = pressure V0 / V,    V = sum over faces of a . (b x c) / 6     (the divergence theorem)
 *
 * a, b and c are a face's corners relative to a particle of the body, in double precision. The sum
 * is taken over fixed blocks of faces and then over the blocks in order, so that it does not depend
 * on the workers. V is clamped to a twentieth of V0 from below, as a collapsed body would explode.
 * A body that has lost a face has lost its pressure for good. */
#ifndef WEFT_FORCES_PRESSURE_H
#define WEFT_FORCES_PRESSURE_H

#include "base/grain_size.h"
#include "base/vec3.h"
#include "scene/scene.h"
#include "tables/faces.h"
#include "tables/particles.h"

/* Most faces of a block. */
#define WEFT__FACE_BLOCK WEFT__GRAIN(256u, 8u)

typedef struct weft__pressure {
  uint32_t first_block, end_block;       /* its faces are the blocks [first_block, end_block) */
  uint32_t first_particle, end_particle; /* its particles, in the list of all bodies */
  double pressure;                       /* pascals */
  double volume;                         /* cubic metres at that pressure, V0 */
  weft__vec3 spin;    /* angular momentum times the substep, kilogram square metres */
  float pressure_now; /* pascals in this step, 0 if it has leaked */
  bool is_linked;     /* links join it to particles outside */
  bool has_leaked;
  bool conserves_spin; /* in this substep: see forces/spin.h */
  bool unused;         /* false: see weft__archive_value() */
} weft__pressure;

/* Faces [first, end) of one closed body, or of none. */
typedef struct weft__face_block {
  uint32_t first, end;
  uint32_t body; /* WEFT__NONE = of none */
  bool has_hole;
  double six_volumes; /* cubic metres */
} weft__face_block;

typedef struct weft__pressures {
  uint32_t count;
  uint32_t block_count;
  uint32_t particle_count;
  weft__pressure* pressures; /* closed bodies [count] */
  const uint8_t* solves;     /* in clusters: bodies of this process; NULL = all [count] */
  weft__face_block* blocks;  /* all faces of the world, in order [block_count] */
  uint32_t* particles;       /* in closed bodies, solver order [particle_count] */
  void* block;               /* the one allocation behind all columns */
  size_t bytes;
} weft__pressures;

/* True if this process solves the body. */
static inline bool weft__pressures_solves(const weft__pressures* pressures, uint32_t body) {
  return pressures->solves == NULL || pressures->solves[body] != 0;
}

/* Creates the table of closed bodies. False when out of memory; the caller destroys it either
 * way. */
bool weft__pressures_create(weft__pressures* pressures, const weft_scene* scene,
                            const weft__schedule* schedule);
void weft__pressures_destroy(weft__pressures* pressures);

/* Measures the volume of a block of a closed body, and looks for holes. `any_torn`: a link of the
 * world is torn. */
void weft__pressure_measure(const weft__pressures* pressures, uint32_t block,
                            const weft__faces* faces, const weft__particles* particles,
                            const weft__schedule* schedule, bool any_torn);

void weft__pressures_update(const weft__pressures* pressures);

#endif
