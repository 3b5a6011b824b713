/* Loads: impulses on colliders, reactions of pins, tensions of links, against weights at rest. */
#include "support/moved.h"
#include "support/saved.h"
#include "support/test.h"

#define GRAVITY 9.81

static const int64_t step_lengths[] = {16666667, 8333333};
enum { STEP_LENGTHS = 2 };

// A world of loads, damped, so that it comes to rest.
static weft_world_def loads_def(int64_t step_ns) {
  return default_def(.loads = true, .damping = 5.0f, .step_ns = step_ns);
}

static void run_seconds(weft_world* world, double seconds, int64_t step_ns) {
  weft_world_step(world, (uint32_t)(seconds * 1e9 / (double)step_ns));
}

static void expect_near(double is, double wanted, double share) {
  if (fabs(is - wanted) <= share * fabs(wanted)) return;
  ck_abort_msg("%g is not within %g of %g", is, share, wanted);
}

// ---- links and pins ----

enum { BEADS = 12 };

typedef enum chain_solver { CHAIN_DIRECT, CHAIN_SWEEPS, CHAIN_SPRINGS, CHAIN_KINDS } chain_solver;

// A chain of beads of growing mass that hangs from the first one; link i holds beads i + 1 and on.
static weft_world* new_chain(chain_solver solver, int64_t step_ns) {
  weft_scene* scene = new_scene();
  float positions[BEADS][3] = {{0.0f}}, inverse_masses[BEADS];
  weft_link_def links[BEADS - 1];
  for (uint32_t i = 0; i < BEADS; ++i) {
    positions[i][1] = -0.1f * (float)i;
    inverse_masses[i] = i == 0 ? 0.0f : 1.0f / (0.01f * (float)i);
    if (i == 0) continue;
    links[i - 1] = weft_default_link_def();
    links[i - 1].a = i - 1;
    links[i - 1].b = i;
    links[i - 1].rest_length = 0.1f;
    links[i - 1].compliance = solver == CHAIN_SPRINGS || i % 3 == 0 ? 1e-3f : 0.0f;
    links[i - 1].spring_damping = solver == CHAIN_SPRINGS ? 0.5f : 0.0f;
  }
  expect_ok(weft_scene_add_particles(scene, positions[0], inverse_masses, BEADS, NULL));
  expect_ok(weft_scene_add_links(scene, links, BEADS - 1, NULL));
  weft_world_def def = loads_def(step_ns);
  def.solver.springs = solver == CHAIN_SPRINGS;
  // positions are rounded to 6e-8 m, gravity moves by 2e-4 m and more in a substep
  def.solver.substeps = solver == CHAIN_SPRINGS ? 16 : 2;
  if (solver == CHAIN_SWEEPS) {
    def.solver.direct_iterations = 0;
    def.solver.iterations = 20;
  }
  return new_world(&def, scene);
}

LOOP_TEST(tensions_of_a_hanging_chain_are_the_weights_below_each_link, 0, CHAIN_KINDS) {
  for (int s = 0; s < STEP_LENGTHS; ++s) {
    weft_world* world = new_chain((chain_solver)_i, step_lengths[s]);
    run_seconds(world, 8.0, step_lengths[s]);
    float tensions[BEADS - 1], reaction[3];
    expect_get(world, WEFT_ATTRIBUTE_LINK_TENSION, 0, BEADS - 1, tensions);
    expect_get(world, WEFT_ATTRIBUTE_REACTION, 0, 1, reaction);
    double mass = 0.0;
    for (uint32_t i = BEADS - 1; i > 0; --i) {
      mass += 0.01 * i;
      expect_near((double)tensions[i - 1], mass * GRAVITY, 0.01);
    }
    expect_near((double)reaction[1], -mass * GRAVITY, 0.01);
    // a link that is off has none
    expect_set(world, WEFT_ATTRIBUTE_LINK_TORN, 3, 1, &(bool){true}, 0);
    expect_get(world, WEFT_ATTRIBUTE_LINK_TENSION, 3, 1, tensions);
    ck_assert(tensions[0] == 0.0f);
  }
}

LOOP_TEST(reactions_of_a_hanging_cloth_sum_to_its_weight, 0, 3) {
  enum { SIDE = 20 };
  for (int s = 0; s < STEP_LENGTHS; ++s) {
    weft_scene* scene = new_scene();
    weft_sheet_def sheet = sheet_def(.side = SIDE);
    weft_material_def cotton = material_def(.bend_stiffness = 1e-4f);
    // rigid, elastic, elastic with bend elements
    cotton.bend_stiffness = _i == 2 ? 1e-4f : 0.0f;
    if (_i > 0) sheet.material = &cotton;
    expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
    expect_ok(weft_scene_pin(scene, weft_range(0, 1)));
    expect_ok(weft_scene_pin(scene, weft_range(SIDE - 1, 1)));
    const weft_world_def def = loads_def(step_lengths[s]);
    weft_world* world = new_world(&def, scene);
    run_seconds(world, 8.0, step_lengths[s]);
    float reactions[SIDE * SIDE][3];
    double sum[3] = {0.0, 0.0, 0.0};
    const weft_measures measures = measures_of(world);
    expect_get(world, WEFT_ATTRIBUTE_REACTION, 0, SIDE * SIDE, reactions[0]);
    for (uint32_t i = 0; i < SIDE * SIDE; ++i) {
      const bool is_pin = i == 0 || i == SIDE - 1;
      for (int axis = 0; axis < 3; ++axis) {
        require(is_pin || reactions[i][axis] == 0.0f);
        sum[axis] += (double)reactions[i][axis];
      }
    }
    const double weight = measures.mass * GRAVITY;
    expect_near(sum[1], -weight, 0.01);
    ck_assert(fabs(sum[0]) < 0.01 * weight && fabs(sum[2]) < 0.01 * weight);
    // the corners pull inwards, alike
    expect_near((double)reactions[0][0], -(double)reactions[SIDE - 1][0], 0.01);
    ck_assert(reactions[0][0] > 0.0f);
  }
}

TEST(joints_at_pins_react) {
  weft_scene* scene = new_scene();
  const float positions[2][3] = {{0.0f, 0.0f, 0.0f}, {0.0f, -0.5f, 0.0f}};
  const float inverse_masses[2] = {0.0f, 2.0f};
  expect_ok(weft_scene_add_particles(scene, positions[0], inverse_masses, 2, NULL));
  const weft_world_def def = loads_def(step_lengths[0]);
  weft_world* world = new_world(&def, scene);
  weft_joint_def joint = weft_default_joint_def();
  weft_joint handle;
  joint.particle = 1;
  joint.rest_length = 0.5f;
  expect_ok(weft_world_add_joint(world, &joint, &handle));
  weft_world_step(world, 60);
  float reaction[3];
  expect_get(world, WEFT_ATTRIBUTE_REACTION, 0, 1, reaction);
  expect_near((double)reaction[1], -0.5 * GRAVITY, 0.01);
}

// ---- colliders ----

typedef enum rest_kind { REST_CLOTH, REST_BALLS, REST_SLOPE, REST_CORNER, REST_KINDS } rest_kind;

// Particles that come to rest on colliders: a cloth, balls that collide with each other, balls on a
// slope that friction holds, balls in a groove of two planes.
static weft_world* new_resting(rest_kind kind, int64_t step_ns, uint32_t workers, weft_isa isa,
                               weft_collider colliders[2]) {
  enum { SIDE = 9 };
  weft_scene* scene = new_scene();
  weft_sheet_def sheet = sheet_def(.side = SIDE, .origin = {0.0f, 0.06f}, .is_level = true);
  sheet.structural = sheet.shear = kind == REST_CLOTH;
  if (kind != REST_CLOTH) sheet.spacing = 0.11f;
  expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
  weft_world_def def = loads_def(step_ns);
  def.worker_count = workers;
  def.isa = isa;
  def.solver.substeps = 8;
  weft_world* world = new_world(&def, scene);
  weft_particle_shape_def shape =
      shape_def(.shape =
                    kind == REST_CLOTH ? WEFT_PARTICLE_SHAPE_CLOTH : WEFT_PARTICLE_SHAPE_SPHERE,
                .radius = kind == REST_CLOTH ? 0.01f : 0.05f);
  const float friction = kind == REST_CORNER ? 0.1f : 1.0f;
  shape.surface.static_friction = shape.surface.dynamic_friction = friction;
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, SIDE * SIDE), &shape));
  weft_collider_def ground =
      collider_def(.shape = kind == REST_BALLS ? WEFT_COLLIDER_SHAPE_BOX
                                               : WEFT_COLLIDER_SHAPE_HALF_SPACE);
  for (int axis = 0; axis < 3; ++axis) ground.half_size[axis] = 5.0f;
  if (kind == REST_BALLS) ground.position[1] = -5.0f;
  ground.surface.static_friction = ground.surface.dynamic_friction = friction;
  const float tilt[REST_KINDS] = {0.0f, 0.0f, 0.15f, 0.4f};
  for (int k = 0; k < 2; ++k) {
    const float angle = k == 0 ? tilt[kind] : -tilt[kind];
    ground.rotation[2] = sinf(0.5f * angle);
    ground.rotation[3] = cosf(0.5f * angle);
    if (k == 0 || kind == REST_CORNER) {
      expect_ok(weft_world_add_collider(world, &ground, &colliders[k]));
    } else {
      colliders[1] = colliders[0];
    }
  }
  return world;
}

LOOP_TEST(at_rest_the_loads_of_colliders_sum_to_the_weight, 0, REST_KINDS) {
  for (int s = 0; s < STEP_LENGTHS; ++s) {
    weft_collider colliders[2];
    weft_world* world = new_resting((rest_kind)_i, step_lengths[s], 1, WEFT_ISA_AUTO, colliders);
    run_seconds(world, 4.0, step_lengths[s]);
    weft_collider_load loads[2];
    expect_ok(weft_world_get_collider_loads(world, colliders, 2, loads));
    const weft_measures measures = measures_of(world);
    const double h = (double)step_lengths[s] * 1e-9;
    double force[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < (_i == REST_CORNER ? 2 : 1); ++k) {
      for (int axis = 0; axis < 3; ++axis) force[axis] += (double)loads[k].impulse[axis] / h;
      ck_assert(loads[k].contact_count > 0);
    }
    const double weight = measures.mass * GRAVITY;
    expect_near(force[1], -weight, 0.01);
    ck_assert(fabs(force[0]) < 0.01 * weight && fabs(force[2]) < 0.01 * weight);
    if (_i == REST_CLOTH || _i == REST_BALLS) {
      // torque of the weight at its centre, about the collider's position
      expect_near((double)loads[0].angular_impulse[2] / h, -weight * measures.center[0], 0.01);
      expect_near((double)loads[0].angular_impulse[0] / h, weight * measures.center[2], 0.01);
    }
  }
}

TEST(a_snapshot_has_loads_tensions_and_residual) {
  weft_collider colliders[2];
  weft_collider_load loads[2][2];
  weft_measures measures[2];
  float tensions[2][50];
  weft_world* world = new_resting(REST_CLOTH, step_lengths[0], 3, WEFT_ISA_AUTO, colliders);
  weft_world_step(world, 30);
  saved_world saved = save_world(world);
  for (int k = 0; k < 2; ++k) {
    expect_ok(weft_world_get_collider_loads(world, colliders, 1, loads[k]));
    expect_get(world, WEFT_ATTRIBUTE_LINK_TENSION, 0, 50, tensions[k]);
    expect_ok(weft_world_measure(world, &measures[k]));
    weft_world_step(world, 7);
    restore_world(world, &saved);
  }
  ck_assert(loads[0][0].contact_count > 0);
  ck_assert(memcmp(&loads[0][0], &loads[1][0], sizeof(loads[0][0])) == 0);
  ck_assert(memcmp(tensions[0], tensions[1], sizeof(tensions[0])) == 0);
  ck_assert(measures[0].residual == measures[1].residual);
}

// ---- the world is the same ----

LOOP_TEST(loads_change_no_bit_of_a_world, 0, scene_case_count()) {
  uint64_t hashes[2];
  for (int with = 0; with < 2; ++with) {
    weft_scene* scene = new_scene_case(_i);
    weft_world* world =
        new_plain_world(scene, .substeps = 3, .iterations = 2, .loads = with != 0,
                        .springs = _i % 5 == 4, .worker_count = 1 + (uint32_t)_i % 3);
    weft_world_step(world, 5);
    hashes[with] = weft_world_hash(world);
  }
  ck_assert_uint_eq(hashes[0], hashes[1]);
}

// ---- refused input ----

TEST(loads_are_refused_where_they_are_off_or_nothing_has_them) {
  weft_scene* scene = new_pinned_sheet();
  weft_world_def def = weft_default_world_def();
  weft_world* world = new_world(&def, scene);
  float values[3];
  weft_collider collider = {0, 0};
  weft_collider_load load;
  expect_error(weft_world_get(world, WEFT_ATTRIBUTE_LINK_TENSION, weft_range(0, 1), values, 0),
               WEFT_ERROR_DISABLED, "weft_world_def.loads");
  expect_error(weft_world_get(world, WEFT_ATTRIBUTE_REACTION, weft_range(0, 1), values, 0),
               WEFT_ERROR_DISABLED, "weft_world_def.loads");
  expect_error(weft_world_get_collider_loads(world, &collider, 1, &load), WEFT_ERROR_DISABLED,
               "weft_world_def.loads");
  def.loads = true;
  def.solver.attachments = 1;
  expect_error(weft_world_create(&def, scene, &world), WEFT_ERROR_RANGE,
               "weft_solver_def.attachments");
  def.solver.attachments = WEFT_AUTO;
  def.solver.coarse_iterations = 1;
  expect_error(weft_world_create(&def, scene, &world), WEFT_ERROR_RANGE,
               "weft_solver_def.coarse_iterations");
  def.solver.coarse_iterations = WEFT_AUTO;
  world = new_world(&def, scene);
  const weft_world_stats stats = stats_of(world);
  ck_assert(stats.attachments == 0 && stats.coarse_iterations == 0);
  expect_null(weft_world_get(NULL, WEFT_ATTRIBUTE_LINK_TENSION, weft_range(0, 1), values, 0),
              "world");
  expect_null(weft_world_get(world, WEFT_ATTRIBUTE_LINK_TENSION, weft_range(0, 1), NULL, 0),
              "values");
  expect_past_end(weft_world_get(world, WEFT_ATTRIBUTE_LINK_TENSION,
                                 weft_range(stats.link_count, 1), values, 0));
  expect_null(weft_world_get(NULL, WEFT_ATTRIBUTE_REACTION, weft_range(0, 1), values, 0), "world");
  expect_null(weft_world_get(world, WEFT_ATTRIBUTE_REACTION, weft_range(0, 1), NULL, 0), "values");
  expect_past_end(weft_world_get(world, WEFT_ATTRIBUTE_REACTION, weft_range(63, 1), values, 0));
  expect_null(weft_world_get_collider_loads(world, NULL, 1, &load), "colliders");
  expect_null(weft_world_get_collider_loads(world, &collider, 1, NULL), "loads");
  const weft_collider_def ball = weft_default_collider_def();
  weft_collider two[2] = {{0, 0}, {5, 1}};
  expect_ok(weft_world_add_collider(world, &ball, &two[0]));
  expect_error_at(weft_world_get_collider_loads(world, two, 2, &load), WEFT_ERROR_STALE,
                  "colliders", 1);
  expect_ok(weft_world_get_collider_loads(world, two, 1, &load));
  ck_assert(load.contact_count == 0 && load.impulse[1] == 0.0f);
}
