/* A scene of many bodies, of which each rank builds its own, has the bits of a world alone. */
#include "support/ranks.h"
#include "support/test.h"

#define STEPS 3u

typedef struct bodies_case {
  const char* name;
  uint32_t count;
  weft_body_builder* build;
  uint32_t attachments;
} bodies_case;

static weft_result build_towel(weft_scene* scene, uint32_t body, void* context) {
  (void)context;
  weft_material_def material = weft_default_material_def();
  weft_sheet_def def = weft_default_sheet_def();
  weft_body added;
  material.bend_stiffness = 1e-4f;
  def.columns = 9 + body % 7;
  def.rows = 8 + body % 5;
  // one in a dozen has several patches
  if (body % 12 == 5) def.columns = def.rows = 70;
  def.spacing = 0.02f;
  def.origin[0] = 0.5f * (float)body;
  def.tear_ratio = body % 2 == 0 ? 1.02f : 0.0f;
  def.material = &material;
  const weft_result result = weft_scene_add_sheet(scene, &def, &added);
  if (result.error != WEFT_OK) return result;
  return weft_scene_pin(scene, weft_range(added.first_particle, 1 + body % 3));
}

static weft_result build_rope(weft_scene* scene, uint32_t body, void* context) {
  (void)context;
  weft_rope_def def = bare_rope_def();
  def.origin[0] = 0.3f * (float)body;
  def.end[0] = def.origin[0];
  def.end[1] = -1.0f;
  def.end[2] = 0.2f;
  def.segments = 10 + 37 * (body % 9);
  def.pin_origin = body % 4 != 0;
  return weft_scene_add_rope(scene, &def, NULL);
}

static weft_result build_ragdoll(weft_scene* scene, uint32_t body, void* context) {
  (void)context;
  weft_ragdoll_def def = weft_default_ragdoll_def();
  def.origin[0] = 1.5f * (float)body;
  def.flat = false;
  return weft_scene_add_ragdoll(scene, &def, NULL);
}

static const bodies_case cases[] = {
    {"towels", 120, build_towel, 2},
    {"ropes", 200, build_rope, 0},
    {"ragdolls", 800, build_ragdoll, 1},
};

static weft_world_def def_of(const bodies_case* c, uint32_t workers) {
  weft_world_def def = weft_plain_world_def();
  def.solver.iterations = 4;
  def.solver.substeps = 2;
  def.solver.attachments = c->attachments;
  def.worker_count = workers;
  return def;
}

static weft_result prepare(weft_world* world) {
  weft_wind_def wind = weft_default_wind_def();
  weft_bounds_def bounds = weft_default_bounds_def();
  weft_particle_shape_def shape = weft_default_particle_shape_def();
  weft_collider_def ball = weft_default_collider_def();
  weft_collider handle;
  weft_world_stats stats;
  wind.velocity[2] = 6.0f;
  wind.gust = 0.5f;
  bounds.lower[1] = -1.02f;
  shape.mask = 2;
  shape.half_size[0] = 0.01f;
  ball.category = 2;
  ball.mask = UINT32_MAX;
  ball.radius = 2.0f;
  ball.position[0] = 10.0f;
  ball.position[1] = -2.1f;
  weft_result result = weft_world_set_wind(world, &wind);
  if (result.error == WEFT_OK) result = weft_world_set_bounds(world, &bounds);
  if (result.error == WEFT_OK) result = weft_world_get_stats(world, &stats);
  if (result.error == WEFT_OK) {
    result = weft_world_set_particle_shape(world, weft_range(0, stats.particle_count), &shape);
  }
  return result.error == WEFT_OK ? weft_world_add_collider(world, &ball, &handle) : result;
}

static uint64_t hash_alone(const bodies_case* c) {
  const weft_world_def def = def_of(c, 1);
  weft_scene* scene = new_scene();
  weft_world* world = NULL;
  for (uint32_t body = 0; body < c->count; ++body) expect_ok(c->build(scene, body, NULL));
  expect_ok(weft_world_create(&def, scene, &world));
  expect_ok(prepare(world));
  weft_world_step(world, STEPS);
  const uint64_t hash = weft_world_hash(world);
  weft_world_destroy(&world);
  weft_scene_destroy(&scene);
  return hash;
}

typedef struct trial {
  const bodies_case* c;
  weft_world_def def;
  uint32_t steps;
  uint64_t hash[MAX_TEST_RANKS], bytes[MAX_TEST_RANKS];
  weft_cluster_stats part[MAX_TEST_RANKS];
  weft_result result[MAX_TEST_RANKS];
} trial;

static weft_result run_part(trial* t, weft_cluster* cluster, uint32_t rank) {
  weft_world* world = weft_cluster_world(cluster);
  weft_world_stats stats = {0};
  weft_result result = prepare(world);
  if (result.error == WEFT_OK) result = weft_cluster_step(cluster, t->steps);
  if (result.error == WEFT_OK) result = weft_world_get_stats(world, &stats);
  if (result.error == WEFT_OK) result = weft_cluster_get_stats(cluster, &t->part[rank]);
  t->bytes[rank] = stats.bytes;
  return result.error == WEFT_OK ? weft_cluster_hash(cluster, &t->hash[rank]) : result;
}

static void run_rank(void* context, const weft_transport* transport) {
  trial* t = context;
  const uint32_t rank = transport->rank;
  weft_world_def def = t->def;
  weft_cluster* cluster = NULL;
  if (rank % 2 == 1) def.isa = WEFT_ISA_SCALAR;
  t->result[rank] =
      weft_cluster_create_bodies(transport, &def, t->c->count, t->c->build, NULL, &cluster);
  if (t->result[rank].error != WEFT_OK) return;
  t->result[rank] = run_part(t, cluster, rank);
  weft_cluster_destroy(&cluster);
}

LOOP_TEST(ranks_of_bodies_have_the_bits_of_a_world_alone, 0,
          THREADED((int)(sizeof(cases) / sizeof(*cases)), 2)) {
  const bodies_case* c = &cases[_i];
  const uint64_t alone = hash_alone(c);
  for (const rank_run* run = NULL; (run = next_rank_run(run, (uint32_t)_i, 3)) != NULL;) {
    const uint32_t ranks = run->ranks;
    trial t = {.c = c, .def = def_of(c, run->workers), .steps = STEPS};
    uint32_t bodies = 0;
    run_ranks(ranks, run->shuffles, run_rank, &t);
    for (uint32_t r = 0; r < ranks; ++r) {
      expect_ok(t.result[r]);
      ck_assert_msg(t.hash[r] == alone, "%s: rank %u of %u: hash %016llx, not %016llx", c->name, r,
                    ranks, (unsigned long long)t.hash[r], (unsigned long long)alone);
      ck_assert_uint_eq(t.part[r].first_body, bodies);
      bodies += t.part[r].body_count;
    }
    ck_assert_uint_eq(bodies, c->count);
  }
}

LOOP_TEST(memory_of_a_rank_is_that_of_its_bodies, 0, LONG_RUN(1)) {
  const bodies_case c = {"many towels", 320, build_towel, 2};
  uint64_t one = 0;
  for (uint32_t ranks = 1; ranks <= MAX_TEST_RANKS; ranks += MAX_TEST_RANKS - 1) {
    trial t = {.c = &c, .def = def_of(&c, 1), .steps = 1};
    run_ranks(ranks, false, run_rank, &t);
    if (ranks == 1) one = t.bytes[0];
    for (uint32_t r = 0; r < ranks; ++r) {
      expect_ok(t.result[r]);
      ck_assert_msg(10 * ranks * t.bytes[r] < 13 * one, "rank %u of %u: %llu bytes of %llu", r,
                    ranks, (unsigned long long)t.bytes[r], (unsigned long long)one);
    }
  }
}

// ---- errors ----

static weft_result build_mixed(weft_scene* scene, uint32_t body, void* context) {
  return (body % 2 == 0 ? build_towel : build_rope)(scene, body, context);
}

static weft_result build_none(weft_scene* scene, uint32_t body, void* context) {
  (void)scene;
  (void)body;
  (void)context;
  return (weft_result){.error = WEFT_OK, .field = ""};
}

static const struct {
  const char* field;
  weft_error error;
  weft_body_builder* build;
  uint32_t coarse_iterations;
} refusals[] = {
    {"build", WEFT_ERROR_UNSUPPORTED, build_mixed, 0},
    {"build", WEFT_ERROR_EMPTY, build_none, 0},
    {"weft_solver_def.coarse_iterations", WEFT_ERROR_UNSUPPORTED, build_towel, 2},
};

LOOP_TEST(unsupported_bodies_are_refused_by_name, 0, (int)(sizeof(refusals) / sizeof(*refusals))) {
  const bodies_case c = {"refused", 40, refusals[_i].build, 0};
  trial t = {.c = &c, .def = def_of(&c, 1)};
  t.def.solver.coarse_iterations = refusals[_i].coarse_iterations;
  run_ranks(2, false, run_rank, &t);
  for (uint32_t r = 0; r < 2; ++r) {
    ck_assert_int_eq(t.result[r].error, refusals[_i].error);
    ck_assert_str_eq(t.result[r].field, refusals[_i].field);
  }
}
