/* Every allocation and every start of a thread may fail: the call then says so and changes nothing.
 *
 * The linker sends malloc and its relatives here (--wrap), where the one that a test has chosen
 * fails. A test lets the first one fail, then the second, and so on until the call succeeds; that
 * nothing leaks on the way is for the address sanitizer to see. */
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "support/balls.h"
#include "support/bend_scenes.h"
#include "support/data_shapes.h"
#include "support/snapshot.h"
#include "support/worlds.h"
#include "workers/worker_pool.h"

// ---- the calls that fail ----

void* __real_malloc(size_t bytes);
void* __real_calloc(size_t count, size_t size);
void* __real_realloc(void* memory, size_t bytes);
void* __real_aligned_alloc(size_t alignment, size_t bytes);
int __real_pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                          void* (*start)(void*), void* argument);

void* __wrap_malloc(size_t bytes);
void* __wrap_calloc(size_t count, size_t size);
void* __wrap_realloc(void* memory, size_t bytes);
void* __wrap_aligned_alloc(size_t alignment, size_t bytes);
int __wrap_pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                          void* (*start)(void*), void* argument);

// how many calls still succeed before one fails; below 0 all do. Only the test's thread allocates.
static int allocations_left = -1;
static int threads_left = -1;

static bool runs_out(int* left) {
  if (*left < 0) return false;
  return (*left)-- == 0;
}

void* __wrap_malloc(size_t bytes) {
  return runs_out(&allocations_left) ? NULL : __real_malloc(bytes);
}

void* __wrap_calloc(size_t count, size_t size) {
  return runs_out(&allocations_left) ? NULL : __real_calloc(count, size);
}

void* __wrap_realloc(void* memory, size_t bytes) {
  return runs_out(&allocations_left) ? NULL : __real_realloc(memory, bytes);
}

void* __wrap_aligned_alloc(size_t alignment, size_t bytes) {
  return runs_out(&allocations_left) ? NULL : __real_aligned_alloc(alignment, bytes);
}

int __wrap_pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                          void* (*start)(void*), void* argument) {
  if (runs_out(&threads_left)) return EAGAIN;
  return __real_pthread_create(thread, attributes, start, argument);
}

// ---- scenes ----

// what is tried on a scene while memory runs out
typedef weft_result attempt(weft_scene* scene);

static weft_result try_particles(weft_scene* scene) {
  static const float positions[3 * 300];
  static const float inverse_masses[300];
  return weft_scene_add_particles(scene, positions, inverse_masses, 300, NULL);
}

static weft_result try_links(weft_scene* scene) {
  weft_link links[100];
  for (uint32_t i = 0; i < 100; ++i) {
    links[i] = (weft_link){.a = i, .b = 150 + i, .rest_length = 1.0f, .stiffness = 1.0f};
  }
  return weft_scene_add_links(scene, links, 100, NULL);
}

// links that need columns which the scene does not have yet
static weft_result try_odd_links(weft_scene* scene) {
  weft_link links[100];
  for (uint32_t i = 0; i < 100; ++i) {
    links[i] = (weft_link){.a = i,
                           .b = 150 + i,
                           .rest_length = 1.0f,
                           .stiffness = 1.0f,
                           .mode = WEFT_LINK_STRETCH,
                           .spring_damping = 1.0f};
  }
  return weft_scene_add_links(scene, links, 100, NULL);
}

static weft_result try_sheet(weft_scene* scene) {
  const weft_sheet_def def = weft_default_sheet_def();
  return weft_scene_add_sheet(scene, &def, NULL);
}

static weft_result try_bending_sheet(weft_scene* scene) {
  const weft_material material = weft_default_material();
  weft_sheet_def def = weft_default_sheet_def();
  def.material = &material;
  return weft_scene_add_sheet(scene, &def, NULL);
}

static weft_result try_mesh_of(weft_scene* scene, const weft_material* material) {
  static const float positions[] = {0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f,
                                    0.0f, 1.0f, 0.0f, 1.0f, 1.0f, 0.0f};
  static const uint32_t triangles[] = {0, 1, 2, 2, 1, 3};
  weft_mesh_def def = weft_default_mesh_def();
  def.positions = positions;
  def.vertex_count = 4;
  def.triangles = triangles;
  def.triangle_count = 2;
  def.material = material;
  return weft_scene_add_mesh(scene, &def, NULL);
}

static weft_result try_mesh(weft_scene* scene) {
  return try_mesh_of(scene, NULL);
}

static weft_result try_bending_mesh(weft_scene* scene) {
  const weft_material material = weft_default_material();
  return try_mesh_of(scene, &material);
}

static weft_result try_ragdoll(weft_scene* scene) {
  const weft_ragdoll_def def = weft_default_ragdoll_def();
  return weft_scene_add_ragdoll(scene, &def, NULL);
}

static weft_result try_tree(weft_scene* scene) {
  const weft_tree_def def = weft_default_tree_def();
  return weft_scene_add_tree(scene, &def, NULL);
}

static weft_result try_web(weft_scene* scene) {
  const weft_web_def def = weft_default_web_def();
  return weft_scene_add_web(scene, &def, NULL);
}

static weft_result try_ball(weft_scene* scene) {
  weft_ball_def def = weft_default_ball_def();
  def.pressure = 100.0f;
  return weft_scene_add_ball(scene, &def, NULL);
}

static attempt* const attempts[] = {try_particles,     try_links, try_odd_links,    try_sheet,
                                    try_bending_sheet, try_mesh,  try_bending_mesh, try_ragdoll,
                                    try_tree,          try_web,   try_ball};
enum { ATTEMPTS = sizeof(attempts) / sizeof(*attempts) };

// a scene whose columns are full: whatever is added has to grow them
static weft_scene* new_full_scene(void) {
  random_source random = {4};
  weft_scene* scene = new_scene();
  (void)add_cloud(scene, &random, 256, 1.0f);
  return scene;
}

START_TEST(a_scene_that_cannot_grow_says_so_stays_as_it_was_and_can_grow_later) {
  bool done = false;
  for (int n = 0; !done; ++n) {
    weft_scene* scene = new_full_scene();
    scene_snapshot before = take_snapshot(scene);
    allocations_left = n;
    const weft_result result = attempts[_i](scene);
    allocations_left = -1;
    done = result.error == WEFT_OK;
    if (!done) {
      ck_assert_int_eq((int)result.error, WEFT_ERROR_OUT_OF_MEMORY);
      ck_assert(looks_like(scene, &before));
      expect_ok(attempts[_i](scene));
      use_scene(scene);
    }
    free_snapshot(&before);
    weft_scene_destroy(&scene);
    ck_assert_int_lt(n, 1000);
  }
}
END_TEST

START_TEST(a_scene_that_cannot_be_made_says_so) {
  weft_scene* scene = NULL;
  allocations_left = 0;
  const weft_result result = weft_scene_create(&scene);
  allocations_left = -1;
  ck_assert_int_eq((int)result.error, WEFT_ERROR_OUT_OF_MEMORY);
  ck_assert_ptr_null(scene);
}
END_TEST

// ---- worlds ----

// tries to make a world; false when it could not be had, and then nothing must have changed
static bool try_world_of(const weft_world_def* with, const weft_scene* scene) {
  weft_world_def def = *with;
  def.worker_count = 4;
  weft_world* world = NULL;
  const weft_result result = weft_world_create(&def, scene, &world);
  allocations_left = -1;
  threads_left = -1;
  if (result.error != WEFT_OK) {
    ck_assert_int_eq((int)result.error, WEFT_ERROR_OUT_OF_MEMORY);
    ck_assert_ptr_null(world);
    return false;
  }
  weft_world_step(world, 2);
  weft_world_destroy(&world);
  return true;
}

static bool try_world(const weft_scene* scene, uint32_t coarse) {
  weft_world_def def = weft_default_world_def();
  def.attachments = 2;
  def.coarse_iterations = coarse;
  return try_world_of(&def, scene);
}

START_TEST(a_world_that_finds_no_memory_says_so_wherever_it_runs_out) {
  weft_scene* scene = new_scene_case(_i);
  for (int n = 0;; ++n) {
    allocations_left = n;
    if (try_world(scene, 0)) break;
    ck_assert_int_lt(n, 10000);
  }
  weft_scene_destroy(&scene);
}
END_TEST

// a soft sheet and a soft mesh, tied together
static weft_scene* new_soft_scene(void) {
  random_source random = {1};
  weft_scene* scene = new_scene();
  const weft_material material = weft_default_material();
  weft_sheet_def def = weft_default_sheet_def();
  def.columns = def.rows = 12;
  def.material = &material;
  expect_ok(weft_scene_add_sheet(scene, &def, NULL));
  (void)add_random_mesh_of(scene, &random, 8, &material, 0.2f);
  add_random_links(scene, &random, 30);
  return scene;
}

START_TEST(a_world_with_coarse_levels_that_finds_no_memory_says_so) {
  weft_scene* scene = new_soft_scene();
  for (int n = 0;; ++n) {
    allocations_left = n;
    if (try_world(scene, 3)) break;
    ck_assert_int_lt(n, 10000);
  }
  weft_scene_destroy(&scene);
}
END_TEST

START_TEST(a_world_of_springs_that_finds_no_memory_says_so_whatever_the_integrator) {
  weft_scene* scene = new_soft_scene();
  weft_world_def def = weft_default_world_def();
  def.springs = true;
  def.integrator = (weft_integrator)_i;
  for (int n = 0;; ++n) {
    allocations_left = n;
    if (try_world_of(&def, scene)) break;
    ck_assert_int_lt(n, 10000);
  }
  weft_scene_destroy(&scene);
}
END_TEST

START_TEST(a_cut_that_finds_no_memory_says_so_and_tears_nothing) {
  weft_scene* scene = new_soft_scene();
  weft_world_def def = weft_default_world_def();
  def.coarse_iterations = 3;
  weft_world* world = new_world(&def, scene);
  weft_world_step(world, 2);
  const uint64_t hash = weft_world_hash(world);
  const float middle[3] = {0.0f, 0.0f, 0.0f};
  const weft_body body = {0, 144, 0, 0};
  weft_world_stats stats;
  for (int n = 0; n < 4; ++n) {
    weft_result results[4];
    allocations_left = n;
    results[0] = weft_world_tear_near(world, middle, middle, 0.3f, NULL);
    allocations_left = 0;
    results[1] = weft_world_tear_link(world, 0);
    allocations_left = 0;
    results[2] = weft_world_set_link_enabled(world, 0, false);
    allocations_left = 0;
    results[3] = weft_world_remove_body(world, &body);
    allocations_left = -1;
    for (int i = 0; i < 4; ++i) ck_assert_int_eq((int)results[i].error, WEFT_ERROR_OUT_OF_MEMORY);
    bool torn = true;
    expect_ok(weft_world_get_torn(world, 0, 1, &torn));
    expect_ok(weft_world_get_stats(world, &stats));
    ck_assert(!torn && stats.torn_count == 0 && weft_world_hash(world) == hash);
  }
  expect_ok(weft_world_tear_near(world, middle, middle, 0.3f, NULL));
  // and from now on nothing is allocated
  allocations_left = 0;
  expect_ok(weft_world_tear_near(world, middle, middle, 0.5f, NULL));
  allocations_left = -1;
  weft_world_step(world, 2);
  expect_ok(weft_world_get_stats(world, &stats));
  ck_assert_uint_gt(stats.torn_count, 0);
  weft_world_destroy(&world);
  weft_scene_destroy(&scene);
}
END_TEST

START_TEST(a_world_of_bending_cloth_that_finds_no_memory_says_so_wherever_it_runs_out) {
  weft_scene* scene = new_bend_case(_i);
  for (int n = 0;; ++n) {
    allocations_left = n;
    if (try_world(scene, 0)) break;
    ck_assert_int_lt(n, 10000);
  }
  weft_scene_destroy(&scene);
}
END_TEST

START_TEST(a_pin_that_finds_no_memory_for_its_move_says_so_and_stays) {
  weft_scene* scene = new_scene();
  (void)add_sheet(scene, 9, 9, ALL_FAMILIES);
  for (uint32_t i = 0; i < 9; ++i) expect_ok(weft_scene_pin(scene, i));
  weft_world* world = new_world_of(scene);
  const float target[3] = {5.0f, 6.0f, 7.0f};
  for (uint32_t i = 0; i < 9; ++i) {
    float* before = new_positions(world);
    weft_result result;
    for (int n = 0;; ++n) {
      allocations_left = n;
      result = weft_world_move_particle(world, i, target);
      allocations_left = -1;
      if (result.error == WEFT_OK) break;
      ck_assert_int_eq((int)result.error, WEFT_ERROR_OUT_OF_MEMORY);
      weft_world_step(world, 1);
      float here[3];
      expect_ok(weft_world_get_positions(world, i, 1, here));
      ck_assert_mem_eq(here, before + (size_t)3 * i, sizeof(here));
    }
    free(before);
  }
  weft_world_step(world, 1);
  float here[3];
  expect_ok(weft_world_get_positions(world, 8, 1, here));
  ck_assert_mem_eq(here, target, sizeof(here));
  weft_world_destroy(&world);
}
END_TEST

START_TEST(colliders_that_find_no_memory_say_so_and_can_be_added_later) {
  weft_scene* scene = new_scene();
  (void)add_sheet(scene, 9, 9, ALL_FAMILIES);
  weft_world* world = new_world_of(scene);
  const weft_collider_def def = weft_default_collider_def();
  for (uint32_t i = 0; i < 9; ++i) {
    uint32_t number = 77;
    weft_result result;
    for (int n = 0;; ++n) {
      allocations_left = n;
      result = weft_world_add_collider(world, &def, &number);
      allocations_left = -1;
      if (result.error == WEFT_OK) break;
      ck_assert_int_eq((int)result.error, WEFT_ERROR_OUT_OF_MEMORY);
      ck_assert_uint_eq(number, 77);
      weft_contact_stats stats;
      expect_ok(weft_world_get_contact_stats(world, &stats));
      ck_assert_uint_eq(stats.collider_count, i);
      weft_world_step(world, 1);
    }
    ck_assert_uint_eq(number, i);
  }
  weft_world_step(world, 1);
  weft_world_destroy(&world);
}
END_TEST

START_TEST(bounds_and_radii_that_find_no_memory_say_so_and_leave_the_world_as_it_was) {
  weft_scene* scene = new_scene();
  (void)add_sheet(scene, 20, 20, ALL_FAMILIES);
  weft_world* world = new_world_of(scene);
  weft_bounds bounds = weft_default_bounds();
  bounds.least[1] = bounds.most[1] = 5.0f;
  const float radius[3] = {1.0f, 1.0f, 1.0f};
  allocations_left = 0;
  const weft_result no_touch = weft_world_set_bounds(world, &bounds);
  allocations_left = 0;
  const weft_result no_radii = weft_world_set_radii(world, 0, 1, radius);
  allocations_left = -1;
  ck_assert_int_eq(no_touch.error, WEFT_ERROR_OUT_OF_MEMORY);
  ck_assert_int_eq(no_radii.error, WEFT_ERROR_OUT_OF_MEMORY);
  float position[3];
  weft_world_step(world, 1);
  expect_ok(weft_world_get_positions(world, 0, 1, position));
  ck_assert_float_ne(position[1], 5.0f);
  expect_ok(weft_world_set_bounds(world, &bounds));
  expect_ok(weft_world_set_radii(world, 0, 1, radius));
  weft_world_step(world, 1);
  expect_ok(weft_world_get_positions(world, 0, 1, position));
  ck_assert_float_eq(position[1], 5.0f);
  weft_world_destroy(&world);
}
END_TEST

// ---- gas, faces and forces ----

static weft_scene* new_ball_scene(weft_body* body) {
  const float center[3] = {0};
  weft_scene* scene = new_scene();
  (void)add_sheet(scene, 5, 6, ALL_FAMILIES);
  *body = add_ball(scene, 3, 1.0f, center);
  return scene;
}

START_TEST(a_ball_whose_gas_finds_no_memory_stays_as_it_was) {
  bool done = false;
  for (int n = 0; !done; ++n) {
    weft_body body;
    weft_scene* scene = new_ball_scene(&body);
    scene_snapshot before = take_snapshot(scene);
    allocations_left = n;
    const weft_result result = weft_scene_set_pressure(scene, &body, 10.0f);
    allocations_left = -1;
    done = result.error == WEFT_OK;
    if (!done) {
      ck_assert_int_eq((int)result.error, WEFT_ERROR_OUT_OF_MEMORY);
      ck_assert(looks_like(scene, &before));
      expect_ok(weft_scene_set_pressure(scene, &body, 10.0f));
    }
    use_scene(scene);
    free_snapshot(&before);
    weft_scene_destroy(&scene);
    ck_assert_int_lt(n, 100);
  }
}
END_TEST

START_TEST(a_world_with_gas_that_finds_no_memory_says_so_wherever_it_runs_out) {
  weft_body body;
  weft_scene* scene = new_ball_scene(&body);
  expect_ok(weft_scene_set_pressure(scene, &body, 10.0f));
  for (int n = 0;; ++n) {
    allocations_left = n;
    if (try_world(scene, 0)) break;
    ck_assert_int_lt(n, 10000);
  }
  weft_scene_destroy(&scene);
}
END_TEST

START_TEST(forces_and_wind_that_find_no_memory_say_so_and_can_be_had_later) {
  weft_body body;
  weft_scene* scene = new_ball_scene(&body);
  weft_world_def def = weft_default_world_def();
  def.faces = true;
  const float force[3] = {0.0f, 1.0f, 0.0f};
  const weft_wind wind = weft_default_wind();
  for (int first = 0; first < 2; ++first) {
    weft_world* world = new_world(&def, scene);
    allocations_left = 0;
    const weft_result result =
        first == 0 ? weft_world_add_force(world, 3, force) : weft_world_set_wind(world, &wind);
    allocations_left = -1;
    ck_assert_int_eq((int)result.error, WEFT_ERROR_OUT_OF_MEMORY);
    weft_world_step(world, 1);
    expect_ok(weft_world_add_force(world, 3, force));
    expect_ok(weft_world_set_wind(world, &wind));
    weft_world_step(world, 1);
    weft_world_destroy(&world);
  }
  weft_scene_destroy(&scene);
}
END_TEST

// ---- contacts ----

static weft_world* new_contact_world(void) {
  weft_scene* scene = new_scene();
  (void)add_sheet(scene, 12, 12, ALL_FAMILIES);
  weft_world_def def = weft_default_world_def();
  def.faces = true;
  def.worker_count = 2;
  weft_world* world = new_world(&def, scene);
  weft_scene_destroy(&scene);
  return world;
}

static weft_contact contact_number(int number) {
  weft_contact contact = weft_default_contact();
  contact.shape = (weft_contact_shape)(number % (WEFT_CONTACT_ELLIPSOID + 1));
  for (int axis = 0; axis < 3; ++axis) contact.half_size[axis] = 0.01f;
  contact.exact = number % 2 == 0;
  return contact;
}

// steps with what was set before must come out as if nothing had been tried
static void expect_same_steps(weft_world* world, weft_world* other) {
  weft_world_step(world, 1);
  weft_world_step(other, 1);
  ck_assert(weft_world_hash(world) == weft_world_hash(other));
}

START_TEST(contacts_that_find_no_memory_say_so_and_leave_those_before_as_they_were) {
  weft_world* world = new_contact_world();
  weft_world* other = new_contact_world();
  for (int number = 0; number < 10; ++number) {
    const weft_contact contact = contact_number(number);
    const uint32_t first = (uint32_t)number * 5;
    weft_result result = {WEFT_ERROR_OUT_OF_MEMORY, "", 0};
    for (int n = 0; result.error != WEFT_OK; ++n) {
      allocations_left = n;
      result = weft_world_set_contact(world, first, 90, &contact);
      allocations_left = -1;
      if (result.error == WEFT_OK) break;
      ck_assert_int_eq((int)result.error, WEFT_ERROR_OUT_OF_MEMORY);
      expect_same_steps(world, other);
      ck_assert_int_lt(n, 200);
    }
    expect_ok(weft_world_set_contact(other, first, 90, &contact));
    expect_same_steps(world, other);
  }
  weft_world_destroy(&world);
  weft_world_destroy(&other);
}
END_TEST

START_TEST(limits_of_contacts_that_find_no_memory_say_so_and_leave_those_before_as_they_were) {
  weft_world* world = new_contact_world();
  weft_world* other = new_contact_world();
  for (int number = 0; number < 6; ++number) {
    const weft_contact contact = contact_number(number);
    expect_ok(weft_world_set_contact(world, 0, 144, &contact));
    expect_ok(weft_world_set_contact(other, 0, 144, &contact));
    weft_contact_limits limits = weft_default_contact_limits();
    limits.max_pairs = limits.max_exact = (uint32_t)(1000 * (number + 1));
    limits.max_touches = limits.max_events = (uint32_t)(1000 - 100 * number);
    weft_result result = {WEFT_ERROR_OUT_OF_MEMORY, "", 0};
    for (int n = 0; result.error != WEFT_OK; ++n) {
      allocations_left = n;
      result = weft_world_set_contact_limits(world, &limits);
      allocations_left = -1;
      if (result.error == WEFT_OK) break;
      ck_assert_int_eq((int)result.error, WEFT_ERROR_OUT_OF_MEMORY);
      expect_same_steps(world, other);
      ck_assert_int_lt(n, 200);
    }
    expect_ok(weft_world_set_contact_limits(other, &limits));
    expect_same_steps(world, other);
  }
  weft_world_destroy(&world);
  weft_world_destroy(&other);
}
END_TEST

// ---- questions ----

START_TEST(an_index_that_finds_no_memory_says_so_and_can_be_had_later) {
  weft_scene* scene = new_scene();
  (void)add_sheet(scene, 20, 20, ALL_FAMILIES);
  weft_world* world = new_world_of(scene);
  const float point[3] = {0.0f, 0.0f, 0.0f};
  uint32_t plain = 0;
  expect_ok(weft_world_find_near(world, point, 0.2f, NULL, 0, NULL, &plain));
  for (int n = 0;; ++n) {
    allocations_left = n;
    const weft_result result = weft_world_index(world);
    // questions need none
    allocations_left = 0;
    uint32_t count = 0;
    expect_ok(weft_world_find_near(world, point, 0.2f, NULL, 0, NULL, &count));
    allocations_left = -1;
    ck_assert_uint_eq(count, plain);
    if (result.error == WEFT_OK) break;
    ck_assert_int_eq((int)result.error, WEFT_ERROR_OUT_OF_MEMORY);
    ck_assert_int_lt(n, 10);
  }
  // and neither does another index
  weft_world_step(world, 1);
  allocations_left = 0;
  const weft_result again = weft_world_index(world);
  allocations_left = -1;
  ck_assert_int_eq((int)again.error, WEFT_OK);
  weft_world_destroy(&world);
}
END_TEST

START_TEST(a_world_that_finds_no_threads_says_so_and_ends_those_that_it_started) {
  weft_scene* scene = new_scene();
  (void)add_sheet(scene, 100, 100, ALL_FAMILIES);
  for (int n = 0; n < 3; ++n) {
    threads_left = n;
    ck_assert(!try_world(scene, 0));
  }
  ck_assert(try_world(scene, 0));
  weft_scene_destroy(&scene);
}
END_TEST

START_TEST(a_pool_that_finds_no_threads_ends_those_that_it_started) {
  for (uint32_t worker_count = 2; worker_count <= 16; ++worker_count) {
    for (int n = 0; n < (int)worker_count - 1; ++n) {
      threads_left = n;
      ck_assert_ptr_null(weft__worker_pool_create(worker_count));
    }
  }
  threads_left = -1;
}
END_TEST

START_TEST(a_collider_that_finds_no_memory_says_so_and_is_not_there) {
  random_source random = {9};
  const float start[3] = {0.0f, 5.0f, 0.0f};
  const weft_world_def world_def = weft_default_world_def();
  const weft_collider_def defs[] = {bumpy_mesh(&random, 0.1f), bumpy_field(&random, 0.1f),
                                    box_hull(&random), ball_grid()};
  weft_world* world = new_points(&world_def, start, 1);
  weft_contact_stats stats;
  for (int k = 0; k < 4; ++k) {
    for (int n = 0;; ++n) {
      uint32_t number = 77;
      allocations_left = n;
      const weft_result result = weft_world_add_collider(world, &defs[k], &number);
      const bool ran_out = allocations_left < 0;
      allocations_left = -1;
      expect_ok(weft_world_get_contact_stats(world, &stats));
      if (result.error == WEFT_OK && !ran_out) break;
      ck_assert_int_eq((int)result.error, WEFT_ERROR_OUT_OF_MEMORY);
      ck_assert(number == 77 && stats.collider_count == (uint32_t)k);
      ck_assert_int_lt(n, 1000);
    }
    ck_assert_uint_eq(stats.collider_count, (uint32_t)k + 1);
  }
  weft_world_destroy(&world);
}
END_TEST

int main(void) {
  const test_suite suite = new_suite("out_of_memory");
  TCase* tests = suite.tests;
  tcase_add_loop_test(tests, a_scene_that_cannot_grow_says_so_stays_as_it_was_and_can_grow_later, 0,
                      ATTEMPTS);
  tcase_add_test(tests, a_scene_that_cannot_be_made_says_so);
  tcase_add_loop_test(tests, a_world_that_finds_no_memory_says_so_wherever_it_runs_out, 0,
                      ROUNDS(16, 8));
  tcase_add_loop_test(
      tests, a_world_of_bending_cloth_that_finds_no_memory_says_so_wherever_it_runs_out, 0, 12);
  tcase_add_test(tests, a_cut_that_finds_no_memory_says_so_and_tears_nothing);
  tcase_add_test(tests, a_world_with_coarse_levels_that_finds_no_memory_says_so);
  tcase_add_test(tests, a_pin_that_finds_no_memory_for_its_move_says_so_and_stays);
  tcase_add_loop_test(tests,
                      a_world_of_springs_that_finds_no_memory_says_so_whatever_the_integrator, 0,
                      WEFT_IMPLICIT_EULER + 1);
  tcase_add_test(tests, colliders_that_find_no_memory_say_so_and_can_be_added_later);
  tcase_add_test(tests, bounds_and_radii_that_find_no_memory_say_so_and_leave_the_world_as_it_was);
  tcase_add_test(tests, a_ball_whose_gas_finds_no_memory_stays_as_it_was);
  tcase_add_test(tests, a_world_with_gas_that_finds_no_memory_says_so_wherever_it_runs_out);
  tcase_add_test(tests, forces_and_wind_that_find_no_memory_say_so_and_can_be_had_later);
  tcase_add_test(tests, contacts_that_find_no_memory_say_so_and_leave_those_before_as_they_were);
  tcase_add_test(tests,
                 limits_of_contacts_that_find_no_memory_say_so_and_leave_those_before_as_they_were);
  tcase_add_test(tests, an_index_that_finds_no_memory_says_so_and_can_be_had_later);
  tcase_add_test(tests, a_world_that_finds_no_threads_says_so_and_ends_those_that_it_started);
  tcase_add_test(tests, a_pool_that_finds_no_threads_ends_those_that_it_started);
  tcase_add_test(suite.tests, a_collider_that_finds_no_memory_says_so_and_is_not_there);
  return run_suite(suite);
}
