#include "step/fixed_step.h"

#include "support/test.h"

static const int64_t step_sizes[] = {1000, 999983, 16666667, 33333333, 1000000000};
enum { STEP_SIZES = sizeof(step_sizes) / sizeof(*step_sizes) };

// default options but for these
static weft__fixed_step new_fixed(int64_t step_ns, uint32_t max_steps) {
  weft_world_def def = plain_def(.step_ns = step_ns);
  def.max_steps = max_steps;
  return weft__fixed_step_of(&def);
}

// usually up to three steps, seldom up to a hundred
static int64_t draw_elapsed(random_source* random, int64_t step_ns) {
  const uint64_t bound =
      random_chance(random, 1000) ? 100 * (uint64_t)step_ns : 3 * (uint64_t)step_ns;
  return (int64_t)(random_bits(random) % bound);
}

TEST(no_more_than_max_steps_are_taken_and_the_rest_is_dropped) {
  const uint32_t limits[] = {1, 2, 8, 1000, UINT32_MAX};
  for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); ++i) {
    weft__fixed_step fixed = new_fixed(1000, limits[i]);
    const int64_t limit_ns = 1000 * (int64_t)limits[i];
    weft_advance due = weft__fixed_step_add(&fixed, limit_ns + 999);
    ck_assert_uint_eq(due.steps, limits[i]);
    ck_assert_int_eq(due.dropped_ns, 0);
    due = weft__fixed_step_add(&fixed, limit_ns + 1);
    ck_assert_uint_eq(due.steps, limits[i]);
    ck_assert_int_eq(due.dropped_ns, 1000);
    ck_assert_int_eq(fixed.leftover_ns, 0);
  }
}

LOOP_TEST(the_longest_time_there_is_does_not_overflow, 0, STEP_SIZES) {
  for (uint32_t max_steps = 1; max_steps < 10; ++max_steps) {
    weft__fixed_step fixed = new_fixed(step_sizes[_i], max_steps);
    fixed.leftover_ns = fixed.step_ns - 1;
    const weft_advance due = weft__fixed_step_add(&fixed, INT64_MAX);
    ck_assert_uint_eq(due.steps, max_steps);
    ck_assert_int_gt(due.dropped_ns, 0);
    // unsigned, so that the sum does not overflow
    const uint64_t accounted = (uint64_t)due.dropped_ns + (uint64_t)fixed.leftover_ns +
                               (uint64_t)max_steps * (uint64_t)fixed.step_ns;
    ck_assert_uint_eq(accounted, (uint64_t)INT64_MAX + (uint64_t)fixed.step_ns - 1);
  }
}

// ---- all options, against exact sums ----

__extension__ typedef unsigned __int128 exact;

// Output of each call is the sum of all input, rounded down, minus all earlier output: these sums
// are the only state.
typedef struct ledger {
  int64_t step_ns, min_elapsed_ns, max_elapsed_ns;
  uint32_t max_steps;
  bool smooth, takes_remainder;
  float scale;
  uint64_t last;
  bool has_last;
  exact half_sum;    // averaged time, in half nanoseconds
  exact scaled_sum;  // scaled time, in 2^-64 nanoseconds
  exact gone;        // nanoseconds stepped or dropped so far
} ledger;

// scale as a whole number of 2^-64
static exact exact_scale(float scale) {
  int exponent = 0;
  const exact mantissa = (exact)(frexpf(scale, &exponent) * 0x1p24f);
  const int shift = exponent - 24 + 64;
  if (shift <= -24) return 0;
  return shift >= 0 ? mantissa << shift : mantissa >> -shift;
}

static weft_advance enter(ledger* l, int64_t elapsed_ns) {
  weft_advance out = {.interpolation = 1.0f};
  int64_t taken = elapsed_ns > l->min_elapsed_ns ? elapsed_ns : l->min_elapsed_ns;
  if (l->max_elapsed_ns > 0 && taken > l->max_elapsed_ns) taken = l->max_elapsed_ns;
  out.dropped_ns = elapsed_ns > taken ? elapsed_ns - taken : 0;

  const exact averaged_before = l->half_sum / 2;
  const uint64_t now = (uint64_t)taken;
  l->half_sum += now;
  l->half_sum += l->smooth && l->has_last ? l->last : now;
  l->last = (uint64_t)(l->half_sum / 2 - averaged_before);
  l->has_last = true;
  l->scaled_sum += (l->half_sum / 2 - averaged_before) * exact_scale(l->scale);

  const uint64_t step = (uint64_t)l->step_ns;
  exact left = (l->scaled_sum >> 64) - l->gone;
  while (exact_scale(l->scale) > 0 && left >= step) {
    left -= step;
    l->gone += step;
    if (out.steps < l->max_steps) {
      ++out.steps;
    } else {
      out.dropped_ns += l->step_ns;
    }
  }
  if (l->takes_remainder && left >= 1000) {
    out.remainder_ns = (int64_t)left;
    l->gone += left;
  }
  if (l->takes_remainder) return out;
  const double share = (double)(int64_t)left / (double)l->step_ns;
  out.interpolation = share < 1.0 ? (float)share : 1.0f;
  return out;
}

static float draw_scale(random_source* random) {
  const float scales[] = {0.0f, 1.0f, 0.25f, 0.1f, 1e-3f, 1e-9f, 1e-12f, 3e-19f, 1e-40f, 7.7f};
  if (random_chance(random, 3)) return random_float(random, 0.0f, 20.0f);
  return scales[random_below(random, sizeof(scales) / sizeof(*scales))];
}

static void change(random_source* random, weft__fixed_step* fixed, ledger* l) {
  l->scale = draw_scale(random);
  weft__fixed_step_set_scale(fixed, l->scale);
  if (random_chance(random, 2)) return;
  l->step_ns = fixed->step_ns = random_from(random, 1000, 40000000);
}

enum { OPTIONS = 16 };

RANDOM_TEST(every_option_gives_what_exact_sums_give, OPTIONS* ROUNDS(20, 4)) {
  const int options = _i % OPTIONS;
  ledger l = {.step_ns = step_sizes[1 + _i / OPTIONS % 2],
              .max_steps = random_from(&random, 1, 20),
              .smooth = (options & 1) != 0,
              .takes_remainder = (options & 2) != 0,
              .scale = 1.0f};
  l.max_elapsed_ns = (options & 4) != 0 ? 3 * l.step_ns + 17 : 0;
  l.min_elapsed_ns = (options & 8) != 0 ? l.step_ns / 3 : 0;
  weft_world_def def = plain_def(.step_ns = l.step_ns);
  def.max_steps = l.max_steps;
  def.smooth_elapsed = l.smooth;
  def.remainder = l.takes_remainder ? WEFT_REMAINDER_STEP : WEFT_REMAINDER_CARRY;
  def.max_elapsed_ns = l.max_elapsed_ns;
  def.min_elapsed_ns = l.min_elapsed_ns;
  weft__fixed_step fixed = weft__fixed_step_of(&def);
  for (int call = 0; call < 1000; ++call) {
    if (random_chance(&random, 20)) change(&random, &fixed, &l);
    const int64_t elapsed = draw_elapsed(&random, random_chance(&random, 9) ? 2000 : 16666667);
    const weft_advance due = weft__fixed_step_add(&fixed, elapsed);
    const weft_advance expected = enter(&l, elapsed);
    require(due.steps == expected.steps);
    require(due.remainder_ns == expected.remainder_ns);
    require(due.dropped_ns == expected.dropped_ns);
    require(fabsf(due.interpolation - expected.interpolation) <= 0x1p-24f);
    require(l.takes_remainder ? due.interpolation == 1.0f : due.interpolation < 1.0f);
  }
}

TEST(interpolation_stays_below_one_however_little_is_missing) {
  weft__fixed_step fixed = new_fixed(1000000000, 8);
  for (int64_t missing = 1; missing < 200; ++missing) {
    fixed.leftover_ns = 0;
    const weft_advance due = weft__fixed_step_add(&fixed, 1000000000 - missing);
    ck_assert_uint_eq(due.steps, 0);
    ck_assert(due.interpolation < 1.0f && due.interpolation > 0.9999997f);
  }
}

TEST(at_scale_zero_nothing_is_stepped_and_interpolation_stays) {
  weft__fixed_step fixed = new_fixed(1000000, 8);
  const float before = weft__fixed_step_add(&fixed, 1250000).interpolation;
  ck_assert_float_eq(before, 0.25f);
  weft__fixed_step_set_scale(&fixed, 0.0f);
  for (int call = 0; call < 100; ++call) {
    const weft_advance due = weft__fixed_step_add(&fixed, 16666667);
    ck_assert_uint_eq(due.steps, 0);
    ck_assert_int_eq(due.dropped_ns, 0);
    ck_assert_float_eq(due.interpolation, before);
  }
  // a shorter step makes no steps of the leftover either
  fixed.step_ns = 100000;
  ck_assert_uint_eq(weft__fixed_step_add(&fixed, 16666667).steps, 0);
  weft__fixed_step_set_scale(&fixed, 1.0f);
  ck_assert_uint_eq(weft__fixed_step_add(&fixed, 0).steps, 2);
}

TEST(the_longest_time_at_the_largest_scale_does_not_overflow) {
  for (int options = 0; options < OPTIONS; ++options) {
    weft_world_def def = weft_plain_world_def();
    def.smooth_elapsed = (options & 1) != 0;
    def.remainder = (options & 2) != 0 ? WEFT_REMAINDER_STEP : WEFT_REMAINDER_CARRY;
    def.max_elapsed_ns = (options & 4) != 0 ? INT64_MAX : 0;
    weft__fixed_step fixed = weft__fixed_step_of(&def);
    weft__fixed_step_set_scale(&fixed, 1000.0f);
    for (int call = 0; call < 3; ++call) {
      const weft_advance due = weft__fixed_step_add(&fixed, INT64_MAX);
      ck_assert_uint_eq(due.steps, 8);
      ck_assert_int_eq(due.dropped_ns, INT64_MAX);
      ck_assert(due.remainder_ns >= 0 && due.remainder_ns < def.step_ns);
      ck_assert(fixed.leftover_ns >= 0 && fixed.leftover_ns < def.step_ns);
    }
  }
}
