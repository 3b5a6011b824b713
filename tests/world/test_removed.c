/* Removed bodies collide with nothing, and no query finds them. */
#include "support/ask.h"
#include "support/collided.h"
#include "support/test.h"

typedef struct removed_case {
  const char* name;
  weft_particle_shape shape;
  float half_size;
  weft_collision collision;
} removed_case;

static const removed_case cases[] = {
    {"points", WEFT_PARTICLE_SHAPE_POINT, 0.1f, WEFT_COLLISION_SOFT},
    {"cloth", WEFT_PARTICLE_SHAPE_CLOTH, 0.2f, WEFT_COLLISION_SOFT},
    {"spheres", WEFT_PARTICLE_SHAPE_SPHERE, 0.2f, WEFT_COLLISION_SOFT},
    {"boxes", WEFT_PARTICLE_SHAPE_BOX, 0.2f, WEFT_COLLISION_SOFT},
    {"ccd", WEFT_PARTICLE_SHAPE_POINT, 0.02f, WEFT_COLLISION_EXACT},
};

// level sheet of 5 x 5 particles, pinned, and one particle that falls on its middle
static weft_world* new_fall(const removed_case* c, weft_body* sheet, uint32_t* falling) {
  weft_scene* scene = new_scene();
  const weft_sheet_def def =
      sheet_def(.side = 5, .spacing = 0.2f, .origin = {-0.4f, 0.0f, -0.4f}, .is_level = true);
  expect_ok(weft_scene_add_sheet(scene, &def, sheet));
  expect_ok(weft_scene_pin(scene, weft_range(sheet->first_particle, 25)));
  const float above[3] = {0.01f, 1.0f, 0.02f};
  const float inverse_mass = 1.0f;
  weft_body one;
  expect_ok(weft_scene_add_particles(scene, above, &inverse_mass, 1, &one));
  *falling = one.first_particle;
  weft_world_def world_def = def_at(60);
  world_def.solver.substeps = 4;
  weft_world* world = new_world(&world_def, scene);
  weft_particle_shape_def contact = shape_def(.shape = c->shape);
  for (int axis = 0; axis < 3; ++axis) contact.half_size[axis] = c->half_size;
  contact.collision = c->collision;
  touch_all(world, &contact);
  log_events(world, 256);
  return world;
}

static double height_of(const weft_world* world, uint32_t particle) {
  double position[3];
  double velocity[3];
  read_particle(world, particle, position, velocity);
  return position[1];
}

LOOP_TEST(what_falls_on_a_removed_body_falls_on, 0, sizeof(cases) / sizeof(cases[0])) {
  const removed_case* c = &cases[_i];
  for (int when = 0; when < 3; ++when) {
    weft_body sheet;
    uint32_t falling = 0;
    weft_world* world = new_fall(c, &sheet, &falling);
    // removed before the first step, after a second, and before a new contact is set for all
    if (when == 1) weft_world_step(world, 60);
    expect_ok(weft_world_remove_body(world, &sheet));
    if (when == 2) {
      weft_particle_shape_def contact = shape_def(.shape = c->shape);
      for (int axis = 0; axis < 3; ++axis) contact.half_size[axis] = c->half_size;
      contact.collision = c->collision;
      touch_all(world, &contact);
    }
    weft_world_step(world, 60);
    if (!(height_of(world, falling) < -1.0)) {
      ck_abort_msg("%s %d: held at %g", c->name, when, height_of(world, falling));
    }
  }
}

TEST(a_touch_of_a_removed_body_ends) {
  const removed_case* c = &cases[2];
  weft_body sheet;
  uint32_t falling = 0;
  weft_world* world = new_fall(c, &sheet, &falling);
  weft_world_step(world, 60);
  expect_ok(weft_world_remove_body(world, &sheet));
  weft_world_step(world, 2);
  weft_contact_event events[256];
  uint32_t count = 0;
  expect_ok(weft_world_take_contact_events(world, 256, events, &count));
  int open = 0;
  for (uint32_t i = 0; i < count; ++i) {
    if (events[i].kind == WEFT_CONTACT_EVENT_BEGIN) ++open;
    if (events[i].kind == WEFT_CONTACT_EVENT_END) --open;
  }
  ck_assert_uint_gt(count, 0);
  ck_assert_int_eq(open, 0);
}

TEST(no_query_and_no_measure_finds_a_removed_body) {
  for (int indexed = 0; indexed < 2; ++indexed) {
    weft_body sheet;
    uint32_t falling = 0;
    weft_world* world = new_fall(&cases[1], &sheet, &falling);
    if (indexed == 1) expect_ok(weft_world_build_index(world));
    const float lower[3] = {-1.0f, -0.5f, -1.0f};
    const float upper[3] = {1.0f, 0.5f, 1.0f};
    weft_query_hit hits[128];
    uint32_t count = 0;
    expect_ok(ask_box(world, lower, upper, NULL, 128, hits, &count));
    ck_assert_uint_gt(count, 0);
    expect_ok(weft_world_remove_body(world, &sheet));
    expect_ok(ask_box(world, lower, upper, NULL, 128, hits, &count));
    ck_assert_uint_eq(count, 0);
    const weft_measures measures = measures_of(world);
    ck_assert_float_eq(measures.lower[1], 1.0f);
    ck_assert_float_eq(measures.upper[0], 0.01f);
  }
}
