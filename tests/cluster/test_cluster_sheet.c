/* A sheet of which each rank builds some rows has the bits of a world alone, and no rank has all of
 * it. */
#include "support/ranks.h"
#include "support/test.h"

#define STEPS ROUNDS(4u, 2u)

typedef struct sheet_case {
  const char* name;
  uint32_t columns, rows, substeps;
  bool bend, has_wind, has_collider;
  float bend_stiffness; /* of a material; 0 = none */
  float tear_ratio;
  uint32_t attachments;
  bool is_hung; /* by its upper row and some of its left side; else by two corners */
} sheet_case;

static const sheet_case cases[] = {
    {.name = "square", .columns = 101, .rows = 101, .substeps = 1},
    {.name = "bend links", .columns = 200, .rows = 97, .substeps = 2, .bend = true},
    {.name = "wind and bounds", .columns = 128, .rows = 120, .substeps = 2, .has_wind = true},
    {.name = "two tiles a row", .columns = 2100, .rows = 37, .substeps = 1},
    {.name = "collider", .columns = 120, .rows = 100, .substeps = 3, .has_collider = true},
    {.name = "tears", .columns = 110, .rows = 90, .substeps = 2, .tear_ratio = 1.01f},
    {.name = "material", .columns = 130, .rows = 101, .substeps = 2, .bend_stiffness = 1e-4f},
    {.name = "material that tears",
     .columns = 109,
     .rows = 75,
     .substeps = 2,
     .has_wind = true,
     .has_collider = true,
     .bend_stiffness = 1e-3f,
     .tear_ratio = 1.01f},
    {.name = "hung, attached",
     .columns = 120,
     .rows = 110,
     .substeps = 2,
     .attachments = 1,
     .is_hung = true},
    {.name = "corners, attached twice",
     .columns = 110,
     .rows = 97,
     .substeps = 2,
     .attachments = 2,
     .bend = true},
    {.name = "all of it",
     .columns = 110,
     .rows = 97,
     .substeps = 2,
     .has_wind = true,
     .has_collider = true,
     .attachments = 4,
     .bend = true,
     .bend_stiffness = 1e-3f,
     .is_hung = true},
    {.name = "attached tiles",
     .columns = 2100,
     .rows = 31,
     .substeps = 1,
     .attachments = 3,
     .is_hung = true},
    {.name = "few columns of a rank",
     .columns = 9,
     .rows = 9,
     .substeps = 1,
     .bend_stiffness = 1e-4f},
};

static weft_sheet_def sheet_of(const sheet_case* c) {
  static weft_material_def material;
  weft_sheet_def def = weft_default_sheet_def();
  def.columns = c->columns;
  def.rows = c->rows;
  def.spacing = 0.013f;
  def.origin[0] = 0.3f;
  def.bend = c->bend;
  def.tear_ratio = c->tear_ratio;
  if (c->bend_stiffness > 0.0f) {
    material = weft_default_material_def();
    material.bend_stiffness = c->bend_stiffness;
    def.material = &material;
  }
  return def;
}

static weft_world_def def_of(const sheet_case* c, uint32_t workers) {
  weft_world_def def = weft_plain_world_def();
  def.solver.iterations = 5;
  def.solver.substeps = c->substeps;
  def.solver.attachments = c->attachments;
  def.worker_count = workers;
  return def;
}

enum { MAX_PINS = 24 };

static uint32_t pins_of(const sheet_case* c, weft_cluster_range pins[MAX_PINS]) {
  if (!c->is_hung) {
    pins[0] = (weft_cluster_range){c->columns - 1, 1};
    pins[1] = (weft_cluster_range){0, 1};
    return 2;
  }
  pins[0] = (weft_cluster_range){3, c->columns - 5};
  uint32_t count = 1;
  for (uint32_t row = c->rows / 2; count < MAX_PINS && row < c->rows; ++row) {
    pins[count++] = (weft_cluster_range){(uint64_t)row * c->columns, 1};
  }
  return count;
}

static weft_result set_weather(weft_world* world) {
  weft_wind_def wind = weft_default_wind_def();
  wind.velocity[2] = 6.0f;
  weft_bounds_def bounds = weft_default_bounds_def();
  bounds.lower[1] = -0.4f;
  const weft_result result = weft_world_set_wind(world, &wind);
  return result.error == WEFT_OK ? weft_world_set_bounds(world, &bounds) : result;
}

static weft_result add_collider(const sheet_case* c, weft_world* world, uint32_t count) {
  weft_particle_shape_def shape = weft_default_particle_shape_def();
  weft_collider_def ball = weft_default_collider_def();
  weft_collider handle;
  shape.mask = 2;
  ball.category = 2;
  ball.mask = UINT32_MAX;
  ball.radius = 0.2f;
  ball.position[0] = 0.3f + 0.0065f * (float)c->columns;
  ball.position[1] = -0.0065f * (float)c->rows;
  const weft_result result = weft_world_set_particle_shape(world, weft_range(0, count), &shape);
  return result.error == WEFT_OK ? weft_world_add_collider(world, &ball, &handle) : result;
}

// Pins a particle in the middle of the sheet, if the world has it, and sets what acts on it.
static weft_result prepare(const sheet_case* c, weft_world* world, uint64_t first) {
  const float zero = 0.0f;
  const uint64_t middle = (uint64_t)c->columns * (c->rows / 2);
  weft_world_stats stats;
  weft_result result = weft_world_get_stats(world, &stats);
  if (result.error == WEFT_OK && middle >= first && middle - first < stats.particle_count) {
    result = weft_world_set(world, WEFT_ATTRIBUTE_INVERSE_MASS,
                            weft_range((uint32_t)(middle - first), 1), &zero, 0);
  }
  // moves a pinned particle, the anchor of many
  const float target[3] = {0.3f, 0.02f, 0.05f};
  if (result.error == WEFT_OK && c->is_hung && first == 0) {
    result = weft_world_set(world, WEFT_ATTRIBUTE_TARGET, weft_range(5, 1), target, 0);
  }
  if (result.error == WEFT_OK && c->has_collider) {
    result = add_collider(c, world, stats.particle_count);
  }
  return result.error == WEFT_OK && c->has_wind ? set_weather(world) : result;
}

static uint64_t hash_alone(const sheet_case* c) {
  const weft_sheet_def sheet = sheet_of(c);
  const weft_world_def def = def_of(c, 1);
  weft_scene* scene = new_scene();
  weft_world* world = NULL;
  weft_cluster_range pins[MAX_PINS];
  expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
  for (uint32_t k = 0; k < pins_of(c, pins); ++k) {
    expect_ok(weft_scene_pin(scene, weft_range((uint32_t)pins[k].first, (uint32_t)pins[k].count)));
  }
  expect_ok(weft_world_create(&def, scene, &world));
  weft_world_step(world, STEPS / 2);
  expect_ok(prepare(c, world, 0));
  weft_world_step(world, STEPS - STEPS / 2);
  ck_assert_msg(c->tear_ratio == 0.0f || stats_of(world).torn_count > 0, "%s: no link has torn",
                c->name);
  const uint64_t hash = weft_world_hash(world);
  weft_world_destroy(&world);
  weft_scene_destroy(&scene);
  return hash;
}

typedef struct trial {
  const sheet_case* c;
  uint32_t workers;
  uint64_t hash[MAX_TEST_RANKS], bytes[MAX_TEST_RANKS];
  weft_result result[MAX_TEST_RANKS];
} trial;

static weft_result run_part(const trial* t, weft_cluster* cluster, uint64_t* hash,
                            uint64_t* bytes) {
  weft_world* world = weft_cluster_world(cluster);
  weft_cluster_stats part = {0};
  weft_world_stats stats = {0};
  weft_result result = weft_cluster_get_stats(cluster, &part);
  if (result.error == WEFT_OK) result = weft_cluster_step(cluster, STEPS / 2);
  if (result.error == WEFT_OK) result = prepare(t->c, world, part.world_first);
  if (result.error == WEFT_OK) result = weft_cluster_step(cluster, STEPS - STEPS / 2);
  if (result.error == WEFT_OK) result = weft_world_get_stats(world, &stats);
  *bytes = stats.bytes;
  return result.error == WEFT_OK ? weft_cluster_hash(cluster, hash) : result;
}

static void run_rank(void* context, const weft_transport* transport) {
  trial* t = context;
  const uint32_t rank = transport->rank;
  const weft_sheet_def sheet = sheet_of(t->c);
  weft_world_def def = def_of(t->c, t->workers);
  weft_cluster_range pins[MAX_PINS];
  weft_cluster* cluster = NULL;
  if (rank % 2 == 1) def.isa = WEFT_ISA_SCALAR;
  t->result[rank] =
      weft_cluster_create_sheet(transport, &def, &sheet, pins, pins_of(t->c, pins), &cluster);
  if (t->result[rank].error != WEFT_OK) return;
  t->result[rank] = run_part(t, cluster, &t->hash[rank], &t->bytes[rank]);
  weft_cluster_destroy(&cluster);
}

LOOP_TEST(ranks_of_rows_have_the_bits_of_a_world_alone, 0,
          THREADED((int)(sizeof(cases) / sizeof(*cases)), 2)) {
  const sheet_case* c = &cases[_i];
  const uint64_t alone = hash_alone(c);
  for (const rank_run* run = NULL; (run = next_rank_run(run, (uint32_t)_i, 1)) != NULL;) {
    trial t = {.c = c, .workers = run->workers};
    run_ranks(run->ranks, run->shuffles, run_rank, &t);
    for (uint32_t r = 0; r < run->ranks; ++r) {
      expect_ok(t.result[r]);
      ck_assert_msg(t.hash[r] == alone, "%s: rank %u of %u: hash %016llx, not %016llx", c->name, r,
                    run->ranks, (unsigned long long)t.hash[r], (unsigned long long)alone);
    }
  }
}

TEST(memory_of_a_rank_is_its_share) {
  const sheet_case c = {.name = "large", .columns = 512, .rows = 512, .substeps = 1};
  uint64_t one = 0;
  for (uint32_t ranks = 1; ranks <= MAX_TEST_RANKS; ranks += MAX_TEST_RANKS - 1) {
    trial t = {.c = &c, .workers = 1};
    run_ranks(ranks, false, run_rank, &t);
    if (ranks == 1) one = t.bytes[0];
    for (uint32_t r = 0; r < ranks; ++r) {
      expect_ok(t.result[r]);
      ck_assert_uint_gt(t.bytes[r], 0);
      ck_assert_msg(10 * ranks * t.bytes[r] < 13 * one, "rank %u of %u: %llu bytes of %llu", r,
                    ranks, (unsigned long long)t.bytes[r], (unsigned long long)one);
    }
  }
}

// ---- errors ----

typedef struct refusal {
  const char* field;
  void (*change)(weft_sheet_def* sheet, weft_world_def* def);
} refusal;

static void set_rows(weft_sheet_def* sheet, weft_world_def* def) {
  (void)def;
  sheet->rows = sheet->columns + 1;
}

static void set_levels(weft_sheet_def* sheet, weft_world_def* def) {
  (void)sheet;
  def->solver.coarse_iterations = 2;
}

static void set_attachments(weft_sheet_def* sheet, weft_world_def* def) {
  (void)sheet;
  def->solver.attachments = WEFT_AUTO;  // a number is supported
}

static const refusal refusals[] = {
    {"weft_sheet_def.rows", set_rows},
    {"weft_solver_def.coarse_iterations", set_levels},
    {"weft_solver_def.attachments", set_attachments},
};

static void refuse(void* context, const weft_transport* transport) {
  trial* t = context;
  weft_cluster* cluster = NULL;
  weft_sheet_def sheet = sheet_of(t->c);
  weft_world_def def = def_of(t->c, 1);
  refusals[t->workers].change(&sheet, &def);
  t->result[transport->rank] =
      weft_cluster_create_sheet(transport, &def, &sheet, NULL, 0, &cluster);
}

LOOP_TEST(unsupported_settings_are_refused_by_name, 0,
          (int)(sizeof(refusals) / sizeof(*refusals))) {
  trial t = {.c = &cases[0], .workers = (uint32_t)_i};
  run_ranks(2, false, refuse, &t);
  for (uint32_t r = 0; r < 2; ++r) {
    ck_assert_int_eq(t.result[r].error, WEFT_ERROR_UNSUPPORTED);
    ck_assert_str_eq(t.result[r].field, refusals[_i].field);
  }
}

static void synchronize(void* context, const weft_transport* transport) {
  trial* t = context;
  const weft_sheet_def sheet = sheet_of(t->c);
  const weft_world_def def = def_of(t->c, 1);
  weft_cluster* cluster = NULL;
  may_fail(weft_cluster_create_sheet(transport, &def, &sheet, NULL, 0, &cluster));
  t->result[transport->rank] = weft_cluster_synchronize(cluster);
  weft_cluster_destroy(&cluster);
}

TEST(the_whole_sheet_is_given_to_no_rank) {
  trial t = {.c = &cases[0]};
  run_ranks(2, false, synchronize, &t);
  ck_assert_int_eq(t.result[0].error, WEFT_ERROR_UNSUPPORTED);
  ck_assert_int_eq(t.result[1].error, WEFT_ERROR_UNSUPPORTED);
}

// ---- positions of a range ----

enum { GATHERED_FIRST = 150, GATHERED = 1500 };

typedef struct gather_trial {
  const sheet_case* c;
  float positions[GATHERED][3];
  weft_result result[MAX_TEST_RANKS], beyond[MAX_TEST_RANKS];
} gather_trial;

static void gather(void* context, const weft_transport* transport) {
  gather_trial* t = context;
  const weft_sheet_def sheet = sheet_of(t->c);
  const weft_world_def def = def_of(t->c, 1);
  const weft_cluster_range range = {GATHERED_FIRST, GATHERED};
  const weft_cluster_range beyond = {(uint64_t)sheet.columns * sheet.rows - 9, 10};
  float* positions = transport->rank == 0 ? t->positions[0] : NULL;
  weft_cluster* cluster = NULL;
  float last[10][3];
  may_fail(weft_cluster_create_sheet(transport, &def, &sheet, NULL, 0, &cluster));
  may_fail(weft_cluster_step(cluster, STEPS));
  t->result[transport->rank] = weft_cluster_gather(cluster, range, positions);
  t->beyond[transport->rank] = weft_cluster_gather(cluster, beyond, last[0]);
  weft_cluster_destroy(&cluster);
}

TEST(rank_0_gathers_positions_of_a_range) {
  static gather_trial t = {.c = &cases[0]};
  const weft_sheet_def sheet = sheet_of(t.c);
  const weft_world_def def = def_of(t.c, 1);
  float alone[GATHERED][3];
  weft_scene* scene = new_scene();
  weft_world* world = NULL;
  expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
  expect_ok(weft_world_create(&def, scene, &world));
  weft_world_step(world, STEPS);
  expect_get(world, WEFT_ATTRIBUTE_POSITION, GATHERED_FIRST, GATHERED, alone[0]);
  run_ranks(4, true, gather, &t);
  for (uint32_t r = 0; r < 4; ++r) {
    expect_ok(t.result[r]);
    ck_assert_int_eq(t.beyond[r].error, WEFT_ERROR_INDEX);
    ck_assert_str_eq(t.beyond[r].field, "range");
  }
  ck_assert_mem_eq(alone, t.positions, sizeof(alone));
}
