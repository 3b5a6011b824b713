/* weft, chapter 15: bulk access. Include <weft/weft.h>, which includes this.
 *
 * Calls of chapters 5 and 6 copy one attribute of a range. The calls here copy several attributes,
 * of a range or of listed particles, to or from arrays of any stride, such as an interleaved vertex
 * buffer, by all workers of the world; or they copy nothing: see Views.
 *
 *   position x y z | normal x y z | u v |       stride 32: two arrays, the second begins at byte 12
 *
 * Like all calls on one world they are made between steps. Bits do not depend on the workers. */
#ifndef WEFT_BULK_H
#define WEFT_BULK_H

#include "weft/weft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- attributes ------------------------------------------------------------------------------ */

/* Attributes of particles: floats of an element, unit, and the calls of chapters 5 and 6 that do
 * the same to a range. */
typedef enum weft_attribute {
  WEFT_ATTRIBUTE_POSITION = 0,     /* [3] metres: weft_world_set_positions() .. */
  WEFT_ATTRIBUTE_VELOCITY = 1,     /* [3] metres per second: weft_world_set_velocities() .. */
  WEFT_ATTRIBUTE_TARGET = 2,       /* [3] metres: weft_world_move_particles() .. */
  WEFT_ATTRIBUTE_INVERSE_MASS = 3, /* [1] 1/kg: weft_world_set_inverse_masses() .. */
  WEFT_ATTRIBUTE_FORCE = 4,        /* [3] newtons: weft_world_add_forces() .. */
  /* [3] unit normal of the remaining faces of a particle, weighted by their areas; 0 0 0 where
   * there are none or they cancel. Read only; not in a plane */
  WEFT_ATTRIBUTE_NORMAL = 5,
  /* [4] x y z: unit vector along which u of weft_bulk_def.uvs grows, weighted by areas, at right
   * angles to the normal; 0 0 0 where there is none. w: 1 or -1, so that v grows along
   * cross(normal, tangent) * w, as in glTF. Read only; not in a plane */
  WEFT_ATTRIBUTE_TANGENT = 6,
} weft_attribute;
#define WEFT_ATTRIBUTE_COUNT 7

/* Array of one attribute. Element n belongs to particle n of the selection and begins at
 * (char*)values + n * stride, as in Ranges of weft/change.h. */
typedef struct weft_attribute_array {
  weft_attribute attribute;
  float* values; /* weft_world_write() only reads them; not NULL if count > 0 */
  /* bytes, a multiple of 4 and at least the size of an element; 0 = one element for all particles,
   * only in weft_world_write() */
  size_t stride;
} weft_attribute_array;

/* Particles and arrays of one call. */
typedef struct weft_bulk_def {
  /* Particles [first, first + count); with `particles` those numbers, [count], in any order, and
   * `first` is ignored. default 0, 0, NULL */
  uint32_t first, count;
  const uint32_t* particles;
  const weft_attribute_array* arrays; /* [array_count]; default NULL, 0 */
  uint32_t array_count;
  /* Share of the last step, 0 to 1, that positions, normals and tangents are read at, as in
   * weft_world_get_interpolated(); default 1 = its end. Ignored by weft_world_write() */
  float interpolation;
  /* Texture coordinates for tangents, [2], of all particles of the world by number, and their
   * stride in bytes; a particle has one pair. default NULL, 0 */
  const float* uvs;
  size_t uv_stride;
  uint32_t cookie; /* private */
} weft_bulk_def;

WEFT_API weft_bulk_def weft_default_bulk_def(void);

/* Copies attributes of particles into arrays. A particle may be listed more than once. Fails with
 * WEFT_ERROR_INDEX at "weft_bulk_def.particles" and the index of a number that no particle has,
 * with WEFT_ERROR_NULL or WEFT_ERROR_RANGE at a field of weft_attribute_array and the index of the
 * array, at "weft_bulk_def.uvs" for tangents without them, and with WEFT_ERROR_DISABLED at
 * "weft_world_def.plane". */
WEFT_RESULT weft_world_read(const weft_world* world, const weft_bulk_def* def);

/* Sets attributes of particles from arrays, with the meaning and the limits of the calls named at
 * weft_attribute, in its order. Nothing changes unless everything is good. Also fails with
 * WEFT_ERROR_DUPLICATE at "weft_bulk_def.particles" if a particle is listed twice, or at
 * "weft_bulk_def.arrays" if an attribute has two arrays; with WEFT_ERROR_RANGE at
 * "weft_attribute_array.attribute" if that is read only; and at "positions", "velocities",
 * "inverse_masses", "targets", "forces" with the index of the element at fault. Allocates and frees
 * a bit a particle if a list does not ascend; may allocate for targets and forces. */
WEFT_RESULT weft_world_write(weft_world* world, const weft_bulk_def* def);

/* ---- views ----------------------------------------------------------------------------------- */

/* Columns of the particles in memory, to be read in place. Particle n is at index_of[n] of each
 * column, and index i has the particle number_of[i].
 *
 * Pointers hold until weft_world_reset() or weft_world_destroy(); values change with steps and with
 * calls of chapter 6. They must not be read while the world steps, nor written. */
typedef struct weft_view {
  uint32_t particle_count;
  const uint32_t* index_of;  /* [particle_count] */
  const uint32_t* number_of; /* [particle_count] */
  /* x, y and z, each [particle_count], of positions in metres; 64-byte aligned */
  const float* position[3];
  /* positions one substep before, and the part of the displacement since then that the rounding of
   * positions has dropped */
  const float* previous[3];
  const float* carried[3];
  /* Velocities in metres per second are velocity + velocity_lag; NULL in worlds of
   * WEFT_INTEGRATOR_POSITION_VERLET without springs and pair forces: there they are (position -
   * previous + carried) * previous_rate, along axes where the two positions differ, and else 0 */
  const float* velocity[3];
  const float* velocity_lag[3];
  const float* inverse_mass; /* 1/kg; 0 = pinned, held or asleep */
  float previous_rate;       /* 1/seconds: one over the last substep; of this moment */
} weft_view;

/* Gets the columns of a world. */
WEFT_RESULT weft_world_get_view(const weft_world* world, weft_view* view);

#ifdef __cplusplus
}
#endif

#endif
