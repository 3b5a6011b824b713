/* Exclusions over joints, against shortest paths of all particles, and welds in a row. */
#include "collision/self/seams.h"

#include <math.h>

#include "support/joined.h"
#include "support/test.h"
#include "world/world.h"

enum { SIDE = 6, COUNT = 2 * SIDE * SIDE, JOINTS = 24 };

typedef struct distances {
  float between[COUNT][COUNT];  // metres, in solver order
} distances;

static void join(distances* d, uint32_t a, uint32_t b, float length) {
  d->between[a][b] = d->between[b][a] = fminf(d->between[a][b], length);
}

// Floyd 1962, "Algorithm 97: shortest path"
static void relax_all(distances* d) {
  for (uint32_t k = 0; k < COUNT; ++k) {
    for (uint32_t a = 0; a < COUNT; ++a) {
      for (uint32_t b = 0; b < COUNT; ++b)
        d->between[a][b] = fminf(d->between[a][b], d->between[a][k] + d->between[k][b]);
    }
  }
}

// shortest paths along the links of two sheets of unit spacing
static distances* new_distances(const weft_world* world) {
  distances* d = test_alloc(sizeof(*d));
  for (uint32_t a = 0; a < COUNT; ++a) {
    for (uint32_t b = 0; b < COUNT; ++b) d->between[a][b] = a == b ? 0.0f : INFINITY;
  }
  const uint32_t* solver_of = world->stepper.schedule.solver_of;
  for (uint32_t i = 0; i < COUNT; ++i) {
    if (i % SIDE + 1 < SIDE) join(d, solver_of[i], solver_of[i + 1], 1.0f);
    if (i / SIDE % SIDE + 1 < SIDE) join(d, solver_of[i], solver_of[i + SIDE], 1.0f);
  }
  relax_all(d);
  return d;
}

static void add_random_joint(weft_world* world, random_source* random, distances* d,
                             const distances* links) {
  const uint32_t* solver_of = world->stepper.schedule.solver_of;
  weft_joint_def def = joint_between(random_below(random, COUNT), random_below(random, COUNT));
  if (def.particle == def.to[0]) return;
  def.rest_length = (float)random_below(random, 3) * 0.25f;
  if (random_below(random, 8) == 0) def.mode = WEFT_LINK_MODE_COMPRESS;
  // between two neighbours, at a quarter of their distance
  const uint32_t next = def.to[0] + 1;
  const bool is_between = next % SIDE != 0 && next != def.particle;
  if (is_between && random_below(random, 2) == 0) {
    def.to[1] = next;
    def.weights[0] = 0.75f;
    def.weights[1] = 0.25f;
  }
  const weft_joint joint = add_joint(world, &def);
  if (random_below(random, 6) == 0) {
    expect_ok(weft_world_remove_joint(world, joint));
    return;
  }
  if (def.mode == WEFT_LINK_MODE_COMPRESS) return;
  for (uint32_t k = 0; k < 2; ++k) {
    if (def.weights[k] == 0.0f) continue;
    const uint32_t to = solver_of[def.to[k]];
    float length = def.rest_length;
    for (uint32_t m = 0; m < 2; ++m) {
      if (def.weights[m] > 0.0f)
        length += def.weights[m] * links->between[solver_of[def.to[m]]][to];
    }
    join(d, solver_of[def.particle], to, length);
  }
}

LOOP_TEST(paths_over_joints_are_the_shortest_ones, 0, 40) {
  random_source random = {(uint64_t)_i + 1};
  weft_scene* scene = new_scene();
  for (uint32_t k = 0; k < 2; ++k) {
    weft_sheet_def sheet = sheet_def(.side = SIDE, .spacing = 1.0f);
    sheet.shear = false;
    sheet.origin[2] = 20.0f * (float)k;
    expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
  }
  weft_world* world = new_plain_world(scene, .max_joints = JOINTS);
  const distances* links = new_distances(world);
  distances* all = test_alloc(sizeof(*all));
  *all = *links;
  for (uint32_t k = 0; k < 2 + (uint32_t)_i % JOINTS; ++k)
    add_random_joint(world, &random, all, links);
  relax_all(all);
  weft__exclusions exclusions;
  ck_assert(weft__exclusions_create(&exclusions, &world->stepper.schedule, 2.9f));
  const weft__joints* joints = &world->stepper.joints;
  for (uint32_t a = 0; a < COUNT; ++a) {
    for (uint32_t b = 0; b < COUNT; ++b) {
      for (int limit = 0; limit < 12 && a != b; ++limit) {
        const float max_path = 0.25f * (float)limit + 0.1f;
        require((weft__are_excluded(&exclusions, a, b, max_path) ||
                 weft__seams_exclude(&exclusions, joints, a, b, max_path)) ==
                (all->between[a][b] <= max_path));
      }
    }
  }
  weft__exclusions_destroy(&exclusions);
}

TEST(a_chain_of_welds_holds_particles_at_one_place) {
  weft_world* world = new_plain_world(new_sheet_scene(8, 8, ALL_FAMILIES), .max_joints = 16);
  const uint32_t* solver_of = world->stepper.schedule.solver_of;
  const weft__joints* joints = &world->stepper.joints;
  weft_joint_def def = joint_between(0, 10);
  (void)add_joint(world, &def);
  def = joint_between(20, 10);
  const weft_joint middle = add_joint(world, &def);
  def = joint_between(20, 30);
  (void)add_joint(world, &def);
  // no welds: with a length, or only against compression
  def = joint_between(30, 40);
  def.rest_length = 0.01f;
  (void)add_joint(world, &def);
  def = joint_between(30, 41);
  def.mode = WEFT_LINK_MODE_COMPRESS;
  (void)add_joint(world, &def);
  // ends of chains: between two particles
  for (uint32_t held = 50; held < 52; ++held) {
    def = joint_between(held, 60);
    def.to[1] = 61;
    def.weights[0] = def.weights[1] = 0.5f;
    (void)add_joint(world, &def);
  }
  def = joint_between(0, 50);
  (void)add_joint(world, &def);
  const struct {
    uint32_t a, b;
    bool before, after;
  } cases[] = {{0, 10, true, true},    {0, 30, true, false},   {10, 20, true, false},
               {30, 40, false, false}, {30, 41, false, false}, {50, 61, true, true},
               {60, 61, false, false}, {50, 51, false, false}, {10, 61, true, true},
               {30, 60, true, false},  {0, 1, false, false}};
  for (int is_removed = 0; is_removed < 2; ++is_removed) {
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); ++i) {
      const uint32_t a = solver_of[cases[i].a], b = solver_of[cases[i].b];
      const bool expected = is_removed ? cases[i].after : cases[i].before;
      ck_assert_msg(weft__joints_weld(joints, a, b) == expected &&
                        weft__joints_weld(joints, b, a) == expected,
                    "%u and %u, removed %d", cases[i].a, cases[i].b, is_removed);
    }
    if (!is_removed) expect_ok(weft_world_remove_joint(world, middle));
  }
}

// ---- lists ----

// two panels of 17 particles a side, sewn where they touch, weightless
static weft_world* new_sewn_panels(weft_joint joints[17]) {
  weft_scene* scene = new_scene();
  weft_cloth_def def = weft_default_cloth_def();
  def.width = def.height = 0.5f;
  def.columns = 17;
  for (int k = 0; k < 2; ++k) {
    def.origin[1] = -0.5f * (float)k;
    expect_ok(weft_scene_add_cloth(scene, &def, NULL));
  }
  weft_world* world = new_default_world(scene, .substeps = 4, .weightless = true);
  for (uint32_t i = 0; i < 17; ++i) {
    const weft_joint_def joint = joint_between(16 * 17 + i, 17 * 17 + i);
    joints[i] = add_joint(world, &joint);
  }
  return world;
}

// tiles around a seam that hold no end of a joint are marked, too
TEST(no_list_has_a_pair_that_a_seam_excludes) {
  weft_joint joints[17];
  weft_world* world = new_sewn_panels(joints);
  weft_world_step(world, 1);
  const weft__self* self = &world->stepper.contacts.cloth;
  const float radius = 0.55f * 0.5f / 16.0f;
  uint32_t excluded = 0, listed = 0;
  for (uint32_t a = 0; a < 2 * 17 * 17; ++a) {
    for (uint32_t b = 0; b < 2 * 17 * 17; ++b) {
      if (a == b) continue;
      const bool is_excluded =
          weft__seams_exclude(&self->exclusions, &world->stepper.joints, a, b, 3.0f * radius);
      const bool is_listed = weft__self_neighbors(self, a, b);
      require(!(is_excluded && is_listed));
      excluded += is_excluded;
      listed += is_listed;
    }
  }
  ck_assert_uint_gt(excluded, 4 * 17);
  ck_assert_uint_eq(listed, 0);
}

TEST(pairs_of_ccd_come_and_go_with_joints) {
  weft_joint joints[17];
  weft_world* world = new_sewn_panels(joints);
  weft_world_step(world, 10);
  const uint32_t sewn = contact_stats_of(world).ccd_pairs;
  for (uint32_t i = 0; i < 17; ++i) expect_ok(weft_world_remove_joint(world, joints[i]));
  weft_world_step(world, 1);
  const uint32_t opened = contact_stats_of(world).ccd_pairs;
  for (uint32_t i = 0; i < 17; ++i) {
    const weft_joint_def joint = joint_between(16 * 17 + i, 17 * 17 + i);
    (void)add_joint(world, &joint);
  }
  weft_world_step(world, 1);
  const uint32_t again = contact_stats_of(world).ccd_pairs;
  ck_assert_msg(opened > sewn + 100 && again < opened, "%u sewn, %u opened, %u again", sewn, opened,
                again);
}

TEST(strands_of_ropes_that_are_joined_have_no_contact) {
  weft_scene* scene = new_scene();
  weft_rope_def def = weft_default_rope_def();
  weft_body ropes[2];
  def.segments = 8;
  for (int k = 0; k < 2; ++k) {
    def.origin[0] = 0.02f * (float)k;
    expect_ok(weft_scene_add_rope(scene, &def, &ropes[k]));
  }
  weft_world* world = new_default_world(scene, .substeps = 4);
  const uint32_t ends[2] = {ropes[0].first_particle, ropes[1].first_particle};
  const weft_joint_def joint = joint_between(ends[0], ends[1]);
  (void)add_joint(world, &joint);
  weft_world_step(world, 1);
  const weft__strands* strands = &world->stepper.contacts.strands;
  const weft__step_context step = weft__stepper_context(&world->stepper);
  uint32_t excluded = 0;
  for (uint32_t a = 0; a < strands->count; ++a) {
    for (uint32_t b = 0; b < a; ++b) {
      const uint32_t *of_a = weft__strand_ends(strands, a), *of_b = weft__strand_ends(strands, b);
      if (of_a[0] == of_b[0] || of_a[0] == of_b[1] || of_a[1] == of_b[0] || of_a[1] == of_b[1])
        continue;
      excluded += weft__strands_are_excluded(strands, &step, a, b);
    }
  }
  ck_assert_uint_eq(strands->count, 16);
  ck_assert_uint_eq(excluded, 1);
}
