#include "tables/bounds.h"

#include <string.h>

#include "base/memory.h"
#include "tables/particles.h"
#include "tables/schedule.h"

enum { CONTACTS = WEFT__GROUP(1), RADII = WEFT__GROUP(2) };

static const weft__column columns[] = {
    WEFT__MEMBER(weft__bounds, on),
    WEFT__MEMBER(weft__bounds, lower),
    WEFT__MEMBER(weft__bounds, upper),
    WEFT__MEMBER(weft__bounds, middle),
    WEFT__MEMBER(weft__bounds, restitution),
    WEFT__MEMBER(weft__bounds, static_friction),
    WEFT__MEMBER(weft__bounds, dynamic_friction),
    WEFT__COLUMN(weft__bounds, touch, group_count, CONTACTS | WEFT__STATE),
    WEFT__VECTOR_PADDED(weft__bounds, radius, particle_count, WEFT__PARTICLE_PADDING,
                        RADII | WEFT__DERIVED),
};

const weft__table weft__bounds_table = {
    .columns = columns, .count = WEFT__COUNT_OF(columns), .is_staggered = true};

weft__bounds weft__bounds_for(uint32_t particle_count) {
  return (weft__bounds){.particle_count = particle_count,
                        .group_count = (particle_count + WEFT__LANES - 1) / WEFT__LANES};
}

bool weft__bounds_add_contacts(weft__bounds* bounds) {
  return bounds->touch != NULL || weft__columns_create(bounds, &weft__bounds_table, CONTACTS,
                                                       &bounds->touch_block, &bounds->bytes);
}

bool weft__bounds_add_radii(weft__bounds* bounds) {
  return bounds->radius_block != NULL ||
         weft__columns_create(bounds, &weft__bounds_table, RADII, &bounds->radius_block,
                              &bounds->bytes);
}

void weft__bounds_clear_contacts(weft__bounds* bounds) {
  if (bounds->touch != NULL) memset(bounds->touch, 0, bounds->group_count * sizeof(*bounds->touch));
}

void weft__bounds_destroy(weft__bounds* bounds) {
  weft__free(bounds->touch_block);
  weft__free(bounds->radius_block);
  *bounds = (weft__bounds){0};
}
