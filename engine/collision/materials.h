/* Contact materials: rows, and the row of each particle. Equal rows are shared, found by a hash,
 * and rows without particles are reused: there are never more rows than particles, and a call takes
 * time only for the particles that it names. */
#ifndef WEFT_COLLISION_MATERIALS_H
#define WEFT_COLLISION_MATERIALS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/archive.h"
#include "base/vec3.h"
#include "weft/weft.h"

typedef struct weft__surface {
  float restitution;
  float static_friction;
  float dynamic_friction;
  uint32_t category, mask;
  uint32_t material;    /* below WEFT_MAX_MATERIALS */
  uint32_t environment; /* WEFT_ALL_ENVIRONMENTS: of all */
} weft__surface;

typedef struct weft__pair_rule {
  weft_friction_rule rule;
  /* symmetric; a static friction below 0: not set */
  weft_surface_def pairs[WEFT_MAX_MATERIALS][WEFT_MAX_MATERIALS];
} weft__pair_rule;

#define WEFT__CONTACT_SHAPE_COUNT 5

typedef struct weft__material {
  weft_particle_shape shape;
  float half_size[3]; /* metres; a radius three times */
  weft__surface surface;
  uint32_t is_exact, turns; /* 0 or 1: without padding */
} weft__material;

typedef struct weft__material_use {
  uint32_t count;     /* particles and saved lists that refer to the row; 0: free */
  uint32_t next_free; /* next free row, 0: end */
} weft__material_use;

typedef struct weft__materials {
  uint32_t particle_count;
  bool on;      /* contacts have been set */
  uint32_t* of; /* row by particle, solver order; 0: no contacts [particle_count] */
  const uint32_t* environment_of; /* the schedule's, NULL with one environment */
  /* row 0, and free rows, collide with nothing: their mask is 0 [row_count] */
  weft__material* rows;
  uint32_t row_count;
  uint32_t version; /* increases with every change */
  /* particles with a material, by shape, exact ones, and that turn */
  uint32_t shape_count[WEFT__CONTACT_SHAPE_COUNT];
  uint32_t exact_count;
  uint32_t turning_count;
  float max_cloth_radius; /* metres: largest ever set */
  weft__pair_rule between;

  weft__material_use* uses; /* [row_count] */
  uint32_t first_free;      /* 0: empty */
  uint32_t row_capacity;    /* rows and uses */
  uint32_t* slots;          /* hash table, open addressing, 0: empty [slot_count] */
  uint32_t slot_count;      /* a power of two, or 0 */
  size_t bytes;
} weft__materials;

extern const weft__table weft__materials_table;

static inline const weft__material* weft__material_of(const weft__materials* materials,
                                                      uint32_t particle) {
  return &materials->rows[materials->of[particle]];
}

/* Extent along a unit normal, metres. */
static inline double weft__material_support(const weft__material* material, weft__vec3 normal) {
  const float* half = material->half_size;
  const weft__vec3 scaled = {normal.x * (double)half[0], normal.y * (double)half[1],
                             normal.z * (double)half[2]};
  if (material->shape == WEFT_PARTICLE_SHAPE_BOX)
    return fabs(scaled.x) + fabs(scaled.y) + fabs(scaled.z);
  if (material->shape == WEFT_PARTICLE_SHAPE_ELLIPSOID) return sqrt(weft__dot(scaled, scaled));
  return (double)half[0];
}

static inline bool weft__surfaces_collide(const weft__surface* a, const weft__surface* b) {
  return (a->category & b->mask) != 0 && (b->category & a->mask) != 0 &&
         (a->environment == b->environment || a->environment == WEFT_ALL_ENVIRONMENTS ||
          b->environment == WEFT_ALL_ENVIRONMENTS);
}

/* Smaller restitution, friction by the rule, or the entry in `pairs`. */
static inline weft__surface weft__surface_between(const weft__pair_rule* by, const weft__surface* a,
                                                  const weft__surface* b) {
  const weft_surface_def* pair = &by->pairs[a->material][b->material];
  if (by->rule == WEFT_FRICTION_RULE_TABLE && pair->static_friction >= 0.0f) {
    return (weft__surface){.restitution = pair->restitution,
                           .static_friction = pair->static_friction,
                           .dynamic_friction = pair->dynamic_friction};
  }
  weft__surface between = {.restitution =
                               a->restitution < b->restitution ? a->restitution : b->restitution};
  if (by->rule == WEFT_FRICTION_RULE_MEAN) {
    between.static_friction = 0.5f * (a->static_friction + b->static_friction);
    between.dynamic_friction = 0.5f * (a->dynamic_friction + b->dynamic_friction);
    return between;
  }
  between.static_friction =
      sqrtf(a->static_friction * a->static_friction + b->static_friction * b->static_friction);
  between.dynamic_friction =
      sqrtf(a->dynamic_friction * a->dynamic_friction + b->dynamic_friction * b->dynamic_friction);
  return between;
}

/* Sets the rule, with no pair in the table. */
void weft__pair_rule_reset(weft__pair_rule* between, weft_friction_rule rule);

/* Assigns a material to particles, by the caller's numbers, with their environment in place of the
 * material's; NULL = row 0. Removed particles keep row 0 (`removed` in solver order, NULL = none).
 * On failure to allocate returns false and changes nothing. */
bool weft__materials_set(weft__materials* materials, const uint32_t* solver_of, const bool* removed,
                         uint32_t first, uint32_t count, const weft__material* material);

/* Saved rows are not reused. */
typedef struct weft__saved_materials {
  uint32_t first, count; /* caller's numbers */
  uint32_t* rows;        /* [count] */
  bool was_on;
} weft__saved_materials;

/* False if out of memory. */
bool weft__materials_save(weft__materials* materials, const uint32_t* solver_of, uint32_t first,
                          uint32_t count, weft__saved_materials* saved);

void weft__materials_restore(weft__materials* materials, const uint32_t* solver_of,
                             const weft__saved_materials* saved);

/* Releases saved rows, restored or not. */
void weft__materials_release(weft__materials* materials, weft__saved_materials* saved);

/* Visits the state. A check replaces tables that are too small by others, and leaves the memory of
 * the former ones to the caller. */
void weft__materials_visit(weft__materials* materials, weft__archive* archive);

void weft__materials_destroy(weft__materials* materials);

#endif
