/* Bullets do not pass through cloth; the counter of passes is checked against hand-made cases. */
#include "sim/passes.h"
#include "support/sim_runs.h"
#include "support/test.h"

// ---- counter of passes ----

enum { SIDE = 5, PLACES = SIDE * SIDE, TRIANGLES = 2 * (SIDE - 1) * (SIDE - 1) };

typedef struct grid {
  float old_places[PLACES][3], places[PLACES][3];
  uint32_t triangles[TRIANGLES][3];
} grid;

/* Square from 0 to 4 in the plane z = 0, with normal z. */
static void make_grid(grid* g) {
  for (uint32_t i = 0; i < PLACES; ++i) {
    const float place[3] = {(float)(i % SIDE), (float)(i / SIDE), 0.0f};
    memcpy(g->places[i], place, sizeof place);
    memcpy(g->old_places[i], place, sizeof place);
  }
  uint32_t(*t)[3] = g->triangles;
  for (uint32_t row = 0; row + 1 < SIDE; ++row) {
    for (uint32_t column = 0; column + 1 < SIDE; ++column) {
      const uint32_t h = row * SIDE + column;
      memcpy(*t++, (const uint32_t[3]){h, h + 1, h + SIDE}, sizeof *t);
      memcpy(*t++, (const uint32_t[3]){h + 1, h + SIDE + 1, h + SIDE}, sizeof *t);
    }
  }
}

static int passes_of(const grid* g, const float from[3], const float to[3]) {
  const sim_passage passage = {
      from, to, &g->old_places[0][0], &g->places[0][0], &g->triangles[0][0], TRIANGLES};
  return sim_count_passes(&passage);
}

TEST(a_way_through_a_grid_counts_once_also_through_edges_and_corners) {
  static const struct {
    float from[3], to[3];
    int passes;
  } ways[] = {
      {{1.3f, 1.4f, -1}, {1.3f, 1.4f, 1}, 1},  {{1.3f, 1.4f, 1}, {1.3f, 1.4f, -1}, -1},
      {{1, 1.5f, -1}, {1, 1.5f, 1}, 1},        {{2, 2, -1}, {2, 2, 3}, 1},
      {{1.5f, 1.5f, -3}, {1.5f, 1.5f, 1}, 1},  {{1.3f, 1.4f, -1}, {3, 2, -0.01f}, 0},
      {{-1, 2, -1}, {-0.5f, 2, 1}, 0},         {{-1, 2, -1}, {9, 2, 0.9f}, 0},
      {{0.5f, 0.5f, -50}, {3.5f, 3, 0.1f}, 1}, {{5, 5, -1}, {5, 5, 1}, 0},
  };
  static grid g;
  make_grid(&g);
  for (size_t i = 0; i < sizeof ways / sizeof ways[0]; ++i) {
    ck_assert_int_eq(passes_of(&g, ways[i].from, ways[i].to), ways[i].passes);
  }
}

// The grid moves by an affine map: a segment passes if its ends lie on opposite sides of the grid
// at their times and the crossing is within the grid.
TEST(ways_through_a_grid_that_moves_are_those_worked_out_in_its_own_frame) {
  static grid g;
  make_grid(&g);
  random_source random = {3};
  int through = 0;
  for (int round = 0; round < ROUNDS(4000, 500); ++round) {
    const float lift = random_float(&random, -2, 2), tilt = random_float(&random, -0.5f, 0.5f);
    for (uint32_t i = 0; i < PLACES; ++i) {
      g.places[i][2] = lift + tilt * g.places[i][0];
    }
    float from[3], to[3];
    for (int axis = 0; axis < 3; ++axis) {
      from[axis] = random_float(&random, axis < 2 ? 0.0f : -2.0f, axis < 2 ? 4.0f : 2.0f);
      to[axis] = random_float(&random, axis < 2 ? 0.0f : -2.0f, axis < 2 ? 4.0f : 2.0f);
    }
    // x and y stay within the grid, so the sides decide
    const double before = (double)from[2];
    const double after = (double)to[2] - (double)lift - (double)tilt * (double)to[0];
    if (fabs(before) < 1e-3 || fabs(after) < 1e-3) continue;
    const int wanted = before < 0.0 && after > 0.0 ? 1 : before > 0.0 && after < 0.0 ? -1 : 0;
    ck_assert_int_eq(passes_of(&g, from, to), wanted);
    through += wanted != 0;
  }
  ck_assert_int_gt(through, ROUNDS(500, 50));
}
