// AABB of the particles' motion in a substep.

// Minimum and maximum of one column; NaN is ignored.
static inline void span_column(const float* column, size_t begin, size_t end, wide* lower,
                               wide* upper) {
  size_t i = begin;
  for (; i + WIDE_LANES <= end; i += WIDE_LANES) {
    const wide here = wide_load(column + i);
    *lower = wide_min(here, *lower);
    *upper = wide_max(here, *upper);
  }
  if (i == end) return;
  const wide_mask is_within = wide_from_mask((1u << (end - i)) - 1);
  const wide here = wide_load_first(column + i, end - i);
  *lower = wide_select(wide_min(here, *lower), *lower, is_within);
  *upper = wide_select(wide_max(here, *upper), *upper, is_within);
}

static void measure_extent(const weft__particles* particles, uint32_t begin, uint32_t end,
                           float* lower, float* upper) {
  const weft__particles* p = particles;
  const float* columns[3][2] = {
      {p->pos_x, p->prev_x}, {p->pos_y, p->prev_y}, {p->pos_z, p->prev_z}};
  for (int axis = 0; axis < 3; ++axis) {
    wide lowers = wide_splat(INFINITY);
    wide uppers = wide_splat(-INFINITY);
    span_column(columns[axis][0], begin, end, &lowers, &uppers);
    span_column(columns[axis][1], begin, end, &lowers, &uppers);
    lower[axis] = wide_min_lane(lowers);
    upper[axis] = wide_max_lane(uppers);
  }
}
