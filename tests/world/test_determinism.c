/* The same scene and the same calls give the same bits: for every ISA, any number of workers, any
 * run, and any machine. */
#include "support/test.h"

// ---- the scenes ----

static void build_sheet_33(weft_scene* scene) {
  const weft_body sheet = add_sheet(scene, 33, 33, STRUCTURAL | SHEAR);
  expect_ok(weft_scene_pin(scene, weft_range(sheet.first_particle, 33)));
}

static void build_sheet_64(weft_scene* scene) {
  (void)add_sheet(scene, 64, 64, ALL_FAMILIES);
  expect_ok(weft_scene_pin(scene, weft_range(0, 1)));
  expect_ok(weft_scene_pin(scene, weft_range(63, 1)));
}

static void build_oblong_sheet(weft_scene* scene) {
  (void)add_sheet(scene, 100, 37, ALL_FAMILIES);
  expect_ok(weft_scene_pin(scene, weft_range(50, 1)));
}

static void build_large_sheet(weft_scene* scene) {
  (void)add_sheet(scene, 193, 193, STRUCTURAL | SHEAR);
  for (uint32_t i = 0; i < 193; i += 8) expect_ok(weft_scene_pin(scene, weft_range(i, 1)));
}

static void build_mesh(weft_scene* scene) {
  random_source random = {1};
  (void)add_random_mesh(scene, &random, 120);
  for (uint32_t i = 0; i < 100; ++i) expect_ok(weft_scene_pin(scene, weft_range(97 * i, 1)));
}

static void build_small_sheets(weft_scene* scene) {
  for (uint32_t i = 0; i < 150; ++i) {
    const weft_body sheet = add_sheet(scene, 3 + i % 14, 3 + i % 9, ALL_FAMILIES);
    expect_ok(weft_scene_pin(scene, weft_range(sheet.first_particle, 1)));
  }
}

static void build_everything(weft_scene* scene) {
  random_source random = {2};
  (void)add_sheet(scene, 90, 70, ALL_FAMILIES);
  (void)add_random_mesh(scene, &random, 50);
  add_random_graph(scene, &random, 2000);
  (void)add_sheet(scene, 40, 130, STRUCTURAL);
  // random links between all bodies
  add_random_links(scene, &random, 500);
}

// sheets and meshes with materials, tied together by compliant links
static void build_soft(weft_scene* scene) {
  random_source random = {3};
  const weft_material_def material = weft_default_material_def();
  (void)add_cloth(scene, .columns = 90, .rows = 70, .material = &material, .bend = true);
  (void)add_random_mesh_of(scene, &random, 50, &material, 0.2f);
  const weft_body rigid = add_sheet(scene, 30, 40, ALL_FAMILIES);
  expect_ok(weft_scene_pin(scene, weft_range(45, 1)));
  for (uint32_t i = 0; i < 200; ++i) {
    const uint32_t to = random_below(&random, rigid.first_particle + rigid.particle_count);
    const weft_link_def link = {.a = 89 + 90 * (i % 70),
                                .b = to,
                                .rest_length = random_float(&random, 0.1f, 2.0f),
                                .relaxation = 1.0f,
                                .compliance = random_chance(&random, 3) ? 0.0f : 1e-3f * (float)i};
    if (to > 90 * 70) expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
  }
}

typedef void builder(weft_scene* scene);

static builder* const builders[] = {
    build_sheet_33, build_small_sheets, build_oblong_sheet, build_large_sheet,
    build_mesh,     build_sheet_64,     build_everything,   build_soft,
};
enum { SCENES = sizeof(builders) / sizeof(*builders) };

static weft_scene* new_built_scene(builder* build) {
  weft_scene* scene = new_scene();
  build(scene);
  return scene;
}

// ---- any ISA, any number of workers, any run ----

// coarse iterations and attachments, besides plain iterations
typedef struct extras {
  uint32_t coarse;
  uint32_t attachments;
  weft_sweeps sweeps;
} extras;

static const extras plain = {0, 0, WEFT_SWEEPS_SYMMETRIC};

// all scenes with coarse iterations and attachments, then the first few with plain iterations alone
enum { PLAIN_CASES = 3, CASES = SCENES + PLAIN_CASES };

static extras extras_of(int number) {
  static const extras all[] = {{3, 2, WEFT_SWEEPS_SYMMETRIC}, {0, 0, WEFT_SWEEPS_SYMMETRIC}};
  return all[number / SCENES];
}

static uint64_t hash_after(const weft_scene* scene, weft_isa isa, uint32_t worker_count,
                           extras with, uint32_t steps) {
  weft_world_def def = plain_def(.isa = isa, .worker_count = worker_count,
                                 .coarse_iterations = with.coarse, .attachments = with.attachments);
  def.solver.sweeps = with.sweeps;
  weft_world* world = new_world(&def, scene);
  weft_world_step(world, steps);
  return weft_world_hash(world);
}

static void expect_hash(const weft_scene* scene, weft_isa isa, uint32_t worker_count, extras with,
                        uint32_t steps, uint64_t expected) {
  const uint64_t hash = hash_after(scene, isa, worker_count, with, steps);
  ck_assert_msg(hash == expected, "%s with %u workers: %016llx, not %016llx", weft_isa_name(isa),
                (unsigned)worker_count, (unsigned long long)hash, (unsigned long long)expected);
}

// under sanitizers the last three scenes: sheets, meshes, graphs, and compliant links
LOOP_TEST(every_isa_and_every_number_of_workers_gives_the_same_hash_in_every_run,
          ROUNDS(0, SCENES - 3), ROUNDS(CASES, SCENES)) {
  static const uint32_t worker_counts[] = {1, 2, 3, 4, 7, 16};
  const uint32_t steps = 2;
  const extras with = extras_of(_i);
  weft_scene* scene = new_built_scene(builders[_i % SCENES]);
  const uint64_t expected = hash_after(scene, WEFT_ISA_SCALAR, 1, with, steps);
  ck_assert_uint_ne(expected, hash_after(scene, WEFT_ISA_SCALAR, 1, with, 0));
  for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
    for (size_t w = 0; w < 6; ++w) {
      const bool is_first = isa == WEFT_ISA_SCALAR && w == 0;
      if (is_first || !goes_with(isa, w, 6, _i)) continue;
      expect_hash(scene, (weft_isa)isa, worker_counts[w], with, steps, expected);
    }
  }
  // built again from scratch
  weft_scene* again = new_built_scene(builders[_i % SCENES]);
  expect_hash(again, WEFT_ISA_AUTO, 4, with, steps, expected);
}

TEST(a_large_scene_does_keep_many_workers_busy) {
  weft_scene* scene = new_built_scene(build_large_sheet);
  weft_world* world = new_plain_world(scene, .worker_count = 16);
  const weft_world_stats stats = stats_of(world);
  // otherwise the test above compares one worker with itself
  ck_assert_uint_eq(stats.worker_count, 16);
}

TEST(worlds_that_run_in_turns_do_not_disturb_each_other) {
  weft_scene* scene = new_built_scene(build_everything);
  const uint64_t expected = hash_after(scene, WEFT_ISA_AUTO, 1, plain, 4);
  weft_world_def def = weft_plain_world_def();
  def.solver.sweeps = plain.sweeps;
  weft_world* worlds[3];
  for (uint32_t w = 0; w < 3; ++w) {
    def.worker_count = w + 1;
    worlds[w] = new_world(&def, scene);
  }
  for (int step = 0; step < 4; ++step) {
    for (int w = 0; w < 3; ++w) weft_world_step(worlds[w], 1);
  }
  for (int w = 0; w < 3; ++w) {
    ck_assert_uint_eq(weft_world_hash(worlds[w]), expected);
    weft_world_destroy(&worlds[w]);
  }
}

// ---- any input ----

static bool add_chain_of(weft_scene* scene, float inverse_mass) {
  enum { COUNT = 600 };
  static float positions[3 * COUNT];
  static float inverse_masses[COUNT];
  static weft_link_def links[COUNT - 1];
  for (uint32_t i = 0; i < COUNT; ++i) {
    positions[3 * i] = 0.25f * (float)i;
    positions[3 * i + 1] = 0.125f * (float)(i % 3);
    // all masses are equal but for a pin every 100 particles: most lane groups have one mass
    inverse_masses[i] = i % 100 == 0 ? 0.0f : inverse_mass;
    if (i > 0)
      links[i - 1] = (weft_link_def){.a = i - 1, .b = i, .rest_length = 0.2f, .relaxation = 1};
  }
  const weft_result result =
      weft_scene_add_particles(scene, positions, inverse_masses, COUNT, NULL);
  if (result.error == WEFT_ERROR_RANGE) return false;
  expect_ok(result);
  expect_ok(weft_scene_add_links(scene, links, COUNT - 1, NULL));
  return true;
}

TEST(an_inverse_mass_of_any_size_is_refused_or_gives_the_same_hash) {
  const float inverse_masses[] = {1e-45f, 1e-38f, 1e-30f, 1e-20f, 1e-12f, 1e-6f,
                                  1e6f,   1e12f,  1e20f,  1e30f,  1e38f,  3e38f};
  for (size_t i = 0; i < sizeof(inverse_masses) / sizeof(*inverse_masses); ++i) {
    weft_scene* scene = new_scene();
    if (add_chain_of(scene, inverse_masses[i])) {
      const uint64_t expected = hash_after(scene, WEFT_ISA_SCALAR, 1, plain, 5);
      for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
        ck_assert_msg(hash_after(scene, (weft_isa)isa, 1, plain, 5) == expected, "%s at %g",
                      weft_isa_name((weft_isa)isa), (double)inverse_masses[i]);
      }
    }
  }
}

// ---- any machine ----

// mesh of few faces, with simple coordinates
static void build_pyramids(weft_scene* scene) {
  static const float positions[] = {0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f,  1.0f, 0.0f,
                                    1.0f, 0.0f, 0.0f, 1.0f, 0.5f, 0.75f, 0.5f};
  static const uint32_t triangles[] = {0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4, 0, 1, 2, 0, 2, 3};
  weft_mesh_def def = mesh_def(.positions = positions, .vertex_count = 5, .triangles = triangles,
                               .triangle_count = 6);
  for (int i = 0; i < 30; ++i) {
    weft_body body;
    def.particle_mass = 0.5f + 0.125f * (float)i;
    expect_ok(weft_scene_add_mesh(scene, &def, &body));
    expect_ok(weft_scene_pin(scene, weft_range(body.first_particle, 1)));
  }
}

typedef struct golden {
  builder* build;
  extras with;
  uint32_t steps;
  uint64_t hash;
} golden;

/* Reference hashes. A change that alters the bits on purpose says so in its commit and renews them:
 * run test_determinism and copy its output. Such changes are those of the order of the links, of
 * the arithmetic, of the defaults, or of the positions of a sheet or a mesh. */
static const golden goldens[] = {
    {build_sheet_33, {0, 0, WEFT_SWEEPS_TEXTBOOK}, 100, 0x5a33c6e1b5126478u},
    {build_oblong_sheet, {0, 0, WEFT_SWEEPS_TEXTBOOK}, 60, 0x072c27e56daced0eu},
    {build_pyramids, {0, 0, WEFT_SWEEPS_TEXTBOOK}, 100, 0x767b7aa933450d89u},
    {build_sheet_33, {0, 0, WEFT_SWEEPS_SYMMETRIC}, 100, 0x873d1b14013468f7u},
    {build_oblong_sheet, {0, 0, WEFT_SWEEPS_SYMMETRIC}, 60, 0x5bfc1bdc2d06df18u},
    {build_pyramids, {0, 0, WEFT_SWEEPS_SYMMETRIC}, 100, 0x1f5f4f5a97df794du},
    {build_sheet_33, {0, 1, WEFT_SWEEPS_SYMMETRIC}, 100, 0xdec75a75dbb0c1a4u},
    {build_pyramids, {0, 1, WEFT_SWEEPS_SYMMETRIC}, 100, 0xf7eae136abc41d75u},
};

LOOP_TEST(golden_hashes_are_what_they_have_always_been, 0,
          LONG_RUN(sizeof(goldens) / sizeof(*goldens))) {
  const golden* g = &goldens[_i];
  weft_scene* scene = new_built_scene(g->build);
  for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
    expect_hash(scene, (weft_isa)isa, 2, g->with, g->steps, g->hash);
  }
}
