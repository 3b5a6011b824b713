/* Handles of colliders, joints and grips: stale ones fail in every call and change nothing. */
#include "support/handles.h"

#include "support/test.h"

typedef struct handle {
  uint32_t index, generation;
} handle;

// ---- calls that take a handle ----

static handle add_collider(weft_world* world) {
  const weft_collider_def def = weft_default_collider_def();
  weft_collider added = {0};
  expect_ok(weft_world_add_collider(world, &def, &added));
  return (handle){added.index, added.generation};
}

static handle add_joint(weft_world* world) {
  weft_joint_def def = weft_default_joint_def();
  weft_joint added = {0};
  def.to[0] = 7;
  expect_ok(weft_world_add_joint(world, &def, &added));
  return (handle){added.index, added.generation};
}

static handle add_grip(weft_world* world) {
  const float place[3] = {0.0f, 0.0f, 0.0f};
  weft_grip added = {0};
  expect_ok(weft_world_add_grip(world, place, 0.1f, &added));
  return (handle){added.index, added.generation};
}

static const float motion[4] = {0.0f, 0.0f, 0.0f, 1.0f};

static weft_result remove_collider(weft_world* world, handle of) {
  return weft_world_remove_collider(world, (weft_collider){of.index, of.generation});
}

static weft_result move_collider(weft_world* world, handle of) {
  return weft_world_move_collider(world, (weft_collider){of.index, of.generation}, motion, motion);
}

static weft_result push_collider(weft_world* world, handle of) {
  const weft_collider collider = {of.index, of.generation};
  return weft_world_set_collider_velocity(world, collider, motion + 1, motion + 1);
}

static weft_result get_collider(weft_world* world, handle of) {
  float position[3];
  float rotation[4];
  const weft_collider collider = {of.index, of.generation};
  return weft_world_get_collider(world, collider, position, rotation);
}

static weft_result remove_joint(weft_world* world, handle of) {
  return weft_world_remove_joint(world, (weft_joint){of.index, of.generation});
}

static weft_result get_joint(weft_world* world, handle of) {
  float force;
  bool broken;
  return weft_world_get_joint(world, (weft_joint){of.index, of.generation}, &force, &broken);
}

static weft_result remove_grip(weft_world* world, handle of) {
  return weft_world_remove_grip(world, (weft_grip){of.index, of.generation});
}

static weft_result move_grip(weft_world* world, handle of) {
  return weft_world_move_grip(world, (weft_grip){of.index, of.generation}, motion + 1);
}

static weft_result get_grip(weft_world* world, handle of) {
  float place[3];
  uint32_t held;
  return weft_world_get_grip(world, (weft_grip){of.index, of.generation}, place, &held);
}

typedef struct handle_kind {
  const char* field;
  handle (*add)(weft_world* world);
  weft_result (*calls[4])(weft_world* world, handle of); /* removal is the last one */
  int call_count;
} handle_kind;

static const handle_kind kinds[] = {
    {"collider", add_collider, {move_collider, push_collider, get_collider, remove_collider}, 4},
    {"joint", add_joint, {get_joint, remove_joint}, 2},
    {"grip", add_grip, {get_grip, move_grip, remove_grip}, 3},
};
enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

// ---- tests ----

static weft_world* new_cloth(void) {
  weft_world* world = new_world_of(new_sheet_scene(10, 10, ALL_FAMILIES));
  const weft_particle_shape_def point = weft_default_particle_shape_def();
  expect_ok(weft_world_set_particle_shape(world, 0, 100, &point));
  return world;
}

static void expect_stale(const handle_kind* kind, weft_world* world, handle bad) {
  for (int call = 0; call < kind->call_count; ++call) {
    expect_error(kind->calls[call](world, bad), WEFT_ERROR_STALE, kind->field);
  }
}

// hash of a world in which two entries are added, the first one is removed and replaced, and stale
// handles are used in between or not
static uint64_t hash_of_changes(const handle_kind* kind, bool with_stale) {
  weft_world* world = new_cloth();
  const handle null = {0, 0};
  if (with_stale) expect_stale(kind, world, null);
  if (with_stale) expect_stale(kind, world, (handle){0, 1});
  const handle removed = kind->add(world);
  const handle kept = kind->add(world);
  ck_assert(removed.generation != 0 && kept.generation != 0 && kept.index != removed.index);
  weft_world_step(world, 2);
  expect_ok(kind->calls[kind->call_count - 1](world, removed));
  const handle bad[] = {removed,
                        null,
                        {removed.index, removed.generation + 1},
                        {removed.index, removed.generation + 2},
                        {kept.index, 0},
                        {kept.index, kept.generation + 1},
                        {kept.index, kept.generation - 1},
                        {kept.index, kept.generation + 2},
                        {kept.index + 1, kept.generation},
                        {UINT32_MAX, kept.generation}};
  for (size_t i = 0; with_stale && i < sizeof(bad) / sizeof(*bad); ++i) {
    expect_stale(kind, world, bad[i]);
  }
  weft_world_step(world, 2);
  const handle added = kind->add(world);
  ck_assert(added.index == removed.index && added.generation != removed.generation);
  if (with_stale) expect_stale(kind, world, removed);
  weft_world_step(world, 2);
  for (int call = 0; call < kind->call_count; ++call) {
    expect_null(kind->calls[call](NULL, added), "world");
    expect_ok(kind->calls[call](world, added));
    expect_ok(kind->calls[call](world, kept));
  }
  weft_world_step(world, 2);
  return weft_world_hash(world);
}

LOOP_TEST(a_stale_handle_fails_in_every_call_and_changes_nothing, 0, KINDS) {
  const handle_kind* kind = &kinds[_i];
  ck_assert_uint_eq(hash_of_changes(kind, true), hash_of_changes(kind, false));
}

LOOP_TEST(no_two_entries_of_a_slot_have_the_same_handle, 0, KINDS) {
  const handle_kind* kind = &kinds[_i];
  enum { ENTRIES = 50 };
  weft_world* world = new_cloth();
  handle given[ENTRIES];
  for (int i = 0; i < ENTRIES; ++i) {
    given[i] = kind->add(world);
    ck_assert(given[i].index == given[0].index && given[i].generation != 0);
    for (int k = 0; k < i; ++k) ck_assert(!SAME_HANDLE(given[i], given[k]));
    expect_ok(kind->calls[kind->call_count - 1](world, given[i]));
  }
}
