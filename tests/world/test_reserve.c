/* Particles that are added to a running world and removed from it. */
#include "base/hash.h"
#include "support/ask.h"
#include "support/collided.h"
#include "support/test.h"

enum { SPHERES = 60 };

static void place_of(uint32_t i, float position[3]) {
  position[0] = 0.21f * (float)(i % 4) + 0.003f * (float)(i % 7);
  position[1] = 0.3f + 0.21f * (float)(i / 16);
  position[2] = 0.21f * (float)(i / 4 % 4) + 0.002f * (float)(i % 5);
}

static weft_particle_def sphere_at(uint32_t i, const weft_particle_shape_def* shape) {
  weft_particle_def def = weft_default_particle_def();
  place_of(i, def.position);
  def.inverse_mass = 1.0f + 0.1f * (float)(i % 3);
  def.velocity[0] = 0.1f;
  def.shape = shape;
  return def;
}

// a level sheet, pinned at its edges, and room for spheres above it, filled by the scene or not
static weft_world* new_pour(const weft_world_def* def, bool is_built) {
  weft_scene* scene = new_cloth_scene(.side = 12, .spacing = 0.1f, .is_level = true);
  for (uint32_t i = 0; i < 12; ++i) {
    expect_ok(weft_scene_pin(scene, weft_range(i, 1)));
    expect_ok(weft_scene_pin(scene, weft_range(132 + i, 1)));
  }
  if (!is_built) expect_ok(weft_scene_reserve_particles(scene, SPHERES, NULL));
  for (uint32_t i = 0; i < SPHERES && is_built; ++i) {
    const weft_particle_def sphere = sphere_at(i, NULL);
    expect_ok(weft_scene_add_particles(scene, sphere.position, &sphere.inverse_mass, 1, NULL));
  }
  weft_world* world = new_world(def, scene);
  const weft_particle_shape_def cloth =
      shape_def(.shape = WEFT_PARTICLE_SHAPE_CLOTH, .radius = 0.05f);
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, 144), &cloth));
  const weft_bounds_def bounds = floor_bounds(-0.3f, 0.0f);
  expect_ok(weft_world_set_bounds(world, &bounds));
  const weft_contact_limits_def limits = event_limits(4096);
  expect_ok(weft_world_set_contact_limits(world, &limits));
  return world;
}

LOOP_TEST(a_world_that_is_filled_has_the_bits_of_one_whose_scene_was, 0,
          WEFT_INTEGRATOR_RUNGE_KUTTA_4 + 1) {
  weft_world_def def = def_at(60);
  def.solver.integrator = (weft_integrator)_i;
  def.solver.substeps = 2;
  weft_world* built = new_pour(&def, true);
  weft_world* filled = new_pour(&def, false);
  // cloth is cut into tiles by where its particles and all others are when its shape is set
  expect_ok(weft_world_set_particle_shape(built, weft_range(0, 144), NULL));
  expect_ok(weft_world_set_particle_shape(filled, weft_range(0, 144), NULL));
  const weft_particle_shape_def shape = sphere_contact(0.1f);
  for (uint32_t i = 0; i < SPHERES; ++i) {
    const weft_particle_def sphere = sphere_at(i, &shape);
    weft_particle particle;
    expect_ok(weft_world_add_particle(filled, &sphere, &particle));
    ck_assert_uint_eq(particle.index, 144 + i);
    expect_set(built, WEFT_ATTRIBUTE_VELOCITY, 144 + i, 1, sphere.velocity, 0);
  }
  expect_ok(weft_world_set_particle_shape(built, weft_range(144, SPHERES), &shape));
  for (int step = 0; step < 60; ++step) {
    ck_assert_uint_eq(weft_world_hash(built), weft_world_hash(filled));
    weft_world_step(built, 1);
    weft_world_step(filled, 1);
  }
  ck_assert_uint_gt(contact_stats_of(built).particle_pairs, 50);
}

// room for four particles
static weft_world* new_room(weft_scene** kept) {
  weft_scene* scene = new_scene();
  const float origin[3] = {0.0f, 0.0f, 0.0f};
  const float pinned = 0.0f;
  expect_ok(weft_scene_add_particles(scene, origin, &pinned, 1, NULL));
  expect_ok(weft_scene_reserve_particles(scene, 4, NULL));
  const weft_world_def def = def_at(60);
  weft_world* world = new_world(&def, scene);
  if (kept == NULL) weft_scene_destroy(&scene);
  if (kept != NULL) *kept = scene;
  return world;
}

static weft_particle add_sphere(weft_world* world, float height) {
  const weft_particle_shape_def shape = sphere_contact(0.5f);
  weft_particle_def def = weft_default_particle_def();
  def.position[1] = height;
  def.shape = &shape;
  weft_particle particle = {0};
  expect_ok(weft_world_add_particle(world, &def, &particle));
  return particle;
}

TEST(a_handle_of_a_removed_particle_is_stale_even_when_its_slot_is_used_again) {
  weft_world* world = new_room(NULL);
  const weft_particle null = {0, 0}, beyond = {5, 1}, never = {2, 1};
  expect_error(weft_world_remove_particle(world, null), WEFT_ERROR_STALE, "particle");
  expect_error(weft_world_remove_particle(world, beyond), WEFT_ERROR_STALE, "particle");
  expect_error(weft_world_remove_particle(world, never), WEFT_ERROR_STALE, "particle");
  const weft_particle first = add_sphere(world, 1.0f);
  expect_ok(weft_world_remove_particle(world, first));
  expect_error(weft_world_remove_particle(world, first), WEFT_ERROR_STALE, "particle");
  const weft_particle second = add_sphere(world, 1.0f);
  ck_assert_uint_eq(first.index, second.index);
  expect_error(weft_world_remove_particle(world, first), WEFT_ERROR_STALE, "particle");
  weft_particle found = {0};
  expect_ok(weft_world_get_particle(world, second.index, &found));
  ck_assert_uint_eq(found.generation, second.generation);
  // a body takes the particle with it
  expect_ok(weft_world_remove_body(world, &(weft_body){1, 4, 0, 0}));
  expect_error(weft_world_remove_particle(world, second), WEFT_ERROR_STALE, "particle");
  expect_error(weft_world_get_particle(world, second.index, &found), WEFT_ERROR_STALE, "number");
  for (int i = 0; i < 4; ++i) (void)add_sphere(world, 2.0f * (float)i);
  const weft_particle_def def = weft_default_particle_def();
  expect_error(weft_world_add_particle(world, &def, &found), WEFT_ERROR_TOO_MANY, "world");
}

TEST(the_list_has_what_lives) {
  weft_world* world = new_room(NULL);
  weft_particle all[5];
  uint32_t count = 0;
  for (int i = 0; i < 4; ++i) all[i] = add_sphere(world, 2.0f * (float)i);
  expect_ok(weft_world_remove_particle(world, all[1]));
  expect_ok(weft_world_list_particles(world, 0, NULL, &count));
  ck_assert_uint_eq(count, 4);
  expect_ok(weft_world_list_particles(world, 5, all, &count));
  const uint32_t expected[] = {0, 1, 3, 4};
  for (uint32_t i = 0; i < 4; ++i) ck_assert_uint_eq(all[i].index, expected[i]);
  // a particle of the scene has a handle, too
  expect_ok(weft_world_remove_particle(world, all[0]));
  expect_error(weft_world_remove_particle(world, all[0]), WEFT_ERROR_STALE, "particle");
  expect_ok(weft_world_list_particles(world, 1, all, &count));
  ck_assert_uint_eq(count, 3);
}

TEST(a_removed_particle_is_gone_for_contacts_queries_forces_measures_and_events) {
  weft_world* world = new_room(NULL);
  log_events(world, 64);
  const weft_bounds_def bounds = floor_bounds(0.0f, 0.0f);
  expect_ok(weft_world_set_bounds(world, &bounds));
  const weft_particle lower = add_sphere(world, 0.5f);
  const weft_particle upper = add_sphere(world, 1.5f);
  weft_world_step(world, 30);
  expect_ok(weft_world_build_index(world));
  const uint64_t before = weft_world_hash(world);
  const float push[3] = {0.0f, 100.0f, 0.0f}, from[3] = {-2.0f, 0.5f, 0.0f};
  const float to[3] = {2.0f, 0.5f, 0.0f};
  weft_query_hit hit;
  bool found = false;
  expect_ok(ask_segment(world, from, to, NULL, &hit, &found));
  ck_assert(found && hit.index == lower.index);
  expect_add(world, WEFT_ATTRIBUTE_FORCE, lower.index, 1, push, 0);
  expect_ok(weft_world_remove_particle(world, lower));
  ck_assert_uint_ne(weft_world_hash(world), before);
  expect_ok(ask_segment(world, from, to, NULL, &hit, &found));
  ck_assert(!found);
  ck_assert_double_eq(measures_of(world).mass, 1.0);
  // another one in its slot far away feels no force of the former one, and its touch is not that
  const weft_particle other = add_sphere(world, 50.0f);
  ck_assert_uint_eq(other.index, lower.index);
  weft_world_step(world, 30);
  double position[3], velocity[3];
  read_particle(world, other.index, position, velocity);
  ck_assert_double_eq_tol(position[1], 50.0 - 0.5 * GRAVITY * 0.25 * 31.0 / 30.0, 0.01);
  read_particle(world, upper.index, position, velocity);
  ck_assert_double_lt(position[1], 0.51);
  weft_contact_event events[64];
  uint32_t count = 0;
  expect_ok(weft_world_take_contact_events(world, 64, events, &count));
  int open = 0;
  for (uint32_t i = 0; i < count; ++i) {
    if (events[i].collider.generation != 0 || events[i].other != upper.index) continue;
    if (events[i].kind == WEFT_CONTACT_EVENT_BEGIN) ++open;
    if (events[i].kind == WEFT_CONTACT_EVENT_END) --open;
  }
  ck_assert_int_eq(open, 0);
}

TEST(a_touch_of_the_next_particle_of_a_slot_is_another_one) {
  weft_world* world = new_room(NULL);
  log_events(world, 64);
  const float none[3] = {0.0f, 0.0f, 0.0f};
  expect_ok(weft_world_set_gravity(world, none));
  const weft_particle lower = add_sphere(world, 0.5f);
  (void)add_sphere(world, 1.499f);
  weft_world_step(world, 1);
  expect_ok(weft_world_remove_particle(world, lower));
  ck_assert_uint_eq(add_sphere(world, 0.5f).index, lower.index);
  weft_world_step(world, 1);
  weft_contact_event events[8];
  uint32_t count = 0;
  expect_ok(weft_world_take_contact_events(world, 8, events, &count));
  ck_assert_uint_eq(count, 3);
  ck_assert_int_eq((int)events[0].kind, WEFT_CONTACT_EVENT_BEGIN);
  ck_assert_int_eq((int)events[1].kind, WEFT_CONTACT_EVENT_END);
  ck_assert_int_eq((int)events[2].kind, WEFT_CONTACT_EVENT_BEGIN);
}

TEST(a_reset_frees_all_slots) {
  weft_scene* scene = NULL;
  weft_world* world = new_room(&scene);
  const uint64_t first = weft_world_hash(world);
  const weft_particle one = add_sphere(world, 1.0f);
  weft_world_step(world, 10);
  expect_ok(weft_world_reset(world, scene));
  ck_assert_uint_eq(weft_world_hash(world), first);
  expect_error(weft_world_remove_particle(world, one), WEFT_ERROR_STALE, "particle");
  for (uint32_t i = 0; i < 4; ++i)
    ck_assert_uint_eq(add_sphere(world, 2.0f * (float)i).index, 1 + i);
}

TEST(wrong_particles_are_named_and_change_nothing) {
  weft_world* world = new_room(NULL);
  const weft_particle_shape_def no_size = {.shape = WEFT_PARTICLE_SHAPE_SPHERE};
  weft_particle_def good = weft_default_particle_def();
  weft_particle_def bad = good;
  bad.shape = &no_size;
  const uint64_t before = weft_world_hash(world);
  weft_particle particle = {9, 9};
  expect_error(weft_world_add_particle(world, &bad, &particle), WEFT_ERROR_DEF,
               "weft_particle_shape_def");
  ck_assert_uint_eq(weft_world_hash(world), before);
  ck_assert_uint_eq(particle.index, 9);
  ck_assert_uint_eq(add_sphere(world, 1.0f).index, 1);
  // a free slot takes neither joints nor links
  weft_joint_def joint = weft_default_joint_def();
  joint.particle = 2;
  weft_joint joined;
  expect_error(weft_world_add_joint(world, &joint, &joined), WEFT_ERROR_STALE,
               "weft_joint_def.particle");
  weft_scene* scene = new_scene();
  expect_ok(weft_scene_reserve_particles(scene, 2, NULL));
  const weft_link_def link = {.a = 0, .b = 1, .rest_length = 1.0f, .relaxation = 1.0f};
  expect_error(weft_scene_add_links(scene, &link, 1, NULL), WEFT_ERROR_STALE, "links");
  expect_error(weft_scene_reserve_particles(scene, 0, NULL), WEFT_ERROR_EMPTY, "count");
  expect_error(weft_scene_reserve_particles(scene, UINT32_MAX, NULL), WEFT_ERROR_TOO_MANY,
               "particles");
}
