#include "tables/hinges.h"

#include <string.h>

#include "base/columns.h"
#include "base/host.h"

static const weft__column columns[] = {
    WEFT__GROWN(weft__hinges, particle),    WEFT__GROWN(weft__hinges, coefficient),
    WEFT__GROWN(weft__hinges, rest_length), WEFT__GROWN(weft__hinges, compliance),
    WEFT__GROWN(weft__hinges, yield),       WEFT__GROWN(weft__hinges, max_rest_length),
    WEFT__GROWN(weft__hinges, side),        WEFT__GROWN(weft__hinges, bend_stiffness),
};
static const weft__table table = WEFT__TABLE(columns);

bool weft__hinges_reserve(weft__hinges* hinges, uint32_t count) {
  if (count <= hinges->capacity) return true;
  const uint32_t doubled = hinges->capacity * 2;
  const uint32_t wanted = count > doubled ? count : doubled;
  if (!weft__columns_grow(hinges, &table, hinges->capacity, wanted)) return false;
  hinges->capacity = wanted;
  return true;
}

void weft__hinges_push(weft__hinges* hinges, const weft__hinge* hinge) {
  WEFT__ASSERT(hinges->count < hinges->capacity);
  const uint32_t i = hinges->count++;
  memcpy(hinges->particle[i], hinge->particle, sizeof(hinge->particle));
  memcpy(hinges->coefficient[i], hinge->coefficient, sizeof(hinge->coefficient));
  hinges->rest_length[i] = hinge->rest_length;
  hinges->compliance[i] = hinge->compliance;
  hinges->yield[i] = hinge->yield;
  hinges->max_rest_length[i] = hinge->max_rest_length;
  memcpy(hinges->side[i], hinge->side, sizeof(hinge->side));
  hinges->bend_stiffness[i] = hinge->bend_stiffness;
}

weft__hinge weft__hinges_get(const weft__hinges* hinges, uint32_t index) {
  weft__hinge hinge = {.rest_length = hinges->rest_length[index],
                       .compliance = hinges->compliance[index],
                       .yield = hinges->yield[index],
                       .max_rest_length = hinges->max_rest_length[index],
                       .bend_stiffness = hinges->bend_stiffness[index]};
  memcpy(hinge.particle, hinges->particle[index], sizeof(hinge.particle));
  memcpy(hinge.coefficient, hinges->coefficient[index], sizeof(hinge.coefficient));
  memcpy(hinge.side, hinges->side[index], sizeof(hinge.side));
  return hinge;
}

void weft__hinges_destroy(weft__hinges* hinges) {
  weft__columns_free(hinges, &table);
  *hinges = (weft__hinges){0};
}
