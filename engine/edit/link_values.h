/* Rest lengths and compliances of links that change while a world runs.
 *
 * A schedule stores one value for many lanes that share it. The first change spreads the column:
 * one value per lane, at the slot of its link. */
#ifndef WEFT_EDIT_LINK_VALUES_H
#define WEFT_EDIT_LINK_VALUES_H

#include "base/archive.h"
#include "tables/schedule.h"

/* Parameters in the order of weft__run. */
typedef enum weft__link_value {
  WEFT__VALUE_REST_LENGTH = 0,
  WEFT__VALUE_COMPLIANCE = 2,
} weft__link_value;

/* Spreads a column, unless it is; for compliances allocates multipliers, too. False if out of
 * memory. */
bool weft__link_values_spread(weft__schedule* schedule, weft__link_value value);

static inline bool weft__link_values_are_spread(const weft__schedule* schedule) {
  return schedule->is_spread[WEFT__VALUE_REST_LENGTH] ||
         schedule->is_spread[WEFT__VALUE_COMPLIANCE];
}

/* Visits the columns that are spread, in the stream and here. A world whose columns are spread
 * beyond the stream's fails with WEFT_ERROR_FOREIGN. */
void weft__link_values_visit(weft__schedule* schedule, weft__archive* archive);

/* Value of a lane's link, as sweeps have it, spread or not. */
float weft__link_values_get(const weft__schedule* schedule, weft__link_value value,
                            const weft__lane* lane);

/* Sets the value of a lane's link in a spread column. */
void weft__link_values_set(weft__schedule* schedule, weft__link_value value, const weft__lane* lane,
                           float number);

#endif
