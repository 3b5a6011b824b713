/* Symmetric sweeps against closed forms, beside those of textbooks: weft_solver_def.sweeps. */
#include "support/collided.h"
#include "support/saved.h"
#include "support/test.h"

static const double pi = 3.14159265358979323846;

// at this many steps a second, without damping
static weft_world_def symmetric_at(int rate, uint32_t substeps) {
  weft_world_def def = def_at(rate);
  def.solver.substeps = substeps;
  def.solver.sweeps = WEFT_SWEEPS_SYMMETRIC;
  return def;
}

// ---- a pendulum of a metre ----

static weft_world* new_pendulum(const weft_world_def* def, double angle, float compliance) {
  const float positions[6] = {0.0f, 0.0f, 0.0f, (float)sin(angle), (float)-cos(angle), 0.0f};
  const weft_link_def link = {
      .a = 0, .b = 1, .rest_length = 1.0f, .relaxation = 1.0f, .compliance = compliance};
  weft_scene* scene = new_points_scene(positions, (const float[2]){0.0f, 1.0f}, 2);
  expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
  return new_world(def, scene);
}

// Period by the complete elliptic integral, by the arithmetic-geometric mean.
static double period_of(double angle) {
  double a = 1.0, g = cos(angle / 2.0);
  for (int i = 0; i < 6; ++i) {
    const double mean = (a + g) / 2.0;
    g = sqrt(a * g);
    a = mean;
  }
  return 2.0 * pi / (a * sqrt(GRAVITY));
}

// Energy in the middle of three steps, joules, of particle 1.
static double energy_after(weft_world* world, uint32_t steps, double h) {
  float before[3], at[3], after[3];
  weft_world_step(world, steps - 1);
  expect_get(world, WEFT_ATTRIBUTE_POSITION, 1, 1, before);
  weft_world_step(world, 1);
  expect_get(world, WEFT_ATTRIBUTE_POSITION, 1, 1, at);
  weft_world_step(world, 1);
  expect_get(world, WEFT_ATTRIBUTE_POSITION, 1, 1, after);
  double energy = GRAVITY * (1.0 + (double)at[1]);
  for (int axis = 0; axis < 3; ++axis) {
    const double speed = ((double)after[axis] - (double)before[axis]) / (2.0 * h);
    energy += speed * speed / 2.0;
  }
  return energy;
}

// Share of the energy of a swing of a radian that is lost in a second.
static double swing_loss(weft_world_def def, int rate, weft_sweeps sweeps) {
  def.solver.sweeps = sweeps;
  weft_world* world = new_pendulum(&def, 1.0, 0.0f);
  const double energy = energy_after(world, (uint32_t)rate, 1.0 / rate);
  return 1.0 - energy / (GRAVITY * (1.0 - cos(1.0)));
}

TEST(a_swing_of_a_radian_keeps_its_energy) {
  static const int rates[] = {60, 120, 60, 120};
  static const uint32_t substeps[] = {1, 1, 2, 4};
  for (int i = 0; i < 4; ++i) {
    weft_world_def def = symmetric_at(rates[i], substeps[i]);
    def.solver.direct_iterations = 0;
    const double loss = swing_loss(def, rates[i], WEFT_SWEEPS_SYMMETRIC);
    require(fabs(loss) < 0.002);
    require(fabs(loss) < 0.1 * swing_loss(def, rates[i], WEFT_SWEEPS_TEXTBOOK));
  }
}

// Seconds between the first two times at which it comes from the right through the middle.
static double measured_period(weft_world* world, double h) {
  double crossings[2], last = 1.0;
  for (int n = 0, found = 0; n < 10000 && found < 2; ++n) {
    float at[3];
    weft_world_step(world, 1);
    expect_get(world, WEFT_ATTRIBUTE_POSITION, 1, 1, at);
    const double x = (double)at[0];
    if (last > 0.0 && x <= 0.0) crossings[found++] = h * (n + last / (last - x));
    last = x;
  }
  return crossings[1] - crossings[0];
}

TEST(the_period_of_a_pendulum_is_near_its_elliptic_integral) {
  for (int angle = 1; angle <= 2; ++angle) {
    double errors[2];
    for (int i = 0; i < 2; ++i) {
      const int rate = 60 << (2 * i);
      const weft_world_def def = symmetric_at(rate, 1);
      weft_world* world = new_pendulum(&def, angle, 0.0f);
      const double h = (double)def.step_ns * 1e-9;
      errors[i] = fabs(measured_period(world, h) / period_of(angle) - 1.0);
    }
    require(errors[0] < 0.02 && errors[1] < 0.003);
  }
}

// ---- a spinning sheet ----

static weft_world* new_spinning_sheet(const weft_world_def* def, uint32_t side, double spin) {
  weft_scene* scene =
      new_cloth_scene(.side = side, .spacing = 1.0f / (float)(side - 1), .origin = {-0.5f, 0.5f});
  weft_world* world = new_world(def, scene);
  for (uint32_t i = 0; i < side * side; ++i) {
    float at[3];
    expect_get(world, WEFT_ATTRIBUTE_POSITION, i, 1, at);
    const float velocity[3] = {(float)-spin * at[1] + 1.0f, (float)spin * at[0], 0.0f};
    expect_set(world, WEFT_ATTRIBUTE_VELOCITY, i, 1, velocity, 0);
  }
  return world;
}

// Share of the angular momentum at 6 radians a second that is lost in one, and drift of the
// momentum: it flies at 1 m/s.
static double spin_loss(weft_world_def def, uint32_t side, weft_sweeps sweeps) {
  memset(def.gravity, 0, sizeof(def.gravity));
  def.solver.sweeps = sweeps;
  weft_world* world = new_spinning_sheet(&def, side, 6.0);
  const weft_measures before = measures_of(world);
  weft_world_step(world, (uint32_t)(1000000000 / def.step_ns));
  const weft_measures after = measures_of(world);
  // the rounding of positions, most in short substeps
  require(fabs(after.momentum[0] - before.momentum[0]) < 6e-3 * before.momentum[0]);
  require(fabs(after.momentum[1]) < 6e-3 * before.momentum[0]);
  // without what its flight adds
  const double own = after.angular_momentum[2] -
                     (after.center[0] * after.momentum[1] - after.center[1] * after.momentum[0]);
  return 1.0 - own / before.angular_momentum[2];
}

LOOP_TEST(a_spin_of_six_radians_a_second_keeps_its_angular_momentum, 0, 4) {
  static const uint32_t substeps[] = {1, 2, 4, 16};
  const uint32_t side = _i % 2 == 0 ? 9 : 17;
  for (int i = 0; i < 4; ++i) {
    const weft_world_def def = symmetric_at(_i < 2 ? 60 : 120, substeps[i]);
    const double loss = spin_loss(def, side, WEFT_SWEEPS_SYMMETRIC);
    require(fabs(loss) < 1e-3);
    require(fabs(loss) < 0.1 * spin_loss(def, side, WEFT_SWEEPS_TEXTBOOK));
  }
}

// ---- settings ----

TEST(an_odd_number_of_symmetric_sweeps_is_the_next_even_one) {
  for (uint32_t sweeps = WEFT_SWEEPS_SYMMETRIC; sweeps <= WEFT_SWEEPS_TEXTBOOK; ++sweeps) {
    uint64_t hash[2];
    for (uint32_t i = 0; i < 2; ++i) {
      weft_world_def def = symmetric_at(60, 2);
      def.solver.sweeps = (weft_sweeps)sweeps;
      def.solver.iterations = 3 + i;
      weft_world* world = new_spinning_sheet(&def, 9, 6.0);
      weft_world_def used;
      expect_ok(weft_world_get_def(world, &used));
      require(used.solver.iterations == (sweeps == WEFT_SWEEPS_SYMMETRIC ? 4 : 3 + i));
      weft_world_step(world, 10);
      hash[i] = weft_world_hash(world);
    }
    require((hash[0] == hash[1]) == (sweeps == WEFT_SWEEPS_SYMMETRIC));
  }
}
