/* Redistribution evens out costs, and leaves the bits as they are. */
#include "support/ranks.h"
#include "support/test.h"

enum { SIDE = 65, RANKS = 4, STEPS = 24, EVERY = 8 };

static const float spacing = 1.0f / (SIDE - 1);

// A sheet that stands on its edge, and falls in folds onto the floor; beside it, one that hangs.
static weft_scene* fold_and_curtain(void) {
  weft_scene* scene = new_scene();
  for (int k = 0; k < 2; ++k) {
    weft_body body;
    weft_sheet_def def = weft_default_sheet_def();
    def.columns = def.rows = SIDE;
    def.spacing = spacing;
    def.particle_mass = 0.2f * spacing * spacing;
    def.origin[0] = 3.0f * (float)k;
    def.origin[1] = 0.02f + 40.0f / 41.0f + 0.5f * (float)k;
    memcpy(def.down, (const float[3]){0.0f, -40.0f / 41.0f, 9.0f / 41.0f}, sizeof(def.down));
    expect_ok(weft_scene_add_sheet(scene, &def, &body));
    if (k == 1) expect_ok(weft_scene_pin(scene, weft_range(body.first_particle, SIDE)));
  }
  return scene;
}

static weft_result set_contacts(weft_world* world) {
  weft_particle_shape_def shape = weft_default_particle_shape_def();
  shape.shape = WEFT_PARTICLE_SHAPE_CLOTH;
  shape.half_size[0] = 0.55f * spacing;
  weft_collider_def floor = weft_default_collider_def();
  weft_collider handle;
  floor.shape = WEFT_COLLIDER_SHAPE_PLANE;
  weft_result result = weft_world_add_collider(world, &floor, &handle);
  for (uint32_t row = 0; row < SIDE && result.error == WEFT_OK; ++row) {
    const float velocity[3] = {0.0f, -3.0f, row % 22 < 11 ? 0.5f : -0.5f};
    result = weft_world_set(world, WEFT_ATTRIBUTE_VELOCITY, weft_range(row * SIDE, SIDE), velocity,
                            WEFT_SAME);
  }
  if (result.error != WEFT_OK) return result;
  return weft_world_set_particle_shape(world, weft_range(0, 2 * SIDE * SIDE), &shape);
}

static weft_world_def new_def(void) {
  weft_world_def def = weft_plain_world_def();
  def.solver.iterations = 4;
  def.solver.substeps = 2;
  def.worker_count = 1;
  return def;
}

typedef struct rank_end {
  weft_result result;
  weft_cluster_stats first, last;
  uint64_t hash;
} rank_end;

typedef struct run {
  const weft_scene* scene;
  rank_end ends[RANKS];
} run;

static weft_result step_rank(weft_cluster* cluster, rank_end* end) {
  weft_result result = set_contacts(weft_cluster_world(cluster));
  if (result.error == WEFT_OK) result = weft_cluster_get_stats(cluster, &end->first);
  for (uint32_t step = 0; step < STEPS && result.error == WEFT_OK; step += EVERY) {
    result = weft_cluster_step(cluster, EVERY);
    if (result.error == WEFT_OK) result = weft_cluster_redistribute(cluster, 1.0f);
  }
  if (result.error == WEFT_OK) result = weft_cluster_get_stats(cluster, &end->last);
  if (result.error == WEFT_OK) result = weft_cluster_hash(cluster, &end->hash);
  return result;
}

static void run_rank(void* context, const weft_transport* transport) {
  run* r = context;
  rank_end* end = &r->ends[transport->rank];
  const weft_world_def def = new_def();
  weft_cluster* cluster = NULL;
  end->result = weft_cluster_create(transport, &def, r->scene, &cluster);
  if (end->result.error == WEFT_OK) end->result = step_rank(cluster, end);
  weft_cluster_destroy(&cluster);
}

static uint64_t hash_alone(const weft_scene* scene) {
  const weft_world_def def = new_def();
  weft_world* world = NULL;
  expect_ok(weft_world_create(&def, scene, &world));
  expect_ok(set_contacts(world));
  weft_world_step(world, STEPS);
  return weft_world_hash(world);
}

TEST(patches_move_between_ranks_with_contacts) {
  run r = {.scene = fold_and_curtain()};
  run_ranks(RANKS, true, run_rank, &r);
  const uint64_t expected = hash_alone(r.scene);
  uint32_t particles = 0;
  for (int k = 0; k < RANKS; ++k) {
    const weft_cluster_stats* last = &r.ends[k].last;
    expect_ok(r.ends[k].result);
    require(r.ends[k].hash == expected);
    require(last->redistributions > 0 && last->redistributions <= STEPS / EVERY);
    require(last->imbalance_before == r.ends[0].last.imbalance_before);
    require(last->imbalance_after <= last->imbalance_before && last->imbalance_after >= 1.0);
    require(last->imbalance_after < 1.25);
    require(last->first_patch ==
            (k == 0 ? 0 : r.ends[k - 1].last.first_patch + r.ends[k - 1].last.patch_count));
    particles += last->particle_count;
  }
  require(particles == 2 * SIDE * SIDE);
}
