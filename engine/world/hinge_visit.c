#include "world/hinge_visit.h"

#include <string.h>

const uint32_t* weft__list_locals(const weft__stepper* stepper, const weft__segment* segment,
                                  const weft__segment* end) {
  uint32_t* locals = (uint32_t*)(void*)stepper->records;
  for (uint32_t local = 0; segment < end; ++segment) {
    for (uint32_t k = 0; k < segment->count; ++k) locals[local++] = segment->first + k;
  }
  return locals;
}

static void load_multiplier(const weft__hinge_multiplier* group, uint32_t lane,
                            weft__hinge_element* hinge) {
  hinge->multiplier[0] = group->x[lane];
  hinge->multiplier[1] = group->y[lane];
  hinge->multiplier[2] = group->z[lane];
}

static void visit_piece(const weft__stepper* stepper, const weft__piece* piece,
                        weft__visit_hinge* visit, void* context) {
  const weft__hinge_schedule* hinges = &stepper->schedule.hinges;
  const weft__segment* segments = hinges->segments + piece->first_segment;
  const uint32_t* locals = weft__list_locals(stepper, segments, segments + piece->segment_count);
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
      load_multiplier(&hinges->multipliers[group], l, &hinge);
      visit(context, &hinge);
    }
  }
}

void weft__visit_line_hinges(const weft__stepper* stepper, weft__visit_hinge* visit,
                             void* context) {
  const weft__bend_lines* lines = &stepper->schedule.bend_lines;
  for (uint32_t b = 0; b < lines->block_count; ++b) {
    const weft__line_block* block = &lines->blocks[b];
    for (uint32_t row = block->first_row; row < block->first_row + block->row_count; ++row) {
      for (uint32_t lane = 0; lane < WEFT__LANES; ++lane) {
        if (((uint32_t)lines->hinge_mask[row] >> lane & 1u) == 0) continue;
        const weft__line_element element = weft__bend_lines_element(lines, block, row, lane);
        weft__hinge_element hinge = {.compliance = lines->compliance[row][lane]};
        memcpy(hinge.particle, element.particle, sizeof(hinge.particle));
        memcpy(hinge.coefficient, element.coefficient, sizeof(hinge.coefficient));
        if (lines->multiplier != NULL) load_multiplier(&lines->multiplier[row], lane, &hinge);
        visit(context, &hinge);
      }
    }
  }
}

void weft__visit_mesh_hinges(const weft__stepper* stepper, weft__visit_hinge* visit,
                             void* context) {
  const weft__mesh_bends* bends = &stepper->schedule.mesh_bends;
  for (uint32_t h = 0; h < bends->hinge_count; ++h) {
    if (bends->removed[h] != 0) continue;
    const weft__hinge* from = &bends->hinges[h];
    weft__hinge_element hinge = {.rest_length = from->rest_length, .compliance = from->compliance};
    memcpy(hinge.particle, from->particle, sizeof(hinge.particle));
    memcpy(hinge.coefficient, from->coefficient, sizeof(hinge.coefficient));
    visit(context, &hinge);
  }
}

void weft__visit_hinges(const weft__stepper* stepper, uint32_t patch, weft__visit_hinge* visit,
                        void* context) {
  const weft__hinge_schedule* hinges = &stepper->schedule.hinges;
  if (hinges->hinge_count == 0) return;
  const uint32_t end = hinges->patch_first_piece[patch + 1];
  for (uint32_t i = hinges->patch_first_piece[patch]; i < end; ++i) {
    visit_piece(stepper, &hinges->pieces[i], visit, context);
  }
}
