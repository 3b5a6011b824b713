/* Drag on links without faces: ropes, nets, webs. Each half of a link is a cylinder of its end's
 * diameter d, half the link's length l long. Across it, at the end's speed s relative to the air,
 *
 *     F = c v across the link    c = density / 2 * drag * 1.2 * d * l / 2 * (s + unsteady_speed)
 *
 * 1.2 is the coefficient of a cylinder between Reynolds numbers of 300 and 100,000: ropes in a
 * breeze (Hoerner 1965, "Fluid-dynamic drag", chapter 3). Along a link there is no drag. d is twice
 * the radius of the particle's shape; none without one, or with a body's.
 *
 * As on faces, the sum of c at a particle is at most mass / step: speed relative to the air never
 * grows. Ends that belong to faces have the drag of these only. */
#ifndef WEFT_FORCES_LINK_DRAG_H
#define WEFT_FORCES_LINK_DRAG_H

#include "parallel/domain.h"
#include "tables/faces.h"
#include "tables/particles.h"

/* Structural links by their ends that belong to no face. */
typedef struct weft__link_drag {
  uint32_t count;     /* ends */
  uint32_t use_count; /* links of all ends */
  uint32_t* particle; /* solver order, ascending [count] */
  float* radius;      /* metres, 0: no drag [count] */
  uint32_t* first;    /* prefix offsets into other and link [count + 1] */
  uint32_t* other;    /* other end [use_count] */
  uint32_t* link;     /* caller's number, ascending for an end [use_count] */
  void* block;        /* NULL: not made yet */
  size_t bytes;
} weft__link_drag;

/* Air at an end. */
typedef struct weft__link_air {
  float velocity[3];    /* metres per second */
  float half_density;   /* density / 2 * drag, kilograms per cubic metre */
  float unsteady_speed; /* metres per second */
  float velocity_rate;  /* 1 / seconds of the last substep */
  float step_rate;      /* 1 / seconds of the step */
} weft__link_air;

/* Other ends of the links of own particles. */
extern const weft__halo_rows weft__link_drag_rows;

/* False if out of memory. */
bool weft__link_drag_create(weft__link_drag* drag, const weft__faces* faces,
                            const weft__schedule* schedule);

void weft__link_drag_destroy(weft__link_drag* drag);

/* Adds the force on end `n`. */
void weft__link_drag_load(const weft__link_drag* drag, uint32_t n, const weft__link_air* air,
                          const weft__schedule* schedule, weft__particles* particles);

#endif
