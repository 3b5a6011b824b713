/* Every allocation and every start of a thread may fail while a scene grows or a world is made: the
 * call then returns an error and changes nothing. */
#include "parallel/worker_pool.h"
#include "support/bend_scenes.h"
#include "support/shortage.h"
#include "support/snapshot.h"
#include "support/test.h"

// ---- scenes ----

// a call on a scene, tried while memory runs out
typedef weft_result attempt(weft_scene* scene);

static weft_result try_particles(weft_scene* scene) {
  static const float positions[3 * 300];
  static const float inverse_masses[300];
  return weft_scene_add_particles(scene, positions, inverse_masses, 300, NULL);
}

static weft_result try_links(weft_scene* scene) {
  weft_link_def links[100];
  for (uint32_t i = 0; i < 100; ++i) {
    links[i] = (weft_link_def){.a = i, .b = 150 + i, .rest_length = 1.0f, .relaxation = 1.0f};
  }
  return weft_scene_add_links(scene, links, 100, NULL);
}

// links with parameters for which the scene has no columns yet
static weft_result try_odd_links(weft_scene* scene) {
  weft_link_def links[100];
  for (uint32_t i = 0; i < 100; ++i) {
    links[i] = (weft_link_def){.a = i,
                               .b = 150 + i,
                               .rest_length = 1.0f,
                               .relaxation = 1.0f,
                               .mode = WEFT_LINK_MODE_STRETCH,
                               .spring_damping = 1.0f};
  }
  return weft_scene_add_links(scene, links, 100, NULL);
}

static weft_result try_curve(weft_scene* scene) {
  static const float strains[3] = {0.0f, 0.5f, 1.0f}, forces[3] = {0.0f, 1.0f, 3.0f};
  const weft_force_curve_def def = {.strains = strains, .forces = forces, .count = 3};
  uint32_t curve;
  return weft_scene_add_force_curve(scene, &def, &curve);
}

static weft_result try_sheet(weft_scene* scene) {
  const weft_sheet_def def = weft_default_sheet_def();
  return weft_scene_add_sheet(scene, &def, NULL);
}

static weft_result try_bending_sheet(weft_scene* scene) {
  const weft_material_def material = weft_default_material_def();
  weft_sheet_def def = weft_default_sheet_def();
  def.material = &material;
  return weft_scene_add_sheet(scene, &def, NULL);
}

static weft_result try_mesh_of(weft_scene* scene, const weft_material_def* material) {
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
  const weft_material_def material = weft_default_material_def();
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

static attempt* const attempts[] = {
    try_particles, try_links,        try_odd_links, try_curve, try_sheet, try_bending_sheet,
    try_mesh,      try_bending_mesh, try_ragdoll,   try_tree,  try_web,   try_ball};
enum { ATTEMPTS = sizeof(attempts) / sizeof(*attempts) };

// a scene with full columns: every addition has to grow them
static weft_scene* new_full_scene(void) {
  random_source random = {4};
  weft_scene* scene = new_scene();
  (void)add_cloud(scene, &random, 256, 1.0f);
  return scene;
}

LOOP_TEST(a_scene_that_cannot_grow_says_so_stays_as_it_was_and_can_grow_later, 0, ATTEMPTS) {
  bool done = false;
  for (int n = 0; !done; ++n) {
    weft_scene* scene = new_full_scene();
    scene_snapshot before = take_snapshot(scene);
    done = !fails_after(n, attempts[_i](scene));
    if (!done) {
      ck_assert(looks_like(scene, &before));
      expect_ok(attempts[_i](scene));
      use_scene(scene);
    }
    weft_scene_destroy(&scene);
    ck_assert_int_lt(n, 1000);
  }
}

TEST(a_scene_that_cannot_be_made_says_so) {
  weft_scene* scene = NULL;
  ck_assert(fails_after(0, weft_scene_create(&scene)));
  ck_assert_ptr_null(scene);
}

// ---- worlds ----

// Sheets, graphs, meshes and mixed scenes of one patch and of several: each allocation makes all
// before it once more.
static const int scene_cases[] = {0, 1, 26, 39, 4, 5, 34, 7};
enum { SCENE_CASES = sizeof(scene_cases) / sizeof(*scene_cases) };

LOOP_TEST(a_world_that_finds_no_memory_says_so_wherever_it_runs_out, 0, SCENE_CASES) {
  weft_scene* scene = new_scene_case(scene_cases[_i]);
  const weft_world_def def = held_def(0);
  make_world_of_what_there_is(&def, scene);
}

TEST(a_world_with_coarse_levels_that_finds_no_memory_says_so) {
  weft_scene* scene = new_soft_scene();
  const weft_world_def def = held_def(3);
  make_world_of_what_there_is(&def, scene);
}

LOOP_TEST(a_world_of_springs_that_finds_no_memory_says_so_whatever_the_integrator, 0,
          WEFT_INTEGRATOR_RUNGE_KUTTA_4 + 1) {
  weft_scene* scene = new_soft_scene();
  weft_world_def def = weft_plain_world_def();
  const weft_link_def curved = {.a = 0,
                                .b = weft_scene_particle_count(scene) - 1,
                                .rest_length = 1.0f,
                                .relaxation = 1.0f,
                                .compliance = 1.0f,
                                .force_curve = 1};
  expect_ok(try_curve(scene));
  expect_ok(weft_scene_add_links(scene, &curved, 1, NULL));
  def.springs = true;
  def.integrator = (weft_integrator)_i;
  make_world_of_what_there_is(&def, scene);
}

LOOP_TEST(a_world_of_bending_cloth_that_finds_no_memory_says_so_wherever_it_runs_out, 0, 12) {
  weft_scene* scene = new_bend_case(_i);
  const weft_world_def def = held_def(0);
  make_world_of_what_there_is(&def, scene);
}

// ---- threads ----

TEST(a_world_that_finds_no_threads_says_so_and_ends_those_that_it_started) {
  weft_scene* scene = new_scene();
  const weft_world_def def = held_def(0);
  (void)add_sheet(scene, 100, 100, ALL_FAMILIES);
  for (int n = 0; n < 3; ++n) {
    threads_left = n;
    ck_assert(!try_world(&def, scene));
  }
  ck_assert(try_world(&def, scene));
}

TEST(a_pool_that_finds_no_threads_ends_those_that_it_started) {
  for (uint32_t worker_count = 2; worker_count <= 16; ++worker_count) {
    for (int n = 0; n < (int)worker_count - 1; ++n) {
      threads_left = n;
      ck_assert_ptr_null(weft__worker_pool_create(worker_count, NULL));
    }
  }
  threads_left = -1;
}
