#include "tables/links.h"

#include <assert.h>

#include "base/columns.h"

static const weft__column columns[] = {
    WEFT__COLUMN(weft__links, end_a),       WEFT__COLUMN(weft__links, end_b),
    WEFT__COLUMN(weft__links, rest_length), WEFT__COLUMN(weft__links, stiffness),
    WEFT__COLUMN(weft__links, tear_ratio),  WEFT__COLUMN(weft__links, compliance),
    WEFT__COLUMN(weft__links, kind),
};
enum { COLUMN_COUNT = sizeof(columns) / sizeof(*columns) };

bool weft__links_reserve(weft__links* links, uint32_t count) {
  if (count <= links->capacity) return true;
  // doubling keeps many small additions linear; the limit on links keeps it within 32 bits
  const uint32_t doubled = links->capacity * 2;
  const uint32_t wanted = count > doubled ? count : doubled;
  if (!weft__columns_grow(links, columns, COLUMN_COUNT, wanted)) return false;
  links->capacity = wanted;
  return true;
}

void weft__links_push(weft__links* links, weft_link link) {
  assert(links->count < links->capacity);
  const uint32_t i = links->count++;
  links->end_a[i] = link.a;
  links->end_b[i] = link.b;
  links->rest_length[i] = link.rest_length;
  links->stiffness[i] = link.stiffness;
  links->tear_ratio[i] = link.tear_ratio;
  links->compliance[i] = link.compliance;
  links->kind[i] = (uint8_t)link.kind;
}

weft_link weft__links_get(const weft__links* links, uint32_t index) {
  return (weft_link){
      .a = links->end_a[index],
      .b = links->end_b[index],
      .rest_length = links->rest_length[index],
      .stiffness = links->stiffness[index],
      .tear_ratio = links->tear_ratio[index],
      .kind = (weft_link_kind)links->kind[index],
      .compliance = links->compliance[index],
  };
}

void weft__links_destroy(weft__links* links) {
  weft__columns_free(links, columns, COLUMN_COUNT);
  *links = (weft__links){0};
}
