/* The tethers of a frozen world: how far particles may be from pinned ones.
 *
 * A tether has a slot and a particle. Slots are columns of their own, so that what a patch has in one
 * of them is solved in vectors; a particle that has fewer tethers than there are slots has some that
 * reach infinitely far. A whole lane group of a patch is one of four kinds:
 *
 *   none          no particle of it has a tether in this slot
 *   shared        all have the same anchor
 *   consecutive   their anchors are consecutive, as below a row that is pinned
 *   mixed         neither
 *
 * What is left of a patch after its last whole group is in none.
 *
 * Anchors are copied here before steps, and before each substep in which pinned particles move, as
 * another worker may be writing to their patches, if only what is there already. */
#ifndef WEFT_TABLES_ATTACHMENTS_H
#define WEFT_TABLES_ATTACHMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEFT__NO_ATTACHMENT UINT32_MAX

typedef enum weft__attachment_kind {
  WEFT__ATTACHMENT_NONE,
  WEFT__ATTACHMENT_SHARED,
  WEFT__ATTACHMENT_CONSECUTIVE,
  WEFT__ATTACHMENT_MIXED
} weft__attachment_kind;

typedef struct weft__attachments {
  uint32_t slot_count; /* 0 = no tethers at all; the first slot has the nearest anchors */
  uint32_t particle_count;
  uint32_t group_count;
  uint32_t anchor_count;

  uint32_t* patch_first_group; /* [patch_count + 1] */
  uint8_t* kind;               /* weft__attachment_kind [slot_count][group_count] */
  /* of particles in solver order; where there is no tether the anchor is one that leaves its group as
   * regular as it can be */
  uint32_t* anchor; /* [slot_count][particle_count] */
  float* reach;     /* metres, infinite = no tether [slot_count][particle_count] */
  /* The tether, among all, of the particle before this one on its way to the anchor: it goes when that
   * goes. WEFT__NO_ATTACHMENT where the way is one link [slot_count][particle_count] */
  uint32_t* from;
  bool is_cut; /* some have gone that others come from */

  uint32_t* anchor_particle; /* in solver order, ascending [anchor_count] */
  /* where it is, not a number where it is not pinned at present [anchor_count + WEFT__LANES] */
  float* anchor_x;
  float* anchor_y;
  float* anchor_z;

  void* block; /* the one allocation behind all columns */
  size_t bytes;
} weft__attachments;

#endif
