/* Direct solver of bend lines, one a lane: equations in lines.h. Rungs are gathered: consecutive
 * lanes are two columns apart.
 *
 * A compliance far below the inverse masses would leave single precision no digits where both ends
 * of a line are clamped: the matrix takes at least LEAST_COMPLIANCE of the diagonal, stiffer than
 * any cloth. Most blocks have equal factors in all lanes, read as one number a row. */

#define LEAST_COMPLIANCE 1e-6f

// Matrices hold for small angles: forces that grow 4/3 times as fast make the step unstable, these
// grow 1.23 times.
#define MAX_SQUARED_SINE 0.19f

#define EACH_AXIS _Pragma("GCC unroll 3") for (int a = 0; a < 3; ++a)

typedef struct line_vector {
  wide axis[3];
} line_vector;

typedef struct line_rows {
  float* column[3];
  const uint32_t (*particle)[WEFT__LANES];
  const uint32_t (*other)[WEFT__LANES];
  const uint8_t* access;
  const uint16_t* present;
  const uint16_t* hinge_mask;
  const weft__line_factors* factors;
  const weft__uniform_factors* uniform;
  weft__line_positions* positions;
  weft__hinge_multiplier* multipliers;
  uint32_t count;
  uint32_t first;
} line_rows;

static inline wide gather_lanes(const float* column, const uint32_t* particle) {
#if WIDE_LANES == 1
  return column[particle[0]];
#else
  wide value = wide_splat(0.0f);
#pragma GCC unroll 16
  for (int lane = 0; lane < WIDE_LANES; ++lane) value[lane] = column[particle[lane]];
  return value;
#endif
}

static inline void scatter_lanes(float* column, const uint32_t* particle, uint32_t mask,
                                 const float* value) {
  for (uint32_t lane = 0; lane < WIDE_LANES; ++lane) {
    if ((mask >> lane & 1u) != 0) column[particle[lane]] = value[lane];
  }
}

static inline float* position_of(const line_rows* rows, uint32_t k, int axis) {
  return rows->positions[k][axis] + rows->first;
}

static inline void load_quad(const line_rows* rows, uint32_t k, int axis) {
  wide quad[4];
  wide_load_quads(rows->column[axis], rows->particle[k] + rows->first, quad);
#pragma GCC unroll 4
  for (uint32_t i = 0; i < 4; ++i) wide_store(position_of(rows, k + 2 * i, axis), quad[i]);
}

static inline void store_quad(const line_rows* rows, uint32_t k, int axis) {
  wide quad[4];
#pragma GCC unroll 4
  for (uint32_t i = 0; i < 4; ++i) quad[i] = wide_load(position_of(rows, k + 2 * i, axis));
  wide_store_quads(rows->column[axis], rows->particle[k] + rows->first, quad);
}

static void load_line_positions(const line_rows* rows) {
  for (uint32_t k = 0; k < rows->count; ++k) {
    const uint32_t* particle = rows->particle[k] + rows->first;
    if (rows->access[k] == WEFT__LINE_WINDOW) {
      EACH_AXIS wide_store(position_of(rows, k, a), wide_load(rows->column[a] + particle[0]));
    } else if (rows->access[k] == WEFT__LINE_QUAD) {
      EACH_AXIS load_quad(rows, k, a);
    } else if (rows->access[k] == WEFT__LINE_GATHER) {
      EACH_AXIS wide_store(position_of(rows, k, a), gather_lanes(rows->column[a], particle));
    }
  }
}

static void store_line_positions(const line_rows* rows) {
  for (uint32_t k = 0; k < rows->count; ++k) {
    const uint32_t* particle = rows->particle[k] + rows->first;
    if (rows->access[k] == WEFT__LINE_WINDOW) {
      EACH_AXIS wide_store(rows->column[a] + particle[0], wide_load(position_of(rows, k, a)));
    } else if (rows->access[k] == WEFT__LINE_QUAD) {
      EACH_AXIS store_quad(rows, k, a);
    } else if (rows->access[k] == WEFT__LINE_GATHER) {
      const uint32_t mask = (uint32_t)rows->present[k] >> rows->first;
      EACH_AXIS scatter_lanes(rows->column[a], particle, mask, position_of(rows, k, a));
    }
  }
}

static inline wide squared_length(const line_vector* v) {
  return v->axis[0] * v->axis[0] + v->axis[1] * v->axis[1] + v->axis[2] * v->axis[2];
}

static inline line_vector difference_of(const line_vector* to, const line_vector* from) {
  line_vector v;
  EACH_AXIS v.axis[a] = to->axis[a] - from->axis[a];
  return v;
}

// Second difference, and the squared sine of half the fold's angle: legs are equal, so it is |d|^2
// over the sum of |d|^2 and the squared chord.
typedef struct fold {
  line_vector d;
  wide sine_sq;
} fold;

static inline fold measure_fold(const line_vector* before, const line_vector* here,
                                const line_vector* after) {
  fold f;
  EACH_AXIS {
    f.d.axis[a] = (before->axis[a] - here->axis[a]) + (after->axis[a] - here->axis[a]);
  }
  const line_vector chord = difference_of(after, before);
  const wide bent = squared_length(&f.d);
  f.sine_sq = bent / wide_max(bent + squared_length(&chord), wide_splat(TINY));
  return f;
}

// Over the chord's force: lines.h.
static inline wide fold_growth(wide sine_sq) {
  return 1.0f + 0.4f * wide_min(sine_sq, wide_splat(MAX_SQUARED_SINE));
}

typedef struct rows_above {
  wide lower;
  wide inv_pivot[2];
  wide_mask has[2];
} rows_above;

SPECIALIZED void factor_row(const weft__bend_lines* lines, uint32_t row, uint32_t lane, float rate,
                            rows_above* above) {
  weft__line_factors* f = &lines->factors[row];
  const wide_mask has = wide_from_mask((uint32_t)lines->hinge_mask[row] >> lane);
  const wide before = wide_load(f[-1].inv_mass + lane);
  const wide here = wide_load(f->inv_mass + lane);
  const wide weight = before + 4.0f * here + wide_load(f[1].inv_mass + lane);
  const wide compliance =
      wide_max(rate * wide_load(lines->compliance[row] + lane), LEAST_COMPLIANCE * weight);
  const wide near = wide_keep(wide_keep(-2.0f * (before + here), has), above->has[0]);
  const wide far = wide_keep(wide_keep(before, has), above->has[1]);
  const wide left = near - far * above->lower;
  const wide lower = left * above->inv_pivot[0];
  const wide lower_far = far * above->inv_pivot[1];
  const wide pivot = wide_max(weight + compliance - lower_far * far - lower * left, compliance);
  const wide inv_pivot = wide_keep(1.0f / wide_max(pivot, wide_splat(TINY)), has);
  wide_store(f->lower + lane, lower);
  wide_store(f->lower_far + lane, lower_far);
  wide_store(f->inv_pivot + lane, inv_pivot);
  *above = (rows_above){lower, {inv_pivot, above->inv_pivot[0]}, {has, above->has[0]}};
}

static inline wide rung_inv_mass(const weft__line_factors* f, uint32_t lane) {
  return wide_load(f->inv_mass + lane) + wide_load(f->other_inv_mass + lane);
}

SPECIALIZED void factor_twist_row(const weft__bend_lines* lines, uint32_t row, uint32_t lane,
                                  float rate, rows_above* above) {
  weft__line_factors* f = &lines->factors[row];
  const wide_mask has = wide_from_mask((uint32_t)lines->hinge_mask[row] >> lane);
  const wide here = rung_inv_mass(f, lane);
  const wide weight = here + rung_inv_mass(f + 1, lane);
  const wide compliance =
      wide_max(rate * wide_load(lines->compliance[row] + lane), LEAST_COMPLIANCE * weight);
  const wide near = wide_keep(wide_keep(-here, has), above->has[0]);
  const wide lower = near * above->inv_pivot[0];
  const wide pivot = wide_max(weight + compliance - lower * near, compliance);
  const wide inv_pivot = wide_keep(1.0f / wide_max(pivot, wide_splat(TINY)), has);
  wide_store(f->lower + lane, lower);
  wide_store(f->inv_pivot + lane, inv_pivot);
  above->inv_pivot[0] = inv_pivot;
  above->has[0] = has;
}

static bool load_line_masses(const weft__particles* p, const weft__bend_lines* lines,
                             const weft__line_block* block) {
  bool is_free = false;
  for (uint32_t row = block->first_row; row < block->first_row + block->row_count; ++row) {
    weft__line_factors* f = &lines->factors[row];
    for (uint32_t lane = 0; lane < WEFT__LANES; ++lane) {
      f->inv_mass[lane] = p->inv_mass[lines->particle[row][lane]];
      is_free |= f->inv_mass[lane] > 0.0f;
      if (!block->is_twist) continue;
      f->other_inv_mass[lane] = p->inv_mass[lines->other[row][lane]];
      is_free |= f->other_inv_mass[lane] > 0.0f;
    }
  }
  return is_free;
}

static bool are_equal(const float lanes[WEFT__LANES]) {
  bool equal = true;
  for (uint32_t lane = 1; lane < WEFT__LANES; ++lane) equal &= lanes[lane] == lanes[0];
  return equal;
}

// Copies lane 0; true if all lanes have a particle and equal factors.
static bool find_uniform_factors(const weft__bend_lines* lines, const weft__line_block* block) {
  bool uniform = true;
  for (uint32_t k = 0; k < block->row_count; ++k) {
    const uint32_t row = block->first_row + k;
    const weft__line_factors* f = &lines->factors[row];
    const bool is_end = (k == 0 && !block->is_twist) || k + 1 == block->row_count;
    uniform &= lines->present[row] == WEFT__ALL_LANES &&
               (is_end || lines->hinge_mask[row] == WEFT__ALL_LANES) && are_equal(f->inv_mass) &&
               are_equal(f->lower) && are_equal(f->lower_far) && are_equal(f->inv_pivot);
    lines->uniform_factors[row] =
        (weft__uniform_factors){f->inv_mass[0], f->lower[0], {f->lower_far[0]}, f->inv_pivot[0]};
  }
  return uniform;
}

static void factor_lines(const weft__particles* particles, const weft__bend_lines* lines,
                         uint32_t number) {
  weft__line_block* block = &lines->blocks[number];
  block->is_held = !load_line_masses(particles, lines, block);
  const float rate = lines->rate_squared / (float)(block->stride * block->stride);
  for (uint32_t lane = 0; lane < WEFT__LANES; lane += WIDE_LANES) {
    const wide zero = wide_splat(0.0f);
    rows_above above = {zero, {zero, zero}, {wide_from_mask(0), wide_from_mask(0)}};
    for (uint32_t k = 0; block->is_twist && k + 1 < block->row_count; ++k) {
      factor_twist_row(lines, block->first_row + k, lane, rate, &above);
    }
    for (uint32_t k = 1; !block->is_twist && k + 1 < block->row_count; ++k) {
      factor_row(lines, block->first_row + k, lane, rate, &above);
    }
  }
  block->is_uniform = find_uniform_factors(lines, block);
  block->is_stale = false;
}

#define LINE_FACTOR(rows, k, name, is_uniform)        \
  ((is_uniform) ? wide_splat((rows)->uniform[k].name) \
                : wide_load((rows)->factors[k].name + (rows)->first))

static inline line_vector no_multiplier(void) {
  const wide zero = wide_splat(0.0f);
  return (line_vector){{zero, zero, zero}};
}

static inline float* multiplier_axis(const line_rows* rows, uint32_t k, int axis) {
  weft__hinge_multiplier* m = &rows->multipliers[k];
  return (axis == 0 ? m->x : axis == 1 ? m->y : m->z) + rows->first;
}

static inline line_vector line_positions(const line_rows* rows, uint32_t k) {
  line_vector v;
  EACH_AXIS v.axis[a] = wide_load(position_of(rows, k, a));
  return v;
}

// L y = d; y is stored as the multipliers.
SPECIALIZED void eliminate_lines(const line_rows* rows, bool is_uniform) {
  line_vector before = line_positions(rows, 0);
  line_vector here = line_positions(rows, 1);
  line_vector above = no_multiplier(), above_that = above;
  for (uint32_t k = 1; k + 1 < rows->count; ++k) {
    const line_vector after = line_positions(rows, k + 1);
    const wide lower = LINE_FACTOR(rows, k, lower, is_uniform);
    const wide lower_far = LINE_FACTOR(rows, k, lower_far, is_uniform);
    const wide_mask has = wide_from_mask((uint32_t)rows->hinge_mask[k] >> rows->first);
    const fold bend = measure_fold(&before, &here, &after);
    const wide growth = fold_growth(bend.sine_sq);
    EACH_AXIS {
      wide error = growth * bend.d.axis[a];
      // lanes without a hinge may be in other lines
      if (!is_uniform) error = wide_keep(error, has);
      const wide value = (error - lower_far * above_that.axis[a]) - lower * above.axis[a];
      wide_store(multiplier_axis(rows, k, a), value);
      above_that.axis[a] = above.axis[a];
      above.axis[a] = value;
    }
    before = here;
    here = after;
  }
}

SPECIALIZED void move_line_row(const line_rows* rows, uint32_t k, const line_vector* force,
                               bool is_uniform) {
  const wide inv_mass = LINE_FACTOR(rows, k, inv_mass, is_uniform);
  EACH_AXIS {
    float* position = position_of(rows, k, a);
    wide_store(position, wide_load(position) - inv_mass * force->axis[a]);
  }
}

// m = L^-T D^-1 y; a row is moved once the multipliers next to it are known.
SPECIALIZED void substitute_lines(const line_rows* rows, bool is_uniform) {
  line_vector below = no_multiplier(), below_that = below, force;
  wide lower = wide_splat(0.0f), lower_far = lower, lower_far_above = lower;
  for (uint32_t k = rows->count - 2; k > 0; --k) {
    const wide inv_pivot = LINE_FACTOR(rows, k, inv_pivot, is_uniform);
    EACH_AXIS {
      float* multiplier = multiplier_axis(rows, k, a);
      const wide value = (wide_load(multiplier) * inv_pivot - lower_far * below_that.axis[a]) -
                         lower * below.axis[a];
      wide_store(multiplier, value);
      force.axis[a] = (value - below.axis[a]) + (below_that.axis[a] - below.axis[a]);
      below_that.axis[a] = below.axis[a];
      below.axis[a] = value;
    }
    move_line_row(rows, k + 1, &force, is_uniform);
    lower = LINE_FACTOR(rows, k, lower, is_uniform);
    lower_far = lower_far_above;
    lower_far_above = LINE_FACTOR(rows, k, lower_far, is_uniform);
  }
  EACH_AXIS force.axis[a] = (below_that.axis[a] - below.axis[a]) - below.axis[a];
  move_line_row(rows, 1, &force, is_uniform);
  move_line_row(rows, 0, &below, is_uniform);
}

SPECIALIZED void solve_line_rows(const line_rows* rows, bool is_uniform) {
  eliminate_lines(rows, is_uniform);
  substitute_lines(rows, is_uniform);
}

static void load_rungs(const line_rows* rows) {
  for (uint32_t k = 0; k < rows->count; ++k) {
    const uint32_t* particle = rows->particle[k] + rows->first;
    const uint32_t* other = rows->other[k] + rows->first;
    EACH_AXIS wide_store(position_of(rows, k, a), gather_lanes(rows->column[a], particle) -
                                                      gather_lanes(rows->column[a], other));
  }
}

SPECIALIZED void eliminate_twists(const line_rows* rows, bool is_uniform) {
  line_vector above = no_multiplier();
  line_vector here = line_positions(rows, 0);
  for (uint32_t k = 0; k + 1 < rows->count; ++k) {
    const line_vector after = line_positions(rows, k + 1);
    const wide lower = LINE_FACTOR(rows, k, lower, is_uniform);
    const wide_mask has = wide_from_mask((uint32_t)rows->hinge_mask[k] >> rows->first);
    EACH_AXIS {
      wide twist = here.axis[a] - after.axis[a];
      if (!is_uniform) twist = wide_keep(twist, has);
      above.axis[a] = twist - lower * above.axis[a];
      wide_store(multiplier_axis(rows, k, a), above.axis[a]);
    }
    here = after;
  }
}

SPECIALIZED void move_rungs(const line_rows* rows, uint32_t k, const line_vector* force,
                            bool is_uniform) {
  const wide inv_mass = LINE_FACTOR(rows, k, inv_mass, is_uniform);
  const wide other_inv_mass = LINE_FACTOR(rows, k, other_inv_mass, is_uniform);
  const uint32_t* particle = rows->particle[k] + rows->first;
  const uint32_t* other = rows->other[k] + rows->first;
  const uint32_t mask = (uint32_t)rows->present[k] >> rows->first;
  EACH_AXIS {
    float* column = rows->column[a];
    float moved[WIDE_LANES];
    wide_store(moved, gather_lanes(column, particle) - inv_mass * force->axis[a]);
    scatter_lanes(column, particle, mask, moved);
    wide_store(moved, gather_lanes(column, other) + other_inv_mass * force->axis[a]);
    scatter_lanes(column, other, mask, moved);
  }
}

SPECIALIZED void substitute_twists(const line_rows* rows, bool is_uniform) {
  line_vector below = no_multiplier(), force;
  wide lower = wide_splat(0.0f);
  for (uint32_t k = rows->count - 1; k-- > 0;) {
    const wide inv_pivot = LINE_FACTOR(rows, k, inv_pivot, is_uniform);
    EACH_AXIS {
      float* multiplier = multiplier_axis(rows, k, a);
      const wide value = wide_load(multiplier) * inv_pivot - lower * below.axis[a];
      wide_store(multiplier, value);
      force.axis[a] = below.axis[a] - value;
      below.axis[a] = value;
    }
    move_rungs(rows, k + 1, &force, is_uniform);
    lower = LINE_FACTOR(rows, k, lower, is_uniform);
  }
  move_rungs(rows, 0, &below, is_uniform);
}

static void solve_twist_rows(const line_rows* rows, bool is_uniform) {
  load_rungs(rows);
  if (is_uniform) {
    eliminate_twists(rows, true);
    substitute_twists(rows, true);
  } else {
    eliminate_twists(rows, false);
    substitute_twists(rows, false);
  }
}

static void solve_lines(weft__particles* particles, const weft__bend_lines* lines, uint32_t number,
                        weft__line_positions* positions, weft__hinge_multiplier* multipliers) {
  const weft__line_block* block = &lines->blocks[number];
  const uint32_t first = block->first_row;
  line_rows rows = {
      .column = {particles->pos_x, particles->pos_y, particles->pos_z},
      .particle = (const uint32_t(*)[WEFT__LANES])(lines->particle + first),
      .other = (const uint32_t(*)[WEFT__LANES])(lines->other + first),
      .access = lines->access + first,
      .present = lines->present + first,
      .hinge_mask = lines->hinge_mask + first,
      .factors = lines->factors + first,
      .uniform = lines->uniform_factors + first,
      .positions = positions,
      .multipliers = multipliers,
      .count = block->row_count,
  };
  for (; rows.first < WEFT__LANES; rows.first += WIDE_LANES) {
    if (block->is_twist) {
      solve_twist_rows(&rows, block->is_uniform);
      continue;
    }
    load_line_positions(&rows);
    if (block->is_uniform) {
      solve_line_rows(&rows, true);
    } else {
      solve_line_rows(&rows, false);
    }
    store_line_positions(&rows);
  }
}

static const weft__line_kernels lines_kernels = {.factor = factor_lines, .solve = solve_lines};
