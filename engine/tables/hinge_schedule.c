#include "tables/hinge_schedule.h"

#include <stdlib.h>
#include <string.h>

#include "tables/schedule.h"

// measured: 16 hinges take as long as three groups of links, those of runs compared with runs, those of
// pieces with fans
#define GROUPS_A_GROUP 3u

uint32_t weft__hinge_cost(const weft__hinge_schedule* hinges, uint32_t patch) {
  if (hinges->hinge_count == 0) return 0;
  const uint32_t* group = hinges->patch_first_group + patch;
  const uint32_t* lanes = hinges->patch_first_lanes + patch;
  return GROUPS_A_GROUP * (group[1] - group[0] + lanes[1] - lanes[0]);
}

void weft__hinges_start(const weft__hinge_schedule* hinges, uint32_t patch) {
  if (hinges->hinge_count == 0) return;
  const uint32_t* group = hinges->patch_first_group + patch;
  const uint32_t* lanes = hinges->patch_first_lanes + patch;
  weft__hinge_pull* pulls = hinges->pulls;
  memset(pulls + group[0], 0, (group[1] - group[0]) * sizeof(*pulls));
  memset(pulls + hinges->group_count + lanes[0], 0, (lanes[1] - lanes[0]) * sizeof(*pulls));
}

// ---- tearing ----

static bool run_lane_has(const weft__hinge_run* run, uint32_t group, uint32_t lane,
                         uint32_t particle) {
  const uint32_t at = group * weft__hinge_step(run);
  if (run->kind == WEFT__HINGES_APART) {
    for (int i = 0; i < 3; ++i) {
      if (run->first[i] + at + lane == particle) return true;
    }
    return false;
  }
  const uint32_t outer = run->first[0] + at + 2 * lane;
  return particle == outer || particle == outer + 1 || particle == run->first[1] + at + 2 * lane;
}

static void tear_run(const weft__hinge_schedule* hinges, const weft__hinge_run* run, uint32_t a,
                     uint32_t b) {
  for (uint32_t g = 0; g < run->group_count; ++g) {
    uint16_t* mask = &hinges->lane_mask[run->first_group + g];
    for (uint32_t lane = 0; lane < WEFT__HINGE_LANES; ++lane) {
      if (!run_lane_has(run, g, lane, a) || !run_lane_has(run, g, lane, b)) continue;
      *mask = (uint16_t)(*mask & ~(1u << lane));
    }
  }
}

// the record of a particle, in units of 8 bytes; UINT32_MAX where the piece has none
static uint32_t record_of(const weft__hinge_schedule* hinges, const weft__hinge_piece* piece,
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

// a hinge whose coefficients are 0 moves nothing
static void tear_piece(const weft__hinge_schedule* hinges, const weft__hinge_piece* piece,
                       uint32_t a, uint32_t b) {
  const uint32_t record_a = record_of(hinges, piece, a);
  const uint32_t record_b = record_of(hinges, piece, b);
  if (record_a == UINT32_MAX || record_b == UINT32_MAX) return;
  for (uint32_t g = 0; g < piece->group_count; ++g) {
    weft__hinge_lanes* lanes = &hinges->lanes[piece->first_lanes + g];
    for (uint32_t lane = 0; lane < WEFT__HINGE_LANES; ++lane) {
      if (!lane_has(lanes, lane, record_a) || !lane_has(lanes, lane, record_b)) continue;
      for (int i = 0; i < 4; ++i) lanes->coefficient[i][lane] = 0.0f;
      lanes->rest_length[lane] = 0.0f;
    }
  }
}

void weft__hinges_tear(const weft__hinge_schedule* hinges, uint32_t patch, uint32_t a, uint32_t b) {
  if (hinges->hinge_count == 0) return;
  for (uint32_t r = hinges->patch_first_run[patch]; r < hinges->patch_first_run[patch + 1]; ++r) {
    tear_run(hinges, &hinges->runs[r], a, b);
  }
  const uint32_t end = hinges->patch_first_piece[patch + 1];
  for (uint32_t p = hinges->patch_first_piece[patch]; p < end; ++p) {
    tear_piece(hinges, &hinges->pieces[p], a, b);
  }
}

void weft__hinge_schedule_destroy(weft__hinge_schedule* hinges) {
  free(hinges->patch_first_run);
  free(hinges->patch_first_piece);
  free(hinges->patch_first_group);
  free(hinges->patch_first_lanes);
  free(hinges->runs);
  free(hinges->lane_mask);
  free(hinges->compliance);
  free(hinges->pieces);
  free(hinges->segments);
  free(hinges->lanes);
  free(hinges->pulls);
  *hinges = (weft__hinge_schedule){0};
}
