#include "modules/ccd/kernels.h"
#include "support/time_of_impact.h"

#include "kernels/kernels.h"
#include "support/test.h"

static weft__vec3 random_place(random_source* random, float size) {
  return (weft__vec3){(double)random_float(random, -size, size),
                      (double)random_float(random, -size, size),
                      (double)random_float(random, -size, size)};
}

// feature pairs with random displacements; some are parallel, flat or at rest
static toi_motion random_impact(random_source* random) {
  toi_motion m = {.first_count = random_chance(random, 2) ? 1 : 2};
  for (int k = 0; k < 4; ++k) {
    m.start[k] = random_place(random, 1.0f);
    m.displacement[k] = random_place(random, random_chance(random, 4) ? 0.0f : 2.0f);
  }
  if (random_chance(random, 4)) {
    m.start[3] = weft__plus(m.start[2], weft__minus(m.start[1], m.start[0]));
  }
  if (random_chance(random, 4)) {
    for (int k = m.first_count; k < 4; ++k) m.start[k].y = m.displacement[k].y = 0.0;
  }
  if (random_chance(random, 8)) m.start[2] = m.start[3];
  return m;
}

TEST(times_of_impact_are_never_missed_and_never_late) {
  random_source random = {1};
  int met = 0;
  int missed = 0;
  int vague = 0;
  for (int round = 0; round < ROUNDS(3000, 300); ++round) {
    const toi_motion m = random_impact(&random);
    const double start = toi_closest_points(&m, 0.0).distance;
    const double gap = start > 0.02 ? 0.01 : 0.5 * start;
    if (!(gap > 1e-9)) continue;
    double time = 0.0;
    toi_closest there;
    const bool meets = toi_advance(&m, gap, &time, &there);
    // reference: distances at 2001 times
    double lower = start;
    double first = 2.0;
    for (int n = 0; n <= 2000; ++n) {
      const double distance = toi_closest_points(&m, n / 2000.0).distance;
      if (distance < lower) lower = distance;
      if (distance < gap && first > 1.0) first = n / 2000.0;
    }
    if (!meets) require(lower >= gap * 0.999);
    if (meets) require(time <= first);
    // false positives: pairs that rotate about each other until iterations run out
    vague += meets && (there.distance > gap * 1.11 || lower > 1.2 * gap);
    met += meets;
    missed += !meets;
  }
  require(met > 20 && missed > 20);
  require(vague * 50 < met + missed);
}

TEST(bounds_along_a_normal_hold) {
  random_source random = {2};
  for (int round = 0; round < ROUNDS(3000, 300); ++round) {
    const toi_motion m = random_impact(&random);
    const toi_closest near = toi_closest_points(&m, 0.0);
    const double bound = toi_bound(&m, near.normal, 0.0);
    for (int n = 0; n <= 100; ++n) {
      require(toi_closest_points(&m, n / 100.0).distance >= bound - 1e-12);
    }
  }
}

TEST(weights_of_closest_points_add_up_to_0) {
  random_source random = {3};
  for (int round = 0; round < 1000; ++round) {
    const toi_motion m = random_impact(&random);
    const toi_closest near = toi_closest_points(&m, 0.0);
    double sum = 0.0;
    for (int k = 0; k < 4; ++k) sum += near.weight[k];
    require(fabs(sum) < 1e-12);
    if (near.distance > 0.0) require(fabs(weft__dot(near.normal, near.normal) - 1.0) < 1e-9);
  }
}

// ---- lanes ----

// Pairs of one kind, far from the origin; some at rest, parallel, flat, degenerate or no numbers.
static void make_batch(random_source* random, weft__toi_batch* batch) {
  memset(batch, 0, sizeof(*batch));
  batch->count = random_from(random, 1, WEFT__TOI_LANES);
  batch->first_count = random_chance(random, 2) ? 1 : 2;
  batch->may_hit = random_chance(random, 4) ? (uint32_t)random_bits(random) : UINT32_MAX;
  for (uint32_t lane = 0; lane < batch->count; ++lane) {
    toi_motion m = random_impact(random);
    for (int k = 0; k < 4; ++k) {
      const double start[3] = {m.start[k].x, m.start[k].y, m.start[k].z};
      const double by[3] = {m.displacement[k].x, m.displacement[k].y, m.displacement[k].z};
      for (int axis = 0; axis < 3; ++axis) {
        batch->start[k][axis][lane] = 30.0f + (float)start[axis];
        batch->now[k][axis][lane] = batch->start[k][axis][lane] + (float)by[axis];
      }
    }
    batch->gap[lane] = random_float(random, 1e-4f, 0.1f);
    const float lost = random_chance(random, 2) ? NAN : INFINITY;
    if (random_chance(random, 20)) batch->now[2][1][lane] = lost;
  }
}

// The same pair for the reference.
static toi_motion motion_of(const weft__toi_batch* batch, uint32_t lane) {
  toi_motion m = {.first_count = batch->first_count};
  double at[3], by[3];
  for (int k = 0; k < 4; ++k) {
    for (int axis = 0; axis < 3; ++axis) {
      const double start = (double)batch->start[k][axis][lane];
      at[axis] = start - (double)batch->start[0][axis][lane];
      by[axis] = (double)batch->now[k][axis][lane] - start;
    }
    m.start[k] = (weft__vec3){at[0], at[1], at[2]};
    m.displacement[k] = (weft__vec3){by[0], by[1], by[2]};
  }
  return m;
}

static bool same(double a, double b) {
  return memcmp(&a, &b, sizeof(a)) == 0 || (isnan(a) && isnan(b));
}

// Requires a lane of the batch to be as the reference has it; true if it hits.
static bool check_lane(const weft__toi_batch* batch, uint32_t lane) {
  const toi_motion m = motion_of(batch, lane);
  const toi_closest at_start = toi_closest_points(&m, 0.0);
  const double bound = toi_bound(&m, at_start.normal, 0.0);
  require(same(batch->distance[lane], at_start.distance));
  require(same(batch->bound[lane], bound));
  const double limit = 0.9 * at_start.distance;
  const double gap = (double)batch->gap[lane] < limit ? (double)batch->gap[lane] : limit;
  double time;
  toi_closest near;
  const bool hits = (batch->may_hit >> lane & 1u) != 0 &&
                    at_start.distance > 1e-9 * (double)batch->gap[lane] && !(bound >= gap) &&
                    toi_advance(&m, gap, &time, &near);
  require(hits == ((batch->hits >> lane & 1u) != 0));
  if (!hits) return false;
  const double normal[3] = {near.normal.x, near.normal.y, near.normal.z};
  for (int axis = 0; axis < 3; ++axis) require(same(batch->normal[axis][lane], normal[axis]));
  for (int k = 0; k < 4; ++k) require(same(batch->weight[k][lane], near.weight[k]));
  return true;
}

TEST(lanes_agree_with_the_reference_bit_for_bit) {
  for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
    const weft__kernels* kernels = weft__kernels_select((weft_isa)isa);
    random_source random = {4};
    uint32_t hits = 0;
    uint32_t pairs = 0;
    for (int round = 0; round < ROUNDS(1000, 100); ++round) {
      weft__toi_batch batch;
      make_batch(&random, &batch);
      weft__ccd_kernels_of(kernels)->test_feature_pairs(&batch);
      for (uint32_t lane = 0; lane < batch.count; ++lane) hits += check_lane(&batch, lane);
      pairs += batch.count;
    }
    require(hits > pairs / 20 && hits < pairs / 2);
  }
}
