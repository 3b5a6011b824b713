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
  expect_get(world, WEFT_ATTRIBUTE_POSITION, 0, t->count, &now[0][0]);
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
  expect_get(world, WEFT_ATTRIBUTE_POSITION, 2, 1, top);
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
  expect_get(world, WEFT_ATTRIBUTE_POSITION, 1, 1, top);
  if (stands) ck_assert_float_eq_tol(top[1], 1.0f, 0.02f);
  if (!stands) ck_assert_float_lt(top[1], 0.7f);
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
