#include "tables/bend_lines.h"

#include "base/memory.h"

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

// ---- removal ----

static void set_row_stale(const weft__bend_lines* lines, uint32_t row) {
  uint32_t begin = 0;
  for (uint32_t end = lines->block_count; end - begin > 1;) {
    const uint32_t middle = begin + (end - begin) / 2;
    if (lines->blocks[middle].first_row <= row) {
      begin = middle;
    } else {
      end = middle;
    }
  }
  lines->blocks[begin].is_stale = true;
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

// Hinges about the rows from one before the later end to one after the earlier contain both ends.
// Rows next to each other may be of two blocks, but no hinge is about the first or last of a block.
void weft__bend_lines_tear(const weft__bend_lines* lines, uint32_t a, uint32_t b) {
  for (uint32_t color = 0; color < WEFT__LINE_COLORS && lines->hinge_count > 0; ++color) {
    const uint32_t slot_a = lines->slot[color][a];
    const uint32_t slot_b = lines->slot[color][b];
    if (slot_a == WEFT__NONE || slot_b == WEFT__NONE) continue;
    if (slot_a % WEFT__LANES != slot_b % WEFT__LANES) continue;
    const uint32_t low = (slot_a < slot_b ? slot_a : slot_b) / WEFT__LANES;
    const uint32_t high = (slot_a < slot_b ? slot_b : slot_a) / WEFT__LANES;
    const uint32_t begin = high > 0 ? high - 1 : 0;
    for (uint32_t row = begin; row <= low + 1 && row < lines->row_count; ++row) {
      remove_lanes(lines, row, 1u << slot_a % WEFT__LANES);
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
