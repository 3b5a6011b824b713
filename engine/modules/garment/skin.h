/* Skinned positions and normals of particles, and limits about them, in solver order.
 *
 * Targets have a state at the end of the last step and one at the end of the next. While nothing
 * moves the second is current: a skin at rest has the bits that the caller gave. */
#ifndef WEFT_MODULES_GARMENT_SKIN_H
#define WEFT_MODULES_GARMENT_SKIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/archive.h"
#include "step/attribute.h"
#include "tables/particles.h"

#define WEFT__SKIN_BLOCK 64u

/* limits in use in a block of 64 */
#define WEFT__SKIN_BLEND 1u
#define WEFT__SKIN_DISTANCE 2u
#define WEFT__SKIN_BACKSTOP 4u

/* [count + padding] */
typedef struct weft__skin_column {
  float* axis[3];
} weft__skin_column;

typedef struct weft__skin {
  bool on;                                    /* columns exist, and limits are kept */
  bool moves;                                 /* `end` differs from `begin` in the next step */
  weft__skin_column begin, end;               /* metres */
  weft__skin_column begin_normal, end_normal; /* unit or 0 */
  float* max_distance;                        /* metres, infinite: none [count + padding] */
  float* backstop_distance; /* metres from the skinned position to the sphere, as set */
  float* backstop_offset;   /* metres from the skinned position back to the centre */
  float* backstop_radius;   /* metres, 0: none */
  float* kept;              /* share of the distance that a substep leaves, 1: no blend */
  float* blend;             /* share that a step removes, as set */
  uint8_t* uses;            /* limits, by block */
  uint32_t block_count;     /* 0 while off */
  uint32_t capacity;        /* allocated blocks */
  void* block;
  size_t bytes;
} weft__skin;

/* Limits of particles [begin, end), a block or the rest of the last one, about targets interpolated
 * by the shares of the step left at begin and end of the substep. Pinned particles stay. */
typedef struct weft__skin_kernels {
  void (*solve)(const weft__particles* particles, const weft__skin* skin, const float left[2],
                uint32_t begin, uint32_t end);
} weft__skin_kernels;

extern const weft__table weft__skin_table;
extern const weft__attribute weft__skin_attributes[];

/* Skin at the present positions, unless it is on. */
bool weft__skin_create(weft__skin* skin, const weft__particles* particles);
void weft__skin_destroy(weft__skin* skin);

void weft__skin_begin_move(weft__skin* skin, uint32_t particle_count);

/* Share of the distance that a substep leaves, of a share that a step removes. */
float weft__skin_kept(float blend, uint32_t substeps);

/* Finds the limits in use in each block, after limits have changed. */
void weft__skin_update_uses(weft__skin* skin);

#endif
