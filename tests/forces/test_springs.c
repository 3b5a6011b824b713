/* Springs: their forces, and exclusion of their links from all other solvers. */
#include "modules/integrators/springs.h"

#include "schedule/freeze.h"
#include "support/test.h"

// ---- forces ----

// random links of all modes and damping, some of them springs
static weft_scene* new_net(random_source* random, uint32_t count, bool damped) {
  weft_scene* scene = new_scene();
  (void)add_cloud(scene, random, count, 1.0f);
  for (uint32_t n = 0; n < 4 * count; ++n) {
    weft_link_def link = {
        .a = random_below(random, count),
        .b = random_below(random, count),
        .rest_length = random_float(random, 0.1f, 1.0f),
        .relaxation = random_chance(random, 5) ? 0.5f : 1.0f,
        .compliance = random_chance(random, 5) ? 0.0f : random_float(random, 1e-3f, 1.0f),
        .mode = (weft_link_mode)random_below(random, 4)};
    if (damped) link.spring_damping = random_float(random, 0.0f, 0.1f);
    if (link.mode == WEFT_LINK_MODE_RANGE) link.max_length = link.rest_length + 0.3f;
    // a pair with a link is skipped
    if (link.a != link.b) may_fail(weft_scene_add_links(scene, &link, 1, NULL));
  }
  return scene;
}

// tension in newtons of a link of `length` metres that grows by `growth` metres a second
static double tension_of(const weft_link_def* link, double length, double growth) {
  const double rest = (double)link->rest_length;
  double excess = length - rest;
  switch (link->mode) {
    case WEFT_LINK_MODE_BOTH:
      break;
    case WEFT_LINK_MODE_STRETCH:
      if (excess < 0.0) return 0.0;
      break;
    case WEFT_LINK_MODE_COMPRESS:
      if (excess > 0.0) return 0.0;
      break;
    case WEFT_LINK_MODE_RANGE:
      if (excess > 0.0) excess = length - (double)link->max_length;
      if (length > rest && excess < 0.0) return 0.0;
      break;
  }
  return excess / (double)link->compliance + (double)link->spring_damping * growth;
}

// reference forces, summed link by link in the order of the scene, [count][3] in newtons
static double* new_slow_forces(const weft_scene* scene, const float* velocities) {
  const uint32_t count = weft_scene_particle_count(scene);
  double* forces = test_alloc(((size_t)3 * count) * sizeof(*forces));
  for (uint32_t i = 0; i < weft_scene_link_count(scene); ++i) {
    weft_link_def link;
    expect_ok(weft_scene_get_links(scene, i, 1, &link));
    if (link.compliance == 0.0f || link.relaxation < 1.0f) continue;
    float a[3];
    float b[3];
    expect_ok(weft_scene_get_particles(scene, link.a, 1, a, NULL));
    expect_ok(weft_scene_get_particles(scene, link.b, 1, b, NULL));
    double square = 0.0;
    double product = 0.0;
    for (int k = 0; k < 3; ++k) {
      const double apart = (double)b[k] - (double)a[k];
      square += apart * apart;
      product += apart * ((double)velocities[3 * link.b + (uint32_t)k] -
                          (double)velocities[3 * link.a + (uint32_t)k]);
    }
    const double length = sqrt(square);
    const double tension = tension_of(&link, length, product / length);
    for (uint32_t k = 0; k < 3; ++k) {
      const double pull = tension * ((double)b[k] - (double)a[k]) / length;
      forces[3 * link.a + k] += pull;
      forces[3 * link.b + k] -= pull;
    }
  }
  return forces;
}

// scene view with the solver column of a world with springs; the caller frees *solver
static weft_scene view_with_springs(const weft_scene* scene, uint8_t** solver) {
  *solver = test_alloc((scene->links.count + 1) * 1);
  weft__springs_assign(&scene->links, *solver);
  weft_scene view = *scene;
  view.links.solver = *solver;
  return view;
}

RANDOM_TEST(a_particle_gathers_what_a_slow_sum_over_all_links_gives_it, ROUNDS(60, 12)) {
  weft_scene* scene = new_net(&random, random_from(&random, 2, 300), _i % 2 == 0);
  const uint32_t count = weft_scene_particle_count(scene);
  weft__schedule schedule;
  weft__springs springs;
  weft__particles particles;
  uint8_t* solver;
  const weft_scene view = view_with_springs(scene, &solver);
  require(weft__freeze(&schedule, &view, NULL));
  require(weft__springs_create(&springs, &view, &schedule));
  require(weft__particles_create(&particles, count));
  require(weft__particles_add_velocities(&particles, 1.0f));
  float* velocities = test_alloc(sizeof(float[3]) * count);
  for (uint32_t user = 0; user < count; ++user) {
    float place[3];
    float* velocity = velocities + (size_t)3 * user;
    for (int k = 0; k < 3; ++k) velocity[k] = random_float(&random, -2.0f, 2.0f);
    expect_ok(weft_scene_get_particles(scene, user, 1, place, NULL));
    weft__particles_set_state(&particles, schedule.solver_of[user], place, velocity, 0.01f);
  }
  double* slow = new_slow_forces(scene, velocities);
  for (uint32_t user = 0; user < count && springs.count > 0; ++user) {
    double force[3];
    weft__springs_force(&springs, &particles, schedule.solver_of[user], 1.0, force);
    for (int k = 0; k < 3; ++k) {
      require(fabs(force[k] - slow[(uint32_t)k + 3 * user]) <= 1e-6 * (1.0 + fabs(force[k])));
    }
  }
  weft__particles_destroy(&particles);
  weft__springs_destroy(&springs);
  weft__schedule_destroy(&schedule);
}

static weft_world_def def_with_springs(void) {
  return plain_def(.springs = true, .undamped = true, .step_ns = 2000000);
}

// ---- springs with other solvers enabled ----

// pin, and `count` particles below it, a tenth of a kilogram each
static weft_scene* new_rope(uint32_t count, const weft_link_def* like) {
  weft_scene* scene = new_scene();
  for (uint32_t i = 0; i <= count; ++i) {
    const float position[3] = {0.0f, -0.1f * (float)i, 0.0f};
    const float inverse_mass = i == 0 ? 0.0f : 10.0f;
    expect_ok(weft_scene_add_particles(scene, position, &inverse_mass, 1, NULL));
    weft_link_def link = *like;
    link.a = i - 1;
    link.b = i;
    link.rest_length = 0.1f;
    if (i > 0) expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
  }
  return scene;
}

// distance between the pin and the last of ten particles, at rest
static double hang(const weft_world_def* def, const weft_scene* scene) {
  weft_world* world = new_world(def, scene);
  weft_world_step(world, 3000);
  float position[3];
  expect_get(world, WEFT_ATTRIBUTE_POSITION, 10, 1, position);
  return -(double)position[1];
}

LOOP_TEST(a_rope_of_springs_gives_way_by_the_closed_form_whatever_else_holds_ropes, 0,
          WEFT_INTEGRATOR_RUNGE_KUTTA_4 + 1) {
  const weft_link_def like = {.relaxation = 1.0f, .compliance = 0.002f, .spring_damping = 2.0f};
  weft_scene* rope = new_rope(10, &like);
  weft_world_def def = def_with_springs();
  def.solver.integrator = (weft_integrator)_i;
  def.damping = 4.0f;
  // direct solver, attachments and levels would block the stretch or bear the load twice
  def.solver.attachments = 2;
  def.solver.coarse_iterations = 2;
  double expected = 1.0;
  for (int i = 1; i <= 10; ++i) expected += 0.1 * 9.81 * i * 0.002;
  ck_assert_double_eq_tol(hang(&def, rope), expected, 1e-3);
}

TEST(links_that_are_no_springs_are_held_as_ever) {
  const weft_link_def rigid = {.relaxation = 1.0f};
  const weft_link_def soft = {.relaxation = 0.5f, .compliance = 0.5f};
  weft_scene* rope = new_rope(10, &rigid);
  weft_world_def def = def_with_springs();
  def.damping = 1.0f;
  ck_assert_double_eq_tol(hang(&def, rope), 1.0, 1e-3);
  // length as set by the sweeps, with springs on or off
  rope = new_rope(10, &soft);
  def.solver.direct_iterations = 0;
  def.damping = 5.0f;
  const double length = hang(&def, rope);
  def.solver.springs = false;
  ck_assert_double_eq_tol(hang(&def, rope) / length, 1.0, 1e-2);
}

LOOP_TEST(a_torn_spring_pulls_no_more, 0, WEFT_INTEGRATOR_RUNGE_KUTTA_4 + 1) {
  weft_link_def like = {.relaxation = 1.0f, .compliance = 0.01f, .tear_ratio = 1.5f};
  weft_scene* rope = new_rope(10, &like);
  weft_world_def def = def_with_springs();
  def.solver.integrator = (weft_integrator)_i;
  weft_world* world = new_world(&def, rope);
  const float far[3] = {0.0f, -1.2f, 0.0f};
  place_particle(world, 10, far, NULL);
  weft_world_step(world, 1);
  bool torn[10];
  expect_get(world, WEFT_ATTRIBUTE_LINK_TORN, 0, 10, torn);
  ck_assert(torn[9] && !torn[0]);
  float before[3];
  float after[3];
  weft_world_step(world, 1);
  expect_get(world, WEFT_ATTRIBUTE_VELOCITY, 10, 1, before);
  weft_world_step(world, 100);
  expect_get(world, WEFT_ATTRIBUTE_VELOCITY, 10, 1, after);
  ck_assert_double_eq_tol((double)(after[1] - before[1]), -9.81 * 0.2, 2e-2);
}

LOOP_TEST(springs_whose_ends_coincide_or_are_both_pinned_do_nothing, 0,
          WEFT_INTEGRATOR_RUNGE_KUTTA_4 + 1) {
  const float positions[9] = {1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 2.0f, 1.0f, 1.0f};
  const float inverse_masses[3] = {0.0f, 1.0f, 0.0f};
  const weft_link_def links[2] = {
      {.a = 0, .b = 1, .rest_length = 0.5f, .relaxation = 1.0f, .compliance = 0.1f},
      {.a = 0, .b = 2, .rest_length = 0.5f, .relaxation = 1.0f, .compliance = 0.1f}};
  weft_scene* scene = new_points_scene(positions, inverse_masses, 3);
  expect_ok(weft_scene_add_links(scene, links, 2, NULL));
  weft_world_def def = def_with_springs();
  def.solver.integrator = (weft_integrator)_i;
  memset(def.gravity, 0, sizeof(def.gravity));
  weft_world* world = new_world(&def, scene);
  weft_world_step(world, 10);
  float after[9];
  expect_get(world, WEFT_ATTRIBUTE_POSITION, 0, 3, after);
  ck_assert_mem_eq(after, positions, sizeof(after));
}

// parameter of a link's lane
static float lane_parameter(const weft__lane* lane, const float* column, uint32_t first,
                            uint32_t stride) {
  const uint32_t group = lane->group - lane->run->first_group;
  return column[first + group * stride + weft__lane_slot(lane) % WEFT__LANES];
}

RANDOM_TEST(sweeps_have_springs_with_stiffness_0_and_the_other_links_as_they_are, 5) {
  weft_scene* scene = new_net(&random, 40, true);
  uint8_t* solver;
  const weft_scene view = view_with_springs(scene, &solver);
  weft__schedule s;
  require(weft__freeze(&s, &view, NULL));
  uint32_t springs = 0;
  for (uint32_t i = 0; i < scene->links.count; ++i) {
    const weft__links* links = &scene->links;
    const bool spring = links->compliance[i] > 0.0f && links->relaxation[i] == 1.0f;
    springs += spring ? 1 : 0;
    const weft__lane lane = weft__schedule_lane(&s, s.links.slot_of_link[i]);
    const weft__run* run = lane.run;
    require(lane_parameter(&lane, s.links.relaxation, run->relaxation, run->relaxation_stride) ==
            (spring ? 0.0f : links->relaxation[i]));
    const float compliance =
        weft__run_is_compliant(run)
            ? lane_parameter(&lane, s.links.compliance, run->compliance, run->compliance_stride)
            : 0.0f;
    require(compliance == (spring ? 0.0f : links->compliance[i]));
    require(((s.links.structural[lane.group] & lane.bit) != 0) ==
            (links->kind[i] == WEFT_LINK_STRUCTURAL));
    require(weft__links_carry(&view.links, i) == (!spring && weft__links_carry(links, i)));
  }
  ck_assert_uint_gt(springs, 0);
  weft__schedule_destroy(&s);
}
