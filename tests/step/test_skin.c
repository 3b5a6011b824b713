/* Limits of particles about skinned positions: closed forms, interpolation, one hash, bad input. */
#include "support/test.h"

// A free particle of a kilogram at the origin, without damping.
static weft_world* new_one(float gravity, uint32_t substeps, weft_integrator integrator) {
  static const float origin[3];
  const float inverse_mass = 1.0f;
  weft_world_def def = plain_def(.undamped = true, .substeps = substeps, .integrator = integrator);
  def.gravity[1] = gravity;
  return new_particles(&def, origin, &inverse_mass, 1);
}

static void read(const weft_world* world, double position[3]) {
  float at[3];
  expect_get(world, WEFT_ATTRIBUTE_POSITION, 0, 1, at);
  for (int axis = 0; axis < 3; ++axis) position[axis] = (double)at[axis];
}

static void limit(weft_world* world, const weft_skin_limits* limits) {
  expect_ok(weft_world_set(world, WEFT_ATTRIBUTE_SKIN_LIMITS,
                           weft_range(0, particle_count_of(world)), limits, WEFT_SAME));
}

LOOP_TEST(a_particle_hangs_at_its_maximum_distance, 0, WEFT_INTEGRATOR_RUNGE_KUTTA_4 + 1) {
  weft_skin_limits limits = weft_default_skin_limits();
  limits.max_distance = 0.25f;
  for (uint32_t substeps = 1; substeps <= 5; substeps += 2) {
    weft_world* world = new_one(-9.81f, substeps, (weft_integrator)_i);
    limit(world, &limits);
    const float skin[3] = {0.5f, 2.0f, 0.0f};
    expect_set(world, WEFT_ATTRIBUTE_SKIN_POSITION, 0, 1, skin, 0);
    place_particle(world, 0, skin, NULL);
    for (int step = 0; step < 120; ++step) {
      double at[3];
      weft_world_step(world, 1);
      read(world, at);
      ck_assert(hypot(at[0] - 0.5, at[1] - 2.0) < 0.25 + 3e-7);
    }
    double at[3];
    read(world, at);
    ck_assert(fabs(at[1] - 1.75) < 3e-7 && at[0] == 0.5);
  }
}

LOOP_TEST(at_distance_zero_a_particle_follows_in_equal_parts, 0,
          WEFT_INTEGRATOR_RUNGE_KUTTA_4 + 1) {
  weft_skin_limits limits = weft_default_skin_limits();
  limits.max_distance = 0.0f;
  weft_world* world = new_one(-9.81f, 4, (weft_integrator)_i);
  limit(world, &limits);
  for (int step = 1; step <= 5; ++step) {
    const float skin[3] = {0.3f * (float)step, 1.0f, -0.1f * (float)step};
    float at[3];
    expect_set(world, WEFT_ATTRIBUTE_SKIN_POSITION_TARGET, 0, 1, skin, 0);
    weft_world_step(world, 1);
    expect_get(world, WEFT_ATTRIBUTE_POSITION, 0, 1, at);
    ck_assert_mem_eq(at, skin, sizeof(at));
    if (step == 1 || _i != WEFT_INTEGRATOR_POSITION_VERLET) continue;
    float velocity[3];
    expect_get(world, WEFT_ATTRIBUTE_VELOCITY, 0, 1, velocity);
    ck_assert(fabs((double)velocity[0] - 0.3 * 60.0) < 1e-3);
  }
}

TEST(a_particle_stays_out_of_the_backstop_sphere) {
  // normal (0.6, 0.8, 0): the sphere of 0.5 m begins 0.1 m behind the origin
  static const float origin[3];
  const float normal[3] = {1.2f, 1.6f, 0.0f};
  weft_skin_limits limits = weft_default_skin_limits();
  limits.backstop_distance = 0.1f;
  limits.backstop_radius = 0.5f;
  random_source random = {7};
  for (int round = 0; round < 200; ++round) {
    weft_world* world = new_one(0.0f, 2, WEFT_INTEGRATOR_POSITION_VERLET);
    limit(world, &limits);
    expect_set(world, WEFT_ATTRIBUTE_SKIN_POSITION, 0, 1, origin, 0);
    expect_set(world, WEFT_ATTRIBUTE_SKIN_NORMAL, 0, 1, normal, 0);
    const float inside[3] = {random_float(&random, -0.6f, 0.0f), random_float(&random, -0.8f, 0.0f),
                             random_float(&random, -0.2f, 0.2f)};
    place_particle(world, 0, inside, NULL);
    weft_world_step(world, 1);
    double at[3];
    read(world, at);
    const double from[3] = {at[0] + 0.36, at[1] + 0.48, at[2]};
    const double distance = sqrt(from[0] * from[0] + from[1] * from[1] + from[2] * from[2]);
    require(distance > 0.5 - 1e-6);
  }
  // gravity along the normal presses the particle onto the foremost point
  weft_world* world = new_one(0.0f, 3, WEFT_INTEGRATOR_POSITION_VERLET);
  const float gravity[3] = {-6.0f, -8.0f, 0.0f};
  expect_ok(weft_world_set_gravity(world, gravity));
  limit(world, &limits);
  expect_set(world, WEFT_ATTRIBUTE_SKIN_POSITION, 0, 1, origin, 0);
  expect_set(world, WEFT_ATTRIBUTE_SKIN_NORMAL, 0, 1, normal, 0);
  // it is no stable equilibrium
  weft_world_step(world, 10);
  double at[3];
  read(world, at);
  ck_assert(fabs(at[0] + 0.06) < 1e-6 && fabs(at[1] + 0.08) < 1e-6);
  // without a normal there is no backstop
  expect_set(world, WEFT_ATTRIBUTE_SKIN_POSITION, 0, 1, origin, 0);
  expect_set(world, WEFT_ATTRIBUTE_SKIN_NORMAL, 0, 1, origin, 0);
  weft_world_step(world, 60);
  read(world, at);
  ck_assert(at[1] < -3.0);
}

LOOP_TEST(a_blend_leaves_its_share_of_the_distance, 0, WEFT_INTEGRATOR_RUNGE_KUTTA_4 + 1) {
  static const float far[3] = {1.0f, -2.0f, 4.0f};
  const float blends[] = {0.1f, 0.5f, 0.9f, 0.999f, 1.0f};
  for (size_t b = 0; b < sizeof(blends) / sizeof(*blends); ++b) {
    for (uint32_t substeps = 1; substeps < 100; substeps += 33) {
      weft_world* world = new_one(0.0f, substeps, (weft_integrator)_i);
      weft_skin_limits limits = weft_default_skin_limits();
      limits.blend = blends[b];
      limit(world, &limits);
      place_particle(world, 0, far, NULL);
      for (int step = 1; step <= 3; ++step) {
        double at[3];
        weft_world_step(world, 1);
        read(world, at);
        const double left = pow(1.0 - (double)blends[b], step);
        for (int axis = 0; axis < 3; ++axis) {
          require(fabs(at[axis] - left * (double)far[axis]) < 2e-5);
        }
      }
    }
  }
}

// ---- cloth ----

TEST(what_is_set_can_be_read_and_removed) {
  weft_world* world = new_one(0.0f, 1, WEFT_INTEGRATOR_POSITION_VERLET);
  weft_skin_limits limits = {0.5f, 0.25f, 0.125f, 0.75f}, read_back;
  expect_ok(weft_world_get(world, WEFT_ATTRIBUTE_SKIN_LIMITS, weft_range(0, 1), &read_back, 0));
  ck_assert(isinf(read_back.max_distance) && read_back.blend == 0.0f);
  float none[3];
  expect_error(weft_world_get(world, WEFT_ATTRIBUTE_SKIN_POSITION, weft_range(0, 1), none, 0),
               WEFT_ERROR_EMPTY, "world");
  limit(world, &limits);
  expect_ok(weft_world_get(world, WEFT_ATTRIBUTE_SKIN_LIMITS, weft_range(0, 1), &read_back, 0));
  ck_assert_mem_eq(&read_back, &limits, sizeof(limits));
  const float skin[3] = {1.0f, 2.0f, 3.0f}, normal[3] = {0.0f, 0.0f, -5.0f};
  expect_set(world, WEFT_ATTRIBUTE_SKIN_POSITION_TARGET, 0, 1, skin, 0);
  expect_set(world, WEFT_ATTRIBUTE_SKIN_NORMAL_TARGET, 0, 1, normal, 0);
  float position[3], target[3], along[3];
  expect_get(world, WEFT_ATTRIBUTE_SKIN_POSITION, 0, 1, position);
  expect_get(world, WEFT_ATTRIBUTE_SKIN_POSITION_TARGET, 0, 1, target);
  expect_get(world, WEFT_ATTRIBUTE_SKIN_NORMAL_TARGET, 0, 1, along);
  ck_assert(position[2] == 0.0f && target[2] == 3.0f && along[2] == -1.0f);
  const weft_skin_limits without = weft_default_skin_limits();
  limit(world, &without);
  expect_ok(weft_world_get(world, WEFT_ATTRIBUTE_SKIN_LIMITS, weft_range(0, 1), &read_back, 0));
  ck_assert(isinf(read_back.max_distance) && read_back.blend == 0.0f);
  const uint64_t hash = weft_world_hash(world);
  weft_world_step(world, 1);
  ck_assert_uint_eq(weft_world_hash(world), hash);
}

TEST(bad_input_is_named_and_changes_nothing) {
  weft_world* world = new_one(0.0f, 1, WEFT_INTEGRATOR_POSITION_VERLET);
  static const struct {
    weft_skin_limits limits;
    weft_error error;
    const char* field;
  } bad[] = {
      {{-0.1f, 0, 0, 0}, WEFT_ERROR_RANGE, "weft_skin_limits.max_distance"},
      {{NAN, 0, 0, 0}, WEFT_ERROR_NOT_FINITE, "weft_skin_limits.max_distance"},
      {{-INFINITY, 0, 0, 0}, WEFT_ERROR_NOT_FINITE, "weft_skin_limits.max_distance"},
      {{1, -1, 0, 0}, WEFT_ERROR_RANGE, "weft_skin_limits.backstop_distance"},
      {{1, INFINITY, 0, 0}, WEFT_ERROR_NOT_FINITE, "weft_skin_limits.backstop_distance"},
      {{1, 0, -1, 0}, WEFT_ERROR_RANGE, "weft_skin_limits.backstop_radius"},
      {{1, 0, 0, 1.5f}, WEFT_ERROR_RANGE, "weft_skin_limits.blend"},
      {{1, 0, 0, NAN}, WEFT_ERROR_NOT_FINITE, "weft_skin_limits.blend"},
  };
  for (size_t k = 0; k < sizeof(bad) / sizeof(*bad); ++k) {
    expect_error(
        weft_world_set(world, WEFT_ATTRIBUTE_SKIN_LIMITS, weft_range(0, 1), &bad[k].limits, 0),
        bad[k].error, bad[k].field);
  }
  const weft_skin_limits good = weft_default_skin_limits();
  const float at[3] = {0}, nowhere[3] = {0, NAN, 0};
  expect_past_end(weft_world_set(world, WEFT_ATTRIBUTE_SKIN_LIMITS, weft_range(0, 2), &good, 0));
  expect_error(weft_world_set(world, WEFT_ATTRIBUTE_SKIN_LIMITS, weft_range(0, 1), &good, 12),
               WEFT_ERROR_RANGE, "stride");
  expect_null(weft_world_set(NULL, WEFT_ATTRIBUTE_SKIN_LIMITS, weft_range(0, 1), &good, 0),
              "world");
  for (weft_attribute of = WEFT_ATTRIBUTE_SKIN_POSITION; of <= WEFT_ATTRIBUTE_SKIN_NORMAL_TARGET;
       of = (weft_attribute)(of + 1)) {
    expect_null(weft_world_set(world, of, weft_range(0, 1), NULL, 0), "values");
    expect_error(weft_world_set(world, of, weft_range(0, 1), nowhere, 0), WEFT_ERROR_NOT_FINITE,
                 "values");
    expect_past_end(weft_world_set(world, of, weft_range(1, 1), at, 0));
    expect_error(weft_world_add(world, of, weft_range(0, 1), at, 0), WEFT_ERROR_RANGE, "attribute");
  }
}
