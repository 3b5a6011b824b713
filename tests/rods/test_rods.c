/* Rods against closed forms, at several resolutions and lengths of a substep; what holds them,
 * tears them, and keeps them. */
#include <math.h>

#include "support/isas.h"
#include "support/worlds.h"

static const double pi = 3.14159265358979323846, length = 0.3, stiffness = 1e-3;

// Rod along x from the origin, held and clamped there.
static weft_rod_def held_rod(uint32_t segments, double mass_per_metre) {
  weft_rod_def def = weft_default_rod_def();
  def.rope.end[0] = (float)length;
  def.rope.end[1] = 0.0f;
  def.rope.segments = segments;
  def.rope.mass_per_metre = (float)mass_per_metre;
  def.rope.pin_origin = def.clamp_origin = true;
  def.bend_stiffness = def.twist_stiffness = (float)stiffness;
  return def;
}

static weft_world_def world_def(uint32_t substeps, float damping, float gravity) {
  weft_world_def def = weft_default_world_def();
  def.worker_count = 1;
  def.substeps = substeps;
  def.damping = damping;
  def.gravity[1] = -gravity;
  return def;
}

static weft_world* new_rod(const weft_rod_def* rod, const weft_world_def* def) {
  weft_scene* scene = new_scene();
  expect_ok(weft_scene_add_rod(scene, rod, NULL));
  return new_world_from(def, scene);
}

static void position_of(const weft_world* world, uint32_t particle, double place[3]) {
  float at[3];
  expect_ok(weft_world_get_positions(world, particle, 1, at));
  for (int i = 0; i < 3; ++i) place[i] = (double)at[i];
}

// ---- closed forms ----

static const struct {
  uint32_t segments, substeps;
  double tolerance;
} grids[] = {{10, 4, 0.02}, {40, 4, 0.003}, {10, 16, 0.02}, {40, 16, 0.003}};
enum { GRIDS = 4 };

// Height over width at the end of the heavy elastica theta'' = -G (1 - s) cos theta by shooting.
static double elastica(double weight) {
  double lower = 0.0, upper = weight, ratio = 0.0;
  for (int round = 0; round < 60; ++round) {
    double angle = 0.0, slope = 0.5 * (lower + upper), x = 0.0, y = 0.0;
    const int steps = 2000;
    const double d = 1.0 / steps;
    for (int i = 0; i < steps; ++i) {
      // leapfrog
      slope -= 0.5 * d * weight * (1.0 - i * d) * cos(angle);
      x += 0.5 * d * cos(angle);
      y += 0.5 * d * sin(angle);
      angle += d * slope;
      x += 0.5 * d * cos(angle);
      y += 0.5 * d * sin(angle);
      slope -= 0.5 * d * weight * (1.0 - (i + 1) * d) * cos(angle);
    }
    ratio = y / x;
    if (slope > 0.0) {
      upper = 0.5 * (lower + upper);
    } else {
      lower = 0.5 * (lower + upper);
    }
  }
  return ratio;
}

START_TEST(a_cantilever_sags_as_the_heavy_elastica) {
  const double weights[] = {2.0, 15.0};
  for (int w = 0; w < 2; ++w) {
    const double mass = weights[w] * stiffness / (9.81 * length * length * length);
    const weft_rod_def rod = held_rod(grids[_i].segments, mass);
    const weft_world_def def = world_def(grids[_i].substeps, 8.0f, 9.81f);
    weft_world* world = new_rod(&rod, &def);
    weft_world_step(world, 240);
    double end[3];
    position_of(world, rod.rope.segments, end);
    ck_assert_double_eq_tol(-end[1] / end[0] / elastica(weights[w]), 1.0, grids[_i].tolerance);
    // the moment at the clamp bears the weight of all points
    double moment = 0.0;
    for (uint32_t k = 1; k <= rod.rope.segments; ++k) {
      position_of(world, k, end);
      moment -=
          end[0] * 9.81 * mass * length / rod.rope.segments * (k == rod.rope.segments ? 0.5 : 1.0);
    }
    float made[3];
    expect_ok(weft_world_get_rod_moments(world, 0, 1, made));
    ck_assert_double_eq_tol((double)made[2] / moment, 1.0, 0.06 / rod.rope.segments * 10.0);
    weft_world_destroy(&world);
  }
}
END_TEST

START_TEST(a_cantilever_swings_at_its_first_frequency) {
  const double frequency = 2.0, root = 1.8751040687;
  const double speed = 2.0 * pi * frequency * length * length / (root * root);
  const double mass = stiffness / (speed * speed), weight = 0.02;
  const weft_rod_def rod = held_rod(grids[_i].segments, mass);
  const weft_world_def def = world_def(grids[_i].substeps, 0.0f, (float)weight);
  weft_world* world = new_rod(&rod, &def);
  const double mean = -weight * mass * pow(length, 4.0) / (8.0 * stiffness);
  double former = 0.0, first = 0.0, last = 0.0;
  int crossings = 0;
  for (int step = 1; step <= 180; ++step) {
    double end[3];
    weft_world_step(world, 1);
    position_of(world, rod.rope.segments, end);
    const double now = end[1] - mean;
    if (step > 1 && (former > 0.0) != (now > 0.0)) {
      last = (step - now / (now - former)) / 60.0;
      if (crossings++ == 0) first = last;
    }
    former = now;
  }
  const double measured = 0.5 * (crossings - 1) / (last - first);
  ck_assert_double_eq_tol(measured / frequency, 1.0, grids[_i].tolerance);
  weft_world_destroy(&world);
}
END_TEST

// Distance from the axis after a push, over the length.
static double deflection_under(const weft_rod_def* rod, const weft_world_def* def, double thrust) {
  weft_world* world = new_rod(rod, def);
  const uint32_t last = rod->rope.segments;
  for (int step = 0; step < 900; ++step) {
    const float force[3] = {(float)-thrust, step < 5 ? (float)(1e-3 * thrust) : 0.0f, 0.0f};
    expect_ok(weft_world_add_forces(world, last, 1, force, 0));
    weft_world_step(world, 1);
  }
  double end[3];
  position_of(world, last, end);
  weft_world_destroy(&world);
  return sqrt(end[1] * end[1] + end[2] * end[2]) / length;
}

START_TEST(a_column_buckles_at_eulers_load) {
  const double load = pi * pi * stiffness / (4.0 * length * length);
  const weft_rod_def rod = held_rod(grids[_i].segments, 1e-3);
  const weft_world_def def = world_def(grids[_i].substeps, 6.0f, 0.0f);
  ck_assert_double_lt(deflection_under(&rod, &def, 0.985 * load), 0.01);
  ck_assert_double_gt(deflection_under(&rod, &def, 1.015 * load), 0.05);
}
END_TEST

// A rod between two points that is twisted at its clamped ends, and may stretch.
static double deflection_twisted(uint32_t segments, uint32_t substeps, double angle) {
  weft_rod_def rod = held_rod(segments, 0.01);
  rod.rope.pin_end = rod.clamp_end = true;
  rod.rope.compliance = (float)(1e-3 * length * length / stiffness);
  rod.keeps_shape = false;
  rod.twist = (float)(angle / length);
  const weft_world_def def = world_def(substeps, 2.0f, 0.0f);
  weft_world* world = new_rod(&rod, &def);
  const float push[3] = {0.0f, 1e-4f, 5e-5f};
  double largest = 0.0, place[3];
  for (int step = 0; step < 1500; ++step) {
    if (step < 5) expect_ok(weft_world_add_forces(world, segments / 3, 1, push, 0));
    weft_world_step(world, 1);
  }
  for (uint32_t k = 0; k <= segments; ++k) {
    position_of(world, k, place);
    largest = fmax(largest, sqrt(place[1] * place[1] + place[2] * place[2]));
  }
  weft_world_destroy(&world);
  return largest / length;
}

START_TEST(a_twisted_rod_coils_at_the_critical_torque) {
  // clamped ends: GJ angle / L = 8.9868 EI / L (Greenhill 1883)
  const double critical = 8.98682;
  const uint32_t segments = _i == 0 ? 24 : 12, substeps = _i == 0 ? 4 : 16;
  ck_assert_double_lt(deflection_twisted(segments, substeps, 0.98 * critical), 1e-3);
  ck_assert_double_gt(deflection_twisted(segments, substeps, 1.02 * critical), 3e-3);
}
END_TEST

START_TEST(a_torque_twists_by_length_over_stiffness) {
  weft_rod_def rod = held_rod(grids[_i].segments, 0.05);
  rod.radius = 0.02f;
  rod.bend_stiffness = 1.0f;
  rod.normal[2] = 1.0f;
  const double torque = 5e-3, angle = torque * (length - 0.5 * length / grids[_i].segments) / 1e-3;
  const weft_world_def def = world_def(grids[_i].substeps, 0.0f, 0.0f);
  weft_world* world = new_rod(&rod, &def);
  const weft_rod_end end = {.torque = {(float)torque, 0.0f, 0.0f}};
  expect_ok(weft_world_set_rod_end(world, rod.rope.segments, &end));
  weft_world_step(world, 300);
  float q[4], moments[2][3];
  expect_ok(weft_world_get_rod_frames(world, rod.rope.segments - 1, 1, q));
  expect_ok(weft_world_get_rod_moments(world, 0, 2, moments[0]));
  // the first material axis, which was along z
  const double y = 2.0 * ((double)q[0] * (double)q[1] + (double)q[3] * (double)q[2]);
  const double z = 2.0 * ((double)q[0] * (double)q[2] - (double)q[3] * (double)q[1]);
  ck_assert_double_eq_tol(atan2(-y, z), angle, 2e-3);
  for (int k = 0; k < 2; ++k) ck_assert_double_eq_tol((double)moments[k][0], torque, 1e-5);
  weft_world_destroy(&world);
}
END_TEST

// ---- what holds a rod ----

START_TEST(an_end_that_turns_winds_the_rod_up) {
  weft_rod_def rod = held_rod(20, 0.05);
  rod.rope.pin_end = rod.clamp_end = true;
  rod.bend_stiffness = 1.0f;
  const weft_world_def def = world_def(16, 0.0f, 0.0f);
  weft_world* world = new_rod(&rod, &def);
  weft_rod_end end;
  expect_ok(weft_world_get_rod_end(world, 20, &end));
  ck_assert(end.clamped);
  // three turns, of which quaternions know nothing
  end.spin[0] = (float)(2.0 * pi);
  expect_ok(weft_world_set_rod_end(world, 20, &end));
  weft_world_step(world, 180);
  end.spin[0] = 0.0f;
  weft_rod_end now;
  expect_ok(weft_world_get_rod_end(world, 20, &now));
  memcpy(end.frame, now.frame, sizeof(end.frame));
  expect_ok(weft_world_set_rod_end(world, 20, &end));
  weft_world_step(world, 60);
  float moments[21][3];
  expect_ok(weft_world_get_rod_moments(world, 0, 21, moments[0]));
  for (int k = 0; k <= 20; ++k)
    ck_assert_double_eq_tol((double)moments[k][0], 6.0 * pi * 1e-3 / length, 1e-4);
  ck_assert_double_eq_tol(measures_of(world).elastic * length / (0.5e-3 * 36.0 * pi * pi), 1.0,
                          1e-3);
  weft_world_destroy(&world);
}
END_TEST

START_TEST(a_rod_keeps_its_shape_or_takes_that_at_rest) {
  // a ring of given points stays; a straight rod with a curvature at rest becomes one
  enum { SEGMENTS = 32 };
  const double ring = 0.1;
  float points[SEGMENTS + 1][3] = {{0.0f}};
  weft_rod_def rod = held_rod(SEGMENTS, 0.01);
  if (_i == 0) {
    for (int k = 0; k <= SEGMENTS; ++k) {
      points[k][0] = (float)(ring * sin(2.0 * pi * k / SEGMENTS));
      points[k][1] = (float)(ring * (1.0 - cos(2.0 * pi * k / SEGMENTS)));
    }
    rod.rope.points = points[0];
    rod.rope.point_count = SEGMENTS + 1;
  } else {
    rod.rope.end[0] = (float)(2.0 * SEGMENTS * ring * sin(pi / SEGMENTS));
    rod.keeps_shape = false;
    rod.normal[2] = 1.0f;
    rod.rest_strain[0] = (float)(2.0 * pi / SEGMENTS * SEGMENTS / (double)rod.rope.end[0]);
  }
  const weft_world_def def = world_def(16, 4.0f, 0.0f);
  weft_world* world = new_rod(&rod, &def);
  weft_world_step(world, 300);
  double end[3], middle[3];
  position_of(world, SEGMENTS, end);
  position_of(world, SEGMENTS / 2, middle);
  for (int i = 0; i < 3; ++i) ck_assert_double_eq_tol(end[i], 0.0, _i == 0 ? 1e-5 : 0.012);
  ck_assert_double_eq_tol(sqrt(middle[0] * middle[0] + middle[1] * middle[1]), 2.0 * ring, 1e-3);
  weft_world_destroy(&world);
}
END_TEST

START_TEST(a_flying_rod_keeps_momentum_and_length) {
  weft_rod_def rod = held_rod(24, 0.1);
  rod.rope.pin_origin = rod.clamp_origin = false;
  const weft_world_def def = world_def(16, 0.0f, 0.0f);
  weft_world* world = new_rod(&rod, &def);
  double before[3] = {0.0}, after[3] = {0.0};
  float velocities[25][3], places[25][3];
  for (int k = 0; k <= 24; ++k) {
    const double share = k == 0 || k == 24 ? 0.5 : 1.0;
    for (int i = 0; i < 3; ++i) {
      velocities[k][i] = (float)sin(1.7 * k + 2.0 * i);
      before[i] += share * (double)velocities[k][i];
    }
  }
  expect_ok(weft_world_set_velocities(world, 0, 25, velocities[0], 12));
  weft_world_step(world, 120);
  expect_ok(weft_world_get_velocities(world, 0, 25, velocities[0]));
  expect_ok(weft_world_get_positions(world, 0, 25, places[0]));
  for (int k = 0; k <= 24; ++k) {
    const double share = k == 0 || k == 24 ? 0.5 : 1.0;
    for (int i = 0; i < 3; ++i) after[i] += share * (double)velocities[k][i];
    double sum = 0.0;
    for (int i = 0; i < 3 && k > 0; ++i) {
      const double edge = (double)places[k][i] - (double)places[k - 1][i];
      sum += edge * edge;
    }
    if (k > 0) ck_assert_double_eq_tol(sqrt(sum) * 24.0 / length, 1.0, 1e-3);
  }
  for (int i = 0; i < 3; ++i) ck_assert_double_eq_tol(after[i], before[i], 5e-3);
  weft_world_destroy(&world);
}
END_TEST

START_TEST(a_hanging_rod_tells_its_tension) {
  weft_rod_def rod = held_rod(10, 0.2);
  rod.rope.end[0] = 0.0f;
  rod.rope.end[1] = (float)-length;
  weft_world_def def = world_def(8, 5.0f, 9.81f);
  def.loads = true;
  weft_world* world = new_rod(&rod, &def);
  weft_world_step(world, 60);
  float tensions[10];
  expect_ok(weft_world_get_tensions(world, 0, 10, tensions));
  for (int s = 0; s < 10; ++s) {
    const double below = 0.2 * length * (9.5 - s) / 10.0;
    ck_assert_double_eq_tol((double)tensions[s], 9.81 * below, 1e-3);
  }
  weft_world_destroy(&world);
}
END_TEST

START_TEST(a_torn_segment_bends_no_more) {
  const weft_rod_def rod = held_rod(20, 0.02);
  const weft_world_def def = world_def(16, 4.0f, 9.81f);
  weft_world* world = new_rod(&rod, &def);
  weft_world_step(world, 120);
  expect_ok(weft_world_tear_links(world, 9, 1));
  weft_world_step(world, 60);
  float moments[21][3];
  expect_ok(weft_world_get_rod_moments(world, 0, 21, moments[0]));
  ck_assert_double_gt(fabs((double)moments[5][2]), 1e-6);
  for (int i = 0; i < 3; ++i) {
    ck_assert(moments[9][i] == 0.0f);
    ck_assert(moments[10][i] == 0.0f);
  }
  // the rest falls, as stiff as it was
  double end[3], middle[3], near_end[3];
  position_of(world, 20, end);
  position_of(world, 15, middle);
  position_of(world, 10, near_end);
  ck_assert_double_lt(end[1], -1.5);
  for (int i = 0; i < 3; ++i)
    ck_assert_double_eq_tol(0.5 * (end[i] + near_end[i]), middle[i], 2e-3);
  weft_world_destroy(&world);
}
END_TEST

// ---- the state ----

static weft_world* new_rods(const weft_world_def* def, uint32_t count) {
  weft_scene* scene = new_scene();
  for (uint32_t r = 0; r < count; ++r) {
    weft_rod_def rod = held_rod(5 + 3 * (r % 7), 0.05);
    rod.rope.origin[2] = rod.rope.end[2] = 0.05f * (float)r;
    rod.rope.end[1] = 0.01f * (float)r;
    rod.bend_stiffness_2 = 4e-3f;
    rod.rest_strain[1] = 3.0f;
    rod.keeps_shape = r % 2 == 0;
    rod.twist = (float)(r % 5);
    rod.rope.compliance = r % 3 == 0 ? 1e-3f : 0.0f;
    rod.clamp_end = r % 4 == 0;
    expect_ok(weft_scene_add_rod(scene, &rod, NULL));
  }
  return new_world_from(def, scene);
}

START_TEST(any_number_of_workers_and_every_isa_give_the_same_bits) {
  static const uint32_t workers[] = {1, 2, 3, 8};
  uint64_t expected = 0;
  for (int isa = next_isa(WEFT_ISA_AUTO); isa != ISA_END; isa = next_isa(isa)) {
    for (size_t w = 0; w < 4; ++w) {
      if (!goes_with(isa, w, 4, 0)) continue;
      weft_world_def def = world_def(8, 0.1f, 9.81f);
      def.worker_count = workers[w];
      def.isa = (weft_isa)isa;
      weft_world* world = new_rods(&def, 40);
      weft_world_step(world, ROUNDS(20, 10));
      if (expected == 0) expected = weft_world_hash(world);
      ck_assert_uint_eq(weft_world_hash(world), expected);
      weft_world_destroy(&world);
    }
  }
}
END_TEST

START_TEST(a_snapshot_brings_the_twist_back) {
  const weft_world_def def = world_def(8, 0.1f, 9.81f);
  weft_world* world = new_rods(&def, 9);
  const uint32_t count = particle_count_of(world);
  const bool is_range = _i == 1;
  size_t size = 0, written = 0;
  weft_world_step(world, 30);
  if (is_range) expect_ok(weft_world_get_range_size(world, 0, count, &size));
  if (!is_range) expect_ok(weft_world_get_snapshot_size(world, &size));
  void* memory = malloc(size);
  if (is_range) expect_ok(weft_world_save_range(world, 0, count, memory, size, &written));
  if (!is_range) expect_ok(weft_world_save(world, memory, size, &written));
  weft_world_step(world, 30);
  const uint64_t expected = weft_world_hash(world);
  weft_world_step(world, 17);
  if (is_range) expect_ok(weft_world_restore_range(world, memory, written));
  if (!is_range) expect_ok(weft_world_restore(world, memory, written));
  weft_world_step(world, 30);
  ck_assert_uint_eq(weft_world_hash(world), expected);
  free(memory);
  weft_world_destroy(&world);
}
END_TEST

START_TEST(a_copy_of_a_scene_has_its_rods_turned_with_it) {
  weft_scene* one = new_scene();
  weft_scene* scene = new_scene();
  weft_rod_def rod = held_rod(8, 0.05);
  rod.normal[1] = 1.0f;
  expect_ok(weft_scene_add_rod(one, &rod, NULL));
  const float turn[4] = {0.0f, 0.0f, 0.70710678f, 0.70710678f};
  expect_ok(weft_scene_add_scene(scene, one, NULL, NULL, 0, NULL));
  expect_ok(weft_scene_add_scene(scene, one, NULL, turn, 0, NULL));
  const weft_world_def def = world_def(4, 0.0f, 0.0f);
  weft_world* world = new_world_from(&def, scene);
  // a teleport of the first has the frames of the second
  expect_ok(weft_world_teleport(world, 0, 9, NULL, turn));
  float frames[16][4];
  weft_world_step(world, 1);
  expect_ok(weft_world_get_rod_frames(world, 0, 16, frames[0]));
  for (int s = 0; s < 8; ++s) {
    double cosine = 0.0;
    for (int k = 0; k < 4; ++k) cosine += (double)frames[s][k] * (double)frames[s + 8][k];
    ck_assert_double_gt(fabs(cosine), 1.0 - 1e-6);
  }
  weft_world_destroy(&world);
  weft_scene_destroy(&one);
}
END_TEST

START_TEST(a_rod_at_rest_sleeps_and_wakes_when_its_end_is_turned) {
  const weft_rod_def rod = held_rod(12, 0.05);
  weft_world_def def = world_def(8, 4.0f, 9.81f);
  def.sleep_speed = 0.01f;
  weft_world* world = new_rod(&rod, &def);
  weft_world_step(world, 400);
  const uint64_t asleep = weft_world_hash(world);
  double before[3], place[3];
  position_of(world, 12, before);
  weft_world_step(world, 10);
  ck_assert_uint_eq(weft_world_hash(world), asleep);
  weft_rod_end end;
  expect_ok(weft_world_get_rod_end(world, 0, &end));
  end.spin[2] = 1.0f;
  expect_ok(weft_world_set_rod_end(world, 0, &end));
  weft_world_step(world, 30);
  position_of(world, 12, place);
  ck_assert_double_gt(place[1], before[1] + 0.03);
  // about the axis no point moves, but the rod is wound up
  end.spin[2] = 0.0f;
  end.spin[0] = 0.5f;
  expect_ok(weft_world_set_rod_end(world, 0, &end));
  weft_world_step(world, 400);
  expect_ok(weft_world_get_rod_end(world, 0, &end));
  float frame[4];
  expect_ok(weft_world_get_rod_frames(world, 0, 1, frame));
  double cosine = 0.0;
  for (int k = 0; k < 4; ++k) cosine += (double)frame[k] * (double)end.frame[k];
  ck_assert_double_gt(fabs(cosine), 0.99);
  weft_world_destroy(&world);
}
END_TEST

START_TEST(bad_input_is_refused_by_name) {
  weft_scene* scene = new_scene();
  weft_rod_def rod = held_rod(4, 0.05);
  rod.bend_stiffness = -1.0f;
  expect_error(weft_scene_add_rod(scene, &rod, NULL), WEFT_ERROR_RANGE,
               "weft_rod_def.bend_stiffness");
  rod = held_rod(4, 0.05);
  rod.rest_strain[2] = NAN;
  expect_error_at(weft_scene_add_rod(scene, &rod, NULL), WEFT_ERROR_NOT_FINITE,
                  "weft_rod_def.rest_strain", 2);
  rod = held_rod(4, 0.05);
  rod.rope.mode = WEFT_LINK_MODE_STRETCH;
  expect_error(weft_scene_add_rod(scene, &rod, NULL), WEFT_ERROR_RANGE, "weft_rope_def.mode");
  rod = held_rod(4, 0.05);
  expect_ok(weft_scene_add_rod(scene, &rod, NULL));
  weft_world* world = NULL;
  weft_world_def def = weft_plain_world_def();
  def.direct_iterations = 0;
  expect_error(weft_world_create(&def, scene, &world), WEFT_ERROR_RANGE,
               "weft_world_def.direct_iterations");
  def = weft_plain_world_def();
  def.plane = true;
  expect_error(weft_world_create(&def, scene, &world), WEFT_ERROR_UNSUPPORTED,
               "weft_world_def.plane");
  def.plane = false;
  world = new_world_from(&def, scene);
  weft_rod_end end = {.clamped = true, .frame = {0.0f, 0.0f, 0.0f, 2.0f}};
  float values[3] = {1.0f, 1.0f, 1.0f};
  expect_error(weft_world_set_rod_end(world, 0, &end), WEFT_ERROR_RANGE, "weft_rod_end.frame");
  expect_error(weft_world_set_rod_end(world, 2, &end), WEFT_ERROR_RANGE, "particle");
  expect_error(weft_world_set_rod_end(world, 5, &end), WEFT_ERROR_INDEX, "particle");
  expect_error(weft_world_set_rest_lengths(world, 0, 1, values, 0), WEFT_ERROR_UNSUPPORTED,
               "first");
  weft_world_destroy(&world);
}
END_TEST

SUITE(rods) {
  tcase_add_loop_test(tests, a_cantilever_sags_as_the_heavy_elastica, 0, GRIDS);
  tcase_add_loop_test(tests, a_cantilever_swings_at_its_first_frequency, 0, GRIDS);
  tcase_add_loop_test(tests, a_column_buckles_at_eulers_load, 0, GRIDS);
  tcase_add_loop_test(tests, a_twisted_rod_coils_at_the_critical_torque, 0, 2);
  tcase_add_loop_test(tests, a_torque_twists_by_length_over_stiffness, 0, GRIDS);
  tcase_add_test(tests, an_end_that_turns_winds_the_rod_up);
  tcase_add_loop_test(tests, a_rod_keeps_its_shape_or_takes_that_at_rest, 0, 2);
  tcase_add_test(tests, a_flying_rod_keeps_momentum_and_length);
  tcase_add_test(tests, a_hanging_rod_tells_its_tension);
  tcase_add_test(tests, a_torn_segment_bends_no_more);
  tcase_add_test(tests, any_number_of_workers_and_every_isa_give_the_same_bits);
  tcase_add_loop_test(tests, a_snapshot_brings_the_twist_back, 0, 2);
  tcase_add_test(tests, a_copy_of_a_scene_has_its_rods_turned_with_it);
  tcase_add_test(tests, a_rod_at_rest_sleeps_and_wakes_when_its_end_is_turned);
  tcase_add_test(tests, bad_input_is_refused_by_name);
}
