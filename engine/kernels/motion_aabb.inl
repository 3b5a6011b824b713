
typedef struct extent {
  wide lower[4], upper[4];  // the fourth is not used
} extent;

// NaN is ignored.
SPECIALIZED void grow_extent(extent* e, int axis, const float* column, size_t lanes) {
  const wide here = wide_load_first(column, lanes);
  wide lower = wide_min(here, e->lower[axis]);
  wide upper = wide_max(here, e->upper[axis]);
  if (lanes < WIDE_LANES) {
    const wide_mask is_within = wide_from_mask((1u << lanes) - 1);
    lower = wide_select(lower, e->lower[axis], is_within);
    upper = wide_select(upper, e->upper[axis], is_within);
  }
  e->lower[axis] = lower;
  e->upper[axis] = upper;
}

SPECIALIZED void grow_extent_by_lanes(extent* e, const weft__particles* p, size_t i, size_t lanes) {
  grow_extent(e, 0, p->pos_x + i, lanes);
  grow_extent(e, 0, p->prev_x + i, lanes);
  grow_extent(e, 1, p->pos_y + i, lanes);
  grow_extent(e, 1, p->prev_y + i, lanes);
  grow_extent(e, 2, p->pos_z + i, lanes);
  grow_extent(e, 2, p->prev_z + i, lanes);
}

static void measure_extent(const weft__particles* particles, uint32_t begin, uint32_t end,
                           float* lower, float* upper) {
  const weft__particles p = *particles;
  extent e;
  for (int k = 0; k < 4; ++k) {
    e.lower[k] = wide_splat(INFINITY);
    e.upper[k] = wide_splat(-INFINITY);
  }
  size_t i = begin;
  for (; i + WIDE_LANES <= end; i += WIDE_LANES) grow_extent_by_lanes(&e, &p, i, WIDE_LANES);
  if (i < end) grow_extent_by_lanes(&e, &p, i, end - i);
  float minima[4];
  wide_reduce_min(e.lower, minima);
  memcpy(lower, minima, 3 * sizeof(float));
  for (int k = 0; k < 4; ++k) e.upper[k] = -e.upper[k];
  wide_reduce_min(e.upper, minima);
  for (int axis = 0; axis < 3; ++axis) upper[axis] = -minima[axis];
}
