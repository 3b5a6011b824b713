/* How particles meet others: rows of a table, and which row each particle has.
 *
 * Every particle may be of another size, and may be set by a call of its own: rows that are equal are one row,
 * found by a hash, and a row that no particle has any more is used again. So there are never more rows than
 * particles, and a call takes time for the particles that it names alone. */
#ifndef WEFT_COLLISION_MATERIALS_H
#define WEFT_COLLISION_MATERIALS_H

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

#define WEFT__CONTACT_SHAPE_COUNT 5

typedef struct weft__material {
  weft_contact_shape shape;
  float half_size[3]; /* metres; of a single radius all three are that */
  weft__surface surface;
  bool ccd;
} weft__material;

/* Who has a row. */
typedef struct weft__material_use {
  uint32_t count;     /* particles, and saved lists, that name it; a row that none does is free */
  uint32_t next_free; /* of a free row: another one, 0 = there is none */
} weft__material_use;

typedef struct weft__materials {
  bool on;      /* some particle has, or had, a row */
  uint32_t* of; /* the row of each particle, solver order; 0 = it has no contact [particle_count] */
  /* 0 is that of what meets nothing: its mask is 0. Free ones are like it [row_count] */
  weft__material* rows;
  uint32_t row_count;
  uint32_t version; /* changes with every change, so that whoever sorts particles by kind knows */
  /* particles that have a row: of each shape, and those of them that are exact */
  uint32_t shape_count[WEFT__CONTACT_SHAPE_COUNT];
  uint32_t ccd_count;
  float most_cloth; /* metres: the largest radius that cloth has, or had */

  weft__material_use* uses; /* [row_count] */
  uint32_t first_free;      /* row, 0 = there is none */
  uint32_t row_capacity;    /* of rows and uses */
  uint32_t* slots;          /* rows by their hash, open addressing, 0 = empty [slot_count] */
  uint32_t slot_count;      /* a power of two, or 0 */
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
 * 0, which those that are removed have for good (`removed` in solver order, NULL = none are). False when memory cannot be had; then nothing has changed. */
bool weft__materials_set(weft__materials* materials, const uint32_t* solver_of, const bool* removed,
                         uint32_t particle_count, uint32_t first, uint32_t count,
                         const weft__material* material);

/* Which rows particles had, so that they can have them back: rows that are saved are not used again. */
typedef struct weft__saved_materials {
  uint32_t first, count; /* particles, by the caller's numbers */
  uint32_t* rows;        /* [count] */
  bool was_on;
} weft__saved_materials;

/* Saves the rows of particles. False when memory cannot be had. */
bool weft__materials_save(weft__materials* materials, const uint32_t* solver_of, uint32_t first,
                          uint32_t count, weft__saved_materials* saved);

/* Gives them back. Cannot fail. */
void weft__materials_put_back(weft__materials* materials, const uint32_t* solver_of,
                              const weft__saved_materials* saved);

/* Lets go of what was saved, put back or not. */
void weft__materials_forget(weft__materials* materials, weft__saved_materials* saved);

void weft__materials_destroy(weft__materials* materials);

#endif
