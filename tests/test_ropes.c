/* What the direct solve is for: ropes and chains that bear a load, and move as such things do. */
#include <math.h>

#include "support/isas.h"
#include "support/worlds.h"

// ---- ropes ----

typedef struct rope {
  uint32_t first; /* particle; the others follow */
  uint32_t link_count;
} rope;

typedef struct rope_def {
  uint32_t link_count;
  float length;     /* metres */
  float mass;       /* kilograms, of all but the load */
  float load;       /* kilograms at the end; 0 = pinned */
  float from[3];    /* where the first particle is, which is pinned */
  float towards[3]; /* unit vector */
  float compliance; /* metres per newton, of each link */
  bool is_free;     /* the first particle is not pinned */
} rope_def;

static rope_def hanging_rope(uint32_t link_count, float load_ratio) {
  return (rope_def){.link_count = link_count,
                    .length = 2.0f,
                    .mass = 0.1f,
                    .load = 0.1f * load_ratio,
                    .towards = {0.0f, -1.0f, 0.0f}};
}

static rope add_rope(weft_scene* scene, rope_def def) {
  const rope made = {weft_scene_particle_count(scene), def.link_count};
  const float each = def.length / (float)def.link_count;
  for (uint32_t i = 0; i <= def.link_count; ++i) {
    float position[3];
    for (int k = 0; k < 3; ++k) position[k] = def.from[k] + (float)i * each * def.towards[k];
    float inverse_mass = (float)def.link_count / def.mass;
    if (i == 0 && !def.is_free) inverse_mass = 0.0f;
    if (i == def.link_count) inverse_mass = def.load > 0.0f ? 1.0f / def.load : 0.0f;
    expect_ok(weft_scene_add_particles(scene, position, &inverse_mass, 1, NULL));
    if (i == 0) continue;
    const weft_link link = {.a = made.first + i - 1,
                            .b = made.first + i,
                            .rest_length = each,
                            .stiffness = 1.0f,
                            .compliance = def.compliance};
    expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
  }
  return made;
}

static double distance(const float* a, const float* b) {
  return hypot(hypot((double)a[0] - (double)b[0], (double)a[1] - (double)b[1]),
               (double)a[2] - (double)b[2]);
}

// how far the worst link is from its rest length, as a share of it
static double worst_strain(const weft_world* world, rope r, double rest_length) {
  double worst = 0.0;
  float* positions = new_positions(world);
  for (uint32_t i = r.first; i < r.first + r.link_count; ++i) {
    const double length = distance(positions + (size_t)3 * i, positions + (size_t)3 * i + 3);
    require(isfinite(length));
    worst = fmax(worst, fabs(length / rest_length - 1.0));
  }
  free(positions);
  return worst;
}

static weft_world* new_direct_world(weft_scene* scene, uint32_t direct_iterations, float damping) {
  weft_world_def def = weft_default_world_def();
  def.direct_iterations = direct_iterations;
  def.damping = damping;
  weft_world* world = new_world(&def, scene);
  weft_scene_destroy(&scene);
  return world;
}

static double worst_strain_in(weft_world* world, rope r, double rest_length, uint32_t steps) {
  double worst = 0.0;
  for (uint32_t i = 0; i < steps; ++i) {
    weft_world_step(world, 1);
    worst = fmax(worst, worst_strain(world, r, rest_length));
  }
  return worst;
}

START_TEST(a_rope_that_bears_a_thousand_times_its_mass_keeps_its_length_hanging_and_swinging) {
  static const float ratios[] = {0.01f, 1.0f, 1000.0f};
  rope_def def = hanging_rope(100, ratios[_i % 3]);
  if (_i >= 3) def.towards[0] = _i < 6 ? 1.0f : 0.8f;
  if (_i >= 3) def.towards[1] = _i < 6 ? 0.0f : -0.6f;
  weft_scene* scene = new_scene();
  const rope r = add_rope(scene, def);
  weft_world* world = new_world_of(scene);
  ck_assert_double_lt(worst_strain_in(world, r, 0.02, 300), 0.01);
  weft_world_destroy(&world);
}
END_TEST

START_TEST(without_the_direct_solve_it_does_not) {
  weft_scene* scene = new_scene();
  const rope r = add_rope(scene, hanging_rope(100, 1000.0f));
  weft_world* world = new_direct_world(scene, 0, 0.1f);
  ck_assert_double_gt(worst_strain_in(world, r, 0.02, 60), 1.0);
  weft_world_destroy(&world);
}
END_TEST

// ---- closed forms ----

START_TEST(a_heavy_bob_on_a_rope_swings_with_the_period_of_a_pendulum) {
  rope_def def = hanging_rope(_i == 0 ? 100 : 7, 1000.0f);
  def.length = 1.0f;
  def.towards[0] = 0.1f;
  def.towards[1] = -sqrtf(0.99f);
  weft_scene* scene = new_scene();
  const rope r = add_rope(scene, def);
  weft_world* world = new_direct_world(scene, 4, 0.0f);
  double before = 1.0;
  double first = 0.0;
  double last = 0.0;
  uint32_t passes = 0;
  for (uint32_t step = 1; step <= 1200; ++step) {
    float bob[3];
    weft_world_step(world, 1);
    expect_ok(weft_world_get_positions(world, r.first + r.link_count, 1, bob));
    if (before > 0.0 && bob[0] <= 0.0f) {
      last = step - (double)bob[0] / ((double)bob[0] - before);
      if (passes++ == 0) first = last;
    }
    before = (double)bob[0];
  }
  ck_assert_uint_ge(passes, 8);
  const double period = (last - first) / (passes - 1) / 60.0;
  ck_assert_double_eq_tol(period, 2.0 * acos(-1.0) * sqrt(1.0 / 9.81), 0.02 * period);
  weft_world_destroy(&world);
}
END_TEST

// half of the span over the catenary's parameter, where `half` is half of the length over half of the span
static double solve_catenary(double half) {
  double low = 1e-6;
  double high = 50.0;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    if (sinh(middle) / middle < half) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

START_TEST(a_chain_between_two_pins_hangs_in_a_catenary) {
  static const double spans[] = {0.5, 1.0, 1.5, 1.9};
  const double span = spans[_i];
  weft_scene* scene = new_scene();
  rope_def def = hanging_rope(100, 0.0f);
  def.load = 0.0f;
  def.towards[0] = 1.0f;
  def.towards[1] = 0.0f;
  const rope r = add_rope(scene, def);
  weft_world* world = new_direct_world(scene, 4, 2.0f);
  // laid in two straight lines, so that the second pin is at its place
  const double drop = sqrt(1.0 - 0.25 * span * span);
  for (uint32_t i = 0; i <= 100; ++i) {
    const double share = i <= 50 ? i / 50.0 : (100 - i) / 50.0;
    const float place[3] = {(float)(0.01 * i * span), (float)(-share * drop), 0.0f};
    expect_ok(weft_world_set_particle(world, r.first + i, place, NULL));
  }
  weft_world_step(world, 1200);
  float* positions = new_positions(world);
  const double b = solve_catenary(2.0 / span);
  const double a = 0.5 * span / b;
  const double sag = a * (cosh(b) - 1.0);
  for (uint32_t i = 0; i <= 100; ++i) {
    const double along = 0.02 * i - 1.0;
    const double expected = sqrt(a * a + along * along) - a - sag;
    ck_assert_double_eq_tol((double)positions[(size_t)3 * (r.first + i) + 1], expected, 0.01 * sag);
  }
  ck_assert_double_lt(worst_strain(world, r, 0.02), 0.01);
  free(positions);
  weft_world_destroy(&world);
}
END_TEST

START_TEST(a_link_gives_way_by_its_compliance_times_the_force_that_it_bears) {
  rope_def def = hanging_rope(3, 10.0f);
  def.compliance = _i == 0 ? 1e-3f : 1e-2f;
  weft_scene* scene = new_scene();
  const rope r = add_rope(scene, def);
  weft_world* world = new_direct_world(scene, 4, 3.0f);
  weft_world_step(world, 1200);
  float* positions = new_positions(world);
  for (uint32_t i = 0; i < 3; ++i) {
    const double length =
        distance(positions + (size_t)3 * (r.first + i), positions + (size_t)3 * (r.first + i) + 3);
    const double force = 9.81 * (1.0 + 0.1 / 3.0 * (2 - i));
    const double stretch = (double)def.compliance * force;
    ck_assert_double_eq_tol(length - (double)(2.0f / 3.0f), stretch, 0.01 * stretch);
  }
  free(positions);
  weft_world_destroy(&world);
}
END_TEST

// ---- free trees ----

// a tree of free particles, all links as long as they are drawn; returns the sum of m v
static weft_scene* new_free_tree(random_source* random, uint32_t count, float most_ratio) {
  weft_scene* scene = new_scene();
  float places[300][3];
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t to = i > 0 && random_chance(random, 4) ? random_below(random, i) : i - (i > 0);
    for (int k = 0; k < 3; ++k) {
      places[i][k] = i == 0 ? 0.0f : places[to][k] + random_float(random, -0.2f, 0.2f);
    }
    const float inverse_mass = powf(most_ratio, random_float(random, 0.0f, 1.0f));
    expect_ok(weft_scene_add_particles(scene, places[i], &inverse_mass, 1, NULL));
    if (i == 0) continue;
    const weft_link link = {.a = i,
                            .b = to,
                            .rest_length = fmaxf((float)distance(places[i], places[to]), 0.01f),
                            .stiffness = 1.0f};
    expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
  }
  return scene;
}

static void sum_momentum(const weft_world* world, const float* inverse_masses, uint32_t count,
                         double sum[3]) {
  float(*velocities)[3] = malloc(sizeof(*velocities) * count);
  expect_ok(weft_world_get_velocities(world, 0, count, velocities[0]));
  sum[0] = sum[1] = sum[2] = 0.0;
  for (uint32_t i = 0; i < count; ++i) {
    for (int k = 0; k < 3; ++k) sum[k] += (double)velocities[i][k] / (double)inverse_masses[i];
  }
  free(velocities);
}

START_TEST(a_free_tree_keeps_its_momentum) {
  random_source random = {(uint64_t)_i};
  const uint32_t count = random_from(&random, 3, 200);
  weft_scene* scene = new_free_tree(&random, count, _i % 2 == 0 ? 1.0f : 1e3f);
  float inverse_masses[200];
  float places[200][3];
  expect_ok(weft_scene_get_particles(scene, 0, count, places[0], inverse_masses));
  weft_world_def def = weft_default_world_def();
  def.gravity[1] = 0.0f;
  def.damping = 0.0f;
  weft_world* world = new_world(&def, scene);
  weft_scene_destroy(&scene);
  double size = 0.0;
  for (uint32_t i = 0; i < count; ++i) {
    const float velocity[3] = {random_float(&random, -1.0f, 1.0f),
                               random_float(&random, -1.0f, 1.0f),
                               random_float(&random, -1.0f, 1.0f)};
    expect_ok(weft_world_set_particle(world, i, places[i], velocity));
    size += 1.0 / (double)inverse_masses[i];
  }
  double before[3];
  double after[3];
  sum_momentum(world, inverse_masses, count, before);
  weft_world_step(world, 60);
  sum_momentum(world, inverse_masses, count, after);
  // 60 roundings of positions of some metres, each a sixtieth of a second's way
  for (int k = 0; k < 3; ++k) ck_assert_double_eq_tol(after[k], before[k], 1e-3 * size);
  weft_world_destroy(&world);
}
END_TEST

START_TEST(whatever_the_state_nothing_flies_off) {
  random_source random = {(uint64_t)_i};
  const uint32_t count = random_from(&random, 3, 300);
  weft_scene* scene = new_free_tree(&random, count, _i % 2 == 0 ? 1e3f : 1e6f);
  expect_ok(weft_scene_pin(scene, 0));
  double reach = 0.0;
  for (uint32_t i = 0; i < weft_scene_link_count(scene); ++i) {
    weft_link link;
    expect_ok(weft_scene_get_links(scene, i, 1, &link));
    reach += (double)link.rest_length;
  }
  weft_world_def def = weft_default_world_def();
  def.direct_iterations = random_from(&random, 1, 8);
  def.iterations = _i % 4 == 0 ? 0 : 10;
  weft_world* world = new_world(&def, scene);
  // crumpled, in one place, or stretched ten times
  static const float sizes[] = {0.2f, 0.0f, 1.0f, 10.0f};
  const float size = sizes[_i / 4 % 4];
  for (uint32_t i = 1; i < count; ++i) {
    const float place[3] = {random_float(&random, -size, size), random_float(&random, -size, size),
                            random_float(&random, -size, size)};
    expect_ok(weft_world_set_particle(world, i, place, NULL));
  }
  weft_world_step(world, 300);
  float* positions = new_positions(world);
  // what cannot be solved may fall, freely, for five seconds; and ten metres that are taken back in one
  // step leave the speed of a bullet
  const double bound = size > 1.0f ? 1e5 : 2.0 * reach + (double)size + 0.5 * 9.81 * 25.0;
  for (uint32_t i = 0; i < 3 * count; ++i) require(fabs((double)positions[i]) <= bound);
  free(positions);
  weft_world_destroy(&world);
  weft_scene_destroy(&scene);
}
END_TEST

// ---- pins come and go ----

START_TEST(a_particle_that_is_pinned_stays_and_bears_what_hangs_below) {
  weft_scene* scene = new_scene();
  const rope r = add_rope(scene, hanging_rope(100, 100.0f));
  weft_world* world = new_world_of(scene);
  weft_world_step(world, 10);
  expect_ok(weft_world_set_inverse_mass(world, r.first + 40, 0.0f));
  float before[3];
  float after[3];
  expect_ok(weft_world_get_positions(world, r.first + 40, 1, before));
  expect_ok(weft_world_set_inverse_mass(world, r.first, 1000.0f));
  ck_assert_double_lt(worst_strain_in(world, r, 0.02, 200), 0.01);
  expect_ok(weft_world_get_positions(world, r.first + 40, 1, after));
  ck_assert_mem_eq(before, after, sizeof(before));
  // and what was the root has fallen to below its place
  expect_ok(weft_world_get_positions(world, r.first, 1, after));
  ck_assert_double_lt((double)after[1], (double)before[1] + 0.81);
  weft_world_destroy(&world);
}
END_TEST

START_TEST(a_rope_whose_pin_is_freed_falls_freely) {
  weft_scene* scene = new_scene();
  const rope r = add_rope(scene, hanging_rope(50, 10.0f));
  weft_world* world = new_direct_world(scene, 4, 0.0f);
  weft_world_step(world, 10);
  expect_ok(weft_world_set_inverse_mass(world, r.first, 500.0f));
  weft_world_step(world, 60);
  float velocities[51][3];
  expect_ok(weft_world_get_velocities(world, r.first, 51, velocities[0]));
  for (uint32_t i = 0; i <= 50; ++i) {
    ck_assert_double_eq_tol((double)velocities[i][1], -9.81, 0.02);
  }
  weft_world_destroy(&world);
}
END_TEST

START_TEST(a_pin_of_many_ropes_that_is_freed_goes_with_them) {
  weft_scene* scene = new_scene();
  rope ropes[5];
  for (uint32_t i = 0; i < 5; ++i) {
    ropes[i] = add_rope(scene, hanging_rope(20, i < 3 ? 10.0f : 1.0f));
    if (i == 0) continue;
    const weft_link link = {
        .a = 0, .b = ropes[i].first + 1, .rest_length = 0.1f, .stiffness = 1.0f};
    expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
  }
  weft_world* world = new_world_of(scene);
  weft_world_step(world, 10);
  for (uint32_t i = 0; i < 5; ++i) {
    expect_ok(weft_world_set_inverse_mass(world, ropes[i].first, 500.0f));
  }
  weft_world_step(world, 60);
  float velocity[3];
  expect_ok(weft_world_get_velocities(world, 0, 1, velocity));
  ck_assert_double_eq_tol((double)velocity[1], -9.4, 0.3);
  for (uint32_t i = 0; i < 5; ++i) {
    const rope below = {ropes[i].first + 1, 19};
    ck_assert_double_lt(worst_strain(world, below, 0.1), 0.05);
  }
  weft_world_destroy(&world);
}
END_TEST

// ---- with cloth, and in great numbers ----

START_TEST(a_rope_off_the_corner_of_a_sheet_keeps_its_length) {
  weft_scene* scene = new_scene();
  const weft_body sheet = add_sheet(scene, 20, 20, ALL_FAMILIES);
  for (uint32_t i = 0; i < 20; ++i) expect_ok(weft_scene_pin(scene, sheet.first_particle + i));
  const uint32_t corner = sheet.first_particle + 399;
  float place[3];
  expect_ok(weft_scene_get_particles(scene, corner, 1, place, NULL));
  rope_def def = hanging_rope(50, 1.0f);
  memcpy(def.from, place, sizeof(place));
  def.from[1] -= 0.04f;
  def.is_free = true;
  const rope r = add_rope(scene, def);
  const weft_link link = {.a = corner, .b = r.first, .rest_length = 0.04f, .stiffness = 1.0f};
  expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
  weft_world* world = new_world_of(scene);
  ck_assert_double_lt(worst_strain_in(world, r, 0.04, 300), 0.01);
  weft_world_destroy(&world);
}
END_TEST

static void add_many_things(weft_scene* scene) {
  random_source random = {7};
  for (uint32_t i = 0; i < 64; ++i) {
    rope_def def = hanging_rope(20 + i, i % 3 == 0 ? 0.0f : 100.0f);
    def.load = i % 3 == 0 ? 0.0f : 1.0f + (float)i;
    def.towards[0] = 1.0f;
    def.towards[1] = 0.0f;
    def.from[2] = 0.1f * (float)i;
    def.compliance = i % 5 == 0 ? 1e-4f : 0.0f;
    (void)add_rope(scene, def);
  }
  (void)add_sheet(scene, 30, 20, ALL_FAMILIES);
  add_random_graph(scene, &random, 3000);
  add_random_links(scene, &random, 20);
}

static uint64_t hash_after(const weft_scene* scene, weft_isa isa, uint32_t worker_count,
                           uint32_t coarse, uint32_t* workers) {
  weft_world_def def = weft_default_world_def();
  def.isa = isa;
  def.worker_count = worker_count;
  def.coarse_iterations = coarse;
  weft_world* world = new_world(&def, scene);
  weft_world_step(world, 30);
  weft_world_stats stats;
  expect_ok(weft_world_get_stats(world, &stats));
  *workers = stats.worker_count;
  const uint64_t hash = weft_world_hash(world);
  weft_world_destroy(&world);
  return hash;
}

START_TEST(any_number_of_workers_and_every_isa_give_the_same_bits) {
  static const uint32_t worker_counts[] = {1, 2, 3, 7};
  weft_scene* scene = new_scene();
  uint32_t workers = 0;
  add_many_things(scene);
  const uint32_t coarse = _i == 0 ? 0 : 3;
  const uint64_t expected = hash_after(scene, WEFT_ISA_SCALAR, 1, coarse, &workers);
  for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
    for (int w = 0; w < 4; ++w) {
      ck_assert_uint_eq(hash_after(scene, (weft_isa)isa, worker_counts[w], coarse, &workers),
                        expected);
      ck_assert_uint_eq(workers, worker_counts[w]);
    }
  }
  weft_scene_destroy(&scene);
}
END_TEST

START_TEST(where_nothing_is_a_tree_nothing_changes) {
  weft_scene* scene = new_scene();
  (void)add_sheet(scene, 30, 20, ALL_FAMILIES);
  weft_world_stats stats[2];
  uint64_t hashes[2];
  for (uint32_t i = 0; i < 2; ++i) {
    weft_world_def def = weft_default_world_def();
    def.direct_iterations = 100 * i;
    weft_world* world = new_world(&def, scene);
    weft_world_step(world, 20);
    expect_ok(weft_world_get_stats(world, &stats[i]));
    hashes[i] = weft_world_hash(world);
    weft_world_destroy(&world);
  }
  ck_assert_uint_eq(hashes[0], hashes[1]);
  ck_assert_uint_eq(stats[0].bytes, stats[1].bytes);
  weft_scene_destroy(&scene);
}
END_TEST

// a chain, or a particle that all others hang off
START_TEST(a_tree_may_have_a_million_links) {
  enum { LINKS = ROUNDS(1000000, 50000) };
  weft_scene* scene = new_scene();
  float* positions = calloc((size_t)LINKS + 1, sizeof(float[3]));
  float* inverse_masses = calloc((size_t)LINKS + 1, sizeof(float));
  weft_link* links = calloc(LINKS, sizeof(*links));
  for (uint32_t i = 0; i <= LINKS; ++i) {
    positions[(size_t)3 * i] = _i == 0 ? 0.01f * (float)i : (float)(i % 1000);
    positions[(size_t)3 * i + 1] = _i == 0 ? 0.0f : (float)(i / 1000) + 1.0f;
    inverse_masses[i] = i == 0 ? 0.0f : 1.0f;
    if (i == 0) continue;
    links[i - 1] = (weft_link){
        .a = _i == 0 ? i - 1 : 0, .b = i, .rest_length = _i == 0 ? 0.01f : 1.0f, .stiffness = 1.0f};
    if (_i == 1 && i > 1) links[i - 1].a = 1;
  }
  expect_ok(weft_scene_add_particles(scene, positions, inverse_masses, LINKS + 1, NULL));
  expect_ok(weft_scene_add_links(scene, links, LINKS, NULL));
  weft_world* world = new_world_of(scene);
  weft_world_step(world, 2);
  expect_ok(weft_world_get_positions(world, 0, LINKS + 1, positions));
  for (uint32_t i = 0; i < 3 * (LINKS + 1); ++i) require(isfinite(positions[i]));
  weft_world_destroy(&world);
  free(positions);
  free(inverse_masses);
  free(links);
}
END_TEST

int main(void) {
  const test_suite suite = new_suite("ropes");
  TCase* tests = suite.tests;
  tcase_add_loop_test(
      tests, a_rope_that_bears_a_thousand_times_its_mass_keeps_its_length_hanging_and_swinging, 0,
      9);
  tcase_add_test(tests, without_the_direct_solve_it_does_not);
  tcase_add_loop_test(tests, a_heavy_bob_on_a_rope_swings_with_the_period_of_a_pendulum, 0, 2);
  tcase_add_loop_test(tests, a_chain_between_two_pins_hangs_in_a_catenary, 0, 4);
  tcase_add_loop_test(tests, a_link_gives_way_by_its_compliance_times_the_force_that_it_bears, 0,
                      2);
  tcase_add_loop_test(tests, a_free_tree_keeps_its_momentum, 0, ROUNDS(40, 8));
  tcase_add_loop_test(tests, whatever_the_state_nothing_flies_off, 0, ROUNDS(32, 16));
  tcase_add_test(tests, a_particle_that_is_pinned_stays_and_bears_what_hangs_below);
  tcase_add_test(tests, a_rope_whose_pin_is_freed_falls_freely);
  tcase_add_test(tests, a_pin_of_many_ropes_that_is_freed_goes_with_them);
  tcase_add_test(tests, a_rope_off_the_corner_of_a_sheet_keeps_its_length);
  tcase_add_loop_test(tests, any_number_of_workers_and_every_isa_give_the_same_bits, 0, 2);
  tcase_add_test(tests, where_nothing_is_a_tree_nothing_changes);
  tcase_add_loop_test(tests, a_tree_may_have_a_million_links, 0, 2);
  return run_suite(suite);
}
