/* Links, bend and membrane elements alike: two to four particles, solved by their home's patch. */
#ifndef WEFT_SCHEDULE_CONSTRAINTS_H
#define WEFT_SCHEDULE_CONSTRAINTS_H

#include "schedule/order.h"
#include "tables/hinges.h"
#include "tables/links.h"
#include "tables/membranes.h"

typedef struct weft__constraints {
  const weft__order* order;
  const weft__links* links;
  const weft__hinges* hinges;
  const weft__membranes* membranes;
  uint32_t count;
  const bool* is_elsewhere; /* another solver's; NULL: none [count] */
} weft__constraints;

/* In solver order; returns 2, 3 or 4. */
static inline uint32_t weft__constraint_particles(const weft__constraints* c, uint32_t i,
                                                  uint32_t particle[4]) {
  const uint32_t* solver_of = c->order->solver_of;
  if (c->links != NULL) {
    particle[0] = solver_of[c->links->end_a[i]];
    particle[1] = solver_of[c->links->end_b[i]];
    return 2;
  }
  const uint32_t* user =
      c->membranes != NULL ? c->membranes->list[i].particle : c->hinges->particle[i];
  for (uint32_t k = 0; k < 3; ++k) particle[k] = solver_of[user[k]];
  if (c->membranes != NULL || user[3] == WEFT__NO_PARTICLE) return 3;
  particle[3] = solver_of[user[3]];
  return 4;
}

/* Lowest of a link's ends, of a hinge's first and third particle, or of a triangle's corners. */
static inline uint32_t weft__constraint_low(const weft__constraints* c, uint32_t i) {
  const uint32_t* solver_of = c->order->solver_of;
  if (c->membranes != NULL) {
    const uint32_t* corner = c->membranes->list[i].particle;
    const uint32_t p = solver_of[corner[0]], q = solver_of[corner[1]], r = solver_of[corner[2]];
    const uint32_t low = p < q ? p : q;
    return low < r ? low : r;
  }
  const bool of_links = c->links != NULL;
  const uint32_t a = solver_of[of_links ? c->links->end_a[i] : c->hinges->particle[i][0]];
  const uint32_t b = solver_of[of_links ? c->links->end_b[i] : c->hinges->particle[i][2]];
  return a < b ? a : b;
}

/* Lowest particle of a link or a triangle; a bend element's second, the middle one in a sheet. */
static inline uint32_t weft__constraint_home(const weft__constraints* c, uint32_t i) {
  if (c->hinges == NULL) return weft__constraint_low(c, i);
  return c->order->solver_of[c->hinges->particle[i][1]];
}

#endif
