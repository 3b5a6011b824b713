#include "solvers/long_range_attachments/attachments.h"

#include "kernels/kernels.h"
#include "schedule/freeze.h"
#include "solvers/long_range_attachments/anchors.h"
#include "support/rig.h"
#include "support/test.h"

// ---- the kernel ----

// scene with its long-range attachments and particles
typedef struct bound_cloth {
  weft_scene* scene;
  weft__schedule schedule;
  weft__attachments tethers;
  weft__particles particles;
} bound_cloth;

// takes ownership of the scene
static bound_cloth new_bound_cloth(weft_scene* scene, uint32_t slots) {
  bound_cloth c = {.scene = scene};
  ck_assert(weft__freeze(&c.schedule, scene, NULL));
  ck_assert(weft__attachments_create(&c.tethers, scene, &c.schedule, slots));
  ck_assert(weft__particles_create(&c.particles, weft_scene_particle_count(scene)));
  return c;
}

static void free_bound_cloth(bound_cloth* c) {
  weft__particles_destroy(&c->particles);
  weft__attachments_destroy(&c->tethers);
  weft__schedule_destroy(&c->schedule);
}

static void pull_back(const bound_cloth* c, weft_isa isa, weft__particles* particles) {
  weft__attachments_update_anchors(&c->tethers, particles);
  for (uint32_t patch = 0; patch < c->schedule.patch_count; ++patch) {
    weft__kernels_select(isa)->solve_attachments(particles, &c->tethers, patch,
                                                 c->schedule.patch_first[patch],
                                                 c->schedule.patch_first[patch + 1]);
  }
}

static weft_scene* new_pinned_case(int number, random_source* random) {
  weft_scene* scene = new_scene_case(number);
  pin_some(scene, random, random_from(random, 2, 500));
  // a pinned row gives regular attachments below it, a pinned corner does not
  const uint32_t row = random_below(random, 100);
  for (uint32_t i = 0; i < row && i < weft_scene_particle_count(scene); ++i) {
    expect_ok(weft_scene_pin(scene, weft_range(i, 1)));
  }
  return scene;
}

RANDOM_TEST(every_isa_pulls_back_like_scalar_bit_for_bit, ROUNDS(20, 12)) {
  bound_cloth c = new_bound_cloth(new_pinned_case(_i, &random), random_from(&random, 1, 4));
  for (int style = 0; style < RIG_STYLE_COUNT; ++style) {
    // masses are random too: some anchors are free, some attached particles are pinned
    fill_particles(&c.particles, &random, (rig_style)style);
    weft__particles expected = copy_particles(&c.particles);
    pull_back(&c, WEFT_ISA_SCALAR, &expected);
    for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
      weft__particles particles = copy_particles(&c.particles);
      pull_back(&c, (weft_isa)isa, &particles);
      ck_assert_msg(same_particles(&particles, &expected), "%s", weft_isa_name((weft_isa)isa));
    }
  }
  free_bound_cloth(&c);
}

typedef struct vector {
  double x, y, z;
} vector;

static vector place_in(const weft__particles* p, uint32_t i) {
  return (vector){(double)p->pos_x[i], (double)p->pos_y[i], (double)p->pos_z[i]};
}

static double distance_between(vector a, vector b) {
  return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

static vector minus(vector a, vector b) {
  return (vector){a.x - b.x, a.y - b.y, a.z - b.z};
}

static double inner(vector a, vector b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

// Places of a particle around its anchor, and its reach.
typedef struct tether {
  vector now, start; /* offsets from the anchor, at present and at the substep's start */
  double reach;
  bool is_beyond, is_far; /* the reach, and twice the reach */
} tether;

static tether tether_of(const bound_cloth* c, const weft__anchors* anchors, uint32_t i) {
  const weft__particles* p = &c->particles;
  const uint32_t user = c->schedule.user_of[i];
  if (anchors->count[user] == 0 || p->inv_mass[i] == 0.0f) return (tether){0};
  const uint32_t from = c->schedule.solver_of[anchors->ties[user].anchor];
  const vector anchor = place_in(p, from);
  const vector start = {(double)p->prev_x[i], (double)p->prev_y[i], (double)p->prev_z[i]};
  tether t = {.now = minus(place_in(p, i), anchor),
              .start = minus(start, anchor),
              .reach = (double)weft__tie_reach(&anchors->ties[user], anchors, c->scene, user)};
  t.is_beyond = p->inv_mass[from] == 0.0f && inner(t.now, t.now) > t.reach * t.reach;
  t.is_far = inner(t.now, t.now) > 4.0 * t.reach * t.reach;
  return t;
}

// Cosine of the largest turn of a particle that is moved along its direction at the start.
static const double turn_limit = 0.8;

static double turn_of(const tether* t) {
  return inner(t->now, t->start) / sqrt(inner(t->now, t->now) * inner(t->start, t->start));
}

// Square of half the way, along the direction at the start, between the points at the reach; below
// 0 if there are none.
static double way_squared(const tether* t) {
  const double along = inner(t->now, t->start) / sqrt(inner(t->start, t->start));
  return along * along - inner(t->now, t->now) + t->reach * t->reach;
}

// True if rounding decides the direction.
static bool sensitive(const tether* t) {
  return t->is_beyond && (fabs(turn_of(t) - turn_limit) < 1e-5 ||
                          fabs(way_squared(t)) < 1e-2 * inner(t->now, t->now));
}

// position of a particle after its attachment, in double precision
static vector expected_place(const tether* t, vector here) {
  if (!t->is_beyond) return here;
  vector direction = t->now;
  double back = 1.0 - t->reach / sqrt(inner(t->now, t->now));
  if (!t->is_far && turn_of(t) > turn_limit && way_squared(t) > 0.0) {
    const double start_sq = inner(t->start, t->start);
    direction = t->start;
    back = inner(t->now, t->start) / start_sq - sqrt(way_squared(t) / start_sq);
  }
  return (vector){here.x - back * direction.x, here.y - back * direction.y,
                  here.z - back * direction.z};
}

RANDOM_TEST(a_particle_beyond_its_reach_is_moved_back_to_it_and_no_other, ROUNDS(20, 12)) {
  bound_cloth c = new_bound_cloth(new_pinned_case(_i, &random), 1);
  weft__anchors anchors;
  ck_assert(weft__anchors_find(&anchors, c.scene, 1));
  fill_particles(&c.particles, &random, RIG_PLAIN);
  // half of the cases have moved little since the start of the substep
  for (uint32_t i = 0; _i % 2 == 1 && i < c.particles.count; ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      c.particles.prev[axis][i] = c.particles.pos[axis][i] + random_float(&random, -0.05f, 0.05f);
    }
  }
  weft__particles pulled = copy_particles(&c.particles);
  pull_back(&c, WEFT_ISA_AUTO, &pulled);
  for (uint32_t i = 0; i < pulled.count; ++i) {
    const tether t = tether_of(&c, &anchors, i);
    require(pulled.prev_x[i] == c.particles.prev_x[i]);
    if (sensitive(&t)) continue;
    const vector expected = expected_place(&t, place_in(&c.particles, i));
    require(distance_between(place_in(&pulled, i), expected) < 2e-6);
  }
  weft__anchors_destroy(&anchors);
  free_bound_cloth(&c);
}

// ---- worlds ----

static weft_world* new_tethered_world(const weft_scene* scene, uint32_t iterations,
                                      uint32_t attachments) {
  weft_world_def def = plain_def(.attachments = attachments);
  def.solver.iterations = iterations;
  // the direct solver runs last and would move particles beyond their reach
  def.solver.direct_iterations = 0;
  return new_world(&def, scene);
}

// largest excess over the reach to the nearest anchor, relative to the reach
static double farthest_beyond(const weft_scene* scene, const weft_world* world) {
  weft__anchors anchors;
  ck_assert(weft__anchors_find(&anchors, scene, 1));
  float* positions = new_positions(world);
  double farthest = -1.0;
  for (uint32_t p = 0; p < weft_scene_particle_count(scene); ++p) {
    if (anchors.count[p] == 0) continue;
    const float* a = positions + (size_t)3 * p;
    const float* b = positions + (size_t)3 * anchors.ties[p].anchor;
    const vector here = {(double)a[0], (double)a[1], (double)a[2]};
    const double length =
        distance_between(here, (vector){(double)b[0], (double)b[1], (double)b[2]});
    const double reach = (double)weft__tie_reach(&anchors.ties[p], &anchors, scene, p);
    farthest = fmax(farthest, length / reach - 1.0);
  }
  weft__anchors_destroy(&anchors);
  return farthest;
}

static weft_scene* new_hung_sheet(uint32_t side) {
  weft_scene* scene = new_sheet_scene(side, side, STRUCTURAL | SHEAR);
  expect_ok(weft_scene_pin(scene, weft_range(0, side)));
  return scene;
}

RANDOM_TEST(without_sweeps_after_it_no_particle_is_beyond_its_reach_after_any_step, ROUNDS(12, 8)) {
  weft_scene* scene = new_pinned_case(_i, &random);
  weft_world* world = new_tethered_world(scene, 0, random_from(&random, 1, 4));
  for (int step = 0; step < 20; ++step) {
    weft_world_step(world, 1);
    // a particle between two anchors may be beyond the reach of the one that it is held to first
    require(farthest_beyond(scene, world) < 1e-3);
  }
}

LOOP_TEST(a_hung_sheet_keeps_its_length_with_attachments_and_does_not_without, 0, LONG_RUN(1)) {
  weft_scene* scene = new_hung_sheet(65);
  for (uint32_t attachments = 0; attachments <= 4; ++attachments) {
    weft_world* world = new_tethered_world(scene, 5, attachments);
    weft_world_step(world, 120);
    const double beyond = farthest_beyond(scene, world);
    if (attachments == 0) ck_assert_double_gt(beyond, 0.1);
    if (attachments > 0) ck_assert_double_lt(beyond, 0.01);
  }
}

// ---- anchors with changing masses ----

// vertical distance between the ends of a rope of one link of one metre, after a second
static double drop_of(weft_world* world) {
  weft_world_step(world, 60);
  float positions[6];
  expect_get(world, WEFT_ATTRIBUTE_POSITION, 0, 2, positions);
  return (double)positions[1] - (double)positions[4];
}

TEST(an_anchor_that_is_unpinned_holds_nothing_until_it_is_pinned_again) {
  static const float positions[] = {0.0f, 0.0f, 0.0f, 0.0f, -1.0f, 0.0f};
  static const float inverse_masses[] = {0.0f, 1.0f};
  static const float velocity[] = {0.0f, -1.0f, 0.0f};
  const weft_link_def link = {.a = 0, .b = 1, .rest_length = 1.0f, .relaxation = 1.0f};
  weft_scene* scene = new_points_scene(positions, inverse_masses, 2);
  expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
  weft_world* world = new_tethered_world(scene, 0, 1);
  ck_assert_double_eq_tol(drop_of(world), 1.0, 1e-4);
  // both particles fall, the second one faster
  set_inverse_mass(world, 0, 1.0f);
  place_particle(world, 1, positions + 3, velocity);
  ck_assert_double_gt(drop_of(world), 1.5);
  pin_particles(world, 0, 1);
  ck_assert_double_eq_tol(drop_of(world), 1.0, 1e-4);
}

// ---- cuts ----

// path lengths from one pinned particle through free ones, over load-bearing, uncut links: relaxed
// to a fixed point
static void find_ways(const weft_scene* scene, const bool* cut, uint32_t anchor, double* length) {
  const uint32_t count = weft_scene_particle_count(scene);
  for (uint32_t i = 0; i < count; ++i) length[i] = i == anchor ? 0.0 : INFINITY;
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < scene->links.count; ++i) {
      if (cut[i] || scene->links.relaxation[i] == 0.0f) continue;
      for (int end = 0; end < 2; ++end) {
        const uint32_t a = end == 0 ? scene->links.end_a[i] : scene->links.end_b[i];
        const uint32_t b = end == 0 ? scene->links.end_b[i] : scene->links.end_a[i];
        if (scene->inverse_masses[b] == 0.0f) continue;
        if (a != anchor && scene->inverse_masses[a] == 0.0f) continue;
        const double way = length[a] + (double)scene->links.rest_length[i];
        if (way >= length[b] * (1.0 - 1e-12)) continue;
        length[b] = way;
        more = true;
      }
    }
  }
}

RANDOM_TEST(after_cuts_those_tethers_are_left_whose_ways_are_as_short_as_before, ROUNDS(60, 20)) {
  weft_scene* scene = new_sheet_scene(9, 7, ALL_FAMILIES);
  (void)add_random_mesh(scene, &random, 8);
  add_random_links(scene, &random, 10);
  pin_some(scene, &random, 20);
  bound_cloth c = new_bound_cloth(scene, 1 + (uint32_t)_i % 3);
  const uint32_t count = c.schedule.particle_count;
  const size_t ties = (size_t)c.tethers.slot_count * count;
  float* before = test_alloc(sizeof(float) * (ties + 1));
  memcpy(before, c.tethers.reach, sizeof(float) * ties);
  bool* cut = test_alloc(scene->links.count * sizeof(*cut));
  double* whole = test_alloc(sizeof(double) * count);
  double* left = test_alloc(sizeof(double) * count);
  for (int i = random_chance(&random, 3) ? 1 : 20; i > 0; --i) {
    const uint32_t link = random_below(&random, scene->links.count);
    const uint32_t* solver_of = c.schedule.solver_of;
    cut[link] = true;
    weft__attachments_tear(&c.tethers, solver_of[scene->links.end_a[link]],
                           solver_of[scene->links.end_b[link]]);
  }
  weft__attachments_propagate_cuts(&c.tethers);
  uint32_t kept = 0;
  for (uint32_t a = 0; a < c.tethers.anchor_count; ++a) {
    const uint32_t anchor = c.schedule.user_of[c.tethers.anchor_particle[a]];
    bool* const none = test_alloc(scene->links.count * sizeof(*none));
    find_ways(scene, none, anchor, whole);
    find_ways(scene, cut, anchor, left);
    for (size_t at = 0; at < ties; ++at) {
      if (c.tethers.anchor[at] != a || isinf(before[at])) continue;
      const uint32_t user = c.schedule.user_of[at % count];
      if (isinf(c.tethers.reach[at])) continue;
      require(c.tethers.reach[at] == before[at]);
      require(left[user] <= whole[user] * (1.0 + 1e-9));
      ++kept;
    }
  }
  ck_assert_uint_gt(kept, c.tethers.slot_count > 0 ? 0 : UINT32_MAX);
  free_bound_cloth(&c);
}

static uint64_t bytes_of(const weft_scene* scene, uint32_t attachments) {
  weft_world* world = new_tethered_world(scene, 1, attachments);
  const weft_world_stats stats = stats_of(world);
  return stats.bytes;
}

TEST(each_attachment_takes_some_thirteen_bytes_a_particle_where_there_are_so_many) {
  weft_scene* scene = new_sheet_scene(100, 100, ALL_FAMILIES);
  expect_ok(weft_scene_pin(scene, weft_range(0, 1)));
  expect_ok(weft_scene_pin(scene, weft_range(99, 1)));
  const uint64_t none = bytes_of(scene, 0);
  const uint64_t one = bytes_of(scene, 1);
  const uint64_t two = bytes_of(scene, 2);
  ck_assert_uint_gt(one, none + 120000);
  ck_assert_uint_lt(one, none + 130000);
  ck_assert_uint_gt(two, one + 120000);
  ck_assert_uint_lt(two, one + 130000);
  // the scene has two islands only
  ck_assert_uint_eq(bytes_of(scene, 4), two);
}
