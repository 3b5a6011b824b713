#include "modules/bending/lines.h"

#include <string.h>

#include "base/memory.h"
#include "base/sort.h"

enum { TRACKED = WEFT__GROUP(1) };

static const weft__column columns[] = {
    WEFT__COLUMN(weft__bend_lines, blocks, block_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__bend_lines, particle, row_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__bend_lines, other, row_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__bend_lines, present, row_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__bend_lines, access, row_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__bend_lines, hinge_mask, row_count, WEFT__STATE),
    WEFT__COLUMN(weft__bend_lines, compliance, row_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__bend_lines, factors, row_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__bend_lines, uniform_factors, row_count, WEFT__DERIVED),
    WEFT__VECTOR(weft__bend_lines, slot, particle_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__bend_lines, multiplier, row_count, TRACKED | WEFT__CACHE),
};

static void outdate(void* lines) {
  weft__bend_lines_set_stale(lines);
}

const weft__table weft__bend_lines_table = {
    .columns = columns, .count = WEFT__COUNT_OF(columns), .loaded = outdate};

void weft__bend_lines_set_stale(const weft__bend_lines* lines) {
  for (uint32_t b = 0; b < lines->block_count; ++b) lines->blocks[b].is_stale = true;
}

void weft__bend_lines_set_rate(weft__bend_lines* lines, float rate_squared) {
  if (lines->rate_squared == rate_squared) return;
  lines->rate_squared = rate_squared;
  weft__bend_lines_set_stale(lines);
}

bool weft__bend_lines_track(weft__bend_lines* lines) {
  return lines->hinge_count == 0 ||
         weft__columns_add(lines, &weft__bend_lines_table, TRACKED, &lines->bytes);
}

bool weft__bend_lines_allocate(weft__bend_lines* lines) {
  if (!weft__columns_add(lines, &weft__bend_lines_table, 0, &lines->bytes)) return false;
  for (uint32_t c = 0; c < WEFT__LINE_COLORS; ++c) {
    memset(lines->slot[c], 0xff, lines->particle_count * sizeof(*lines->slot[c]));
  }
  return true;
}

bool weft__bend_lines_start(weft__bend_lines* lines, uint32_t worker_count) {
  if (lines->hinge_count == 0) return true;
  lines->scratch_floats =
      lines->max_rows *
      ((sizeof(weft__line_positions) + sizeof(weft__hinge_multiplier)) / sizeof(float));
  lines->scratch = weft__alloc(worker_count, lines->scratch_floats * sizeof(float));
  lines->bytes += worker_count * lines->scratch_floats * sizeof(float);
  return lines->scratch != NULL;
}

void weft__bend_lines_destroy(weft__bend_lines* lines) {
  weft__columns_free(lines, &weft__bend_lines_table);
  weft__free(lines->scratch);
  *lines = (weft__bend_lines){0};
}

weft__line_element weft__bend_lines_element(const weft__bend_lines* lines,
                                            const weft__line_block* block, uint32_t row,
                                            uint32_t lane) {
  const uint32_t(*particle)[WEFT__LANES] = (const uint32_t(*)[WEFT__LANES])(lines->particle + row);
  const uint32_t(*other)[WEFT__LANES] = (const uint32_t(*)[WEFT__LANES])(lines->other + row);
  if (block->is_twist) {
    return (weft__line_element){
        {particle[0][lane], particle[1][lane], other[0][lane], other[1][lane]},
        {1.0f, -1.0f, -1.0f, 1.0f}};
  }
  return (weft__line_element){
      {particle[-1][lane], particle[0][lane], particle[1][lane], WEFT__NONE},
      {1.0f, -2.0f, 1.0f, 0.0f}};
}

static void set_row_stale(const weft__bend_lines* lines, uint32_t row) {
  const uint32_t block = weft__find_last_of(&lines->blocks->first_row, sizeof(*lines->blocks),
                                            lines->block_count, row);
  lines->blocks[block].is_stale = true;
}

static void remove_lanes(const weft__bend_lines* lines, uint32_t row, uint32_t lanes) {
  if ((lines->hinge_mask[row] & lanes) == 0) return;
  lines->hinge_mask[row] = (uint16_t)(lines->hinge_mask[row] & ~lanes);
  if (lines->multiplier != NULL) {
    for (uint32_t lane = 0; lane < WEFT__LANES; ++lane) {
      if ((lanes >> lane & 1u) == 0) continue;
      weft__hinge_multiplier* m = &lines->multiplier[row];
      m->x[lane] = m->y[lane] = m->z[lane] = 0.0f;
    }
  }
  set_row_stale(lines, row);
}

static bool find_rows(const weft__bend_lines* lines, uint32_t color, uint32_t a, uint32_t b,
                      uint32_t rows[2], uint32_t* lane) {
  const uint32_t slot_a = lines->slot[color][a];
  const uint32_t slot_b = lines->slot[color][b];
  if (slot_a == WEFT__NONE || slot_b == WEFT__NONE) return false;
  *lane = slot_a % WEFT__LANES;
  rows[slot_a > slot_b] = slot_a / WEFT__LANES;
  rows[slot_a <= slot_b] = slot_b / WEFT__LANES;
  return *lane == slot_b % WEFT__LANES;
}

// Hinges that contain both ends are about the rows from one before the later end to one after the
// earlier one; none is about a block's first or last row. A cell is between its row and the next.
void weft__bend_lines_tear(const weft__bend_lines* lines, uint32_t a, uint32_t b) {
  for (uint32_t color = 0; color < WEFT__LINE_COLORS && lines->hinge_count > 0; ++color) {
    uint32_t rows[2], lane;
    if (!find_rows(lines, color, a, b, rows, &lane)) continue;
    const uint32_t begin = rows[1] > 0 ? rows[1] - 1 : 0;
    const uint32_t end = rows[0] + (color < WEFT__FIRST_TWIST_COLOR ? 2 : 1);
    for (uint32_t row = begin; row < end && row < lines->row_count; ++row) {
      remove_lanes(lines, row, 1u << lane);
    }
  }
}

void weft__bend_lines_release(const weft__bend_lines* lines, weft__is_released* lets_go,
                              const void* context) {
  for (uint32_t row = 0; row < lines->row_count; ++row) {
    const uint32_t mask = lines->hinge_mask[row];
    uint32_t released = 0;
    for (uint32_t lane = 0; lane < WEFT__LANES; ++lane) {
      if ((mask >> lane & 1u) == 0) continue;
      if (lets_go(context, lines->particle[row][lane])) released |= 1u << lane;
    }
    remove_lanes(lines, row, released);
  }
}
