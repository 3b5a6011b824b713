#include "modules/bending/lines.h"

#include <string.h>

#include "base/grain_size.h"
#include "kernels/kernels.h"
#include "step/stage.h"

#define BLOCK_GRAIN WEFT__GRAIN(2u, 1u)

typedef struct line_pass {
  const weft__bend_lines* lines;
  weft__step_context* step;
  const weft__line_kernels* kernels;
  uint32_t first_block;
} line_pass;

static void solve_block(const line_pass* t, uint32_t number, uint32_t worker) {
  const weft__bend_lines* lines = t->lines;
  weft__line_block* block = &lines->blocks[number];
  const uint32_t first = lines->particle[block->first_row][0];
  if (weft__step_skips(t->step, first)) return;
  block->is_stale |= block->stride != t->step->stride;
  block->stride = t->step->stride;
  if (block->is_stale) t->kernels->factor(t->step->particles, lines, number);
  if (block->is_held) return;
  float* scratch = lines->scratch + worker * lines->scratch_floats;
  weft__line_positions* positions = (weft__line_positions*)(void*)scratch;
  weft__hinge_multiplier* multipliers =
      (weft__hinge_multiplier*)(void*)(positions + lines->max_rows);
  if (lines->multiplier != NULL) multipliers = lines->multiplier + block->first_row;
  t->kernels->solve(t->step->particles, lines, number, positions, multipliers);
}

static void solve_blocks(void* context, weft__range blocks, uint32_t worker) {
  const line_pass* t = context;
  for (uint32_t b = t->first_block + blocks.begin; b < t->first_block + blocks.end; ++b) {
    if (t->lines->solves == NULL || t->lines->solves[b] != 0) solve_block(t, b, worker);
  }
}

void weft__bend_lines_solve(const weft__bend_lines* lines, uint32_t color,
                            weft__step_context* step) {
  const uint32_t first = lines->color_first[color];
  line_pass t = {lines, step, step->kernels->of_stage[WEFT__STAGE_LINES], first};
  const uint32_t count = lines->color_first[color + 1] - first;
  if (count > 0) weft__step_for(step, count, BLOCK_GRAIN, solve_blocks, &t);
}

const weft__halo_rows weft__line_rows = {0};

static void solve(void* state, weft__step_context* step) {
  weft__halo_fill halo = {
      .rows = &weft__line_rows, .columns = &weft__particle_positions, .table = step->particles};
  for (halo.index = 0; halo.index < WEFT__LINE_COLORS; ++halo.index) {
    halo.is_back = false;
    weft__domain_fill(step->domain, &halo);
    weft__bend_lines_solve(state, halo.index, step);
    halo.is_back = true;
    weft__domain_fill(step->domain, &halo);
  }
}

static bool claim_hinges(void* state, const weft__build* build) {
  return weft__bend_lines_create(state, build->schedule, build->scene, build->solved_hinges);
}

static bool create(void* state, const weft__build* build) {
  return !build->settings->with_loads || weft__bend_lines_track(state);
}

static bool start(void* state, uint32_t worker_count) {
  return weft__bend_lines_start(state, worker_count);
}

static void destroy(void* state) {
  weft__bend_lines_destroy(state);
}

static bool is_on(const void* state) {
  return ((const weft__bend_lines*)state)->hinge_count > 0;
}

// Work that pays for another worker: a row costs as much as four groups of links.
#define ROWS_PER_WORKER WEFT__GRAIN(128u, 1u)

static uint32_t useful_workers(const void* state) {
  return ((const weft__bend_lines*)state)->row_count / ROWS_PER_WORKER + 1;
}

static void changed(void* state, const weft__change* change) {
  weft__bend_lines* lines = state;
  if (change->kind == WEFT__CHANGE_MASSES) weft__bend_lines_set_stale(lines);
  if (change->kind == WEFT__CHANGE_RATE) {
    weft__bend_lines_set_rate(lines, (float)change->inv_step_sq);
  }
  if (change->kind == WEFT__CHANGE_TORN) {
    weft__bend_lines_tear(lines, change->ends[0], change->ends[1]);
  }
  if (change->kind == WEFT__CHANGE_REMOVED) {
    weft__bend_lines_release(lines, change->lets_go, change->context);
  }
}

static void visit_row(const weft__bend_lines* lines, const weft__line_block* block, uint32_t row,
                      weft__visit_hinge* visit, void* context) {
  for (uint32_t lane = 0; lane < WEFT__LANES; ++lane) {
    if (((uint32_t)lines->hinge_mask[row] >> lane & 1u) == 0) continue;
    const weft__line_element element = weft__bend_lines_element(lines, block, row, lane);
    weft__hinge_element hinge = {.compliance = lines->compliance[row][lane]};
    memcpy(hinge.particle, element.particle, sizeof(hinge.particle));
    memcpy(hinge.coefficient, element.coefficient, sizeof(hinge.coefficient));
    if (lines->multiplier != NULL) {
      hinge.multiplier[0] = lines->multiplier[row].x[lane];
      hinge.multiplier[1] = lines->multiplier[row].y[lane];
      hinge.multiplier[2] = lines->multiplier[row].z[lane];
    }
    visit(context, &hinge);
  }
}

static void visit_hinges(const void* state, weft__visit_hinge* visit, void* context) {
  const weft__bend_lines* lines = state;
  for (uint32_t b = 0; b < lines->block_count; ++b) {
    const weft__line_block* block = &lines->blocks[b];
    for (uint32_t row = block->first_row; row < block->first_row + block->row_count; ++row) {
      visit_row(lines, block, row, visit, context);
    }
  }
}

const weft__stage weft__lines_stage = {
    .name = "lines",
    .profile = WEFT_STAGE_LINKS,
    .size = sizeof(weft__bend_lines),
    .bytes = offsetof(weft__bend_lines, bytes),
    .table = &weft__bend_lines_table,
    .serves = WEFT__SERVES_BENDING,
    .claim_hinges = claim_hinges,
    .create = create,
    .start = start,
    .destroy = destroy,
    .useful_workers = useful_workers,
    .is_on = is_on,
    .run = {[WEFT__PHASE_ELASTICITY] = solve},
    .writes = {[WEFT__PHASE_ELASTICITY] = WEFT__WRITES(POS)},
    .changed = changed,
    .visit_hinges = visit_hinges,
};
