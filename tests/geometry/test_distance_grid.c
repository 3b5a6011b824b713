#include "support/solid.h"
#include "support/test.h"

enum { MOST_SAMPLES = 40 * 40 * 40 };

typedef struct lattice {
  float samples[MOST_SAMPLES];
  uint32_t size[3];
  float spacing;
} lattice;

static weft_collider_def def_of(const lattice* of) {
  weft_collider_def def = {.shape = WEFT_COLLIDER_SHAPE_DISTANCE_GRID,
                           .samples = of->samples,
                           .size = {of->size[0], of->size[1], of->size[2]},
                           .spacing = of->spacing};
  return def;
}

static double clamp(double value, double lower, double upper) {
  return value < lower ? lower : value > upper ? upper : value;
}

// Oracle: trilinear interpolation, one axis after another; infinite outside of the grid.
static double told_distance(const void* scene, weft__vec3 point) {
  const lattice* of = scene;
  const double at[3] = {point.x / (double)of->spacing, point.y / (double)of->spacing,
                        point.z / (double)of->spacing};
  uint32_t first[3];
  double share[3];
  for (int axis = 0; axis < 3; ++axis) {
    if (at[axis] < -1e-9 || at[axis] > of->size[axis] - 1 + 1e-9) return INFINITY;
    first[axis] = (uint32_t)clamp(floor(at[axis]), 0, of->size[axis] - 2);
    share[axis] = clamp(at[axis] - first[axis], 0.0, 1.0);
  }
  double plane[2];
  for (uint32_t k = 0; k < 2; ++k) {
    double line[2];
    for (uint32_t j = 0; j < 2; ++j) {
      const float* row =
          &of->samples[((first[2] + k) * of->size[1] + first[1] + j) * of->size[0] + first[0]];
      line[j] = (1.0 - share[0]) * (double)row[0] + share[0] * (double)row[1];
    }
    plane[k] = (1.0 - share[1]) * line[0] + share[1] * line[1];
  }
  return (1.0 - share[2]) * plane[0] + share[2] * plane[1];
}

static void fill_ball(lattice* made, uint32_t side, float radius) {
  made->size[0] = made->size[1] = made->size[2] = side;
  made->spacing = 2.0f / (float)(side - 1);
  for (uint32_t i = 0; i < side * side * side; ++i) {
    const double x = (double)made->spacing * (i % side) - 1.0;
    const double y = (double)made->spacing * (i / side % side) - 1.0;
    const double z = (double)made->spacing * (i / side / side) - 1.0;
    made->samples[i] = (float)(sqrt(x * x + y * y + z * z) - (double)radius);
  }
}

static void fill_noise(lattice* made, random_source* random) {
  for (int axis = 0; axis < 3; ++axis) made->size[axis] = random_from(random, 2, 9);
  made->spacing = 0.25f;
  for (uint32_t i = 0; i < made->size[0] * made->size[1] * made->size[2]; ++i) {
    made->samples[i] = random_float(random, -0.3f, 1.0f);
  }
}

static weft__vec3 far_corner(const lattice* of) {
  const double spacing = (double)of->spacing;
  return (weft__vec3){(of->size[0] - 1) * spacing, (of->size[1] - 1) * spacing,
                      (of->size[2] - 1) * spacing};
}

RANDOM_TEST(places_are_as_far_as_the_samples_around_tell, 3) {
  static lattice lattice_of;
  for (int round = 0; round < ROUNDS(100, 10); ++round) {
    fill_noise(&lattice_of, &random);
    const weft_collider_def def = def_of(&lattice_of);
    tested_solid solid = new_solid(&weft__distance_grid_row, &def, told_distance, &lattice_of);
    const weft__vec3 upper = far_corner(&lattice_of);
    for (int ask = 0; ask < 50; ++ask) {
      const weft__vec3 point =
          random_place(&random, (weft__vec3){-0.2, -0.2, -0.2}, weft__scaled(1.2, upper));
      const double expected = told_distance(&lattice_of, point);
      weft__surface_point nearest;
      const double reach = (double)random_float(&random, 0.0f, 0.5f);
      const bool found = solid.row->find_nearest(&solid.shape, point, reach, &nearest);
      require(found == (expected <= reach));
      if (!found) continue;
      require(fabs(nearest.distance - expected) < 1e-9);
      // the normal is the direction of the largest increase of the distance
      const weft__vec3 around[3] = {{1e-6, 0, 0}, {0, 1e-6, 0}, {0, 0, 1e-6}};
      double slope[3];
      bool in_one_cell = true;
      for (int axis = 0; axis < 3; ++axis) {
        slope[axis] = (told_distance(&lattice_of, weft__plus(point, around[axis])) -
                       told_distance(&lattice_of, weft__minus(point, around[axis]))) /
                      2e-6;
        const double at[3] = {point.x * 4, point.y * 4, point.z * 4};
        if (fabs(at[axis] - nearbyint(at[axis])) < 1e-4) in_one_cell = false;
      }
      if (!in_one_cell) continue;
      const double length = sqrt(slope[0] * slope[0] + slope[1] * slope[1] + slope[2] * slope[2]);
      if (length < 1e-3) continue;
      require(fabs(nearest.normal.x - slope[0] / length) < 1e-4);
      require(fabs(nearest.normal.y - slope[1] / length) < 1e-4);
      require(fabs(nearest.normal.z - slope[2] / length) < 1e-4);
    }
    solid.row->destroy(&solid.shape);
  }
}

LOOP_TEST(casts_stop_at_the_first_place_that_is_near_enough, 0, 4) {
  random_source random = {(uint64_t)_i + 100};
  static lattice lattice_of;
  int hits = 0;
  for (int round = 0; round < ROUNDS(200, 20); ++round) {
    fill_noise(&lattice_of, &random);
    const weft_collider_def def = def_of(&lattice_of);
    tested_solid solid = new_solid(&weft__distance_grid_row, &def, told_distance, &lattice_of);
    const weft__vec3 upper = far_corner(&lattice_of);
    for (int ask = 0; ask < 20; ++ask) {
      const weft__vec3 low = {-0.2, -0.2, -0.2};
      weft__vec3 from = random_place(&random, low, weft__scaled(1.2, upper));
      weft__vec3 to = random_place(&random, low, weft__scaled(1.2, upper));
      // also along lines of samples
      if (random_chance(&random, 3)) to.x = from.x = 0.25 * random_below(&random, 9);
      if (random_chance(&random, 3)) to.y = from.y = 0.25 * random_below(&random, 9);
      const double radius = random_chance(&random, 2) ? 0.0 : 0.1;
      weft__cast cast;
      const bool met = solid.row->cast(&solid.shape, from, to, radius, &cast);
      const weft__vec3 way = weft__minus(to, from);
      const double until = met ? cast.fraction : 1.0;
      for (int step = 0; step < 400; ++step) {
        const weft__vec3 at = weft__plus(from, weft__scaled(until * step / 400.0, way));
        require((met && until == 0.0) || told_distance(&lattice_of, at) > radius - 1e-9);
      }
      if (!met) continue;
      hits += 1;
      const weft__vec3 at = weft__plus(from, weft__scaled(until, way));
      const double distance = told_distance(&lattice_of, at);
      // a cast that enters at the boundary of the grid may start inside
      require(distance <= radius + 1e-9);
    }
    solid.row->destroy(&solid.shape);
  }
  require(hits > ROUNDS(500, 50));
}

LOOP_TEST(boxes_meet_what_is_inside_and_not_what_is_far, 0, 2) {
  random_source random = {(uint64_t)_i + 300};
  static lattice lattice_of;
  fill_ball(&lattice_of, 20, 0.5f);
  const weft_collider_def def = def_of(&lattice_of);
  tested_solid solid = new_solid(&weft__distance_grid_row, &def, told_distance, &lattice_of);
  int counts[2] = {0, 0};
  for (int round = 0; round < ROUNDS(3000, 500); ++round) {
    const weft__vec3 center =
        random_place(&random, (weft__vec3){-0.5, -0.5, -0.5}, (weft__vec3){2.5, 2.5, 2.5});
    const double size = (double)random_float(&random, 0.01f, 0.4f);
    const weft__vec3 half_edges[3] = {{size, 0, 0}, {0, size, 0}, {0, 0, size}};
    const bool meets = solid.row->overlaps_box(&solid.shape, center, half_edges);
    counts[meets ? 1 : 0] += 1;
    const double x = fmax(fabs(center.x - 1.0) - size, 0.0);
    const double y = fmax(fabs(center.y - 1.0) - size, 0.0);
    const double z = fmax(fabs(center.z - 1.0) - size, 0.0);
    const double apart = sqrt(x * x + y * y + z * z) - 0.5;
    if (apart < -0.02) require(meets);
    if (apart > 0.6 * size + 0.02) require(!meets);
  }
  require(counts[0] > 20 && counts[1] > 20);
  solid.row->destroy(&solid.shape);
}

TEST(what_is_wrong_with_a_grid_is_named) {
  static lattice lattice_of;
  fill_ball(&lattice_of, 5, 0.5f);
  const weft__shape_row* row = &weft__distance_grid_row;
  weft_collider_def def = def_of(&lattice_of);
  expect_ok(row->check(&def));
  const float bad[] = {NAN, INFINITY, -INFINITY};
  for (int k = 0; k < 3; ++k) {
    lattice_of.samples[124] = bad[k];
    expect_error_at(row->check(&def), WEFT_ERROR_NOT_FINITE, "weft_collider_def.samples", 124);
  }
}
