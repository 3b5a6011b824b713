/* Gas in closed bodies: pressure that grows as their volume shrinks.
 *
 *     p = pressure V0 / V,    V = sum over faces of a . (b x c) / 6     (the divergence theorem)
 *
 * a, b and c are a face's corners, from a particle of the body, in double precision. The sum is taken over
 * fixed blocks of faces and then over the blocks in order, so that it does not show who took it. A body that
 * collapses would burst the next moment: V counts as no less than a twentieth of V0. One that has lost a face
 * has lost its gas for good. */
#ifndef WEFT_FORCES_PRESSURE_H
#define WEFT_FORCES_PRESSURE_H

#include "base/grain.h"
#include "base/vec3.h"
#include "scene/scene.h"
#include "tables/faces.h"
#include "tables/particles.h"

/* At most so many faces. */
#define WEFT__FACE_BLOCK WEFT__GRAIN(256u, 8u)

typedef struct weft__pressure {
  uint32_t first_block, end_block;       /* blocks [first_block, end_block) are its faces */
  uint32_t first_particle, end_particle; /* its particles, in the list of all gases */
  bool is_linked;                        /* links join it to particles outside */
  double pressure;                       /* pascals */
  double volume;                         /* cubic metres at that pressure, V0 */
  bool has_leaked;
  float pressure_now; /* pascals in this step, 0 where it has leaked */
  bool keeps_spin;    /* in this substep: see forces/spin.h */
  weft__vec3 spin;    /* kilogram square metres a substep */
} weft__pressure;

/* Faces [first, end) of one gas, or of none. */
typedef struct weft__face_block {
  uint32_t first, end;
  uint32_t gas; /* WEFT__NONE = of none */
  bool has_hole;
  double six_volumes; /* cubic metres */
} weft__face_block;

typedef struct weft__pressures {
  uint32_t count;
  uint32_t block_count;
  uint32_t particle_count;
  weft__pressure* pressures; /* [count] */
  weft__face_block* blocks;  /* all faces of the world, in order [block_count] */
  uint32_t* particles;       /* of all gases, in solver numbers [particle_count] */
  void* block;               /* the one allocation behind all columns */
  size_t bytes;
} weft__pressures;

/* False when memory cannot be had; the caller destroys the gases either way. */
bool weft__pressures_create(weft__pressures* pressures, const weft_scene* scene,
                            const weft__schedule* schedule);
void weft__pressures_destroy(weft__pressures* pressures);

/* Measures the volume of a block that has gas, and whether there is a hole in it; any_gone = some link of
 * the world is. */
void weft__pressure_measure(const weft__pressures* pressures, uint32_t block,
                            const weft__faces* faces, const weft__particles* particles,
                            const weft__schedule* schedule, bool any_gone);

/* Makes pressures of what has been measured. By one worker. */
void weft__pressures_settle(const weft__pressures* pressures);

#endif
