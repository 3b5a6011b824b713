#include "geometry/closest_points.h"

#include <math.h>

#include "support/random.h"
#include "support/suite.h"

static weft__vec3 random_place(random_source* random, float size) {
  return (weft__vec3){(double)random_float(random, -size, size),
                      (double)random_float(random, -size, size),
                      (double)random_float(random, -size, size)};
}

static weft__vec3 mix(weft__vec3 a, weft__vec3 b, double share) {
  return weft__plus(weft__scaled(1.0 - share, a), weft__scaled(share, b));
}

static double gap(weft__vec3 a, weft__vec3 b) {
  const weft__vec3 apart = weft__minus(a, b);
  return sqrt(weft__dot(apart, apart));
}

// points, often collinear or coincident
static void draw(random_source* random, weft__vec3* place, int count) {
  const float size = random_chance(random, 8) ? 1e6f : 1.0f;
  for (int n = 0; n < count; ++n) place[n] = random_place(random, size);
  if (random_chance(random, 4)) place[2] = mix(place[0], place[1], 0.3);
  if (random_chance(random, 8)) place[2] = place[1];
  if (random_chance(random, 8)) place[1] = place[0];
  if (random_chance(random, 8)) place[3] = place[2];
  if (random_chance(random, 8)) place[3] = weft__plus(place[2], weft__minus(place[1], place[0]));
}

START_TEST(no_point_of_a_triangle_is_nearer_than_the_nearest) {
  enum { STEPS = 40 };
  random_source random = {1};
  for (int round = 0; round < ROUNDS(1000, 100); ++round) {
    weft__vec3 place[4];
    draw(&random, place, 4);
    double share[3];
    const double found = sqrt(weft__closest_on_triangle(place[3], place, share));
    const double size = 1.0 + gap(place[0], place[1]) + gap(place[0], place[2]);
    weft__vec3 at = {0.0, 0.0, 0.0};
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
      require(share[k] >= 0.0);
      sum += share[k];
      at = weft__plus(at, weft__scaled(share[k], place[k]));
    }
    require(fabs(sum - 1.0) < 1e-9);
    require(fabs(gap(at, place[3]) - found) < 1e-9 * size);
    for (int a = 0; a <= STEPS; ++a) {
      for (int b = 0; a + b <= STEPS; ++b) {
        const weft__vec3 side = mix(place[0], place[1], (double)a / STEPS);
        const weft__vec3 other =
            weft__plus(side, weft__scaled((double)b / STEPS, weft__minus(place[2], place[0])));
        require(gap(other, place[3]) >= found - 1e-5 * size);
      }
    }
  }
}
END_TEST

START_TEST(no_points_of_two_segments_are_nearer_than_the_nearest) {
  enum { STEPS = 40 };
  random_source random = {2};
  for (int round = 0; round < ROUNDS(1000, 100); ++round) {
    weft__vec3 place[4];
    draw(&random, place, 4);
    double a = -1.0;
    double b = -1.0;
    const double found = sqrt(weft__closest_on_segments(place, place + 2, &a, &b));
    const double size = 1.0 + gap(place[0], place[1]) + gap(place[2], place[3]);
    require(a >= 0.0 && a <= 1.0 && b >= 0.0 && b <= 1.0);
    require(fabs(gap(mix(place[0], place[1], a), mix(place[2], place[3], b)) - found) <
            1e-9 * size);
    for (int n = 0; n <= STEPS; ++n) {
      for (int m = 0; m <= STEPS; ++m) {
        const double other = gap(mix(place[0], place[1], (double)n / STEPS),
                                 mix(place[2], place[3], (double)m / STEPS));
        require(other >= found - 1e-5 * size);
      }
    }
  }
}
END_TEST

SUITE(closest_points) {
  tcase_add_test(tests, no_point_of_a_triangle_is_nearer_than_the_nearest);
  tcase_add_test(tests, no_points_of_two_segments_are_nearer_than_the_nearest);
}
