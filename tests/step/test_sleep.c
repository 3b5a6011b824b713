/* Sleep: what falls asleep, what wakes it, and how it then moves. */
#include "support/collided.h"
#include "support/saved.h"
#include "support/test.h"

// ---- a room at rest ----

// Particles, and the sheet and rope behind them.
enum { LOW, HIGH, ALONE_BALL, THROWN, HUNG, NAIL, SPARE, LOOSE_COUNT };
enum { SIDE = 8, SHEET = LOOSE_COUNT, ROPE = SHEET + SIDE * SIDE, SEGMENTS = 6 };
enum { REST = 360 };

static const float radius = 0.2f;

typedef struct room {
  weft_world* world;
  weft_collider table;
  weft_joint joint;
  weft_body rope;
} room;

static void describe(room* r, weft_scene* scene) {
  static const float places[SPARE][3] = {
      [LOW] = {0.0f, 1.2f, 0.0f},        [HIGH] = {0.0f, 1.6f, 0.0f},
      [ALONE_BALL] = {6.0f, 0.2f, 0.0f}, [THROWN] = {0.0f, 0.2f, 9.0f},
      [HUNG] = {-5.0f, 2.0f, 0.0f},      [NAIL] = {-5.0f, 3.0f, 0.0f}};
  static const float inverse_masses[SPARE] = {1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 0.0f};
  for (uint32_t i = 0; i < SPARE; ++i) {
    expect_ok(weft_scene_add_particles(scene, places[i], &inverse_masses[i], 1, NULL));
  }
  expect_ok(weft_scene_reserve_particles(scene, 1, NULL));
  (void)add_cloth(scene, .side = SIDE, .origin = {0.0f, 3.0f, -4.0f});
  expect_ok(weft_scene_pin(scene, weft_range(SHEET, SIDE)));
  weft_rope_def rope = bare_rope_def();
  rope.origin[0] = -8.0f;
  rope.origin[1] = 3.0f;
  rope.end[0] = -8.0f;
  rope.end[1] = 2.0f;
  rope.segments = SEGMENTS;
  rope.pin_origin = true;
  expect_ok(weft_scene_add_rope(scene, &rope, &r->rope));
}

static weft_world_def sleepy_def(void) {
  weft_world_def def = default_def(.damping = 3.0f);
  def.sleep_speed = 0.02f;
  def.sleep_seconds = 0.25f;
  return def;
}

static weft_sleep_stats sleep_stats_of(const weft_world* world) {
  weft_sleep_stats stats;
  expect_ok(weft_world_get_sleep_stats(world, &stats));
  return stats;
}

static room new_room(void) {
  room r = {0};
  weft_scene* scene = new_scene();
  describe(&r, scene);
  const weft_world_def def = sleepy_def();
  r.world = new_world(&def, scene);
  weft_particle_shape_def ball = sphere_contact(radius);
  ball.surface.static_friction = ball.surface.dynamic_friction = 0.5f;
  ball.turns = true;
  expect_ok(weft_world_set_particle_shape(r.world, weft_range(0, HUNG), &ball));
  weft_collider_def floor = collider_of_shape(WEFT_COLLIDER_SHAPE_HALF_SPACE);
  (void)add_collider(r.world, &floor);
  weft_collider_def table = collider_of_shape(WEFT_COLLIDER_SHAPE_BOX);
  table.position[1] = 0.9f;
  table.half_size[1] = 0.1f;
  table.surface.static_friction = table.surface.dynamic_friction = 0.5f;
  r.table = add_collider(r.world, &table);
  weft_joint_def joint = weft_default_joint_def();
  joint.particle = HUNG;
  joint.to[0] = NAIL;
  joint.rest_length = 1.0f;
  expect_ok(weft_world_add_joint(r.world, &joint, &r.joint));
  weft_world_step(r.world, REST);
  const weft_sleep_stats stats = sleep_stats_of(r.world);
  ck_assert_uint_eq(stats.sleeping_components, stats.component_count);
  ck_assert_uint_gt(stats.skipped_steps, 0);
  return r;
}

static bool is_asleep(const weft_world* world, uint32_t particle) {
  bool asleep = false;
  expect_ok(weft_world_get(world, WEFT_ATTRIBUTE_ASLEEP, weft_range(particle, 1), &asleep, 0));
  return asleep;
}

// ---- what wakes ----

static const float across[3] = {40.0f, 0.0f, 0.0f};
static const float sideways[3] = {2.0f, 0.0f, 0.0f};

static void push(room* r) {
  expect_add(r->world, WEFT_ATTRIBUTE_FORCE, ALONE_BALL, 1, across, 0);
}

static void kick(room* r) {
  expect_set(r->world, WEFT_ATTRIBUTE_VELOCITY, ALONE_BALL, 1, sideways, 0);
}

static void lift(room* r) {
  expect_set(r->world, WEFT_ATTRIBUTE_POSITION, ALONE_BALL, 1, (float[3]){6.0f, 2.0f, 0.0f}, 0);
}

static void shift(room* r) {
  expect_add(r->world, WEFT_ATTRIBUTE_POSITION, ALONE_BALL, 1, (float[3]){0.0f, 1.0f, 0.0f}, 0);
}

static void spin(room* r) {
  const float spins[3] = {0.0f, 0.0f, -20.0f};
  expect_set(r->world, WEFT_ATTRIBUTE_ANGULAR_VELOCITY, LOW, 1, spins, 0);
}

static void shrink(room* r) {
  const weft_particle_shape_def ball = sphere_contact(0.5f * radius);
  expect_ok(weft_world_set_particle_shape(r->world, weft_range(LOW, 1), &ball));
}

static void remove_low(room* r) {
  const weft_body body = {LOW, 1, 0, 0};
  expect_ok(weft_world_remove_body(r->world, &body));
}

static void throw_at_stack(room* r) {
  place_particle(r->world, THROWN, (float[3]){-1.0f, 1.6f, 0.0f}, (float[3]){9.0f, 0.0f, 0.0f});
}

static void drop_on_stack(room* r) {
  weft_particle_shape_def ball = sphere_contact(radius);
  weft_particle_def def = weft_default_particle_def();
  def.position[1] = 2.5f;
  def.inverse_mass = 0.1f;
  def.velocity[1] = -4.0f;
  def.shape = &ball;
  weft_particle particle;
  expect_ok(weft_world_add_particle(r->world, &def, &particle));
}

static void remove_table(room* r) {
  expect_ok(weft_world_remove_collider(r->world, r->table));
}

static void raise_table(room* r) {
  expect_ok(weft_world_move_collider(r->world, r->table, (float[3]){0.0f, 1.1f, 0.0f}, NULL));
}

static void drive_table(room* r) {
  expect_ok(steer_collider(r->world, r->table, (float[3]){0.0f, 0.5f, 0.0f}, NULL));
}

static void add_wedge(room* r) {
  weft_collider_def def = collider_of_shape(WEFT_COLLIDER_SHAPE_SPHERE);
  def.radius = 0.3f;
  def.position[0] = 5.7f;
  def.position[1] = 0.2f;
  (void)add_collider(r->world, &def);
}

static void turn_gravity(room* r) {
  expect_ok(weft_world_set_gravity(r->world, (float[3]){9.81f, 0.0f, 0.0f}));
}

static void damp(room* r) {
  expect_ok(weft_world_set_damping(r->world, 1.0f));
}

static void close_room(room* r) {
  put_floor(r->world, 0.5f, 0.0f);
}

static void blow(room* r) {
  weft_wind_def wind = weft_default_wind_def();
  wind.velocity[2] = 3.0f;
  expect_ok(weft_world_set_wind(r->world, &wind));
}

static void pull_sheet(room* r) {
  weft_grip grip;
  float corner[3];
  expect_get(r->world, WEFT_ATTRIBUTE_POSITION, ROPE - 1, 1, corner);
  expect_ok(weft_world_add_grip(r->world, corner, 0.01f, &grip));
  corner[2] += 0.1f;
  expect_ok(weft_world_move_grip(r->world, grip, corner));
}

static void move_pins(room* r) {
  float targets[SIDE][3];
  expect_get(r->world, WEFT_ATTRIBUTE_POSITION, SHEET, SIDE, targets[0]);
  for (int i = 0; i < SIDE; ++i) targets[i][2] += 0.3f;
  expect_set(r->world, WEFT_ATTRIBUTE_TARGET, SHEET, SIDE, targets[0], 0);
}

static void unpin(room* r) {
  const float inverse_mass = 1000.0f;
  expect_set(r->world, WEFT_ATTRIBUTE_INVERSE_MASS, SHEET, SIDE, &inverse_mass, WEFT_SAME);
}

static void tear(room* r) {
  expect_set(r->world, WEFT_ATTRIBUTE_LINK_TORN, r->rope.first_link + 2, 1, &(bool){true}, 0);
}

static void cut(room* r) {
  const float at[3] = {-8.0f, 2.5f, 0.0f};
  expect_ok(weft_world_tear_near(r->world, at, at, 0.05f, NULL));
}

static void switch_off(room* r) {
  expect_set(r->world, WEFT_ATTRIBUTE_LINK_ENABLED, r->rope.first_link, 1, &(bool){false}, 0);
}

static void unjoin(room* r) {
  expect_ok(weft_world_remove_joint(r->world, r->joint));
}

static void join_far(room* r) {
  weft_joint_def joint = weft_default_joint_def();
  weft_joint made;
  joint.particle = ALONE_BALL;
  joint.to[0] = NAIL;
  joint.rest_length = 11.0f;
  expect_ok(weft_world_add_joint(r->world, &joint, &made));
}

static void call(room* r) {
  expect_ok(weft_world_set(r->world, WEFT_ATTRIBUTE_ASLEEP, weft_range(LOW, 1), &(bool){false},
                           WEFT_SAME));
}

typedef struct cause {
  const char* name;
  void (*act)(room* r);
  uint32_t woken, other; /* particles awake after `steps`; the other touches it */
  uint32_t bystander;    /* that sleeps on; LOOSE_COUNT = none does */
  uint32_t steps;
  uint32_t mover; /* that has moved in half a second */
  int axis;
  float least; /* metres, with its sign; 0 = it need not */
} cause;

static const cause causes[] = {
    {"force", push, ALONE_BALL, ALONE_BALL, LOW, 1, ALONE_BALL, 0, 0.05f},
    {"velocity", kick, ALONE_BALL, ALONE_BALL, LOW, 1, ALONE_BALL, 0, 0.2f},
    {"position", lift, ALONE_BALL, ALONE_BALL, LOW, 1, ALONE_BALL, 1, 0.3f},
    {"shift", shift, ALONE_BALL, ALONE_BALL, LOW, 1, ALONE_BALL, 1, 0.1f},
    {"spin", spin, LOW, HIGH, ALONE_BALL, 1, LOW, 0, 0.05f},
    {"shape", shrink, LOW, HIGH, ALONE_BALL, 1, HIGH, 1, -0.1f},
    {"removed support", remove_low, HIGH, HIGH, ALONE_BALL, 1, HIGH, 1, -0.3f},
    {"thrown body", throw_at_stack, LOW, HIGH, ALONE_BALL, 10, HIGH, 0, 0.2f},
    {"added particle", drop_on_stack, LOW, HIGH, ALONE_BALL, 15, HIGH, 0, 0.0f},
    {"removed collider", remove_table, LOW, HIGH, ALONE_BALL, 1, HIGH, 1, -0.5f},
    {"moved collider", raise_table, LOW, HIGH, ALONE_BALL, 1, HIGH, 1, 0.1f},
    {"collider's velocity", drive_table, LOW, HIGH, ALONE_BALL, 1, HIGH, 1, 0.2f},
    {"added collider", add_wedge, ALONE_BALL, ALONE_BALL, LOW, 1, ALONE_BALL, 0, 0.05f},
    {"gravity", turn_gravity, LOW, ALONE_BALL, LOOSE_COUNT, 1, ALONE_BALL, 0, 0.3f},
    {"damping", damp, LOW, ALONE_BALL, LOOSE_COUNT, 1, ALONE_BALL, 0, 0.0f},
    {"bounds", close_room, LOW, ALONE_BALL, LOOSE_COUNT, 1, ALONE_BALL, 1, 0.3f},
    {"wind", blow, ROPE - 1, ROPE - 1, LOOSE_COUNT, 1, ROPE - 1, 2, 0.02f},
    {"grip", pull_sheet, ROPE - 1, SHEET, LOW, 1, ROPE - 1, 2, 0.09f},
    {"moved pins", move_pins, ROPE - 1, SHEET, LOW, 1, ROPE - 1, 2, 0.05f},
    {"no pins", unpin, ROPE - 1, SHEET, LOW, 1, ROPE - 1, 1, -0.3f},
    {"tear", tear, ROPE + 5, ROPE, LOW, 1, ROPE + 5, 1, -0.3f},
    {"cut", cut, ROPE + 5, ROPE, LOW, 1, ROPE + 5, 1, -0.3f},
    {"link off", switch_off, ROPE + 5, ROPE, LOW, 1, ROPE + 5, 1, -0.3f},
    {"no joint", unjoin, HUNG, HUNG, LOW, 1, HUNG, 1, -0.3f},
    {"joint", join_far, ALONE_BALL, HUNG, LOW, 1, ALONE_BALL, 0, -0.1f},
    {"call", call, LOW, HIGH, ALONE_BALL, 1, LOW, 0, 0.0f},
};

enum { CAUSES = sizeof(causes) / sizeof(*causes) };

LOOP_TEST(what_is_disturbed_wakes_and_moves, 0, CAUSES) {
  const cause* c = &causes[_i];
  room r = new_room();
  float before[3], after[3];
  expect_get(r.world, WEFT_ATTRIBUTE_POSITION, c->mover, 1, before);
  c->act(&r);
  weft_world_step(r.world, c->steps);
  if (is_asleep(r.world, c->woken)) ck_abort_msg("%s: it sleeps on", c->name);
  if (is_asleep(r.world, c->other)) ck_abort_msg("%s: what touches it sleeps on", c->name);
  if (c->bystander != LOOSE_COUNT && !is_asleep(r.world, c->bystander)) {
    ck_abort_msg("%s: a bystander woke", c->name);
  }
  weft_world_step(r.world, 30 - c->steps);
  expect_get(r.world, WEFT_ATTRIBUTE_POSITION, c->mover, 1, after);
  const float moved = after[c->axis] - before[c->axis];
  if (c->least > 0.0f ? moved < c->least : moved > c->least && c->least < 0.0f) {
    ck_abort_msg("%s: moved by %g m, not %g m", c->name, (double)moved, (double)c->least);
  }
}

// ---- what sleeps ----

TEST(not_a_bit_of_a_sleeper_changes) {
  room r = new_room();
  const uint64_t hash = weft_world_hash(r.world);
  const uint64_t skipped = sleep_stats_of(r.world).skipped_steps;
  const weft_measures before = measures_of(r.world);
  weft_world_step(r.world, 100);
  const weft_measures after = measures_of(r.world);
  ck_assert_uint_eq(weft_world_hash(r.world), hash);
  ck_assert_uint_eq(sleep_stats_of(r.world).skipped_steps, skipped + 100);
  ck_assert(before.mass == after.mass && after.kinetic == 0.0);
  // sleeping particles keep their masses
  float inverse_masses[SPARE];
  expect_get(r.world, WEFT_ATTRIBUTE_INVERSE_MASS, 0, SPARE, inverse_masses);
  for (int i = 0; i < SPARE; ++i) ck_assert(inverse_masses[i] == (i == NAIL ? 0.0f : 1.0f));
  expect_error(weft_world_set(r.world, WEFT_ATTRIBUTE_TARGET, weft_range(LOW, 1), across, 0),
               WEFT_ERROR_RANGE, "selection.first");
}

TEST(what_rests_on_something_awake_stays_awake) {
  room r = new_room();
  // every quarter of a second a push that moves the lower ball's island
  for (int round = 0; round < 12; ++round) {
    weft_world_step(r.world, 8);
    expect_set(r.world, WEFT_ATTRIBUTE_VELOCITY, LOW, 1, (float[3]){0.0f, 0.1f, 0.0f}, 0);
    weft_world_step(r.world, 4);
    ck_assert(!is_asleep(r.world, LOW) && !is_asleep(r.world, HIGH));
    ck_assert(is_asleep(r.world, ALONE_BALL));
  }
}

static uint32_t take_events(weft_world* world, weft_contact_event_kind kind) {
  weft_contact_event events[64];
  uint32_t count = 0, found = 0;
  expect_ok(weft_world_take_contact_events(world, 64, events, &count));
  for (uint32_t i = 0; i < count; ++i) found += events[i].kind == kind;
  return found;
}

TEST(contacts_of_sleepers_last_until_they_wake_and_part) {
  room r = new_room();
  log_events(r.world, 64);
  expect_ok(weft_world_set(r.world, WEFT_ATTRIBUTE_ASLEEP, weft_range(0, HUNG), &(bool){false},
                           WEFT_SAME));
  weft_world_step(r.world, 2);
  ck_assert_uint_ge(take_events(r.world, WEFT_CONTACT_EVENT_BEGIN), 4);
  weft_world_step(r.world, 200);
  ck_assert(is_asleep(r.world, LOW) && is_asleep(r.world, HIGH));
  ck_assert_uint_eq(take_events(r.world, WEFT_CONTACT_EVENT_END), 0);
  remove_table(&r);
  weft_world_step(r.world, 1);
  ck_assert_uint_eq(take_events(r.world, WEFT_CONTACT_EVENT_END), 1);
}

TEST(a_call_puts_to_sleep_in_the_air_and_wakes_again) {
  room r = new_room();
  place_particle(r.world, THROWN, (float[3]){0.0f, 5.0f, 9.0f}, (float[3]){1.0f, 0.0f, 0.0f});
  expect_ok(weft_world_set(r.world, WEFT_ATTRIBUTE_ASLEEP, weft_range(THROWN, 1), &(bool){true},
                           WEFT_SAME));
  weft_world_step(r.world, 50);
  float at[3];
  expect_get(r.world, WEFT_ATTRIBUTE_POSITION, THROWN, 1, at);
  ck_assert(is_asleep(r.world, THROWN) && at[0] == 0.0f && at[1] == 5.0f && at[2] == 9.0f);
  expect_ok(weft_world_set(r.world, WEFT_ATTRIBUTE_ASLEEP, weft_range(THROWN, 1), &(bool){false},
                           WEFT_SAME));
  weft_world_step(r.world, 30);
  expect_get(r.world, WEFT_ATTRIBUTE_POSITION, THROWN, 1, at);
  ck_assert(at[1] < 4.5f);
}

TEST(snapshots_hold_who_sleeps) {
  room r = new_room();
  room other = new_room();
  throw_at_stack(&r);
  weft_world_step(r.world, 30);
  saved_world saved = save_world(r.world);
  restore_world(other.world, &saved);
  for (int round = 0; round < 10; ++round) {
    weft_world_step(r.world, 30);
    weft_world_step(other.world, 30);
    const weft_sleep_stats one = sleep_stats_of(r.world);
    const weft_sleep_stats two = sleep_stats_of(other.world);
    ck_assert_uint_eq(weft_world_hash(r.world), weft_world_hash(other.world));
    ck_assert(one.fell_asleep == two.fell_asleep && one.skipped_steps == two.skipped_steps);
  }
  // a sleeper that is restored by itself is as heavy as it was
  ck_assert(is_asleep(r.world, LOW));
  float inverse_mass = 0.0f;
  saved = save_range(r.world, LOW, 1);
  restore_range(r.world, &saved);
  weft_world_step(r.world, 1);
  expect_get(r.world, WEFT_ATTRIBUTE_INVERSE_MASS, LOW, 1, &inverse_mass);
  ck_assert(inverse_mass == 1.0f && !is_asleep(r.world, LOW));
}

TEST(a_world_without_sleep_knows_none) {
  const weft_world_def def = weft_plain_world_def();
  ck_assert(def.sleep_speed == 0.0f);
  weft_world* world = new_particles(&def, (float[3]){0}, (float[1]){0.0f}, 1);
  weft_world_step(world, 100);
  bool asleep = true;
  expect_ok(weft_world_get(world, WEFT_ATTRIBUTE_ASLEEP, weft_range(0, 1), &asleep, 0));
  ck_assert(!asleep && sleep_stats_of(world).component_count == 0);
  expect_ok(
      weft_world_set(world, WEFT_ATTRIBUTE_ASLEEP, weft_range(0, 1), &(bool){false}, WEFT_SAME));
  expect_error(
      weft_world_set(world, WEFT_ATTRIBUTE_ASLEEP, weft_range(0, 1), &(bool){true}, WEFT_SAME),
      WEFT_ERROR_DISABLED, "weft_world_def.sleep_speed");
  expect_past_end(
      weft_world_set(world, WEFT_ATTRIBUTE_ASLEEP, weft_range(0, 2), &(bool){false}, WEFT_SAME));
  expect_null(
      weft_world_set(NULL, WEFT_ATTRIBUTE_ASLEEP, weft_range(0, 1), &(bool){true}, WEFT_SAME),
      "world");
  expect_null(weft_world_get(world, WEFT_ATTRIBUTE_ASLEEP, weft_range(0, 1), NULL, 0), "values");
  expect_null(weft_world_get_sleep_stats(world, NULL), "stats");
}
