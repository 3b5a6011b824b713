/* Long-range attachments (LRA) of a frozen world: maximum distances of particles from pinned
 * anchors.
 *
 * Slots are columns: a patch's attachments in one slot are solved in vectors; spare ones have
 * infinite reach. A whole lane group of a patch is one of four kinds:
 *
 *   none          no particle has an attachment in this slot
 *   shared        all have the same anchor
 *   consecutive   their anchors are consecutive, as below a pinned row
 *   mixed         neither
 *
 * The rest of a patch is in none. Anchor positions are copied before steps, and substeps in
 * which pinned particles move: other workers may write to their patches. */
#ifndef WEFT_TABLES_LONG_RANGE_ATTACHMENTS_H
#define WEFT_TABLES_LONG_RANGE_ATTACHMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/columns.h"
#include "base/limits.h"

#define WEFT__NO_ATTACHMENT UINT32_MAX

typedef enum weft__attachment_kind {
  WEFT__ATTACHMENT_NONE,
  WEFT__ATTACHMENT_SHARED,
  WEFT__ATTACHMENT_CONSECUTIVE,
  WEFT__ATTACHMENT_MIXED
} weft__attachment_kind;

typedef struct weft__attachments {
  uint32_t slot_count; /* 0: no attachments; the first slot has the nearest anchors */
  uint32_t particle_count;
  uint32_t patch_count;
  uint32_t group_count;
  uint32_t anchor_count;
  uint32_t count;            /* in all slots */
  uint32_t slot_group_count; /* all slots' */

  uint32_t* patch_first_group; /* [patch_count + 1] */
  uint8_t* kind;               /* weft__attachment_kind [slot_count][group_count] */
  /* In solver order. Without an attachment: one that keeps its group as regular as possible. */
  uint32_t* anchor; /* [slot_count][particle_count] */
  float* reach;     /* metres, infinite: none [slot_count][particle_count] */
  /* Attachment of the previous particle on the path to the anchor, whose removal removes this one;
   * WEFT__NO_ATTACHMENT: a single link [slot_count][particle_count]. */
  uint32_t* from;
  bool is_cut; /* one was removed that others depend on */

  /* solver order, ascending; WEFT__NO_PARTICLE: another process's [anchor_count] */
  uint32_t* anchor_particle;
  /* NaN while not pinned [anchor_count + WEFT__LANES] */
  float* anchor_x;
  float* anchor_y;
  float* anchor_z;

  void* block;
  size_t bytes;
} weft__attachments;

extern const weft__table weft__attachments_table;

#endif
