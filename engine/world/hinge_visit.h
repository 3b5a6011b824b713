/* Visits the bend elements of a patch one by one, for calls that read them. */
#ifndef WEFT_WORLD_HINGE_VISIT_H
#define WEFT_WORLD_HINGE_VISIT_H

#include "step/step.h"

/* A bend element: |sum of coefficients times positions| = rest_length, see tables/hinges.h. */
typedef struct weft__hinge_element {
  uint32_t particle[4]; /* solver order; undefined where the coefficient is 0 */
  float coefficient[4];
  float rest_length;   /* metres */
  float compliance;    /* metres per newton */
  float multiplier[3]; /* kilogram metres, of the last substep */
} weft__hinge_element;

typedef void weft__visit_hinge(void* context, const weft__hinge_element* hinge);

/* Visits the elements of lines that act. */
void weft__visit_line_hinges(const weft__stepper* stepper, weft__visit_hinge* visit, void* context);

/* Visits the elements of meshes that are solved directly and act; they have no multipliers. */
void weft__visit_mesh_hinges(const weft__stepper* stepper, weft__visit_hinge* visit, void* context);

/* Visits the elements of a patch that act. */
void weft__visit_hinges(const weft__stepper* stepper, uint32_t patch, weft__visit_hinge* visit,
                        void* context);

/* Lists the particles of the records of segments [segment, end): searching the segments for each
 * record would dominate. The list is in the first worker's records, which are free between steps,
 * and valid until the next one is made. */
const uint32_t* weft__list_locals(const weft__stepper* stepper, const weft__segment* segment,
                                  const weft__segment* end);

#endif
