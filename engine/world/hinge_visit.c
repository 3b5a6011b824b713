#include "world/hinge_visit.h"

const uint32_t* weft__list_locals(weft__records records, const weft__segment* segment,
                                  const weft__segment* end) {
  uint32_t* locals = (uint32_t*)(void*)records.start;
  for (uint32_t local = 0; segment < end; ++segment) {
    for (uint32_t k = 0; k < segment->count; ++k) locals[local++] = segment->first + k;
  }
  return locals;
}

static void visit_piece(const weft__hinge_schedule* hinges, const weft__piece* piece,
                        weft__records records, weft__visit_hinge* visit, void* context) {
  const weft__segment* segments = hinges->segments + piece->first_segment;
  const uint32_t* locals = weft__list_locals(records, segments, segments + piece->segment_count);
  for (uint32_t g = 0; g < piece->group_count; ++g) {
    const uint32_t group = piece->first_lanes + g;
    const weft__hinge_lanes* lanes = &hinges->lanes[group];
    for (uint32_t l = 0; l < WEFT__LANES; ++l) {
      // empty or torn lane
      if (lanes->coefficient[0][l] == 0.0f) continue;
      weft__hinge_element hinge = {.rest_length = lanes->rest_length[l],
                                   .compliance = lanes->compliance[l]};
      for (int k = 0; k < 4; ++k) {
        hinge.coefficient[k] = lanes->coefficient[k][l];
        hinge.particle[k] =
            hinge.coefficient[k] == 0.0f ? WEFT__NONE : locals[lanes->index[k][l] / 2];
      }
      hinge.multiplier[0] = hinges->multipliers[group].x[l];
      hinge.multiplier[1] = hinges->multipliers[group].y[l];
      hinge.multiplier[2] = hinges->multipliers[group].z[l];
      visit(context, &hinge);
    }
  }
}

void weft__visit_hinges(const weft__hinge_schedule* hinges, uint32_t patch, weft__records records,
                        weft__visit_hinge* visit, void* context) {
  if (hinges->hinge_count == 0) return;
  const uint32_t end = hinges->patch_first_piece[patch + 1];
  for (uint32_t i = hinges->patch_first_piece[patch]; i < end; ++i) {
    visit_piece(hinges, &hinges->pieces[i], records, visit, context);
  }
}
