/* Edges that cross triangles, against brute force over all pairs in integer arithmetic. */
#include "sim/crossings.h"
#include "support/test.h"

enum { MOST_PLACES = 120, MOST_TRIANGLES = 160 };

typedef struct soup {
  float places[MOST_PLACES][3];
  uint32_t triangles[MOST_TRIANGLES][3];
  sim_surface surface;
} soup;

// ---- brute force: coordinates are integers, so nothing is rounded ----

static int64_t whole(float value) {
  return (int64_t)value;
}

static int side(const float* a, const float* b, const float* c, const float* d) {
  int64_t u[3], v[3], w[3];
  for (int i = 0; i < 3; ++i) {
    u[i] = whole(a[i]) - whole(d[i]);
    v[i] = whole(b[i]) - whole(d[i]);
    w[i] = whole(c[i]) - whole(d[i]);
  }
  const int64_t volume = u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) +
                         u[2] * (v[0] * w[1] - v[1] * w[0]);
  return (volume > 0) - (volume < 0);
}

static bool slowly_crosses(const float* p, const float* q, const float* a, const float* b,
                           const float* c) {
  const int from = side(a, b, c, p), to = side(a, b, c, q);
  if (from == 0 || to == 0 || from == to) return false;
  const int first = side(p, q, a, b), second = side(p, q, b, c), third = side(p, q, c, a);
  const bool some_above = first > 0 || second > 0 || third > 0;
  const bool some_below = first < 0 || second < 0 || third < 0;
  return !(some_above && some_below);
}

static bool is_first_time(const soup* s, uint32_t t, uint32_t k) {
  const uint32_t a = s->triangles[t][k], b = s->triangles[t][(k + 1) % 3];
  for (uint32_t i = 0; i < 3 * t + k; ++i) {
    const uint32_t u = s->triangles[i / 3][i % 3], v = s->triangles[i / 3][(i % 3 + 1) % 3];
    if ((u == a && v == b) || (u == b && v == a)) return false;
  }
  return true;
}

static uint64_t count_slowly(const soup* s) {
  uint64_t count = 0;
  for (uint32_t t = 0; t < s->surface.triangle_count; ++t) {
    for (uint32_t k = 0; k < 3; ++k) {
      if (!is_first_time(s, t, k)) continue;
      const uint32_t p = s->triangles[t][k], q = s->triangles[t][(k + 1) % 3];
      for (uint32_t other = 0; other < s->surface.triangle_count; ++other) {
        const uint32_t* o = s->triangles[other];
        if (o[0] == p || o[1] == p || o[2] == p || o[0] == q || o[1] == q || o[2] == q) continue;
        count += slowly_crosses(s->places[p], s->places[q], s->places[o[0]], s->places[o[1]],
                                s->places[o[2]]);
      }
    }
  }
  return count;
}

// ---- random triangles ----

static void make_soup(random_source* random, soup* s, float size, bool far_away) {
  const uint32_t places = random_from(random, 3, MOST_PLACES);
  const uint32_t triangles = random_from(random, 0, MOST_TRIANGLES);
  for (uint32_t i = 0; i < places; ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      s->places[i][axis] = rintf(random_float(random, -size, size));
      if (far_away && random_chance(random, 40)) s->places[i][axis] *= 1000.0f;
    }
  }
  for (uint32_t t = 0; t < triangles; ++t) {
    const uint32_t a = random_below(random, places);
    const uint32_t b = (a + 1 + random_below(random, places - 1)) % places;
    uint32_t c = random_below(random, places);
    while (c == a || c == b) c = (c + 1) % places;
    s->triangles[t][0] = a;
    s->triangles[t][1] = b;
    s->triangles[t][2] = c;
  }
  s->surface = (sim_surface){&s->places[0][0], places, &s->triangles[0][0], triangles};
}

// Small sizes give many pairs that only touch, are coplanar, or have no area.
TEST(all_pairs_that_cross_are_found_and_no_others) {
  static const float sizes[] = {1, 2, 3, 6, 50, 2000};
  static soup s;
  tool_message why;
  uint64_t seen = 0;
  for (uint64_t seed = 0; seed < ROUNDS(90, 60); ++seed) {
    random_source random = {seed};
    sim_crossings crossings;
    make_soup(&random, &s, sizes[seed % 6], seed % 4 == 3);
    ck_assert(sim_find_crossings(&s.surface, &crossings, &why));
    ck_assert_uint_eq(crossings.count, count_slowly(&s));
    seen += crossings.count;
    if (crossings.count == 0) continue;
    const uint32_t* corners = s.triangles[crossings.triangle];
    ck_assert(slowly_crosses(s.places[crossings.edge[0]], s.places[crossings.edge[1]],
                             s.places[corners[0]], s.places[corners[1]], s.places[corners[2]]));
  }
  ck_assert_uint_gt(seen, 3000);
}

// ---- hand-made cases ----

TEST(what_ends_on_a_triangle_does_not_cross_it_and_what_passes_through_its_edge_does) {
  static const float a[3] = {0, 0, 0}, b[3] = {4, 0, 0}, c[3] = {0, 4, 0};
  static const struct {
    float from[3], to[3];
    bool wanted;
  } ways[] = {
      {{1, 1, -1}, {1, 1, 1}, true},           {{1, 1, 1}, {1, 1, -1}, true},
      {{1, 1, 0}, {1, 1, 1}, false},           {{1, 1, 1}, {1, 1, 2}, false},
      {{2, 2, -1}, {2, 2, 1}, true},           {{0, 0, -1}, {0, 0, 1}, true},
      {{3, 3, -1}, {3, 3, 1}, false},          {{-1, 1, 0}, {9, 1, 0}, false},
      {{-1, 1, -1}, {3, 1, 1}, true},          {{-1e-7f, 1, -1}, {-1e-7f, 1, 1}, false},
      {{1e-30f, 1, -1}, {1e-30f, 1, 1}, true}, {{-1e-30f, 1, -1}, {-1e-30f, 1, 1}, false},
  };
  for (size_t i = 0; i < sizeof ways / sizeof ways[0]; ++i) {
    ck_assert_int_eq(sim_way_crosses(ways[i].from, ways[i].to, a, b, c), ways[i].wanted);
    ck_assert_int_eq(sim_way_crosses(ways[i].from, ways[i].to, c, b, a), ways[i].wanted);
  }
}

// A point next to a plane is classified on its own side, regardless of rounding.
TEST(sides_are_exact_next_to_a_slanting_plane) {
  random_source random = {5};
  for (int round = 0; round < 2000; ++round) {
    // x + y + z = 3 for all three, on a grid of 2^-20
    float corners[3][3];
    for (int k = 0; k < 3; ++k) {
      corners[k][0] = ldexpf((float)random_below(&random, 1 << 20), -20) + (k == 0 ? 3.0f : 0.0f);
      corners[k][1] = ldexpf((float)random_below(&random, 1 << 20), -20) + (k == 1 ? 3.0f : 0.0f);
      corners[k][2] = 3.0f - corners[k][0] - corners[k][1];
    }
    // one float above, on and one float below the plane, near the middle of the triangle
    const float x = 1.0f - ldexpf(1.0f, -20), y = 1.0f;
    const float on = 3.0f - x - y, step = nextafterf(on, 9.0f) - on;
    const float above[3] = {x, y, on + step}, below[3] = {x, y, on - step}, at[3] = {x, y, on};
    ck_assert(sim_way_crosses(below, above, corners[0], corners[1], corners[2]));
    ck_assert(!sim_way_crosses(below, at, corners[0], corners[1], corners[2]));
    ck_assert(!sim_way_crosses(at, above, corners[0], corners[1], corners[2]));
  }
}

TEST(a_flat_sheet_crosses_nothing_and_one_pulled_through_itself_does) {
  weft_scene* scene = NULL;
  weft_world* world = NULL;
  weft_sheet_def sheet = weft_default_sheet_def();
  weft_world_def def = weft_plain_world_def();
  sheet.columns = sheet.rows = 12;
  expect_ok(weft_scene_create(&scene));
  expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
  expect_ok(weft_world_create(&def, scene, &world));
  ck_assert_double_eq(sim_count_crossings(world), 0.0);
  // moves the lower left corner through the middle of the cell (5, 5)
  const float through[3] = {5.3f * 0.05f, -5.3f * 0.05f, 0.02f};
  const float behind[3] = {5.3f * 0.05f, -5.3f * 0.05f, -0.02f};
  place_particle(world, 11 * 12, through, NULL);
  place_particle(world, 10 * 12, behind, NULL);
  ck_assert_double_ge(sim_count_crossings(world), 1.0);
}

TEST(what_is_not_finite_is_refused_and_nothing_at_all_crosses_nothing) {
  float places[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {NAN, 0, 0}};
  static const uint32_t triangles[2][3] = {{0, 1, 2}, {0, 1, 3}};
  sim_surface surface = {&places[0][0], 4, &triangles[0][0], 1};
  sim_crossings crossings;
  tool_message why;
  ck_assert(sim_find_crossings(&surface, &crossings, &why));
  ck_assert_uint_eq(crossings.count, 0);
  surface.triangle_count = 0;
  ck_assert(sim_find_crossings(&surface, &crossings, &why));
  surface.triangle_count = 2;
  ck_assert(!sim_find_crossings(&surface, &crossings, &why));
  ck_assert_str_eq(why.text, "the place of particle 3 is not finite");
}
