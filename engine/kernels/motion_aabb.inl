// AABB of the particles' motion in a substep.

// Minimum and maximum of one column; NaN is ignored.
static inline void span_column(const float* column, size_t begin, size_t end, float* lower,
                               float* upper) {
  float low = *lower;
  float high = *upper;
  size_t i = begin;
  if (begin + WIDE_LANES <= end) {
    wide lows = wide_splat(low);
    wide highs = wide_splat(high);
    for (; i + WIDE_LANES <= end; i += WIDE_LANES) {
      const wide here = wide_load(column + i);
      lows = wide_min(here, lows);
      highs = wide_max(here, highs);
    }
    float lanes[2][WIDE_LANES];
    wide_store(lanes[0], lows);
    wide_store(lanes[1], highs);
    for (int lane = 0; lane < WIDE_LANES; ++lane) {
      low = lanes[0][lane] < low ? lanes[0][lane] : low;
      high = lanes[1][lane] > high ? lanes[1][lane] : high;
    }
  }
  for (; i < end; ++i) {
    low = column[i] < low ? column[i] : low;
    high = column[i] > high ? column[i] : high;
  }
  *lower = low;
  *upper = high;
}

static void span(const weft__particles* particles, uint32_t begin, uint32_t end, float* lower,
                 float* upper) {
  const weft__particles* p = particles;
  const float* columns[3][2] = {
      {p->pos_x, p->prev_x}, {p->pos_y, p->prev_y}, {p->pos_z, p->prev_z}};
  for (int axis = 0; axis < 3; ++axis) {
    lower[axis] = INFINITY;
    upper[axis] = -INFINITY;
    span_column(columns[axis][0], begin, end, &lower[axis], &upper[axis]);
    span_column(columns[axis][1], begin, end, &lower[axis], &upper[axis]);
  }
}
