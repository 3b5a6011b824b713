/* Direct solver of bend lines, one line a lane; included by kernels_body.inl. See
 * tables/bend_lines.h for the equations.
 *
 * The factors are those of a symmetric positive definite matrix. A compliance far below the inverse
 * masses would leave single precision no digits where both ends of a line are clamped; the matrix
 * takes no less than LEAST_COMPLIANCE of the diagonal, as of cloth stiffer than any. */

#define LEAST_COMPLIANCE 1e-6f

// ---- particles of a row ----

// Particles of WIDE_LANES lines, in memory side by side or not.
static inline wide load_line_lanes(const float* column, const uint32_t* particle, bool is_window,
                                   uint32_t count) {
  if (is_window) return wide_load_first(column + particle[0], count);
#if WIDE_LANES == 1
  return column[particle[0]];
#else
  wide value;
#pragma GCC unroll 16
  for (int lane = 0; lane < WIDE_LANES; ++lane) value[lane] = column[particle[lane]];
  return value;
#endif
}

static inline void store_line_lanes(float* column, const uint32_t* particle, bool is_window,
                                    uint32_t count, wide value) {
  if (is_window) {
    wide_store_first(column + particle[0], value, count);
    return;
  }
#if WIDE_LANES == 1
  column[particle[0]] = value;
#else
#pragma GCC unroll 16
  for (uint32_t lane = 0; lane < WIDE_LANES; ++lane) {
    if (lane < count) column[particle[lane]] = value[lane];
  }
#endif
}

// Lanes of a block from `lane` on that hold a line, at most WIDE_LANES.
static inline uint32_t line_lanes_from(const weft__line_block* block, uint32_t lane) {
  const uint32_t left = block->lane_count - lane;
  return left < WIDE_LANES ? left : WIDE_LANES;
}

// ---- factors ----

// Elements of the row of L above, of each row two.
typedef struct line_factors {
  wide inv_pivot[2]; // of the row above, and of the one before that
  wide lower;        // of the row above, next to the diagonal
  wide_mask has[2];  // hinges about the row above, and about the one before that
} line_factors;

SPECIALIZED void factor_row(const weft__bend_lines* lines, uint32_t row, uint32_t lane,
                            line_factors* above) {
  weft__line_row* r = lines->rows + row;
  const wide_mask has = wide_from_mask((uint32_t)lines->hinge_mask[row] >> lane);
  const wide before = wide_load(r[-1].inv_mass + lane);
  const wide here = wide_load(r->inv_mass + lane);
  const wide weight = before + 4.0f * here + wide_load(r[1].inv_mass + lane);
  const wide compliance =
      wide_max(lines->rate_squared * wide_load(lines->compliance[row] + lane),
               LEAST_COMPLIANCE * weight);
  const wide near = wide_keep(wide_keep(-2.0f * (before + here), has), above->has[0]);
  const wide far = wide_keep(wide_keep(before, has), above->has[1]);
  const wide left = near - far * above->lower;
  const wide lower = left * above->inv_pivot[0];
  const wide lower_far = far * above->inv_pivot[1];
  const wide pivot = wide_max(weight + compliance - lower_far * far - lower * left, compliance);
  const wide inv_pivot = wide_keep(1.0f / wide_max(pivot, wide_splat(TINY)), has);
  wide_store(r->lower[0] + lane, lower);
  wide_store(r->lower[1] + lane, lower_far);
  wide_store(r->inv_pivot + lane, inv_pivot);
  *above = (line_factors){{inv_pivot, above->inv_pivot[0]}, lower, {has, above->has[0]}};
}

// True if a particle of the block is free.
static bool load_line_masses(const weft__particles* p, const weft__bend_lines* lines,
                             const weft__line_block* block) {
  bool is_free = false;
  for (uint32_t k = 0; k < block->length; ++k) {
    weft__line_row* row = &lines->rows[block->first_row + k];
    for (uint32_t lane = 0; lane < WEFT__LANES; ++lane) {
      row->inv_mass[lane] = p->inv_mass[row->particle[lane]];
      is_free |= row->inv_mass[lane] > 0.0f;
    }
  }
  return is_free;
}

static void factor_bend_lines(const weft__particles* particles, const weft__bend_lines* lines,
                              uint32_t number) {
  weft__line_block* block = &lines->blocks[number];
  block->is_held = !load_line_masses(particles, lines, block);
  block->is_stale = false;
  for (uint32_t lane = 0; lane < block->lane_count; lane += WIDE_LANES) {
    line_factors above = {.lower = wide_splat(0.0f)};
    above.inv_pivot[0] = above.inv_pivot[1] = wide_splat(0.0f);
    above.has[0] = above.has[1] = wide_from_mask(0);
    for (uint32_t k = 1; k + 1 < block->length; ++k) {
      factor_row(lines, block->first_row + k, lane, &above);
    }
  }
}

// ---- solve ----

// One axis of a line: L y = d forward, then m = L^-T D^-1 y backward, and the particles by
// -W A^T m. `multiplier`: of the axis, at a stride of a weft__hinge_multiplier.
#define LINE_STRIDE (sizeof(weft__hinge_multiplier) / sizeof(float))

SPECIALIZED void eliminate_lines(const float* column, const weft__line_row* rows,
                                 const bool* is_window, uint32_t length, uint32_t lane,
                                 uint32_t count, float* multiplier) {
  wide before = load_line_lanes(column, rows[0].particle + lane, is_window[0], count);
  wide here = load_line_lanes(column, rows[1].particle + lane, is_window[1], count);
  wide above[2] = {wide_splat(0.0f), wide_splat(0.0f)};
  for (uint32_t k = 1; k + 1 < length; ++k) {
    const weft__line_row* row = &rows[k];
    const wide after = load_line_lanes(column, row[1].particle + lane, is_window[k + 1], count);
    const wide error = (before - here) + (after - here);
    const wide value = error - wide_load(row->lower[1] + lane) * above[1] -
                       wide_load(row->lower[0] + lane) * above[0];
    wide_store(multiplier + k * LINE_STRIDE, value);
    above[1] = above[0];
    above[0] = value;
    before = here;
    here = after;
  }
}

SPECIALIZED void move_line_row(float* column, const weft__line_row* row, bool is_window,
                               uint32_t lane, uint32_t count, wide force) {
  const wide here = load_line_lanes(column, row->particle + lane, is_window, count);
  store_line_lanes(column, row->particle + lane, is_window, count,
                   here - wide_load(row->inv_mass + lane) * force);
}

SPECIALIZED void substitute_lines(float* column, const weft__line_row* rows, const bool* is_window,
                                  uint32_t length, uint32_t lane, uint32_t count,
                                  float* multiplier) {
  wide below[2] = {wide_splat(0.0f), wide_splat(0.0f)};  // multipliers of the two rows below
  wide lower = wide_splat(0.0f);                         // of the row below
  wide lower_far[2] = {wide_splat(0.0f), wide_splat(0.0f)};  // of the two rows below
  for (uint32_t k = length - 2; k > 0; --k) {
    const weft__line_row* row = &rows[k];
    const wide value = wide_load(multiplier + k * LINE_STRIDE) * wide_load(row->inv_pivot + lane) -
                       lower * below[0] - lower_far[1] * below[1];
    wide_store(multiplier + k * LINE_STRIDE, value);
    move_line_row(column, row + 1, is_window[k + 1], lane, count,
                  (value - below[0]) + (below[1] - below[0]));
    below[1] = below[0];
    below[0] = value;
    lower = wide_load(row->lower[0] + lane);
    lower_far[1] = lower_far[0];
    lower_far[0] = wide_load(row->lower[1] + lane);
  }
  move_line_row(column, rows + 1, is_window[1], lane, count, (below[1] - below[0]) - below[0]);
  move_line_row(column, rows, is_window[0], lane, count, below[0]);
}

static void solve_bend_lines(const weft__particles* particles, const weft__bend_lines* lines,
                             uint32_t number, weft__hinge_multiplier* multipliers) {
  const weft__line_block* block = &lines->blocks[number];
  const weft__line_row* rows = lines->rows + block->first_row;
  const bool* is_window = lines->is_window + block->first_row;
  float* columns[3] = {particles->pos_x, particles->pos_y, particles->pos_z};
  float* multiplier[3] = {multipliers->x, multipliers->y, multipliers->z};
  for (uint32_t lane = 0; lane < block->lane_count; lane += WIDE_LANES) {
    const uint32_t count = line_lanes_from(block, lane);
    for (int axis = 0; axis < 3; ++axis) {
      eliminate_lines(columns[axis], rows, is_window, block->length, lane, count,
                      multiplier[axis] + lane);
      substitute_lines(columns[axis], rows, is_window, block->length, lane, count,
                       multiplier[axis] + lane);
    }
  }
}
