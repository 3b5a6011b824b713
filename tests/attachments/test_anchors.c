#include "solvers/long_range_attachments/anchors.h"

#include "support/test.h"

// rounding of positions and lengths of a few metres
static const float fine = 1e-5f;

static bool is_pinned(const weft_scene* scene, uint32_t particle) {
  return scene->inverse_masses[particle] == 0.0f;
}

// ---- ties, against all paths of a small scene ----

enum { MOST_PARTICLES = 80 };

// all-pairs shortest paths (Floyd-Warshall), through free particles only and through pinned ones
// only
typedef struct oracle {
  uint32_t count;
  double length[MOST_PARTICLES][MOST_PARTICLES];
  bool together[MOST_PARTICLES][MOST_PARTICLES]; /* pinned particles of one island */
} oracle;

static void list_links(oracle* o, const weft_scene* scene) {
  for (uint32_t a = 0; a < o->count; ++a) {
    for (uint32_t b = 0; b < o->count; ++b) o->length[a][b] = a == b ? 0.0 : (double)INFINITY;
    o->together[a][a] = is_pinned(scene, a);
  }
  for (uint32_t i = 0; i < weft_scene_link_count(scene); ++i) {
    weft_link_def link;
    expect_ok(weft_scene_get_links(scene, i, 1, &link));
    const bool pinned = is_pinned(scene, link.a) && is_pinned(scene, link.b);
    o->together[link.a][link.b] = o->together[link.b][link.a] = pinned;
    if (link.relaxation == 0.0f || link.tear_ratio > 0.0f) continue;
    o->length[link.a][link.b] = o->length[link.b][link.a] = (double)link.rest_length;
  }
}

static void ask_oracle(oracle* o, const weft_scene* scene) {
  o->count = weft_scene_particle_count(scene);
  memset(o->together, 0, sizeof(o->together));
  list_links(o, scene);
  for (uint32_t k = 0; k < o->count; ++k) {
    for (uint32_t a = 0; a < o->count; ++a) {
      for (uint32_t b = 0; b < o->count; ++b) {
        if (o->together[a][k] && o->together[k][b]) o->together[a][b] = true;
        if (is_pinned(scene, k)) continue;
        o->length[a][b] = fmin(o->length[a][b], o->length[a][k] + o->length[k][b]);
      }
    }
  }
}

// path length to the k-th nearest island, infinite if there are fewer
static double length_to_island(const oracle* o, const weft_scene* scene, uint32_t particle,
                               uint32_t k) {
  bool seen[MOST_PARTICLES] = {false};
  double nearest = 0.0;
  for (uint32_t found = 0; found <= k; ++found) {
    uint32_t best = UINT32_MAX;
    nearest = (double)INFINITY;
    for (uint32_t a = 0; a < o->count; ++a) {
      if (!is_pinned(scene, a) || seen[a] || o->length[particle][a] >= nearest) continue;
      nearest = o->length[particle][a];
      best = a;
    }
    for (uint32_t a = 0; a < o->count && best != UINT32_MAX; ++a) seen[a] |= o->together[best][a];
  }
  return nearest;
}

static void compare_ties(const oracle* o, const weft_scene* scene, const weft__anchors* anchors,
                         uint32_t particle) {
  const weft__tie* ties = anchors->ties + (size_t)particle * anchors->capacity;
  for (uint32_t k = 0; k < anchors->capacity; ++k) {
    const double expected = length_to_island(o, scene, particle, k);
    require((k < anchors->count[particle]) == !isinf(expected));
    if (isinf(expected)) continue;
    require(fabs(ties[k].length - expected) <= 1e-9 * expected);
    require(fabs(o->length[particle][ties[k].anchor] - expected) <= 1e-9 * expected);
    for (uint32_t j = 0; j < k; ++j) require(!o->together[ties[k].anchor][ties[j].anchor]);
  }
}

// adds links that anchors must ignore: zero relaxation, or tearable
static void add_weak_links(weft_scene* scene, random_source* random) {
  const uint32_t count = weft_scene_particle_count(scene);
  for (int i = 0; i < 5 && count > 1; ++i) {
    const weft_link_def link = {.a = random_below(random, count),
                                .b = random_below(random, count),
                                .rest_length = 0.01f,
                                .relaxation = i % 2 == 0 ? 0.0f : 1.0f,
                                .tear_ratio = i % 2 == 0 ? 0.0f : 2.0f};
    // fails for a linked pair or for a link of a particle with itself
    may_fail(weft_scene_add_links(scene, &link, 1, NULL));
  }
}

static weft_scene* new_small_scene(random_source* random) {
  weft_scene* scene = new_scene();
  if (random_chance(random, 2)) {
    (void)add_sheet(scene, random_from(random, 1, 5), random_from(random, 1, 6),
                    random_from(random, 1, ALL_FAMILIES));
  }
  if (random_chance(random, 3)) (void)add_random_mesh(scene, random, random_from(random, 2, 4));
  add_random_graph(scene, random, random_from(random, 1, 30));
  add_random_links(scene, random, random_below(random, 20));
  add_weak_links(scene, random);
  pin_some(scene, random, random_from(random, 2, 20));
  ck_assert_uint_le(weft_scene_particle_count(scene), MOST_PARTICLES);
  return scene;
}

LOOP_TEST(every_free_particle_is_tied_to_the_nearest_particles_of_the_nearest_islands, 0,
          ROUNDS(200, 40)) {
  static oracle o;
  random_source random = {(uint64_t)_i};
  weft_scene* scene = new_small_scene(&random);
  ask_oracle(&o, scene);
  for (uint32_t upper = 1; upper <= 4; ++upper) {
    weft__anchors anchors;
    ck_assert(weft__anchors_find(&anchors, scene, upper));
    for (uint32_t p = 0; p < o.count; ++p) {
      if (is_pinned(scene, p)) {
        ck_assert_uint_eq(anchors.count[p], 0);
      } else {
        compare_ties(&o, scene, &anchors, p);
      }
    }
    weft__anchors_destroy(&anchors);
  }
}

// ---- reaches ----

// check called for the reach of each tie
typedef void check_reach(const weft_scene* scene, const weft__tie* tie, uint32_t particle,
                         float reach);

// checks all reaches; returns their number
static uint32_t check_reaches(const weft_scene* scene, check_reach* check) {
  weft__anchors anchors;
  uint32_t count = 0;
  ck_assert(weft__anchors_find(&anchors, scene, 4));
  for (uint32_t p = 0; p < weft_scene_particle_count(scene); ++p) {
    for (uint32_t k = 0; k < anchors.count[p]; ++k, ++count) {
      const weft__tie* tie = &anchors.ties[(size_t)p * anchors.capacity + k];
      check(scene, tie, p, weft__tie_reach(tie, &anchors, scene, p));
    }
  }
  weft__anchors_destroy(&anchors);
  return count;
}

static void is_straight(const weft_scene* scene, const weft__tie* tie, uint32_t particle,
                        float reach) {
  const float straight = weft__scene_distance(scene, particle, tie->anchor);
  require(reach >= straight && reach <= (1.0f + 3.0f * fine) * straight);
}

static void is_along_links(const weft_scene* scene, const weft__tie* tie, uint32_t particle,
                           float reach) {
  (void)scene;
  (void)particle;
  require((double)reach >= tie->length && (double)reach <= tie->length * (1.0 + 3e-5));
}

RANDOM_TEST(on_a_flat_sheet_reaches_are_straight_lines, ROUNDS(30, 8)) {
  weft_scene* scene = new_scene();
  const uint32_t columns = random_from(&random, 2, 60);
  const weft_body sheet = add_sheet(scene, columns, random_from(&random, 3, 60),
                                    STRUCTURAL | SHEAR | (random_chance(&random, 2) ? BEND : 0u));
  // pins on part of the top row and on a lower corner: neither obstructs the straight lines to the
  // other
  const uint32_t row = random_from(&random, 1, columns);
  expect_ok(weft_scene_pin(scene, weft_range(0, row)));
  if (random_chance(&random, 2))
    expect_ok(weft_scene_pin(scene, weft_range(sheet.particle_count - 1, 1)));
  ck_assert_uint_gt(check_reaches(scene, is_straight), 0);
}

LOOP_TEST(where_a_zigzag_can_be_pulled_straight_a_reach_is_all_of_it, 0, 2) {
  weft_scene* scene = new_scene();
  // a sheet without diagonals can be sheared
  (void)add_sheet(scene, 20, 30, _i == 0 ? STRUCTURAL : STRUCTURAL | BEND);
  float positions[50][3] = {{0.0f}};
  float inverse_masses[50];
  weft_link_def links[49];
  weft_body rope;
  for (uint32_t i = 0; i < 50; ++i) {
    positions[i][0] = (float)i;
    positions[i][1] = 10.0f + (i % 2 == 0 ? 0.2f : 0.0f);
    inverse_masses[i] = 1.0f;
  }
  expect_ok(weft_scene_add_particles(scene, positions[0], inverse_masses, 50, &rope));
  for (uint32_t i = 0; i < 49; ++i) {
    const uint32_t a = rope.first_particle + i;
    links[i] = (weft_link_def){.a = a, .b = a + 1, .rest_length = 1.02f, .relaxation = 1.0f};
  }
  expect_ok(weft_scene_add_links(scene, links, 49, NULL));
  expect_ok(weft_scene_pin(scene, weft_range(3, 1)));
  expect_ok(weft_scene_pin(scene, weft_range(rope.first_particle, 1)));
  ck_assert_uint_eq(check_reaches(scene, is_along_links), 20 * 30 - 1 + 49);
}

LOOP_TEST(a_cloth_that_is_drawn_slack_or_tight_reaches_as_far_as_its_links, 0, 2) {
  const float slack = _i == 0 ? 0.5f : 2.0f;
  weft_scene* scene = new_sheet_scene(20, 20, STRUCTURAL | SHEAR);
  for (uint32_t i = 0; i < scene->links.count; ++i) scene->links.rest_length[i] *= slack;
  expect_ok(weft_scene_pin(scene, weft_range(0, 1)));
  weft__anchors anchors;
  ck_assert(weft__anchors_find(&anchors, scene, 1));
  for (uint32_t p = 1; p < 400; ++p) {
    const float expected = slack * weft__scene_distance(scene, p, 0);
    ck_assert_float_eq_tol(weft__tie_reach(&anchors.ties[p], &anchors, scene, p), expected,
                           3 * fine);
  }
  weft__anchors_destroy(&anchors);
}
