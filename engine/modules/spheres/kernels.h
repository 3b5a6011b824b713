#ifndef WEFT_MODULES_SPHERES_KERNELS_H
#define WEFT_MODULES_SPHERES_KERNELS_H

#include "kernels/kernels.h"
#include "modules/spheres/contact_tables.h"

typedef struct weft__body_kernels {
  /* See modules/spheres/shape_contact.h. */
  void (*make_sphere_contacts)(const weft__sphere_pairs* pairs);

  /* Contacts [begin, end) of a sweep with an active body, no two of which share a free body. */
  void (*solve_contacts)(weft__contact_sweep* sweep, uint32_t begin, uint32_t end);

  /* Friction acts on the rotation at the contact, too. */
  void (*solve_turning_contacts)(weft__contact_sweep* sweep, uint32_t begin, uint32_t end);
} weft__body_kernels;

static inline const weft__body_kernels* weft__body_kernels_of(const weft__kernels* kernels) {
  return kernels->of_stage[WEFT__STAGE_BODIES];
}

#endif
