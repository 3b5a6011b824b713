
SPECIALIZED wide edge_length_sq(const weft__face_batch* b, int from, int to, size_t k) {
  wide sum = wide_splat(0.0f);
  for (int axis = 0; axis < 3; ++axis) {
    const wide side = wide_load(b->corner[to][axis] + k) - wide_load(b->corner[from][axis] + k);
    sum += side * side;
  }
  return sum;
}

static void load_faces(const weft__particles* particles, const uint32_t* const corner[3],
                       uint32_t count, weft__face_batch* batch) {
  const float* const columns[3] = {particles->pos_x, particles->pos_y, particles->pos_z};
  const size_t rounded = (count + WIDE_LANES - 1) / WIDE_LANES * WIDE_LANES;
  batch->count = count;
  for (int axis = 0; axis < 3; ++axis) {
    wide lower = wide_splat(INFINITY);
    wide upper = wide_splat(-INFINITY);
    for (int c = 0; c < 3; ++c) {
      float* to = batch->corner[c][axis];
      for (size_t k = 0; k < count; ++k) to[k] = columns[axis][corner[c][k]];
      // repeats the last face
      for (size_t k = count; k < rounded; ++k) to[k] = to[count - 1];
      for (size_t k = 0; k < count; k += WIDE_LANES) {
        lower = wide_min(wide_load(to + k), lower);
        upper = wide_max(wide_load(to + k), upper);
      }
    }
    batch->lower[axis] = wide_min_lane(lower);
    batch->upper[axis] = wide_max_lane(upper);
  }
  for (size_t k = 0; k < count; k += WIDE_LANES) {
    const wide longest = wide_max(edge_length_sq(batch, 0, 1, k), edge_length_sq(batch, 1, 2, k));
    wide_store(batch->edge_sq + k, wide_max(edge_length_sq(batch, 2, 0, k), longest));
  }
}

// At the face's nearest point the nearest corner lies at a right angle, no further than e /
// sqrt(3), e the longest edge: within d of the box its squared distance is below d^2 + e^2 / 3.
static uint64_t find_near_faces(const weft__face_batch* batch, const weft__rounded_box* box,
                                float distance) {
  const weft__rounded_box at = *box;
  uint64_t near = 0;
  for (size_t k = 0; k < batch->count; k += WIDE_LANES) {
    const wide limit = distance * distance + 0.33334f * wide_load(batch->edge_sq + k);
    wide nearest = wide_splat(INFINITY);
    for (int c = 0; c < 3; ++c) {
      const wide sum = distance_sq_to_box(&at, wide_load(batch->corner[c][0] + k),
                                          wide_load(batch->corner[c][1] + k),
                                          wide_load(batch->corner[c][2] + k));
      nearest = wide_min(nearest, sum);
    }
    // NaN is near
    near |= (uint64_t)(~wide_to_mask(wide_positive(nearest - limit)) & ((1u << WIDE_LANES) - 1))
            << k;
  }
  return batch->count < 64 ? near & ((1ull << batch->count) - 1) : near;
}
