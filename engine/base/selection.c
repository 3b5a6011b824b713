#include "base/selection.h"

weft_result weft__check_elements(uint32_t first, uint32_t count, uint32_t total) {
  WEFT__FAIL_IF((uint64_t)first + count > total, WEFT_ERROR_INDEX, "first + count");
  return weft__ok();
}

// Range from the lowest to the highest number that counts.
static weft__range hull_of(const weft__selection* at) {
  weft__range hull = {UINT32_MAX, 0};
  if (at->list == NULL && at->mask == NULL) return (weft__range){at->first, at->first + at->count};
  for (uint32_t n = 0; n < at->count; ++n) {
    if (!weft__selects(at, n)) continue;
    const uint32_t number = weft__selected_number(at, n);
    if (number < hull.begin) hull.begin = number;
    if (number >= hull.end) hull.end = number + 1;
  }
  return hull.begin < hull.end ? hull : (weft__range){0, 0};
}

weft_result weft__check_selection(const weft_selection* given, uint32_t total,
                                  const uint32_t* solver_of, weft__selection* selection) {
  *selection = (weft__selection){.solver_of = solver_of,
                                 .list = given->indices,
                                 .mask = given->mask,
                                 .first = given->first,
                                 .count = given->count};
  const weft__selection* at = selection;
  if (at->list == NULL) WEFT__TRY(weft__check_elements(at->first, at->count, total));
  for (uint32_t n = 0; n < at->count && at->list != NULL; ++n) {
    if (weft__selects(at, n) && at->list[n] >= total)
      return weft__fail_at(WEFT_ERROR_INDEX, "selection.indices", n);
  }
  selection->hull = hull_of(at);
  return weft__ok();
}

weft__range weft__selected_run(const weft__selection* selection, uint32_t* n) {
  const weft__selection* at = selection;
  if (at->list == NULL && at->mask == NULL) {
    const uint32_t begin = at->first + *n;
    *n = at->count;
    return (weft__range){begin, at->first + at->count};
  }
  while (*n < at->count && !weft__selects(at, *n)) ++*n;
  if (*n == at->count) return (weft__range){0, 0};
  weft__range run = {weft__selected_number(at, *n), 0};
  run.end = run.begin;
  while (*n < at->count && weft__selects(at, *n) && weft__selected_number(at, *n) == run.end) {
    ++run.end;
    ++*n;
  }
  return run;
}
