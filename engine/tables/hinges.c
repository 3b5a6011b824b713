#include "tables/hinges.h"

#include <string.h>

#include "base/columns.h"
#include "base/host.h"

static const weft__column columns[] = {
    WEFT__COLUMN(weft__hinges, particle),
    WEFT__COLUMN(weft__hinges, coefficient),
    WEFT__COLUMN(weft__hinges, rest_length),
    WEFT__COLUMN(weft__hinges, compliance),
};
enum { COLUMN_COUNT = sizeof(columns) / sizeof(*columns) };

bool weft__hinges_reserve(weft__hinges* hinges, uint32_t count) {
  if (count <= hinges->capacity) return true;
  // as for links: doubling keeps many small additions linear
  const uint32_t doubled = hinges->capacity * 2;
  const uint32_t wanted = count > doubled ? count : doubled;
  if (!weft__columns_grow(hinges, columns, COLUMN_COUNT, hinges->capacity, wanted)) return false;
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
}

weft__hinge weft__hinges_get(const weft__hinges* hinges, uint32_t index) {
  weft__hinge hinge = {.rest_length = hinges->rest_length[index],
                       .compliance = hinges->compliance[index]};
  memcpy(hinge.particle, hinges->particle[index], sizeof(hinge.particle));
  memcpy(hinge.coefficient, hinges->coefficient[index], sizeof(hinge.coefficient));
  return hinge;
}

void weft__hinges_destroy(weft__hinges* hinges) {
  weft__columns_free(hinges, columns, COLUMN_COUNT);
  *hinges = (weft__hinges){0};
}
