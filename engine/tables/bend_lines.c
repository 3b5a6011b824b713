#include "tables/bend_lines.h"

#include "base/memory.h"
#include "base/sort.h"

void weft__bend_lines_set_stale(const weft__bend_lines* lines) {
  for (uint32_t b = 0; b < lines->block_count; ++b) lines->blocks[b].is_stale = true;
}

void weft__bend_lines_set_rate(weft__bend_lines* lines, float rate_squared) {
  if (lines->rate_squared == rate_squared) return;
  lines->rate_squared = rate_squared;
  weft__bend_lines_set_stale(lines);
}

bool weft__bend_lines_track(weft__bend_lines* lines) {
  if (lines->hinge_count == 0 || lines->multiplier != NULL) return true;
  lines->multiplier = weft__alloc_zeroed(lines->row_count, sizeof(*lines->multiplier));
  lines->bytes += lines->row_count * sizeof(*lines->multiplier);
  return lines->multiplier != NULL;
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

// ---- removal ----

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

// The rows of two particles of a line; false if they are not of the same one.
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

// Hinges about the rows from one before the later end to one after the earlier contain both ends.
// Rows next to each other may be of two blocks, but no hinge is about the first or last of a block.
// The cell of a row is between this one and the next; no cell is of the last row of a block.
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

void weft__bend_lines_visit(weft__bend_lines* lines, weft__archive* archive) {
  WEFT__ARCHIVE_ARRAY(archive, lines->hinge_mask, lines->row_count);
  if (weft__archive_is_loading(archive)) weft__bend_lines_set_stale(lines);
}

void weft__bend_lines_destroy(weft__bend_lines* lines) {
  weft__free(lines->blocks);
  weft__free(lines->particle);
  weft__free(lines->other);
  weft__free(lines->present);
  weft__free(lines->access);
  weft__free(lines->hinge_mask);
  weft__free(lines->compliance);
  weft__free(lines->factors);
  weft__free(lines->uniform_factors);
  for (uint32_t color = 0; color < WEFT__LINE_COLORS; ++color) weft__free(lines->slot[color]);
  weft__free(lines->multiplier);
  *lines = (weft__bend_lines){0};
}
