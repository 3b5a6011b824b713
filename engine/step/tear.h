/* Removal of links, and of the bend elements, coarse links and long-range attachments built on
 * them. The direct solver reads the links' lane mask itself. */
#ifndef WEFT_STEP_TEAR_H
#define WEFT_STEP_TEAR_H

#include "edit/torn_events.h"
#include "solvers/long_range_attachments/attachments.h"
#include "solvers/multigrid/levels.h"
#include "step/stage.h"
#include "tables/particles.h"
#include "tables/schedule.h"

typedef struct weft__torn {
  weft__torn_events events;
  uint32_t count; /* links torn so far */
  bool* in_patch; /* scratch: has links marked for tearing [patch_count] */
} weft__torn;

/* Links and all that is built on them: see weft__stepper_constraints(). */
typedef struct weft__constraint_tables {
  const weft__particles* particles;
  weft__schedule* schedule;
  weft__levels* levels;
  weft__attachments* attachments;
  const weft__stage_states* stages; /* of modules, which have elements of their own */
  weft__torn* torn;
  bool* any_torn; /* of the forces: faces may have holes */
} weft__constraint_tables;

/* Links that are torn: a step tears no link of a sleeping component, a call wakes it. */
typedef enum weft__tear_choice { WEFT__TEAR_AWAKE, WEFT__TEAR_ALL } weft__tear_choice;

/* All calls below need tables beyond a step's: weft__levels_make_tearable(). */

/* Tears the marked links of all patches, and clears the marks. One worker calls it, in patch order:
 * the order does not depend on the workers. */
void weft__tear_marked(weft__constraint_tables* tables, weft__tear_choice choice);

/* Tears the link of a slot, unless it is torn already. */
void weft__tear_slot(weft__constraint_tables* tables, uint32_t slot);

/* Enables or disables the link of a slot, unless it is torn. */
void weft__enable_slot(weft__constraint_tables* tables, uint32_t slot, bool enabled);

/* Removes a link: it is not torn, and cannot be enabled again. */
void weft__remove_link(weft__constraint_tables* tables, const weft__lane* lane);

/* Removes the links, in the caller's order, with an end that lets go. Elements between two such
 * ends go with them. */
void weft__remove_links(weft__constraint_tables* tables, weft__is_released* lets_go,
                        const void* context);

#endif
