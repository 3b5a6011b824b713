#include "solvers/lines/bend_lines.h"

#include "base/grain_size.h"

#define BLOCK_GRAIN WEFT__GRAIN(2u, 1u)

typedef struct line_pass {
  const weft__bend_lines* lines;
  const weft__step_context* step;
  float* scratch;
  size_t stride;
  uint32_t first_block;
  const uint8_t* solves; /* by block; NULL: all */
} line_pass;

static void solve_block(const line_pass* t, uint32_t number, uint32_t worker) {
  const weft__bend_lines* lines = t->lines;
  const weft__kernels* kernels = t->step->kernels;
  const weft__line_block* block = &lines->blocks[number];
  const uint32_t first = lines->particle[block->first_row][0];
  if (weft__step_is_paused(t->step, first)) return;
  if (block->is_stale) kernels->factor_bend_lines(t->step->particles, lines, number);
  if (block->is_held) return;
  weft__line_positions* positions = (weft__line_positions*)(void*)(t->scratch + worker * t->stride);
  weft__hinge_multiplier* multipliers =
      (weft__hinge_multiplier*)(void*)(positions + lines->max_rows);
  if (lines->multiplier != NULL) multipliers = lines->multiplier + block->first_row;
  kernels->solve_bend_lines(t->step->particles, lines, number, positions, multipliers);
}

static void solve_bend_lines(void* context, weft__range blocks, uint32_t worker) {
  const line_pass* t = context;
  for (uint32_t b = t->first_block + blocks.begin; b < t->first_block + blocks.end; ++b) {
    if (t->solves == NULL || t->solves[b] != 0) solve_block(t, b, worker);
  }
}

void weft__bend_lines_solve(const weft__bend_lines* lines, uint32_t color, const uint8_t* solves,
                            const weft__step_context* step, float* scratch, size_t stride) {
  const uint32_t first = lines->color_first[color];
  line_pass t = {lines, step, scratch, stride, first, solves};
  const uint32_t count = lines->color_first[color + 1] - first;
  if (count > 0) weft__step_for(step, count, BLOCK_GRAIN, solve_bend_lines, &t);
}
