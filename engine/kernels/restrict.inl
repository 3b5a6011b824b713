// ---- displacement records for a coarser level ----

// every second of twice as many records
static const uint16_t alternate[WEFT__LANES] = {0,  4,  8,  12, 16, 20, 24, 28,
                                                32, 36, 40, 44, 48, 52, 56, 60};

SPECIALIZED void list_lanes(const weft__particles* p, const float* follows, size_t i, size_t lanes,
                            float* record) {
  wide_mask is_free = wide_positive(wide_load_first(p->inv_mass + i, lanes));
  if (follows != NULL) is_free &= wide_positive(wide_load_first(follows + i, lanes));
  const wide x = wide_load_first(p->prev_x + i, lanes);
  const wide y = wide_load_first(p->prev_y + i, lanes);
  const wide z = wide_load_first(p->prev_z + i, lanes);
  const wide moved[4] = {wide_keep(wide_load_first(p->pos_x + i, lanes) - x, is_free),
                         wide_keep(wide_load_first(p->pos_y + i, lanes) - y, is_free),
                         wide_keep(wide_load_first(p->pos_z + i, lanes) - z, is_free),
                         wide_keep(wide_splat(1.0f), is_free)};
  const wide from[4] = {wide_keep(x, is_free), wide_keep(y, is_free), wide_keep(z, is_free),
                        wide_splat(0.0f)};
  wide_store_records(record, alternate, moved);
  wide_store_records(record + 4, alternate, from);
}

static void list_displacements(const weft__particles* particles, const float* follows,
                               uint32_t begin, uint32_t end, float* records) {
  const weft__particles p = *particles;
  size_t i = begin;
  for (; i + WIDE_LANES <= end; i += WIDE_LANES) {
    list_lanes(&p, follows, i, WIDE_LANES, records + WEFT__DISPLACEMENT_FLOATS * i);
  }
  if (i == end) return;
  float rest[WEFT__DISPLACEMENT_FLOATS * WIDE_LANES];
  list_lanes(&p, follows, i, end - i, rest);
  memcpy(records + WEFT__DISPLACEMENT_FLOATS * i, rest,
         (end - i) * WEFT__DISPLACEMENT_FLOATS * sizeof(float));
}

// part of a record that one vector holds
enum { PIECE_FLOATS = WIDE_LANES < 8 ? 4 : 8, PIECES = 8 / PIECE_FLOATS };

_Static_assert(WEFT__DISPLACEMENT_FLOATS == 8u, "a record is one piece or two");

typedef float piece __attribute__((vector_size(4 * PIECE_FLOATS)));

static inline piece load_piece(const float* from) {
  piece value;
  memcpy(&value, from, sizeof(value));
  return value;
}

static void restrict_displacements(const weft__restriction* followers, const float* finer,
                                   uint32_t begin, uint32_t end, float* records) {
  const weft__restriction f = *followers;
  for (uint32_t i = begin; i < end; ++i) {
    piece sum[PIECES] = {{0}};
    const uint32_t beyond = f.first[i + 1];
    for (uint32_t k = f.first[i]; k < beyond; ++k) {
      const float* record = finer + (size_t)WEFT__DISPLACEMENT_FLOATS * f.of[k];
#pragma GCC unroll 2
      for (int c = 0; c < PIECES; ++c) {
        sum[c] += f.share[k] * load_piece(record + (size_t)(PIECE_FLOATS * c));
      }
    }
    const float share = sum[0][3];
    float* record = records + (size_t)WEFT__DISPLACEMENT_FLOATS * i;
#pragma GCC unroll 2
    for (int c = 0; c < PIECES; ++c) {
      const piece mean = share > 0.0f ? sum[c] / share : sum[c];
      memcpy(record + (size_t)(PIECE_FLOATS * c), &mean, sizeof(mean));
    }
  }
}

// ---- rest lengths of a coarse level ----

static inline wide wide_distance(const wide a[3], const wide b[3]) {
  const wide x = a[0] - b[0];
  const wide y = a[1] - b[1];
  const wide z = a[2] - b[2];
  return wide_sqrt(x * x + y * y + z * z);
}

static inline void measure_rest(const weft__coarse_rest_lengths* r, float* rest_length, size_t slot,
                                wide own[2][3], wide center[2][3]) {
  const wide beyond = wide_distance(center[0], center[1]) - wide_distance(own[0], own[1]);
  wide_store(rest_length + slot,
             wide_max(wide_load(r->lower + slot), wide_load(r->drawn + slot) + beyond));
}

static void measure_contiguous(const weft__coarse_rest_lengths* r, float* rest_length,
                               const weft__run* run) {
  const size_t lanes = (size_t)run->group_count * WEFT__LANES;
  const size_t first = (size_t)run->first_group * WEFT__LANES;
  for (size_t lane = 0; lane < lanes; lane += WIDE_LANES) {
    wide own[2][3];
    wide center[2][3];
    for (int axis = 0; axis < 3; ++axis) {
      own[0][axis] = wide_load(r->own[axis] + run->a + lane);
      own[1][axis] = wide_load(r->own[axis] + run->b + lane);
      center[0][axis] = wide_load(r->center[axis] + run->a + lane);
      center[1][axis] = wide_load(r->center[axis] + run->b + lane);
    }
    measure_rest(r, rest_length, first + lane, own, center);
  }
}

static void measure_scattered(const weft__coarse_rest_lengths* r, float* rest_length,
                              const weft__run* run) {
  const size_t lanes = (size_t)run->group_count * WEFT__LANES;
  const size_t first = (size_t)run->first_group * WEFT__LANES;
  for (size_t slot = first; slot < first + lanes; slot += WIDE_LANES) {
    wide own[2][3];
    wide center[2][3];
    for (int axis = 0; axis < 3; ++axis) {
      own[0][axis] = gather(r->own[axis], r->end_a + slot, WIDE_LANES);
      own[1][axis] = gather(r->own[axis], r->end_b + slot, WIDE_LANES);
      center[0][axis] = gather(r->center[axis], r->end_a + slot, WIDE_LANES);
      center[1][axis] = gather(r->center[axis], r->end_b + slot, WIDE_LANES);
    }
    measure_rest(r, rest_length, slot, own, center);
  }
}

static void measure_rests(const weft__coarse_rest_lengths* rests, const weft__schedule* schedule,
                          uint32_t patch) {
  const weft__coarse_rest_lengths r = *rests;
  const weft__run* end = schedule->runs + weft__patch_end_run(schedule, patch);
  for (const weft__run* run = schedule->runs + weft__patch_first_run(schedule, patch); run < end;
       ++run) {
    if (run->kind == WEFT__RUN_CONTIGUOUS) {
      measure_contiguous(&r, schedule->rest_length, run);
    } else {
      measure_scattered(&r, schedule->rest_length, run);
    }
  }
}
