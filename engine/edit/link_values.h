/* Rest lengths and compliances that change while a world runs. The first change spreads a
 * schedule's column from one value for many lanes to one per lane, at the link's slot. */
#ifndef WEFT_EDIT_LINK_VALUES_H
#define WEFT_EDIT_LINK_VALUES_H

#include "base/archive.h"
#include "tables/schedule.h"

/* In the order of weft__run. */
typedef enum weft__link_value {
  WEFT__VALUE_REST_LENGTH = 0,
  WEFT__VALUE_COMPLIANCE = 2,
} weft__link_value;

/* Unless spread; compliances get multipliers, too. */
bool weft__link_values_spread(weft__schedule* schedule, weft__link_value value);

static inline bool weft__link_values_are_spread(const weft__link_schedule* links) {
  return links->is_spread[WEFT__VALUE_REST_LENGTH] || links->is_spread[WEFT__VALUE_COMPLIANCE];
}

/* Columns spread here beyond the stream's fail with WEFT_ERROR_FOREIGN. */
void weft__link_values_visit(weft__schedule* schedule, weft__archive* archive);

float weft__link_values_get(const weft__link_schedule* links, weft__link_value value,
                            const weft__lane* lane);

/* Value of a spread column. */
void weft__link_values_set(weft__schedule* schedule, weft__link_value value, const weft__lane* lane,
                           float number);

#endif
