/* Adaption of rigid cloth: the rung of each component by the strain of its links, see multirate.h.
 */
#ifndef WEFT_MODULES_MULTIRATE_ADAPTION_H
#define WEFT_MODULES_MULTIRATE_ADAPTION_H

#include "modules/multirate/multirate.h"

/* up: mean strain above which the next rung follows; down: below which the last one does; 0: rest
 */
typedef struct weft__rung {
  uint32_t part;   /* of the substeps it has one */
  bool on_levels;  /* of components whose substeps adapt */
  uint32_t sweeps; /* times its group's, in each substep */
  double up, down;
} weft__rung;

/* The component has rungs of fewer substeps. */
bool weft__adaption_has_strides(const weft__multirate* m, uint32_t component);

/* Its links are trees', solved directly. */
bool weft__adaption_is_of_trees(const weft__multirate* m, uint32_t component);

/* Of a component in this step. */
const weft__rung* weft__rung_of(const weft__multirate* m, uint32_t component);

/* The rung of the beginning, or a higher one: a call has edited the component. */
void weft__adaption_restart(const weft__multirate* m, uint32_t component);

/* Raises and lowers rungs at the start of a step. */
void weft__adaption_begin(weft__multirate* m, weft__step_context* step);

/* False for rungs that a component does not have. */
bool weft__adaption_is_sound(const weft__multirate* m);

#endif
