/* Reading of lane masks. */
#ifndef TESTS_SUPPORT_LANES_H
#define TESTS_SUPPORT_LANES_H

#include "tables/schedule.h"

/* True if the lane of a group holds a link. */
static inline bool holds_link(const weft__schedule* schedule, uint32_t group, uint32_t lane) {
  return ((uint32_t)schedule->links.lane_mask[group] >> lane & 1u) != 0;
}

#endif
