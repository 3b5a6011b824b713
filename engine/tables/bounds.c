#include "tables/bounds.h"

#include <string.h>

#include "base/columns.h"
#include "base/memory.h"
#include "tables/particles.h"
#include "tables/schedule.h"

static const weft__column radius_columns[] = {
    WEFT__COLUMN(weft__bounds, radius_x),
    WEFT__COLUMN(weft__bounds, radius_y),
    WEFT__COLUMN(weft__bounds, radius_z),
};

static size_t touch_bytes(uint32_t particle_count) {
  return weft__round_up(particle_count, WEFT__LANES) / WEFT__LANES * sizeof(weft__wall_contact);
}

bool weft__bounds_add_contacts(weft__bounds* bounds, uint32_t particle_count) {
  if (bounds->touch != NULL) return true;
  const size_t bytes = touch_bytes(particle_count);
  bounds->touch = weft__alloc_zeroed(bytes, 1);
  if (bounds->touch == NULL) return false;
  bounds->bytes += bytes;
  return true;
}

bool weft__bounds_add_radii(weft__bounds* bounds, uint32_t particle_count) {
  if (bounds->radius_block != NULL) return true;
  const size_t bytes =
      weft__columns_create(bounds, radius_columns, sizeof(radius_columns) / sizeof(*radius_columns),
                           (size_t)particle_count + WEFT__PARTICLE_PADDING, &bounds->radius_block);
  bounds->bytes += bytes;
  return bytes > 0;
}

void weft__bounds_clear_contacts(weft__bounds* bounds, uint32_t particle_count) {
  if (bounds->touch != NULL) memset(bounds->touch, 0, touch_bytes(particle_count));
}

void weft__bounds_destroy(weft__bounds* bounds) {
  weft__free(bounds->touch);
  weft__free(bounds->radius_block);
  *bounds = (weft__bounds){0};
}

void weft__bounds_visit(weft__bounds* bounds, weft__archive* archive, uint32_t particle_count) {
  static const weft__column touch[] = {WEFT__COLUMN(weft__bounds, touch)};
  WEFT__ARCHIVE_VALUE(archive, bounds->on);
  WEFT__ARCHIVE_VALUE(archive, bounds->lower);
  WEFT__ARCHIVE_VALUE(archive, bounds->upper);
  WEFT__ARCHIVE_VALUE(archive, bounds->middle);
  WEFT__ARCHIVE_VALUE(archive, bounds->restitution);
  WEFT__ARCHIVE_VALUE(archive, bounds->static_friction);
  WEFT__ARCHIVE_VALUE(archive, bounds->dynamic_friction);
  weft__archive_optional(archive, bounds, touch, 1,
                         touch_bytes(particle_count) / sizeof(*bounds->touch), bounds->touch);
}
