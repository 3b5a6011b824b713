/* A world of several ranks has the bits of a world alone. */
#include "base/hash.h"
#include "support/cluster_cases.h"
#include "support/ranks.h"
#include "support/test.h"

#define STEPS ROUNDS(3u, 2u)

static weft_world_def def_of(const cluster_case* c, uint32_t workers, weft_isa isa) {
  weft_world_def def = weft_plain_world_def();
  def.solver.iterations = 5;
  def.worker_count = workers;
  def.isa = isa;
  if (c->define != NULL) c->define(&def);
  return def;
}

// State of a world after its steps; `saved` is the checksum of a snapshot.
typedef struct end_state {
  uint64_t hash, saved;
  uint32_t torn, sweeps;
  float residual;
} end_state;

typedef struct trial {
  const cluster_case* c;
  const weft_scene* scene;
  uint32_t workers;
  weft_isa isa;
  bool moves;  // patches, before each step
  end_state end[MAX_TEST_RANKS];
  weft_result result[MAX_TEST_RANKS];
} trial;

static bool add_bytes(void* context, const void* bytes, size_t size) {
  uint64_t* hash = context;
  const unsigned char* byte = bytes;
  for (size_t k = 0; k < size; ++k) *hash = (*hash ^ byte[k]) * WEFT__FNV_PRIME;
  return true;
}

static end_state end_state_of(const weft_world* world) {
  weft_world_stats stats = {0};
  uint64_t saved = WEFT__FNV_BASIS;
  may_fail(weft_world_get_stats(world, &stats));
  may_fail(weft_world_save_to(world, add_bytes, &saved));
  return (end_state){weft_world_hash(world), saved, stats.torn_count, stats.sweeps, stats.residual};
}

static end_state run_alone(const trial* t) {
  const weft_world_def def = def_of(t->c, 1, WEFT_ISA_AUTO);
  weft_world* world = NULL;
  expect_ok(weft_world_create(&def, t->scene, &world));
  if (t->c->set != NULL) expect_ok(t->c->set(world));
  weft_world_step(world, STEPS / 2);
  if (t->c->change != NULL) expect_ok(t->c->change(world));
  weft_world_step(world, STEPS - STEPS / 2);
  const end_state made = end_state_of(world);
  weft_world_destroy(&world);
  return made;
}

static weft_result run_part(const trial* t, weft_cluster* cluster) {
  weft_result (*const step)(weft_cluster*, uint32_t) = t->moves ? step_and_move : weft_cluster_step;
  weft_result result = {.field = ""};
  if (t->c->set != NULL) result = t->c->set(weft_cluster_world(cluster));
  if (result.error == WEFT_OK) result = step(cluster, STEPS / 2);
  if (result.error == WEFT_OK && t->c->change != NULL) {
    result = weft_cluster_synchronize(cluster);
    if (result.error == WEFT_OK) result = t->c->change(weft_cluster_world(cluster));
  }
  if (result.error == WEFT_OK) result = step(cluster, STEPS - STEPS / 2);
  if (result.error == WEFT_OK) result = weft_cluster_synchronize(cluster);
  return result;
}

static void run_rank(void* context, const weft_transport* transport) {
  trial* t = context;
  const uint32_t rank = transport->rank;
  const weft_world_def def = def_of(t->c, t->workers, t->isa);
  weft_cluster* cluster = NULL;
  t->result[rank] = weft_cluster_create(transport, &def, t->scene, &cluster);
  if (t->result[rank].error != WEFT_OK) return;
  t->result[rank] = run_part(t, cluster);
  t->end[rank] = end_state_of(weft_cluster_world(cluster));
  weft_cluster_destroy(&cluster);
}

static void check_case(const cluster_case* c, const rank_run* run, const end_state* alone,
                       const weft_scene* scene) {
  trial t = {.c = c, .scene = scene, .workers = run->workers, .isa = run->isa};
  t.moves = run->moves;
  run_ranks(run->ranks, run->shuffles, run_rank, &t);
  for (uint32_t r = 0; r < run->ranks; ++r) {
    const end_state* made = &t.end[r];
    expect_ok(t.result[r]);
    if (made->hash == alone->hash && made->saved == alone->saved && made->torn == alone->torn &&
        made->sweeps == alone->sweeps && made->residual == alone->residual) {
      continue;
    }
    ck_abort_msg(
        "%s: rank %u of %u x %u workers: hash %016llx, not %016llx; snapshot %016llx, not %016llx; "
        "%u torn, not %u; %u sweeps, not %u",
        c->name, r, run->ranks, run->workers, (unsigned long long)made->hash,
        (unsigned long long)alone->hash, (unsigned long long)made->saved,
        (unsigned long long)alone->saved, made->torn, alone->torn, made->sweeps, alone->sweeps);
  }
}

// the thread sanitizer sees the last ones: joints, sweeps that end at a tolerance, and "default"
LOOP_TEST(ranks_have_the_bits_of_a_world_alone, THREADED(0, CLUSTER_CASES - 3), CLUSTER_CASES) {
  const cluster_case* c = &cluster_cases[_i];
  weft_scene* scene = c->build();
  const trial t = {.c = c, .scene = scene};
  const end_state alone = run_alone(&t);
  require((alone.torn > 0) == c->is_torn);
  for (const rank_run* r = NULL; (r = next_rank_run(r, (uint32_t)_i, 1)) != NULL;) {
    check_case(c, r, &alone, scene);
  }
}
