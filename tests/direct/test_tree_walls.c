/* Trees of links in contact with walls: lengths, Coulomb friction and separation. */
#include "support/test.h"

enum { MOST = 64 };

// tree of particles in a vertical plane; particle i is linked to parents[i]
typedef struct tree {
  uint32_t count;
  float places[MOST][3];
  float masses[MOST];
  uint32_t parents[MOST];
} tree;

static double distance(const float* a, const float* b) {
  double squared = 0.0;
  for (int axis = 0; axis < 3; ++axis) squared += pow((double)a[axis] - (double)b[axis], 2.0);
  return sqrt(squared);
}

static weft_world* new_tree_world(const tree* t, weft_world_def* def,
                                  const weft_bounds_def* bounds) {
  weft_scene* scene = new_scene();
  for (uint32_t i = 0; i < t->count; ++i) {
    const float inverse = t->masses[i] > 0.0f ? 1.0f / t->masses[i] : 0.0f;
    expect_ok(weft_scene_add_particles(scene, t->places[i], &inverse, 1, NULL));
    if (i == 0) continue;
    const float length = (float)distance(t->places[i], t->places[t->parents[i]]);
    const weft_link_def link = {
        .a = t->parents[i], .b = i, .rest_length = length, .relaxation = 1.0f};
    expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
  }
  weft_world* world = new_world(def, scene);
  if (bounds) expect_ok(weft_world_set_bounds(world, bounds));
  return world;
}

static weft_bounds_def floor_of(float friction) {
  return floor_bounds(0.0f, friction);
}

// largest relative length error of all links
static double worst_strain(const weft_world* world, const tree* t) {
  float now[MOST][3];
  double worst = 0.0;
  expect_ok(weft_world_get_positions(world, 0, t->count, &now[0][0]));
  for (uint32_t i = 1; i < t->count; ++i) {
    const double rest = distance(t->places[i], t->places[t->parents[i]]);
    worst = fmax(worst, fabs(distance(now[i], now[t->parents[i]]) / rest - 1.0));
  }
  return worst;
}

static tree random_tree(random_source* random) {
  tree t = {.count = random_from(random, 4, 24)};
  for (uint32_t i = 0; i < t.count; ++i) {
    t.masses[i] = random_float(random, 0.5f, 10.0f);
    t.parents[i] = i == 0 ? 0 : random_below(random, i);
    for (int axis = 0; axis < 3; ++axis) {
      const float from = i == 0 ? 0.0f : t.places[t.parents[i]][axis];
      t.places[i][axis] =
          from + random_float(random, 0.2f, 0.5f) * (random_below(random, 2) ? 1.0f : -1.0f);
    }
  }
  return t;
}

RANDOM_TEST(trees_that_fall_into_a_box_keep_their_lengths, ROUNDS(12, 5)) {
  tree t = random_tree(&random);
  weft_world_def def = plain_def(.substeps = 16);
  weft_bounds_def bounds = floor_of(random_float(&random, 0.0f, 1.0f));
  bounds.lower[0] = -6.0f;
  bounds.upper[0] = 6.0f;
  bounds.restitution = 0.2f;
  for (uint32_t i = 0; i < t.count; ++i) t.places[i][1] += 9.0f;
  weft_world* world = new_tree_world(&t, &def, &bounds);
  double worst = 0.0;
  for (int step = 0; step < 240; ++step) {
    weft_world_step(world, 1);
    worst = fmax(worst, worst_strain(world, &t));
  }
  ck_assert_double_lt(worst, 0.05);
  ck_assert_double_lt(worst_strain(world, &t), 0.01);
}

/* Light foot under a heavy weight: a solve that ignored the floor would compress the leg. */
TEST(a_leg_bears_what_stands_on_it) {
  tree t = {.count = 3,
            .places = {{0, 0, 0}, {0, 0.4f, 0}, {0, 0.8f, 0}},
            .masses = {0.1f, 1.0f, 100.0f},
            .parents = {0, 0, 1}};
  for (int i = 0; i < 3; ++i) t.places[i][1] += 2.0f;
  weft_world_def def = plain_def(.substeps = 8);
  const weft_bounds_def bounds = floor_of(0.5f);
  weft_world* world = new_tree_world(&t, &def, &bounds);
  double worst = 0.0;
  for (int step = 0; step < 120; ++step) {
    weft_world_step(world, 1);
    worst = fmax(worst, worst_strain(world, &t));
  }
  ck_assert_double_lt(worst, 0.04);
  float top[3];
  expect_ok(weft_world_get_positions(world, 2, 1, top));
  ck_assert_float_eq_tol(top[1], 0.8f, 0.005f);
}

/* Two rods that lean against each other, with light feet and a weight on top, stand while the
 * tangent of the angle between a rod and the vertical is less than the friction. */
LOOP_TEST(what_leans_stands_as_long_as_friction_holds_its_feet, 0, 8) {
  static const float tangents[] = {0.2f, 0.5f, 0.9f, 1.5f};
  const float tangent = tangents[_i % 4];
  const bool stands = _i < 4;
  const float friction = stands ? 1.1f * tangent : 0.9f * tangent;
  tree t = {.count = 3,
            .places = {{-tangent, 0, 0}, {0, 1, 0}, {tangent, 0, 0}},
            .masses = {0.01f, 10.0f, 0.01f},
            .parents = {0, 0, 1}};
  weft_world_def def = plain_def(.substeps = 4);
  const weft_bounds_def bounds = floor_of(friction);
  weft_world* world = new_tree_world(&t, &def, &bounds);
  weft_world_step(world, 120);
  float top[3];
  expect_ok(weft_world_get_positions(world, 1, 1, top));
  if (stands) ck_assert_float_eq_tol(top[1], 1.0f, 0.02f);
  if (!stands) ck_assert_float_lt(top[1], 0.7f);
}

/* Coulomb sliding: the deceleration is dynamic friction times gravity, the distance v^2 / (2
 * friction g). */
LOOP_TEST(a_chain_slides_as_far_as_coulombs_law_says, 0, 4) {
  const double friction = _i % 2 == 0 ? 0.3 : 0.1, speed = 3.0;
  tree t = {.count = 4,
            .places = {{-0.3f, 0, 0}, {0, 0, 0}, {0.3f, 0, 0}, {0, 0, 0.3f}},
            .masses = {5.0f, 0.5f, 5.0f, 0.5f},
            .parents = {0, 0, 1, 1}};
  weft_world_def def = plain_def(.undamped = true, .substeps = 4);
  weft_bounds_def bounds = floor_of((float)friction);
  if (_i >= 2) bounds.static_friction *= 2.0f;
  weft_world* world = new_tree_world(&t, &def, &bounds);
  for (uint32_t i = 0; i < t.count; ++i) {
    place_particle(world, i, t.places[i], (const float[3]){(float)speed, 0, 0});
  }
  weft_world_step(world, 300);
  float now[3];
  expect_ok(weft_world_get_positions(world, 1, 1, now));
  const double way = speed * speed / (2.0 * friction * 9.81);
  ck_assert_double_eq_tol((double)now[0], way, 0.05 * way);
}

TEST(what_is_pulled_up_comes_off_the_floor) {
  tree t = {.count = 20};
  for (uint32_t i = 0; i < t.count; ++i) {
    t.places[i][0] = 0.1f * (float)i;
    t.masses[i] = i == 0 ? 0.0f : 0.1f;
    t.parents[i] = i == 0 ? 0 : i - 1;
  }
  weft_world_def def = plain_def(.substeps = 4);
  const weft_bounds_def bounds = floor_of(0.8f);
  weft_world* world = new_tree_world(&t, &def, &bounds);
  for (int step = 0; step < 240; ++step) {
    const float target[3] = {0.0f, fminf(3.0f, 0.02f * (float)step), 0.0f};
    expect_ok(weft_world_move_particles(world, 0, 1, target, 0));
    weft_world_step(world, 1);
    ck_assert_double_lt(worst_strain(world, &t), 0.02);
  }
  float end[3];
  expect_ok(weft_world_get_positions(world, t.count - 1, 1, end));
  ck_assert_float_gt(end[1], 0.9f);
}

RANDOM_TEST(out_of_reach_of_walls_nothing_changes, 10) {
  const tree t = random_tree(&random);
  weft_world_def def = weft_plain_world_def();
  weft_bounds_def far = floor_of(0.5f);
  far.lower[1] = -1000.0f;
  weft_world* with = new_tree_world(&t, &def, &far);
  weft_world* without = new_tree_world(&t, &def, NULL);
  for (int step = 0; step < 60; ++step) {
    weft_world_step(with, 1);
    weft_world_step(without, 1);
    ck_assert(weft_world_hash(with) == weft_world_hash(without));
  }
}

// world of trees that fall into a box
static weft_world* new_wood(weft_isa isa, uint32_t workers) {
  random_source random = {7};
  weft_scene* scene = new_scene();
  for (uint32_t n = 0; n < 150; ++n) {
    const tree t = random_tree(&random);
    weft_body body;
    float inverse[MOST];
    for (uint32_t i = 0; i < t.count; ++i) inverse[i] = 1.0f / t.masses[i];
    expect_ok(weft_scene_add_particles(scene, &t.places[0][0], inverse, t.count, &body));
    for (uint32_t i = 1; i < t.count; ++i) {
      const weft_link_def link = {
          .a = body.first_particle + t.parents[i],
          .b = body.first_particle + i,
          .rest_length = (float)distance(t.places[i], t.places[t.parents[i]]),
          .relaxation = 1.0f};
      expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
    }
  }
  weft_world* world = new_plain_world(scene, .isa = isa, .worker_count = workers);
  weft_bounds_def bounds = floor_of(0.5f);
  bounds.lower[1] = -2.0f;
  bounds.lower[0] = -1.5f;
  bounds.restitution = 0.3f;
  expect_ok(weft_world_set_bounds(world, &bounds));
  return world;
}

TEST(trees_at_walls_have_one_hash_for_all_workers_and_instruction_sets) {
  uint64_t first = 0;
  static const uint32_t workers[] = {1, 2, 3, 7};
  for (machine m = {0}; next_machine(&m, 4, 0);) {
    weft_world* world = new_wood(m.isa, workers[m.w]);
    ck_assert_uint_eq(stats_of(world).worker_count, workers[m.w]);
    weft_world_step(world, ROUNDS(60, 40));
    expect_final_hash(world, &first);
  }
}
