#include "tables/membrane_schedule.h"

#include <string.h>

// 16 triangles cost as much as four groups of links
#define LINK_GROUPS_PER_GROUP 4u

uint32_t weft__membrane_cost(const weft__membrane_schedule* membranes, uint32_t patch) {
  if (membranes->membrane_count == 0) return 0;
  const uint32_t* lanes = membranes->patch_first_lanes + patch;
  return LINK_GROUPS_PER_GROUP * (lanes[1] - lanes[0]);
}

void weft__membranes_start(const weft__membrane_schedule* membranes, uint32_t patch) {
  if (membranes->membrane_count == 0) return;
  const uint32_t* lanes = membranes->patch_first_lanes + patch;
  memset(membranes->multipliers + lanes[0], 0,
         (lanes[1] - lanes[0]) * sizeof(*membranes->multipliers));
}

void weft__membrane_clear_lane(weft__membrane_lanes* lanes, uint32_t lane) {
  for (int i = 0; i < 2; ++i) lanes->gradient_u[i][lane] = lanes->gradient_v[i][lane] = 0.0f;
  for (int i = 0; i < WEFT__MEMBRANE_COMPLIANCES; ++i) {
    lanes->compliance[i][lane] = i == WEFT__POISSON ? 0.0f : 1.0f;
  }
}

typedef bool match_particles(const void* context, const uint32_t particle[3]);

static void remove_from_piece(const weft__membrane_schedule* membranes, const weft__piece* piece,
                              match_particles* matches, const void* context) {
  const weft__segment* segments = membranes->segments + piece->first_segment;
  for (uint32_t g = 0; g < piece->group_count; ++g) {
    weft__membrane_lanes* lanes = &membranes->lanes[piece->first_lanes + g];
    for (uint32_t lane = 0; lane < WEFT__LANES; ++lane) {
      if (weft__membrane_is_empty(lanes, lane)) continue;
      uint32_t particle[3];
      for (int i = 0; i < 3; ++i) {
        particle[i] = weft__particle_of_record(segments, lanes->index[i][lane] / 2);
      }
      if (matches(context, particle)) weft__membrane_clear_lane(lanes, lane);
    }
  }
}

static void remove_from_patch(const weft__membrane_schedule* membranes, uint32_t patch,
                              match_particles* matches, const void* context) {
  if (membranes->membrane_count == 0) return;
  const uint32_t end = membranes->patch_first_piece[patch + 1];
  for (uint32_t p = membranes->patch_first_piece[patch]; p < end; ++p) {
    remove_from_piece(membranes, &membranes->pieces[p], matches, context);
  }
}

static bool has_both(const void* context, const uint32_t particle[3]) {
  const uint32_t* ends = context;
  int found = 0;
  for (int i = 0; i < 3; ++i) found += particle[i] == ends[0] || particle[i] == ends[1];
  return found == 2;
}

void weft__membranes_tear(const weft__membrane_schedule* membranes, uint32_t patch, uint32_t a,
                          uint32_t b) {
  remove_from_patch(membranes, patch, has_both, (const uint32_t[2]){a, b});
}

typedef struct release {
  weft__is_released* lets_go;
  const void* context;
} release;

static bool is_released(const void* context, const uint32_t particle[3]) {
  const release* r = context;
  return r->lets_go(r->context, particle[0]);
}

void weft__membranes_release(const weft__membrane_schedule* membranes, uint32_t patch,
                             weft__is_released* lets_go, const void* context) {
  remove_from_patch(membranes, patch, is_released, &(release){lets_go, context});
}
