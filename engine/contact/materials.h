/* How particles meet others: rows of a table, and which row each particle has. */
#ifndef WEFT_CONTACT_MATERIALS_H
#define WEFT_CONTACT_MATERIALS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "weft/weft.h"

/* What a particle, or a collider, is to what touches it. */
typedef struct weft__surface {
  float restitution;
  float static_friction;
  float dynamic_friction;
  uint32_t category, mask;
} weft__surface;

typedef struct weft__material {
  weft_contact_shape shape;
  float half_size[3]; /* metres */
  weft__surface surface;
  bool exact;
} weft__material;

typedef struct weft__materials {
  bool on;      /* some particle has, or had, a row */
  uint32_t* of; /* the row of each particle, solver order; 0 = it has no contact [particle_count] */
  weft__material* rows; /* 0 is that of what meets nothing: its mask is 0 [row_count] */
  uint32_t row_count;
  uint32_t version; /* changes with every change, so that whoever sorts particles by kind knows */
  size_t bytes;
} weft__materials;

static inline const weft__material* weft__material_of(const weft__materials* materials,
                                                      uint32_t particle) {
  return &materials->rows[materials->of[particle]];
}

/* Whether two meet at all. */
static inline bool weft__surfaces_meet(const weft__surface* a, const weft__surface* b) {
  return (a->category & b->mask) != 0 && (b->category & a->mask) != 0;
}

/* The restitution and friction of two that meet. */
static inline weft__surface weft__surface_between(const weft__surface* a, const weft__surface* b) {
  return (weft__surface){
      .restitution = a->restitution < b->restitution ? a->restitution : b->restitution,
      .static_friction =
          sqrtf(a->static_friction * a->static_friction + b->static_friction * b->static_friction),
      .dynamic_friction = sqrtf(a->dynamic_friction * a->dynamic_friction +
                                b->dynamic_friction * b->dynamic_friction),
  };
}

/* Gives particles, by the caller's numbers, a row that is equal to this, a new one where there is none; NULL = row
 * 0. False when memory cannot be had; then nothing has changed. */
bool weft__materials_set(weft__materials* materials, const uint32_t* solver_of,
                         uint32_t particle_count, uint32_t first, uint32_t count,
                         const weft__material* material);

void weft__materials_destroy(weft__materials* materials);

#endif
