/* Sleep as a rule of motion: what is left out of a step has no effect on its bits. */
#include "modules/sleep/sleep.h"
#include "support/collided.h"
#include "support/test.h"
#include "world/world.h"

// ---- a room with a bit of everything ----

enum { STACK = 4, BALLS = STACK + 1 };

typedef struct room {
  weft_world* world;
  weft_body curtain, mat, rope, ragdoll, balls, gas, boxes;
  weft_collider table;
} room;

static void describe_cloth(room* r, weft_scene* scene) {
  weft_sheet_def def = sheet_def(.side = 16, .origin = {0.0f, 3.0f});
  expect_ok(weft_scene_add_sheet(scene, &def, &r->curtain));
  expect_ok(weft_scene_pin(scene, weft_range(r->curtain.first_particle, def.columns)));
  def.columns = def.rows = 12;
  def.origin[0] = 3.0f;
  def.origin[1] = 0.1f;
  def.down[1] = 0.0f;
  def.down[2] = 1.0f;
  expect_ok(weft_scene_add_sheet(scene, &def, &r->mat));
}

static void describe_bodies(room* r, weft_scene* scene) {
  weft_rope_def rope = bare_rope_def();
  rope.origin[0] = -2.0f;
  rope.origin[1] = 3.0f;
  rope.end[0] = -1.5f;
  rope.end[1] = 2.5f;
  rope.pin_origin = true;
  expect_ok(weft_scene_add_rope(scene, &rope, &r->rope));
  weft_ragdoll_def ragdoll = weft_default_ragdoll_def();
  ragdoll.origin[0] = -5.0f;
  ragdoll.origin[1] = 0.5f;
  expect_ok(weft_scene_add_ragdoll(scene, &ragdoll, &r->ragdoll));
  weft_ball_def gas = bare_ball_def();
  gas.origin[0] = 8.0f;
  gas.origin[1] = 0.6f;
  gas.pressure = 200.0f;
  expect_ok(weft_scene_add_ball(scene, &gas, &r->gas));
  weft_box_def box = weft_default_box_def();
  box.origin[0] = -8.0f;
  box.origin[1] = 0.8f;
  expect_ok(weft_scene_add_box(scene, &box, &r->boxes));
  // a stack on the table, and one ball that waits to be thrown at it
  for (uint32_t i = 0; i < BALLS; ++i) {
    const float at[3] = {i < STACK ? 5.0f : 20.0f, i < STACK ? 1.21f + 0.401f * (float)i : 1.0f,
                         5.0f};
    const float inverse_mass = i == STACK ? 0.2f : 1.0f;
    weft_body ball;
    expect_ok(weft_scene_add_particles(scene, at, &inverse_mass, 1, &ball));
    if (i == 0) r->balls = ball;
  }
}

static void give_shapes(const room* r) {
  weft_particle_shape_def shape = shape_def(.radius = 0.01f, .friction = 0.6f);
  expect_ok(
      weft_world_set_particle_shape(r->world, weft_range(0, particle_count_of(r->world)), &shape));
  shape.collision = WEFT_COLLISION_EXACT;
  expect_ok(weft_world_set_particle_shape(
      r->world, weft_range(r->curtain.first_particle, r->curtain.particle_count), &shape));
  shape.collision = WEFT_COLLISION_SOFT;
  shape.shape = WEFT_PARTICLE_SHAPE_CLOTH;
  expect_ok(weft_world_set_particle_shape(
      r->world, weft_range(r->mat.first_particle, r->mat.particle_count), &shape));
  shape.shape = WEFT_PARTICLE_SHAPE_SPHERE;
  shape.half_size[0] = 0.2f;
  expect_ok(
      weft_world_set_particle_shape(r->world, weft_range(r->balls.first_particle, BALLS), &shape));
}

static room new_room(weft_isa isa, uint32_t workers) {
  room r = {0};
  weft_scene* scene = new_scene();
  describe_cloth(&r, scene);
  describe_bodies(&r, scene);
  weft_world_def def =
      default_def(.isa = isa, .worker_count = workers, .substeps = 4, .damping = 2.0f);
  def.sleep_speed = 0.05f;
  def.sleep_seconds = 0.25f;
  r.world = new_world(&def, scene);
  give_shapes(&r);
  weft_collider_def floor = collider_of_shape(WEFT_COLLIDER_SHAPE_HALF_SPACE);
  floor.surface.static_friction = floor.surface.dynamic_friction = 0.6f;
  (void)add_collider(r.world, &floor);
  weft_collider_def table = collider_of_shape(WEFT_COLLIDER_SHAPE_BOX);
  table.position[0] = table.position[2] = 5.0f;
  table.position[1] = 0.9f;
  table.half_size[1] = 0.1f;
  r.table = add_collider(r.world, &table);
  return r;
}

// ---- a story ----

static void throw_ball(const room* r) {
  const uint32_t ball = r->balls.first_particle + STACK;
  expect_set(r->world, WEFT_ATTRIBUTE_POSITION, ball, 1, (float[3]){4.0f, 1.9f, 5.0f}, 0);
  expect_set(r->world, WEFT_ATTRIBUTE_VELOCITY, ball, 1, (float[3]){8.0f, 0.0f, 0.0f}, 0);
}

static void pull_curtain(const room* r) {
  weft_grip grip;
  expect_ok(weft_world_add_grip(r->world, (float[3]){0.5f, 2.0f, 0.0f}, 0.2f, &grip));
  expect_ok(weft_world_move_grip(r->world, grip, (float[3]){0.5f, 2.0f, 0.3f}));
}

static void remove_table(const room* r) {
  expect_ok(weft_world_remove_collider(r->world, r->table));
}

static void cut_rope(const room* r) {
  expect_set(r->world, WEFT_ATTRIBUTE_LINK_TORN, r->rope.first_link + 4, 1, &(bool){true}, 0);
}

static void blow(const room* r) {
  weft_wind_def wind = weft_default_wind_def();
  wind.velocity[2] = 2.0f;
  wind.gust = 0.5f;
  expect_ok(weft_world_set_wind(r->world, &wind));
}

static void calm(const room* r) {
  expect_ok(weft_world_set_wind(r->world, NULL));
}

static void nothing(const room* r) {
  (void)r;
}

typedef void act(const room* r);

enum { SCENES = 7 };
static act* const acts[SCENES] = {nothing,  throw_ball, pull_curtain, remove_table,
                                  cut_rope, blow,       calm};

// The first scene lasts until all is asleep.
enum { FIRST = 312, STEPS = 96, EVERY = 24, HASHES = (FIRST + (SCENES - 1) * STEPS) / EVERY };

static void tell(const room* r, uint64_t hashes[HASHES]) {
  uint32_t count = 0;
  for (int scene = 0; scene < SCENES; ++scene) {
    acts[scene](r);
    for (int step = 0; step < (scene == 0 ? FIRST : STEPS); step += EVERY) {
      weft_world_step(r->world, EVERY);
      hashes[count++] = weft_world_hash(r->world);
    }
  }
}

TEST(work_left_out_changes_no_bit) {
  room worked = new_room(WEFT_ISA_SCALAR, 1);
  weft__sleep* sleep = worked.world->stepper.stages.of[WEFT__STAGE_SLEEP];
  sleep->works = true;
  worked.world->stepper.idle_patches = NULL;
  uint64_t wanted[HASHES];
  tell(&worked, wanted);
  weft_sleep_stats all;
  expect_ok(weft_world_get_sleep_stats(worked.world, &all));
  ck_assert_uint_eq(all.skipped_steps, 0);
  for (int isa = next_isa(WEFT_ISA_SCALAR); isa != ISA_END; isa = next_isa(isa)) {
    room r = new_room((weft_isa)isa, 1 + (uint32_t)isa % 3);
    uint64_t hashes[HASHES];
    tell(&r, hashes);
    for (int k = 0; k < HASHES; ++k) {
      if (hashes[k] != wanted[k]) ck_abort_msg("isa %d: hash %d differs", isa, k);
    }
    weft_sleep_stats stats;
    expect_ok(weft_world_get_sleep_stats(r.world, &stats));
    ck_assert_uint_gt(stats.skipped_steps, 0);
    ck_assert_uint_eq(stats.fell_asleep, all.fell_asleep);
    ck_assert_uint_eq(stats.woke_up, all.woke_up);
    weft_world_destroy(&r.world);
  }
}
