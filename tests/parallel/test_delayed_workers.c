/* Delayed workers: the same bits under every schedule, in scenes that cover all loops of a step.
 * WEFT_SCHEDULES in the environment sets the number of schedules. */
#include "support/ask.h"
#include "support/late_workers.h"
#include "support/test.h"

enum { STEPS = 4, MOST_WORKERS = 5, PLAIN_SCHEDULES = 36 };

// ---- scenes ----

// Pinned particles far away: the number of workers of a world depends on its work, and particles
// without links count as work.
static void add_bystanders(weft_scene* scene) {
  const uint32_t count = weft_scene_link_count(scene) + 128 * MOST_WORKERS;
  float* positions = test_alloc(count * sizeof(float[3]));
  float* inverse_masses = test_alloc(count * sizeof(float));
  for (uint32_t i = 0; i < count; ++i) positions[3 * i] = 1000.0f + (float)i;
  expect_ok(weft_scene_add_particles(scene, positions, inverse_masses, count, NULL));
}

static weft_world_def def_for(uint32_t workers) {
  weft_world_def def = weft_plain_world_def();
  def.worker_count = workers;
  def.solver.iterations = 2;
  return def;
}

static weft_body add_flat(weft_scene* scene, uint32_t side, float spacing, float height) {
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.columns = sheet.rows = side;
  sheet.spacing = spacing;
  sheet.down[1] = 0.0f;
  sheet.down[2] = 1.0f;
  sheet.origin[1] = height;
  weft_body body;
  expect_ok(weft_scene_add_sheet(scene, &sheet, &body));
  return body;
}

static weft_world* freeze(const weft_world_def* def, weft_scene* scene) {
  add_bystanders(scene);
  weft_world* world = new_world(def, scene);
  weft_scene_destroy(&scene);
  return world;
}

static void set_limits(weft_world* world, uint32_t max_pairs, uint32_t max_ccd_pairs) {
  weft_contact_limits_def limits = weft_default_contact_limits_def();
  limits.max_pairs = max_pairs;
  limits.max_ccd_pairs = max_ccd_pairs;
  limits.max_events = 64;
  expect_ok(weft_world_set_contact_limits(world, &limits));
}

static void set_contact(weft_world* world, uint32_t first, uint32_t count,
                        weft_particle_shape shape, float size, bool ccd) {
  weft_particle_shape_def contact = weft_default_particle_shape_def();
  contact.shape = shape;
  for (int axis = 0; axis < 3; ++axis) contact.half_size[axis] = size;
  contact.surface.static_friction = contact.surface.dynamic_friction = 0.3f;
  contact.surface.restitution = shape == WEFT_PARTICLE_SHAPE_SPHERE ? 0.5f : 0.0f;
  contact.collision = ccd ? WEFT_COLLISION_EXACT : WEFT_COLLISION_SOFT;
  expect_ok(weft_world_set_particle_shape(world, weft_range(first, count), &contact));
}

static void fling(weft_world* world, uint32_t count, float speed) {
  random_source random = {7};
  float* positions = new_positions(world);
  for (uint32_t i = 0; i < count; ++i) {
    float velocity[3];
    for (int axis = 0; axis < 3; ++axis) velocity[axis] = random_float(&random, -speed, speed);
    place_particle(world, i, positions + 3 * i, velocity);
  }
}

// two sheets above each other, mostly pinned: neighbour lists expire tile by tile
static weft_world* layers(uint32_t workers, uint32_t max_pairs) {
  const uint32_t side = 24;
  weft_scene* scene = new_scene();
  for (int k = 0; k < 2; ++k) {
    const weft_body body = add_flat(scene, side, 0.05f, 0.02f * (float)k);
    for (uint32_t i = 0; i < side * side; ++i) {
      if (i % (side * 6) >= side / 2)
        expect_ok(weft_scene_pin(scene, weft_range(body.first_particle + i, 1)));
    }
  }
  weft_world_def def = def_for(workers);
  def.solver.substeps = 4;
  def.gravity[1] = 20.0f;
  weft_world* world = freeze(&def, scene);
  set_contact(world, 0, 2 * side * side, WEFT_PARTICLE_SHAPE_CLOTH, 0.028f, false);
  set_limits(world, max_pairs, 0);
  return world;
}

static weft_world* layers_with_room(uint32_t workers) {
  return layers(workers, 0);
}

static weft_world* layers_without_room(uint32_t workers) {
  return layers(workers, 200);
}

// a sheet thrown into itself, with CCD
static weft_world* crumple(uint32_t workers, uint32_t max_ccd_pairs) {
  weft_scene* scene = new_scene();
  add_flat(scene, 21, 0.02f, 0.0f);
  weft_world_def def = def_for(workers);
  def.solver.substeps = 2;
  weft_world* world = freeze(&def, scene);
  set_contact(world, 0, 21 * 21, WEFT_PARTICLE_SHAPE_CLOTH, 1e-4f, true);
  set_limits(world, 0, max_ccd_pairs);
  fling(world, 21 * 21, 4.0f);
  return world;
}

static weft_world* crumple_with_room(uint32_t workers) {
  return crumple(workers, 0);
}

static weft_world* crumple_without_room(uint32_t workers) {
  return crumple(workers, 10);
}

// more spheres than one worker handles alone, overlapping, thrown about over a collider
static weft_world* heap(uint32_t workers, uint32_t max_pairs) {
  enum { COUNT = 343 };
  static float positions[COUNT][3];
  static float inverse_masses[COUNT];
  for (int i = 0; i < COUNT; ++i) {
    positions[i][0] = 0.09f * (float)(i % 7);
    positions[i][1] = 0.09f * (float)(i / 7 % 7);
    positions[i][2] = 0.09f * (float)(i / 49);
    inverse_masses[i] = 1.0f;
  }
  weft_scene* scene = new_scene();
  expect_ok(weft_scene_add_particles(scene, positions[0], inverse_masses, COUNT, NULL));
  const weft_world_def def = def_for(workers);
  weft_world* world = freeze(&def, scene);
  set_contact(world, 0, COUNT, WEFT_PARTICLE_SHAPE_SPHERE, 0.05f, false);
  set_limits(world, max_pairs, 0);
  weft_collider_def floor = weft_default_collider_def();
  floor.shape = WEFT_COLLIDER_SHAPE_HALF_SPACE;
  weft_collider collider;
  expect_ok(weft_world_add_collider(world, &floor, &collider));
  fling(world, COUNT, 4.0f);
  return world;
}

static weft_world* heap_with_room(uint32_t workers) {
  return heap(workers, 0);
}

static weft_world* heap_without_room(uint32_t workers) {
  return heap(workers, 300);
}

static void add_rope(weft_scene* scene, float x) {
  weft_rope_def rope = bare_rope_def();
  rope.origin[0] = rope.end[0] = x;
  rope.segments = 40;
  rope.pin_origin = true;
  expect_ok(weft_scene_add_rope(scene, &rope, NULL));
}

// multigrid, attachments, ropes, joints, a ball under pressure, wind, tears and a moving pin in one
// scene
static weft_world* all_stages(uint32_t workers) {
  weft_scene* scene = new_scene();
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.columns = sheet.rows = 24;
  sheet.tear_ratio = 1.02f;
  weft_body cloth;
  expect_ok(weft_scene_add_sheet(scene, &sheet, &cloth));
  for (uint32_t i = 0; i < 24; i += 3) expect_ok(weft_scene_pin(scene, weft_range(i, 1)));
  weft_ball_def ball = bare_ball_def();
  ball.origin[0] = -2.0f;
  ball.pressure = 500.0f;
  expect_ok(weft_scene_add_ball(scene, &ball, NULL));
  for (int k = 0; k < 12; ++k) add_rope(scene, 3.0f + 0.2f * (float)k);
  weft_world_def def = def_for(workers);
  def.solver.coarse_iterations = 2;
  def.solver.attachments = 1;
  def.solver.substeps = 2;
  weft_world* world = freeze(&def, scene);
  weft_joint_def joint = weft_default_joint_def();
  joint.particle = cloth.first_particle + 23 * 24;
  joint.to[0] = cloth.first_particle + 23 * 24 + 2;
  weft_joint made;
  expect_ok(weft_world_add_joint(world, &joint, &made));
  weft_wind_def wind = weft_default_wind_def();
  wind.velocity[2] = 8.0f;
  expect_ok(weft_world_set_wind(world, &wind));
  weft_bounds_def bounds = weft_default_bounds_def();
  bounds.lower[1] = -1.0f;
  expect_ok(weft_world_set_bounds(world, &bounds));
  const float to[3] = {0.02f, 0.05f, 0.1f};
  expect_set(world, WEFT_ATTRIBUTE_TARGET, 0, 1, to, 0);
  return world;
}

static weft_world* springs(uint32_t workers, weft_integrator integrator) {
  weft_scene* scene = new_scene();
  weft_sheet_def sheet = weft_default_sheet_def();
  const weft_material_def material = weft_default_material_def();
  sheet.columns = sheet.rows = 24;
  sheet.material = &material;
  expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
  expect_ok(weft_scene_pin(scene, weft_range(0, 1)));
  weft_world_def def = def_for(workers);
  def.solver.springs = true;
  def.solver.integrator = integrator;
  def.step_ns = integrator == WEFT_INTEGRATOR_IMPLICIT_EULER ? 16000000 : 100000;
  return freeze(&def, scene);
}

static weft_world* implicit_springs(uint32_t workers) {
  return springs(workers, WEFT_INTEGRATOR_IMPLICIT_EULER);
}

static weft_world* verlet_springs(uint32_t workers) {
  return springs(workers, WEFT_INTEGRATOR_VELOCITY_VERLET);
}

typedef weft_world* new_scene_world(uint32_t workers);

static new_scene_world* const scenes[] = {
    layers_with_room,  layers_without_room, crumple_with_room, crumple_without_room, heap_with_room,
    heap_without_room, all_stages,          implicit_springs,  verlet_springs};

enum { SCENES = sizeof(scenes) / sizeof(*scenes) };

// ---- runs ----

// hash of the state after each step, and of a query, whose index is refitted by all workers
static void run(int scene, uint32_t workers, const delay_schedule* schedule,
                uint64_t hashes[STEPS]) {
  // threads read `delays` from their start to their end
  delays = *schedule;
  weft_world* world = scenes[scene](workers);
  for (int step = 0; step < STEPS; ++step) {
    weft_world_step(world, 1);
    hashes[step] = weft_world_hash(world);
    expect_ok(weft_world_build_index(world));
    const float point[3] = {0.1f, 0.2f, 0.3f};
    weft_query_hit hit = {0};
    bool found;
    expect_ok(ask_closest(world, point, 10.0f, NULL, &hit, &found));
    hashes[step] = hashes[step] * 31 + hit.index;
  }
  weft_world_destroy(&world);
  delays = (delay_schedule){0};
}

static uint32_t schedule_count(void) {
  const char* wanted = getenv("WEFT_SCHEDULES");
  return wanted != NULL ? (uint32_t)strtoul(wanted, NULL, 10)
                        : THREADED(ROUNDS(PLAIN_SCHEDULES, 18), 9);
}

// half of the schedules enumerate the calls, half are random
static delay_schedule schedule_of(uint32_t number, uint32_t workers) {
  random_source random = {number};
  delay_schedule made = {.worker = random_below(&random, workers), .is_random = number % 2 != 0};
  made.period = made.is_random ? 3 + random_below(&random, 20) : 7 + random_below(&random, 50);
  made.first = made.is_random ? number : (number / 2) % made.period;
  return made;
}

LOOP_TEST(late_workers_change_no_bits, 0, SCENES) {
  uint64_t expected[STEPS];
  const delay_schedule none = {0};
  run(_i, 1, &none, expected);
  for (uint32_t n = 0; n < schedule_count() / SCENES + 1; ++n) {
    const uint32_t workers = 2 + n % (MOST_WORKERS - 1);
    const delay_schedule schedule = schedule_of(n, workers);
    uint64_t hashes[STEPS];
    run(_i, workers, &schedule, hashes);
    for (int step = 0; step < STEPS; ++step) {
      if (hashes[step] == expected[step]) continue;
      ck_abort_msg("scene %d, schedule %u, %u workers: step %d differs", _i, n, workers, step + 1);
    }
  }
}

LOOP_TEST(scenes_start_the_workers_that_are_late_and_meet_what_they_are_for, 0, SCENES) {
  weft_world* world = scenes[_i](MOST_WORKERS);
  weft_world_stats stats;
  expect_ok(weft_world_get_stats(world, &stats));
  require(stats.worker_count == MOST_WORKERS);
  weft_world_step(world, STEPS);
  weft_contact_stats found;
  expect_ok(weft_world_get_contact_stats(world, &found));
  require((scenes[_i] == layers_without_room || scenes[_i] == heap_without_room) ==
          (found.lost_pairs > 0));
  require((scenes[_i] == crumple_without_room) == (found.lost_ccd_pairs > 0));
  if (scenes[_i] == crumple_with_room) require(found.ccd_hits > 0);
  if (scenes[_i] == heap_with_room) require(found.particle_colors > 1);
  if (scenes[_i] == layers_with_room) require(found.self_pairs > 0);
  expect_ok(weft_world_get_stats(world, &stats));
  if (scenes[_i] == all_stages) require(stats.torn_count > 0);
}

SUITE(delayed_workers) {
  tcase_set_timeout(tests, 60 + schedule_count());
}
