#include "tables/hinge_schedule.h"

#include <string.h>

#include "tables/schedule.h"

// 16 hinges cost as much as three groups of links in fans
#define LINK_GROUPS_PER_GROUP 3u

uint32_t weft__hinge_cost(const weft__hinge_schedule* hinges, uint32_t patch) {
  if (hinges->hinge_count == 0) return 0;
  const uint32_t* lanes = hinges->patch_first_lanes + patch;
  return LINK_GROUPS_PER_GROUP * (lanes[1] - lanes[0]);
}

void weft__hinges_start(const weft__hinge_schedule* hinges, uint32_t patch) {
  if (hinges->hinge_count == 0) return;
  const uint32_t* lanes = hinges->patch_first_lanes + patch;
  memset(hinges->multipliers + lanes[0], 0, (lanes[1] - lanes[0]) * sizeof(*hinges->multipliers));
}

// In units of 8 bytes; UINT32_MAX if the piece has none.
static uint32_t record_of(const weft__hinge_schedule* hinges, const weft__piece* piece,
                          uint32_t particle) {
  uint32_t before = 0;
  for (uint32_t s = 0; s < piece->segment_count; ++s) {
    const weft__segment* segment = &hinges->segments[piece->first_segment + s];
    const bool inside = particle >= segment->first && particle < segment->first + segment->count;
    if (inside) return 2 * (before + particle - segment->first);
    before += segment->count;
  }
  return UINT32_MAX;
}

static bool lane_has(const weft__hinge_lanes* lanes, uint32_t lane, uint32_t record) {
  for (int i = 0; i < 4; ++i) {
    if (lanes->index[i][lane] == record && lanes->coefficient[i][lane] != 0.0f) return true;
  }
  return false;
}

static void clear_piece_lane(weft__hinge_lanes* lanes, uint32_t lane) {
  for (int i = 0; i < 4; ++i) lanes->coefficient[i][lane] = 0.0f;
  lanes->rest_length[lane] = 0.0f;
}

static void remove_from_piece(const weft__hinge_schedule* hinges, const weft__piece* piece,
                              uint32_t a, uint32_t b) {
  const uint32_t record_a = record_of(hinges, piece, a);
  const uint32_t record_b = record_of(hinges, piece, b);
  if (record_a == UINT32_MAX || record_b == UINT32_MAX) return;
  for (uint32_t g = 0; g < piece->group_count; ++g) {
    weft__hinge_lanes* lanes = &hinges->lanes[piece->first_lanes + g];
    for (uint32_t lane = 0; lane < WEFT__LANES; ++lane) {
      if (!lane_has(lanes, lane, record_a) || !lane_has(lanes, lane, record_b)) continue;
      clear_piece_lane(lanes, lane);
    }
  }
}

void weft__hinges_tear(const weft__hinge_schedule* hinges, uint32_t patch, uint32_t a, uint32_t b) {
  if (hinges->hinge_count == 0) return;
  const uint32_t end = hinges->patch_first_piece[patch + 1];
  for (uint32_t p = hinges->patch_first_piece[patch]; p < end; ++p) {
    remove_from_piece(hinges, &hinges->pieces[p], a, b);
  }
}

static bool is_lane_released(const weft__hinge_schedule* hinges, const weft__piece* piece,
                             const weft__hinge_lanes* lanes, uint32_t lane,
                             weft__is_released* lets_go, const void* context) {
  const weft__segment* segments = &hinges->segments[piece->first_segment];
  for (int i = 0; i < 4; ++i) {
    if (lanes->coefficient[i][lane] == 0.0f) continue;
    const uint32_t record = lanes->index[i][lane] / 2;
    if (lets_go(context, weft__particle_of_record(segments, record))) return true;
  }
  return false;
}

static void release_piece(const weft__hinge_schedule* hinges, const weft__piece* piece,
                          weft__is_released* lets_go, const void* context) {
  for (uint32_t g = 0; g < piece->group_count; ++g) {
    weft__hinge_lanes* lanes = &hinges->lanes[piece->first_lanes + g];
    for (uint32_t lane = 0; lane < WEFT__LANES; ++lane) {
      if (is_lane_released(hinges, piece, lanes, lane, lets_go, context))
        clear_piece_lane(lanes, lane);
    }
  }
}

void weft__hinges_release(const weft__hinge_schedule* hinges, uint32_t patch,
                          weft__is_released* lets_go, const void* context) {
  if (hinges->hinge_count == 0) return;
  const uint32_t end = hinges->patch_first_piece[patch + 1];
  for (uint32_t p = hinges->patch_first_piece[patch]; p < end; ++p) {
    release_piece(hinges, &hinges->pieces[p], lets_go, context);
  }
}
