
typedef struct follower_sums {
  wide moved[3], start[3], share;
} follower_sums;

SPECIALIZED void add_followers(follower_sums* sum, const weft__displacements* finer, wide share,
                               size_t at, size_t lanes) {
  wide_mask acts = wide_positive(share);
  if (finer->follows != NULL) acts &= wide_positive(wide_load_first(finer->follows + at, lanes));
  for (int axis = 0; axis < 3; ++axis) {
    const wide start = wide_load_first(finer->start[axis] + at, lanes);
    const wide moved = finer->moved[axis] != NULL
                           ? wide_load_first(finer->moved[axis] + at, lanes)
                           : wide_load_first(finer->pos[axis] + at, lanes) - start;
    sum->moved[axis] += share * wide_keep(moved, acts);
    sum->start[axis] += share * wide_keep(start, acts);
  }
  sum->share += wide_keep(share, acts);
}

// Particles k to k + lanes - 1 of a run with two ranges; k is a multiple of WIDE_LANES.
SPECIALIZED void store_in_turn(float* column, const weft__restriction_run* run, uint32_t k,
                               wide value, size_t lanes) {
  float* even = column + run->first + k / 2;
  float* odd = column + run->second + k / 2;
#if WIDE_LANES == 1
  (void)lanes;
  wide_store(k % 2 == 0 ? even : odd, value);
#else
  const half_wide evens = wide_even_lanes(value);
  const half_wide odds = wide_odd_lanes(value);
  memcpy(even, &evens, (lanes + 1) / 2 * sizeof(float));
  memcpy(odd, &odds, lanes / 2 * sizeof(float));
#endif
}

SPECIALIZED void store_means(const follower_sums* sum, const weft__restriction* f,
                             const weft__displacements* coarse, const weft__restriction_run* run,
                             uint32_t k, size_t lanes) {
  const wide_mask any = wide_positive(sum->share);
  const wide divisor = wide_select(sum->share, wide_splat(1.0f), any);
  for (int axis = 0; axis < 3; ++axis) {
    const wide moved = sum->moved[axis] / divisor;
    const wide start = sum->start[axis] / divisor;
    store_in_turn(coarse->moved[axis], run, k, moved, lanes);
    store_in_turn(coarse->start[axis], run, k, start, lanes);
    store_in_turn(coarse->pos[axis], run, k, start + moved, lanes);
    store_in_turn(coarse->unswept[axis], run, k, start + moved, lanes);
  }
  store_in_turn(f->share_sums, run, k, sum->share, lanes);
}

SPECIALIZED void restrict_lanes(const weft__restriction* f, const weft__displacements* finer,
                                const weft__displacements* coarse, const weft__restriction_run* run,
                                uint32_t k, size_t lanes) {
  const wide zero = wide_splat(0.0f);
  follower_sums sum = {{zero, zero, zero}, {zero, zero, zero}, zero};
  const uint32_t* of = f->of + f->first[run->first];
  const uint32_t entries = f->first[run->first + 1] - f->first[run->first];
  const float* shares = f->share + run->share;
  for (uint32_t t = 0; t < entries; ++t) {
    const wide share = run->is_uniform
                           ? wide_splat(shares[t])
                           : wide_load_first(shares + (size_t)t * run->count + k, lanes);
    add_followers(&sum, finer, share, (size_t)of[t] + k, lanes);
  }
  store_means(&sum, f, coarse, run, k, lanes);
}

// One range: each particle is a run with two, one empty.
static void restrict_each(const weft__restriction* f, const weft__displacements* finer,
                          const weft__displacements* coarse, const weft__restriction_run* run) {
  weft__restriction_run one = {.count = 1, .share = run->share};
  for (uint32_t i = run->first; i < run->first + run->count; ++i) {
    one.first = one.second = i;
    restrict_lanes(f, finer, coarse, &one, 0, 1);
    one.share += f->first[i + 1] - f->first[i];
  }
}

static void restrict_displacements(const weft__restriction* followers,
                                   const weft__displacements* finer,
                                   const weft__displacements* coarse, uint32_t begin,
                                   uint32_t end) {
  const weft__restriction f = *followers;
  for (const weft__restriction_run* run = f.runs + begin; run < f.runs + end; ++run) {
    if (run->second == WEFT__ONE_RANGE) {
      restrict_each(&f, finer, coarse, run);
      continue;
    }
    uint32_t k = 0;
    for (; k + WIDE_LANES <= run->count; k += WIDE_LANES) {
      restrict_lanes(&f, finer, coarse, run, k, WIDE_LANES);
    }
    if (k < run->count) restrict_lanes(&f, finer, coarse, run, k, run->count - k);
  }
}

static void start_multipliers(const weft__multiplier_origins* origins, const float* coarse,
                              float* finer, uint32_t begin, uint32_t end) {
  for (size_t group = begin; group < end; ++group) {
    const weft__origin_rows rows = origins->rows[group];
    float* to = finer + group * WEFT__LANES;
    if (rows.even != WEFT__NO_ORIGIN) {
      const float* from[2] = {coarse + rows.even, coarse + rows.odd};
      for (size_t lane = 0; lane < WEFT__LANES; lane += WIDE_LANES) {
        wide_store(to + lane, rows.share * wide_load_in_turn(from[0], from[1], lane));
      }
      continue;
    }
    const uint32_t* of = origins->of + group * WEFT__LANES;
    const float* share = origins->share + group * WEFT__LANES;
    for (size_t lane = 0; lane < WEFT__LANES; ++lane) {
      to[lane] = of[lane] == WEFT__NO_ORIGIN ? 0.0f : share[lane] * coarse[of[lane]];
    }
  }
}

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
      measure_contiguous(&r, schedule->links.rest_length, run);
    } else {
      measure_scattered(&r, schedule->links.rest_length, run);
    }
  }
}
