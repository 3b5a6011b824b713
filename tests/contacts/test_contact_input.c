/* Refused input of the calls about contacts, which changes nothing, and values that are set. */
#include "support/test.h"
#include "world/world.h"

enum { SIDE = 5, COUNT = SIDE * SIDE };

static weft_world* new_sheet_world(void) {
  return new_world_of(new_sheet_scene(SIDE, SIDE, ALL_FAMILIES));
}

static const weft__material* material_of(const weft_world* world, uint32_t user) {
  return weft__material_of(&world->stepper.contacts.materials,
                           world->stepper.schedule.solver_of[user]);
}

static weft_particle_shape_def contact_of(weft_particle_shape shape) {
  weft_particle_shape_def contact = weft_default_particle_shape_def();
  contact.shape = shape;
  for (int axis = 0; axis < 3; ++axis) contact.half_size[axis] = 0.25f * (float)(axis + 1);
  contact.surface.static_friction = 0.5f;
  return contact;
}

static void expect_refusal(weft_world* world, const weft_particle_shape_def* contact,
                           weft_error error, const char* field, uint64_t index) {
  const uint32_t version = world->stepper.contacts.materials.version;
  expect_error_at(weft_world_set_particle_shape(world, weft_range(3, 2), contact), error, field,
                  index);
  ck_assert_uint_eq(world->stepper.contacts.materials.version, version);
}

TEST(a_contact_needs_a_world_and_particles_that_are_there) {
  weft_world* world = new_sheet_world();
  const weft_particle_shape_def contact = weft_default_particle_shape_def();
  expect_null(weft_world_set_particle_shape(NULL, weft_range(0, 1), &contact), "world");
  expect_past_end(weft_world_set_particle_shape(world, weft_range(0, COUNT + 1), &contact));
  expect_past_end(weft_world_set_particle_shape(world, weft_range(COUNT, 1), NULL));
  expect_past_end(
      weft_world_set_particle_shape(world, weft_range(UINT32_MAX, UINT32_MAX), &contact));
  ck_assert(!world->stepper.contacts.materials.on);
  expect_ok(weft_world_set_particle_shape(world, weft_range(COUNT, 0), &contact));
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, COUNT), NULL));
  ck_assert(!world->stepper.contacts.materials.on);
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, COUNT), &contact));
  ck_assert(world->stepper.contacts.materials.on);
}

TEST(shapes_with_a_volume_have_a_size) {
  weft_world* world = new_sheet_world();
  for (int shape = 0; shape <= WEFT_PARTICLE_SHAPE_ELLIPSOID; ++shape) {
    const uint64_t sizes = shape <= WEFT_PARTICLE_SHAPE_SPHERE ? 1 : 3;
    for (uint64_t axis = 0; axis < sizes; ++axis) {
      weft_particle_shape_def contact = contact_of((weft_particle_shape)shape);
      contact.half_size[axis] = 1e-6f;
      expect_ok(weft_world_set_particle_shape(world, weft_range(3, 2), &contact));
      ck_assert_int_eq((int)material_of(world, 4)->shape, shape);
      contact.half_size[axis] = nextafterf(1e-6f, 0.0f);
      if (shape == WEFT_PARTICLE_SHAPE_POINT) {
        expect_ok(weft_world_set_particle_shape(world, weft_range(3, 2), &contact));
      } else {
        expect_refusal(world, &contact, WEFT_ERROR_RANGE, "weft_particle_shape_def.half_size",
                       axis);
      }
      contact.half_size[axis] = NAN;
      expect_refusal(world, &contact, WEFT_ERROR_NOT_FINITE, "weft_particle_shape_def.half_size",
                     axis);
    }
  }
}

TEST(a_single_radius_is_the_first_and_the_others_are_not_looked_at) {
  weft_world* world = new_sheet_world();
  for (int shape = 0; shape <= WEFT_PARTICLE_SHAPE_SPHERE; ++shape) {
    weft_particle_shape_def contact = contact_of((weft_particle_shape)shape);
    contact.half_size[1] = NAN;
    contact.half_size[2] = -1.0f;
    expect_ok(weft_world_set_particle_shape(world, weft_range(0, COUNT), &contact));
    for (int axis = 0; axis < 3; ++axis) {
      ck_assert_float_eq(material_of(world, 7)->half_size[axis], 0.25f);
    }
  }
}

TEST(exact_contacts_are_counted_and_none_is_as_without_a_shape) {
  weft_world* world = new_sheet_world();
  weft_particle_shape_def contact = contact_of(WEFT_PARTICLE_SHAPE_CLOTH);
  contact.collision = WEFT_COLLISION_EXACT;
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, COUNT), &contact));
  ck_assert_uint_eq(world->stepper.contacts.materials.exact_count, COUNT);
  contact.collision = WEFT_COLLISION_NONE;
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, 3), &contact));
  ck_assert_uint_eq(world->stepper.contacts.materials.exact_count, COUNT - 3);
  weft_particle_shape_def read[4];
  expect_ok(weft_world_get_particle_shapes(world, weft_range(0, 4), read));
  ck_assert_int_eq(read[2].collision, WEFT_COLLISION_NONE);
  ck_assert_int_eq(read[3].collision, WEFT_COLLISION_EXACT);
}

// ---- limits ----

static void expect_limits_refusal(weft_world* world, const weft_contact_limits_def* limits,
                                  weft_error error, const char* field) {
  const weft_contact_limits_def before = world->stepper.contacts.limits;
  expect_error(weft_world_set_contact_limits(world, limits), error, field);
  ck_assert_int_eq(memcmp(&before, &world->stepper.contacts.limits, sizeof before), 0);
}

TEST(limits_need_a_world_and_are_lifted_by_the_default) {
  weft_world* world = new_sheet_world();
  weft_contact_limits_def limits = weft_default_contact_limits_def();
  ck_assert_uint_eq(limits.max_events, 0);
  expect_null(weft_world_set_contact_limits(NULL, &limits), "world");
  expect_limits_refusal(world, NULL, WEFT_ERROR_NULL, "limits");
  limits.max_events = 5;
  limits.max_touches = 7;
  expect_ok(weft_world_set_contact_limits(world, &limits));
  ck_assert(world->stepper.contacts.log.on);
  ck_assert_uint_eq(world->stepper.contacts.log.max_touches, 7);
  limits = weft_default_contact_limits_def();
  expect_ok(weft_world_set_contact_limits(world, &limits));
  ck_assert(!world->stepper.contacts.log.on);
}

static uint64_t bytes_of(const weft_world* world) {
  return stats_of(world).bytes;
}

TEST(memory_of_contacts_is_counted) {
  weft_world* world = new_sheet_world();
  const uint64_t before = bytes_of(world);
  const weft_particle_shape_def contact = weft_default_particle_shape_def();
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, COUNT), &contact));
  const uint64_t with_contact = bytes_of(world);
  ck_assert_uint_ge(with_contact, before + COUNT * sizeof(uint32_t));
  weft_contact_limits_def limits = weft_default_contact_limits_def();
  limits.max_events = 1000;
  expect_ok(weft_world_set_contact_limits(world, &limits));
  ck_assert_uint_ge(bytes_of(world), with_contact + 1000 * sizeof(weft_contact_event));
}

// ---- reading ----

TEST(counts_and_events_need_a_world_and_a_place) {
  weft_world* world = new_sheet_world();
  weft_contact_stats stats;
  weft_contact_event event;
  uint32_t count = 77;
  expect_null(weft_world_get_contact_stats(NULL, &stats), "world");
  expect_null(weft_world_get_contact_stats(world, NULL), "stats");
  expect_null(weft_world_take_contact_events(NULL, 1, &event, &count), "world");
  expect_null(weft_world_take_contact_events(world, 1, NULL, &count), "events");
  expect_null(weft_world_take_contact_events(world, 1, &event, NULL), "count");
  ck_assert_uint_eq(count, 77);
  expect_error(weft_world_take_contact_events(world, 0, NULL, &count), WEFT_ERROR_DISABLED,
               "weft_contact_limits_def.max_events");
  weft_contact_limits_def limits = weft_default_contact_limits_def();
  limits.max_events = 1;
  expect_ok(weft_world_set_contact_limits(world, &limits));
  expect_ok(weft_world_take_contact_events(world, 0, NULL, &count));
  ck_assert_uint_eq(count, 0);
  memset(&stats, 0xff, sizeof stats);
  expect_ok(weft_world_get_contact_stats(world, &stats));
  ck_assert_uint_eq(stats.collider_count + stats.self_pairs + stats.particle_pairs, 0);
  ck_assert_uint_eq(
      stats.lost_pairs + stats.lost_ccd_pairs + stats.lost_touches + stats.lost_events, 0);
}
