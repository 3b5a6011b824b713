/* Links of a schedule, by slot: lane group times 16 plus lane. Runs say which particles they join.
 *
 * A lane's bit in lane_mask is clear if it holds no link or its link is gone: torn, switched off or
 * taken out. In a contiguous group such a lane still names two particles, which are loaded and
 * stored back unchanged, and count as touched by the patch. */
#ifndef WEFT_TABLES_LINK_SCHEDULE_H
#define WEFT_TABLES_LINK_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tables/runs.h"

typedef struct weft__link_schedule {
  uint32_t link_count;
  uint32_t group_count;
  bool one_sided;     /* coarse levels: links only resist stretch */
  bool along_present; /* corrections along links' present direction */
  bool has_slack;
  bool can_tear;
  bool is_tracked; /* rigid links have multipliers: weft__schedule_track() */

  uint32_t* slot_of_link; /* by the caller's number [link_count] */
  uint16_t* lane_mask;    /* links that act [group_count] */
  uint16_t* structural;   /* links that are, or were, structural [group_count] */
  /* Finest level; NULL on others: WEFT__TEAR_MASKS. */
  uint16_t* torn;     /* overstretched, to be torn [group_count] */
  uint16_t* disabled; /* switched off, may return [group_count] */

  float* rest_length;       /* metres, whole lane groups */
  float* scene_rest_length; /* metres: of the scene, once rest_length is spread; else NULL */
  weft__parameter* scene_rest;
  float* relaxation;                /* 0 to 1, whole lane groups */
  float* compliance;                /* metres per newton, whole lane groups */
  float* tear_ratio;                /* length over rest length, 0: never, whole lane groups */
  float* slack_below;               /* metres shorter without force, whole lane groups */
  float* slack_above;               /* metres longer; either may be infinite */
  bool is_spread[WEFT__PARAMETERS]; /* one value per lane, at its slot: edit/link_values.h */

  /* Lagrange multipliers of this substep, kilogram metres, tension above 0; NULL if no link is
   * compliant and none is tracked [group_count x WEFT__LANES]. */
  float* multiplier;
  float rate_squared; /* 1/seconds^2: 1 / substep^2 */
} weft__link_schedule;

static inline bool weft__is_marked(const uint16_t* masks, uint32_t slot) {
  return ((uint32_t)masks[slot / WEFT__LANES] >> slot % WEFT__LANES & 1u) != 0;
}

/* By the caller's number. */
static inline bool weft__link_is_gone(const weft__link_schedule* links, uint32_t link) {
  return !weft__is_marked(links->lane_mask, links->slot_of_link[link]);
}

bool weft__links_any_gone(const weft__link_schedule* links);

#endif
