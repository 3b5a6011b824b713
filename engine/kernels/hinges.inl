/* Bend element kernels (hinges); included by kernels_body.inl.
 *
 * A hinge is a constraint C = |d| - r on d = sum c_i x_i, solved by XPBD (Macklin, Mueller,
 * Chentanez 2016, equation 18) with a = compliance / substep^2, along the current direction n of d:
 *
 *     dm = (C - a m.n) / (sum w_i c_i^2 + a),   m += dm n,   x_i -= w_i c_i dm n
 *
 * The Lagrange multiplier m of the substep is kept as a vector, of which the component along n
 * counts: when d passes through 0 to the other side, m acts with the opposite sign. With r = 0 each
 * solve is then the best step along n of a convex problem, the implicit step of a linear spring:
 * hinges on their own cannot diverge, however few the iterations and in whatever order. All
 * corrections lie along d and conserve momentum and angular momentum; for the latter only the
 * component of d - a m along n is solved.
 *
 * n is not computed: dm n = d (|d|^2 - r |d| - a m.d) / (|d|^2 (sum w_i c_i^2 + a)), without a
 * square root for r = 0. */

// Multiplier change as a share of d. `weight`: sum w_i c_i^2; `slack`: a; `flat`: all rest lengths
// are 0.
static inline wide multiplier_share(wide x, wide y, wide z, wide multiplier_x, wide multiplier_y,
                                    wide multiplier_z, wide weight, wide scaled_compliance,
                                    wide rest, bool flat) {
  const wide squared = x * x + y * y + z * z;
  const wide along = x * multiplier_x + y * multiplier_y + z * multiplier_z;
  const wide error = squared - scaled_compliance * along;
  const wide divisor = squared * (weight + scaled_compliance) + TINY;
  if (flat) return error / divisor;
  // the division does not wait for the root
  return (error - rest * wide_sqrt(squared)) * (1.0f / divisor);
}

// ---- sheets: c = (1, -2, 1), r = 0 ----

// Solves WIDE_LANES hinges in registers and accumulates their multipliers.
static inline void solve_three(ends* first, ends* middle, ends* last,
                               weft__hinge_multiplier* multiplier, uint32_t lane,
                               wide scaled_compliance, uint32_t mask, bool full) {
  const wide_mask keep = wide_from_mask(mask);
  wide x = (first->x - middle->x) + (last->x - middle->x);
  wide y = (first->y - middle->y) + (last->y - middle->y);
  wide z = (first->z - middle->z) + (last->z - middle->z);
  if (!full) {
    // empty lanes: d = 0, wherever their particles are
    x = wide_keep(x, keep);
    y = wide_keep(y, keep);
    z = wide_keep(z, keep);
  }
  const wide multiplier_x = wide_load(multiplier->x + lane);
  const wide multiplier_y = wide_load(multiplier->y + lane);
  const wide multiplier_z = wide_load(multiplier->z + lane);
  const wide weight = first->inv_mass + last->inv_mass + 4.0f * middle->inv_mass;
  const wide share = multiplier_share(x, y, z, multiplier_x, multiplier_y, multiplier_z, weight,
                                      scaled_compliance, scaled_compliance, true);
  x *= share;
  y *= share;
  z *= share;
  wide_store(multiplier->x + lane, multiplier_x + x);
  wide_store(multiplier->y + lane, multiplier_y + y);
  wide_store(multiplier->z + lane, multiplier_z + z);
  const wide middle_scale = 2.0f * middle->inv_mass;
  first->x -= first->inv_mass * x;
  first->y -= first->inv_mass * y;
  first->z -= first->inv_mass * z;
  middle->x += middle_scale * x;
  middle->y += middle_scale * y;
  middle->z += middle_scale * z;
  last->x -= last->inv_mass * x;
  last->y -= last->inv_mass * y;
  last->z -= last->inv_mass * z;
}

static inline void solve_separate(const weft__particles* p, const size_t at[3],
                                  weft__hinge_multiplier* multiplier, uint32_t lane,
                                  wide scaled_compliance, uint32_t mask, bool full) {
  ends first = load_ends(p, at[0] + lane);
  ends middle = load_ends(p, at[1] + lane);
  ends last = load_ends(p, at[2] + lane);
  solve_three(&first, &middle, &last, multiplier, lane, scaled_compliance, mask, full);
  store_ends(p, at[0] + lane, &first);
  store_ends(p, at[1] + lane, &middle);
  store_ends(p, at[2] + lane, &last);
}

// Deinterleaves 2 WIDE_LANES floats into even and odd ones, and back.
#if WIDE_LANES == 1
static inline void load_pairs(const float* from, wide* even, wide* odd) {
  *even = from[0];
  *odd = from[1];
}

static inline void store_pairs(float* to, wide even, wide odd) {
  to[0] = even;
  to[1] = odd;
}
#else
#if WIDE_LANES == 4
#define EVEN_LANES 0, 2, 4, 6
#define ODD_LANES 1, 3, 5, 7
#define LOW_PAIRS 0, 4, 1, 5
#define HIGH_PAIRS 2, 6, 3, 7
#elif WIDE_LANES == 8
#define EVEN_LANES 0, 2, 4, 6, 8, 10, 12, 14
#define ODD_LANES 1, 3, 5, 7, 9, 11, 13, 15
#define LOW_PAIRS 0, 8, 1, 9, 2, 10, 3, 11
#define HIGH_PAIRS 4, 12, 5, 13, 6, 14, 7, 15
#elif WIDE_LANES == 16
#define EVEN_LANES 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define ODD_LANES 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31
#define LOW_PAIRS 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define HIGH_PAIRS 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#endif

static inline void load_pairs(const float* from, wide* even, wide* odd) {
  const wide low = wide_load(from);
  const wide high = wide_load(from + WIDE_LANES);
  *even = __builtin_shufflevector(low, high, EVEN_LANES);
  *odd = __builtin_shufflevector(low, high, ODD_LANES);
}

static inline void store_pairs(float* to, wide even, wide odd) {
  wide_store(to, __builtin_shufflevector(even, odd, LOW_PAIRS));
  wide_store(to + WIDE_LANES, __builtin_shufflevector(even, odd, HIGH_PAIRS));
}
#endif

static inline void load_end_pairs(const weft__particles* p, size_t i, ends* even, ends* odd) {
  load_pairs(p->pos_x + i, &even->x, &odd->x);
  load_pairs(p->pos_y + i, &even->y, &odd->y);
  load_pairs(p->pos_z + i, &even->z, &odd->z);
  load_pairs(p->inv_mass + i, &even->inv_mass, &odd->inv_mass);
}

static inline void store_end_pairs(const weft__particles* p, size_t i, const ends* even,
                                   const ends* odd) {
  store_pairs(p->pos_x + i, even->x, odd->x);
  store_pairs(p->pos_y + i, even->y, odd->y);
  store_pairs(p->pos_z + i, even->z, odd->z);
}

static inline void solve_paired(const weft__particles* p, const size_t at[3],
                                weft__hinge_multiplier* multiplier, uint32_t lane,
                                wide scaled_compliance, uint32_t mask, bool full) {
  ends first, last, middle, unused;
  load_end_pairs(p, at[0] + (size_t)2 * lane, &first, &last);
  load_end_pairs(p, at[1] + (size_t)2 * lane, &middle, &unused);
  solve_three(&first, &middle, &last, multiplier, lane, scaled_compliance, mask, full);
  store_end_pairs(p, at[0] + (size_t)2 * lane, &first, &last);
  store_end_pairs(p, at[1] + (size_t)2 * lane, &middle, &unused);
}

// The full group has its own code without masks, as for links.
SPECIALIZED void solve_hinge_group(const weft__particles* p, const size_t at[3],
                                   weft__hinge_multiplier* multiplier, const float* compliance,
                                   float rate_squared, uint32_t mask, bool paired) {
  for (uint32_t lane = 0; lane < WEFT__LANES; lane += WIDE_LANES) {
    const wide scaled_compliance = rate_squared * wide_load(compliance + lane);
    const bool full = mask == WEFT__ALL_LANES;
    if (paired && full) {
      solve_paired(p, at, multiplier, lane, scaled_compliance, WEFT__ALL_LANES, true);
    } else if (paired) {
      solve_paired(p, at, multiplier, lane, scaled_compliance, mask >> lane, false);
    } else if (full) {
      solve_separate(p, at, multiplier, lane, scaled_compliance, WEFT__ALL_LANES, true);
    } else {
      solve_separate(p, at, multiplier, lane, scaled_compliance, mask >> lane, false);
    }
  }
}

SPECIALIZED void solve_hinge_run(const weft__particles* particles,
                                 const weft__hinge_schedule* hinges, const weft__run* run,
                                 bool paired) {
  // local copies, as for links
  const weft__particles p = *particles;
  const float rate_squared = hinges->rate_squared;
  const uint16_t* masks = hinges->lane_mask + run->first_group;
  const float* compliance = hinges->compliance + run->compliance;
  const size_t stride = run->compliance_stride;
  weft__hinge_multiplier* multiplier = hinges->multipliers + run->first_group;
  const uint32_t group_count = run->group_count;
  const size_t step = weft__group_stride(run->kind);
  size_t at[3] = {run->first[0], run->first[1], run->first[2]};
  for (uint32_t g = 0; g < group_count; ++g) {
    solve_hinge_group(&p, at, multiplier + g, compliance, rate_squared, masks[g], paired);
    compliance += stride;
    for (int i = 0; i < 3; ++i) at[i] += step;
  }
}

// ---- general hinges, on records ----

static inline void move_end(ends* e, wide coefficient, wide x, wide y, wide z) {
  const wide amount = e->inv_mass * coefficient;
  e->x -= amount * x;
  e->y -= amount * y;
  e->z -= amount * z;
}

// One axis of d from differences: no cancellation far from the origin.
#define HINGE_AXIS(axis)                                             \
  (c[1] * (e[1].axis - e[0].axis) + c[2] * (e[2].axis - e[0].axis) + \
   c[3] * wide_keep(e[3].axis - e[0].axis, has_fourth))

// Plastic flow: where the length of d differs from the rest length by more than the yield, the rest
// length follows at that distance, and does not grow beyond its limit.
static inline void flow_lanes(weft__hinge_lanes* lanes, const weft__hinge_yield* plastic,
                              uint32_t lane, wide length) {
  const wide rest = wide_load(lanes->rest_length + lane);
  const wide yield = wide_load(plastic->yield + lane);
  const wide limit = wide_load(plastic->max_rest_length + lane);
  const wide grown = wide_max(rest, wide_min(length - yield, limit));
  wide_store(lanes->rest_length + lane, wide_min(grown, length + yield));
}

SPECIALIZED void solve_lanes(weft__hinge_lanes* lanes, weft__hinge_multiplier* multiplier,
                             const weft__hinge_yield* plastic, float rate_squared, float* records,
                             uint32_t lane) {
  ends e[4];
  wide c[4];
  wide weight = wide_splat(0.0f);
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    e[i] = load_record_ends(records, lanes->index[i] + lane);
    c[i] = wide_load(lanes->coefficient[i] + lane);
    weight += e[i].inv_mass * (c[i] * c[i]);
  }
  // three-particle hinges share one record as their fourth: it must stay 0
  const wide_mask has_fourth = ~wide_equal(c[3], wide_splat(0.0f));
  const wide scaled_compliance = rate_squared * wide_load(lanes->compliance + lane);
  const wide rest = wide_load(lanes->rest_length + lane);
  wide x = HINGE_AXIS(x);
  wide y = HINGE_AXIS(y);
  wide z = HINGE_AXIS(z);
  const wide multiplier_x = wide_load(multiplier->x + lane);
  const wide multiplier_y = wide_load(multiplier->y + lane);
  const wide multiplier_z = wide_load(multiplier->z + lane);
  const wide share = multiplier_share(x, y, z, multiplier_x, multiplier_y, multiplier_z, weight,
                                      scaled_compliance, rest, false);
  if (plastic != NULL) {
    const wide length = wide_sqrt(x * x + y * y + z * z);
    const wide rest_share = wide_splat(1.0f) - weight * share;
    flow_lanes(lanes, plastic, lane, length * wide_max(rest_share, -rest_share));
  }
  x *= share;
  y *= share;
  z *= share;
  wide_store(multiplier->x + lane, multiplier_x + x);
  wide_store(multiplier->y + lane, multiplier_y + y);
  wide_store(multiplier->z + lane, multiplier_z + z);
#pragma GCC unroll 4
  for (int i = 0; i < 3; ++i) move_end(&e[i], c[i], x, y, z);
  move_end(&e[3], c[3], wide_keep(x, has_fourth), wide_keep(y, has_fourth),
           wide_keep(z, has_fourth));
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) store_record_ends(records, lanes->index[i] + lane, &e[i]);
}

static void solve_piece(const weft__particles* particles, const weft__hinge_schedule* hinges,
                        const weft__piece* piece, float* records) {
  const weft__segment* begin = hinges->segments + piece->first_segment;
  const weft__segment* end = begin + piece->segment_count;
  weft__hinge_lanes* lanes = hinges->lanes + piece->first_lanes;
  const weft__hinge_yield* plastic =
      hinges->is_plastic ? hinges->yield + piece->first_lanes : NULL;
  weft__hinge_multiplier* multiplier =
      hinges->multipliers + hinges->group_count + piece->first_lanes;
  load_records(particles, begin, end, records);
  for (uint32_t g = 0; g < piece->group_count; ++g) {
    for (uint32_t lane = 0; lane < WEFT__LANES; lane += WIDE_LANES) {
      if (plastic == NULL) {
        solve_lanes(&lanes[g], &multiplier[g], NULL, hinges->rate_squared, records, lane);
      } else {
        solve_lanes(&lanes[g], &multiplier[g], &plastic[g], hinges->rate_squared, records, lane);
      }
    }
  }
  store_records(particles, begin, end, records);
}

// ---- a patch ----

static void solve_hinges(const weft__particles* particles, const weft__hinge_schedule* hinges,
                         uint32_t patch, float* records) {
  const weft__run* end = hinges->runs + hinges->patch_first_run[patch + 1];
  for (const weft__run* run = hinges->runs + hinges->patch_first_run[patch]; run < end; ++run) {
    if (run->kind == WEFT__RUN_PAIRED) {
      solve_hinge_run(particles, hinges, run, true);
    } else {
      solve_hinge_run(particles, hinges, run, false);
    }
  }
  const uint32_t end_piece = hinges->patch_first_piece[patch + 1];
  for (uint32_t i = hinges->patch_first_piece[patch]; i < end_piece; ++i) {
    solve_piece(particles, hinges, &hinges->pieces[i], records);
  }
}
