/* Flatness certificates, a face a lane: see modules/ccd/flatness.h. */

// Symmetric part of P D, faces from `first` on.
SPECIALIZED wide min_eigenvalues(const weft__flatness_test* test, int end, size_t first) {
  wide product[2][2];
  for (int k = 0; k < 2; ++k) {
    float* const* column = test->by[end][k];
    const wide by[3] = {wide_load(column[0] + first), wide_load(column[1] + first),
                        wide_load(column[2] + first)};
    for (int j = 0; j < 2; ++j) {
      const float* row = test->row[j];
      product[j][k] = row[0] * by[0] + row[1] * by[1] + row[2] * by[2];
    }
  }
  const wide a = product[0][0];
  const wide c = product[1][1];
  const wide b = 0.5f * (product[0][1] + product[1][0]);
  const wide half = 0.5f * (a - c);
  return 0.5f * (a + c) - wide_sqrt(half * half + b * b);
}

// Eigenvalues above a limit, n-th cluster's faces from `first` on; infinity where a face is not
// tested.
SPECIALIZED wide margins(const weft__flatness_test* test, uint32_t n, int end, uint32_t first,
                         float limit) {
  const size_t face = (size_t)test->cluster[n] * WEFT__CLUSTER_FACES + first;
  return wide_select(min_eigenvalues(test, end, face) - limit, wide_splat(INFINITY),
                     wide_from_mask((uint32_t)test->faces[n] >> first));
}

static void record_failure(weft__flatness_test* test, uint32_t n, int end, float limit) {
  float margin[WEFT__CLUSTER_FACES];
  for (uint32_t f = 0; f < WEFT__CLUSTER_FACES; f += WIDE_LANES) {
    wide_store(margin + f, margins(test, n, end, f, limit));
  }
  uint32_t lowest = 0;
  for (uint32_t f = 1; f < WEFT__CLUSTER_FACES; ++f) {
    if (margin[f] < margin[lowest]) lowest = f;
  }
  test->failed_end = end;
  test->failed_face = test->cluster[n] * WEFT__CLUSTER_FACES + lowest;
}

// NaN fails.
static float test_flatness(weft__flatness_test* test) {
  wide lowest = wide_splat(INFINITY);
  for (uint32_t n = 0; n < test->count; ++n) {
    for (int end = 0; end < 2; ++end) {
      const float limit = test->min_eigenvalue + test->norm * test->drift[end][test->cluster[n]];
      for (uint32_t f = 0; f < WEFT__CLUSTER_FACES; f += WIDE_LANES) {
        const wide margin = margins(test, n, end, f, limit);
        if (!wide_all(wide_positive(margin))) {
          record_failure(test, n, end, limit);
          return -1.0f;
        }
        if (end == WEFT__FLAT_NOW) lowest = wide_min(margin, lowest);
      }
    }
  }
  return wide_min_lane(lowest);
}
