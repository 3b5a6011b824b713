#include "collision/ccd/time_of_impact.h"

#include <math.h>

#include "support/random.h"
#include "support/suite.h"

static weft__vec3 random_place(random_source* random, float size) {
  return (weft__vec3){(double)random_float(random, -size, size),
                      (double)random_float(random, -size, size),
                      (double)random_float(random, -size, size)};
}

// feature pairs with random displacements; some are parallel, flat or at rest
static weft__toi random_meeting(random_source* random) {
  weft__toi m = {.first_count = random_chance(random, 2) ? 1 : 2};
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

START_TEST(meetings_are_never_missed_and_never_told_late) {
  random_source random = {1};
  int met = 0;
  int missed = 0;
  int vague = 0;
  for (int round = 0; round < ROUNDS(3000, 300); ++round) {
    const weft__toi m = random_meeting(&random);
    const double start = weft__toi_closest_points(&m, 0.0).distance;
    const double gap = start > 0.02 ? 0.01 : 0.5 * start;
    if (!(gap > 1e-9)) continue;
    double time = 0.0;
    weft__toi_closest there;
    const bool meets = weft__toi_advance(&m, gap, &time, &there);
    // reference: distances at 2001 times
    double lower = start;
    double first = 2.0;
    for (int n = 0; n <= 2000; ++n) {
      const double distance = weft__toi_closest_points(&m, n / 2000.0).distance;
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
END_TEST

START_TEST(bounds_along_a_normal_hold) {
  random_source random = {2};
  for (int round = 0; round < ROUNDS(3000, 300); ++round) {
    const weft__toi m = random_meeting(&random);
    const weft__toi_closest near = weft__toi_closest_points(&m, 0.0);
    const double bound = weft__toi_bound(&m, near.normal, 0.0);
    for (int n = 0; n <= 100; ++n) {
      require(weft__toi_closest_points(&m, n / 100.0).distance >= bound - 1e-12);
    }
  }
}
END_TEST

START_TEST(weights_of_a_nearness_add_up_to_nothing) {
  random_source random = {3};
  for (int round = 0; round < 1000; ++round) {
    const weft__toi m = random_meeting(&random);
    const weft__toi_closest near = weft__toi_closest_points(&m, 0.0);
    double sum = 0.0;
    for (int k = 0; k < 4; ++k) sum += near.weight[k];
    require(fabs(sum) < 1e-12);
    if (near.distance > 0.0) require(fabs(weft__dot(near.normal, near.normal) - 1.0) < 1e-9);
  }
}
END_TEST

SUITE(time_of_impact) {
  tcase_add_test(tests, meetings_are_never_missed_and_never_told_late);
  tcase_add_test(tests, bounds_along_a_normal_hold);
  tcase_add_test(tests, weights_of_a_nearness_add_up_to_nothing);
}
