/* Rest shape of cloth, against statics and against the textbook's serial solver.
 *
 * A chain of n links of length l and equal particles, hung from both ends, rests where the
 * horizontal pull H is the same in all links and the vertical pull grows by m g from link to link:
 *
 *     tan(angle of link k) = (k - (n - 1) / 2) w,      w = m g / H,  k = 0 .. n - 1
 *
 * w follows from the distance between the ends: the discrete catenary. A sheet hung from two
 * opposite edges that are brought together rests as many such chains side by side, without strain
 * in any of its links. */
#include "baseline/serial.h"
#include "support/test.h"

// ---- discrete catenary ----

static double reach(double w, int links, double length) {
  double sum = 0.0;
  for (int k = 0; k < links; ++k) {
    const double slope = ((double)k - 0.5 * (double)(links - 1)) * w;
    sum += length / sqrt(1.0 + slope * slope);
  }
  return sum;
}

// x and y of links + 1 particles, the first at the origin; span: distance between the ends
static void hang_chain(int links, double length, double span, double* x, double* y) {
  double slack = 0.0;
  double tight = 1e6;
  for (int halving = 0; halving < 200; ++halving) {
    const double w = 0.5 * (slack + tight);
    if (reach(w, links, length) > span) {
      slack = w;
    } else {
      tight = w;
    }
  }
  x[0] = y[0] = 0.0;
  for (int k = 0; k < links; ++k) {
    const double slope = ((double)k - 0.5 * (double)(links - 1)) * slack;
    const double across = length / sqrt(1.0 + slope * slope);
    x[k + 1] = x[k] + across;
    y[k + 1] = y[k] + across * slope;
  }
}

TEST(the_catenary_of_the_test_reaches_its_span_and_is_as_long_as_its_links) {
  double x[101];
  double y[101];
  for (int links = 2; links <= 100; ++links) {
    const double span = 0.7 * 0.1 * links;
    hang_chain(links, 0.1, span, x, y);
    require(fabs(x[links] - span) < 1e-9 && fabs(y[links]) < 1e-9);
    for (int k = 0; k < links; ++k) {
      require(fabs(hypot(x[k + 1] - x[k], y[k + 1] - y[k]) - 0.1) < 1e-9);
    }
  }
}

// ---- chain ----

// chain that starts on a shallow arc below its pinned ends
static weft_scene* new_chain(uint32_t links, float length, float span) {
  weft_scene* scene = new_scene();
  for (uint32_t i = 0; i <= links; ++i) {
    const float along = (float)i / (float)links;
    const float position[3] = {span * along, -0.4f * span * along * (1.0f - along), 0.0f};
    const float inverse_mass = i == 0 || i == links ? 0.0f : 100.0f;
    expect_ok(weft_scene_add_particles(scene, position, &inverse_mass, 1, NULL));
    if (i == 0) continue;
    const weft_link_def link = {.a = i - 1, .b = i, .rest_length = length, .relaxation = 1.0f};
    expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
  }
  return scene;
}

// much damping and small steps, to reach statics; STEPS make four seconds
#define STEPS 1000
static weft_world_def calm_def(uint32_t iterations) {
  return plain_def(.damping = 5.0f, .iterations = iterations, .step_ns = 4000000);
}

LOOP_TEST(a_chain_hangs_as_a_discrete_catenary, 0, ROUNDS(3, 2)) {
  const int links = 10 + 10 * _i;
  const float length = 0.1f;
  const float span = (0.5f + 0.2f * (float)_i) * length * (float)links;
  weft_scene* scene = new_chain((uint32_t)links, length, span);
  const weft_world_def def = calm_def(300);
  weft_world* world = new_world(&def, scene);
  weft_world_step(world, STEPS);

  double x[40];
  double y[40];
  hang_chain(links, (double)length, (double)span, x, y);
  float* positions = new_positions(world);
  for (int i = 0; i <= links; ++i) {
    ck_assert_double_eq_tol((double)positions[3 * i], x[i], 2e-3);
    ck_assert_double_eq_tol((double)positions[3 * i + 1], y[i], 2e-3);
    ck_assert_double_eq_tol((double)positions[3 * i + 2], 0.0, 1e-6);
  }
}

// ---- sheet ----

enum { COLUMNS = 13, ROWS = 7, COUNT = COLUMNS * ROWS };
#define SPACING 0.1f
#define SPAN (0.8f * SPACING * (float)(COLUMNS - 1))

static const weft_world_def* hammock_def(void) {
  static weft_world_def def;
  def = calm_def(150);
  return &def;
}

// level sheet, pinned along its first and last columns
static weft_scene* new_hammock(void) {
  weft_scene* scene =
      new_cloth_scene(.columns = COLUMNS, .rows = ROWS, .spacing = SPACING, .is_level = true);
  for (uint32_t row = 0; row < ROWS; ++row) {
    expect_ok(weft_scene_pin(scene, row * COLUMNS, 1));
    expect_ok(weft_scene_pin(scene, row * COLUMNS + COLUMNS - 1, 1));
  }
  return scene;
}

// start position in a hammock: pinned edges brought together, middle lowered a little
static void start_of(uint32_t particle, float position[3]) {
  const float along = (float)(particle % COLUMNS) / (float)(COLUMNS - 1);
  position[0] = SPAN * along;
  position[1] = -0.4f * SPAN * along * (1.0f - along);
  position[2] = SPACING * (float)(particle / COLUMNS);
}

// positions of the engine's hammock after so many steps; the caller frees them
static float* rest_by_engine(uint32_t steps) {
  weft_scene* scene = new_hammock();
  weft_world* world = new_world(hammock_def(), scene);
  for (uint32_t i = 0; i < COUNT; ++i) {
    float position[3];
    start_of(i, position);
    place_particle(world, i, position, NULL);
  }
  weft_world_step(world, steps);
  return new_positions(world);
}

static void check_catenaries(const float* positions) {
  double x[COLUMNS];
  double y[COLUMNS];
  hang_chain(COLUMNS - 1, (double)SPACING, (double)SPAN, x, y);
  for (uint32_t i = 0; i < COUNT; ++i) {
    const uint32_t column = i % COLUMNS;
    ck_assert_double_eq_tol((double)positions[3 * i], x[column], 2e-3);
    ck_assert_double_eq_tol((double)positions[3 * i + 1], y[column], 2e-3);
    ck_assert_double_eq_tol((double)positions[3 * i + 2], (double)SPACING * (double)(i / COLUMNS),
                            2e-3);
  }
}

// ---- against the bench's baseline, which shares no file with the engine ----

static baseline_link* copy_links(const weft_scene* scene) {
  const uint32_t count = weft_scene_link_count(scene);
  baseline_link* links = test_alloc(count * sizeof(*links));
  for (uint32_t i = 0; i < count; ++i) {
    weft_link_def link;
    expect_ok(weft_scene_get_links(scene, i, 1, &link));
    links[i] = (baseline_link){link.a, link.b, link.rest_length, link.relaxation};
  }
  return links;
}

static baseline_particle* place_particles(const weft_scene* scene) {
  baseline_particle* particles = test_alloc(COUNT * sizeof(*particles));
  for (uint32_t i = 0; i < COUNT; ++i) {
    float at[3];
    float inverse_mass = 0.0f;
    start_of(i, at);
    expect_ok(weft_scene_get_particles(scene, i, 1, NULL, &inverse_mass));
    particles[i] = (baseline_particle){at[0], at[1], at[2], at[0], at[1], at[2], inverse_mass};
  }
  return particles;
}

// particles of the baseline's hammock after so many steps; the caller frees them
static baseline_particle* rest_by_baseline(uint32_t steps) {
  const weft_world_def* def = hammock_def();
  weft_scene* scene = new_hammock();
  baseline_cloth cloth = {
      .particles = place_particles(scene),
      .links = copy_links(scene),
      .particle_count = COUNT,
      .link_count = weft_scene_link_count(scene),
      .iterations = def->iterations,
      .gravity = {def->gravity[0], def->gravity[1], def->gravity[2]},
      .damping = def->damping,
      .dt = (float)((double)def->step_ns * 1e-9),
  };
  for (uint32_t step = 0; step < steps; ++step) baseline_step(&cloth);
  return cloth.particles;
}

TEST(a_hammock_hangs_as_catenaries_side_by_side_and_where_the_serial_baseline_does) {
  float* positions = rest_by_engine(STEPS);
  check_catenaries(positions);
  baseline_particle* particles = rest_by_baseline(STEPS);
  for (uint32_t i = 0; i < COUNT; ++i) {
    ck_assert_float_eq_tol(positions[3 * i], particles[i].x, 1e-3f);
    ck_assert_float_eq_tol(positions[3 * i + 1], particles[i].y, 1e-3f);
    ck_assert_float_eq_tol(positions[3 * i + 2], particles[i].z, 1e-3f);
  }
}
