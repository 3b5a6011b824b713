/* Bend element kernels: XPBD of a constraint C = |d| - r on d = sum c_i x_i (Macklin, Mueller,
 * Chentanez 2016, equation 18), a = compliance / substep^2, along the current direction n of d:
 *
 *     dm = (C - a m.n) / (sum w_i c_i^2 + a),   m += dm n,   x_i -= w_i c_i dm n
 *
 * The substep's Lagrange multiplier m is a vector, of which the component along n counts: when d
 * passes through 0 to the other side, m acts with the opposite sign. With r = 0 each solve is then
 * the implicit step of a linear spring along n: hinges on their own cannot diverge. All corrections
 * lie along d and conserve momentum; as only the component of d - a m along n is solved, angular
 * momentum too.
 *
 * n is not computed: dm n = d (|d|^2 - r |d| - a m.d) / (|d|^2 (sum w_i c_i^2 + a)). */

// weight: sum w_i c_i^2
static inline wide multiplier_share(wide x, wide y, wide z, wide multiplier_x, wide multiplier_y,
                                    wide multiplier_z, wide weight, wide scaled_compliance,
                                    wide rest) {
  const wide squared = x * x + y * y + z * z;
  const wide along = x * multiplier_x + y * multiplier_y + z * multiplier_z;
  const wide error = squared - scaled_compliance * along;
  const wide divisor = squared * (weight + scaled_compliance) + TINY;
  // the division does not wait for the root
  return (error - rest * wide_sqrt(squared)) * (1.0f / divisor);
}

static inline void move_end(ends* e, wide coefficient, wide x, wide y, wide z) {
  const wide amount = e->inv_mass * coefficient;
  e->x -= amount * x;
  e->y -= amount * y;
  e->z -= amount * z;
}

// From differences: no cancellation far from the origin.
#define HINGE_AXIS(axis)                                             \
  (c[1] * (e[1].axis - e[0].axis) + c[2] * (e[2].axis - e[0].axis) + \
   c[3] * wide_keep(e[3].axis - e[0].axis, has_fourth))

// Plastic flow: beyond the yield the rest length follows |d| at that distance, up to its limit.
static inline wide flowed_rest(wide rest, wide length, wide yield, wide limit) {
  return wide_min(wide_max(rest, wide_min(length - yield, limit)), length + yield);
}

static inline void flow_lanes(weft__hinge_lanes* lanes, const weft__hinge_yield* plastic,
                              uint32_t lane, wide length) {
  const wide rest = wide_load(lanes->rest_length + lane);
  const wide yield = wide_load(plastic->yield + lane);
  const wide limit = wide_load(plastic->max_rest_length + lane);
  wide_store(lanes->rest_length + lane, flowed_rest(rest, length, yield, limit));
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
  // three-particle hinges share their fourth record: it must stay 0
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
                                      scaled_compliance, rest);
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

static void solve_piece(weft__particles* particles, const weft__hinge_schedule* hinges,
                        const weft__piece* piece, bool is_backward, float* records) {
  const weft__segment* begin = hinges->segments + piece->first_segment;
  const weft__segment* end = begin + piece->segment_count;
  weft__hinge_lanes* lanes = hinges->lanes + piece->first_lanes;
  const weft__hinge_yield* plastic = hinges->is_plastic ? hinges->yield + piece->first_lanes : NULL;
  weft__hinge_multiplier* multiplier = hinges->multipliers + piece->first_lanes;
  load_records(particles, begin, end, records);
  for (uint32_t k = 0; k < piece->group_count; ++k) {
    const uint32_t g = is_backward ? piece->group_count - 1 - k : k;
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

static void solve_hinges(weft__particles* particles, const weft__hinge_schedule* hinges,
                         uint32_t patch, bool is_backward, float* records) {
  const uint32_t first = hinges->patch_first_piece[patch];
  const uint32_t count = hinges->patch_first_piece[patch + 1] - first;
  for (uint32_t k = 0; k < count; ++k) {
    const uint32_t i = first + (is_backward ? count - 1 - k : k);
    solve_piece(particles, hinges, &hinges->pieces[i], is_backward, records);
  }
}
