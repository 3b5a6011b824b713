#include "tables/stars.h"

#include <string.h>

#include "base/memory.h"

static const weft__column columns[] = {
    WEFT__COLUMN_TIMES(weft__stars, first_row, 1, group_count, 1, WEFT__DERIVED),
    WEFT__COLUMN(weft__stars, next, row_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__stars, last, row_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__stars, present, row_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__stars, runs, row_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__stars, seen_links, link_group_count, WEFT__DERIVED),
};

static const weft__table stars_table = WEFT__TABLE(columns);

void weft__stars_destroy(weft__stars* stars) {
  weft__columns_free(stars, &stars_table);
  *stars = (weft__stars){0};
}

static uint32_t rows_of(const weft__faces* faces, uint32_t first, uint32_t end) {
  uint32_t most = 0;
  for (uint32_t i = first; i < end; ++i) {
    const uint32_t count = weft__face_count_of(faces, i);
    most = count > most ? count : most;
  }
  return most;
}

static uint32_t end_of_group(const weft__schedule* schedule, uint32_t group) {
  const uint32_t end = (group + 1) * WEFT__LANES;
  return end < schedule->particle_count ? end : schedule->particle_count;
}

static uint32_t count_rows(const weft__faces* faces, const weft__schedule* schedule) {
  uint32_t rows = 0;
  for (uint32_t i = 0; i < schedule->particle_count; i += WEFT__LANES)
    rows += rows_of(faces, i, end_of_group(schedule, i / WEFT__LANES));
  return rows;
}

static void set_corners(const weft__stars* stars, const weft__faces* faces, uint32_t row,
                        uint32_t lane, uint32_t particle, uint32_t face) {
  const uint32_t* corner = faces->corner[face];
  const int k = corner[0] == particle ? 0 : corner[1] == particle ? 1 : 2;
  stars->next[row][lane] = corner[(k + 1) % 3];
  stars->last[row][lane] = corner[(k + 2) % 3];
  stars->present[row] = (uint16_t)(stars->present[row] | 1u << lane);
}

// True if the corners of lanes with a face are consecutive; then all lanes continue them, as far as
// there are particles.
static bool continue_run(uint32_t corner[WEFT__LANES], uint32_t present, uint32_t particles) {
  const uint32_t lane = (uint32_t)__builtin_ctz(present);
  if (corner[lane] < lane || corner[lane] - lane + WEFT__LANES > particles) return false;
  const uint32_t first = corner[lane] - lane;
  for (uint32_t l = lane; l < WEFT__LANES; ++l) {
    if ((present >> l & 1u) != 0 && corner[l] != first + l) return false;
  }
  for (uint32_t l = 0; l < WEFT__LANES; ++l) corner[l] = first + l;
  return true;
}

static void fill_row(const weft__stars* stars, const weft__faces* faces,
                     const weft__schedule* schedule, uint32_t group, uint32_t row) {
  const uint32_t first = group * WEFT__LANES, end = end_of_group(schedule, group);
  const uint32_t use = row - stars->first_row[group];
  stars->present[row] = 0;
  for (uint32_t lane = 0; lane < WEFT__LANES; ++lane) {
    const uint32_t i = first + lane < end ? first + lane : first;
    stars->next[row][lane] = stars->last[row][lane] = i;
    if (first + lane >= end || use >= weft__face_count_of(faces, i)) continue;
    set_corners(stars, faces, row, lane, i, faces->use[faces->first_use[i] + use]);
  }
  const uint32_t present = stars->present[row];
  stars->runs[row] = (uint8_t)((continue_run(stars->next[row], present, schedule->particle_count)
                                    ? WEFT__STAR_NEXT_RUN
                                    : 0) |
                               (continue_run(stars->last[row], present, schedule->particle_count)
                                    ? WEFT__STAR_LAST_RUN
                                    : 0));
}

bool weft__stars_create(weft__stars* stars, const weft__faces* faces,
                        const weft__schedule* schedule) {
  *stars = (weft__stars){.row_count = count_rows(faces, schedule),
                         .link_group_count = schedule->links.group_count};
  stars->group_count = (schedule->particle_count + WEFT__LANES - 1) / WEFT__LANES;
  if (!weft__columns_add(stars, &stars_table, 0, &stars->bytes)) {
    *stars = (weft__stars){0};
    return false;
  }
  uint32_t row = 0;
  for (uint32_t g = 0; g < stars->group_count; ++g) {
    const uint32_t end = row + rows_of(faces, g * WEFT__LANES, end_of_group(schedule, g));
    for (stars->first_row[g] = row; row < end; ++row) fill_row(stars, faces, schedule, g, row);
  }
  stars->first_row[stars->group_count] = row;
  return true;
}

static void set_present(const weft__stars* stars, const weft__faces* faces, uint32_t particle,
                        uint32_t use, bool is_present) {
  const uint32_t row = stars->first_row[particle / WEFT__LANES] + use - faces->first_use[particle];
  const uint32_t bit = 1u << particle % WEFT__LANES;
  const uint32_t others = stars->present[row] & ~bit;
  stars->present[row] = (uint16_t)(is_present ? others | bit : others);
}

void weft__stars_update(weft__stars* stars, const weft__faces* faces,
                        const weft__schedule* schedule) {
  const size_t bytes = stars->link_group_count * sizeof(*stars->seen_links);
  if (stars->group_count == 0 || bytes == 0 ||
      (stars->has_seen && memcmp(stars->seen_links, schedule->links.lane_mask, bytes) == 0))
    return;
  stars->has_seen = true;
  memcpy(stars->seen_links, schedule->links.lane_mask, bytes);
  for (uint32_t i = 0; i < schedule->particle_count; ++i) {
    for (uint32_t u = faces->first_use[i]; u < faces->first_use[i + 1]; ++u)
      set_present(stars, faces, i, u, !weft__face_is_torn(faces, schedule, faces->use[u]));
  }
}
