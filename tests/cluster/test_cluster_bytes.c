/* A cluster sends the bytes that its partition says. */
#include "base/memory.h"
#include "libraries/cluster/mailbox.h"
#include "libraries/cluster/partition.h"
#include "support/frozen.h"
#include "support/ranks.h"
#include "support/test.h"

enum { ITERATIONS = 8, STEPS = 3, ENTRY_HEAD = 16, PARTICLE_BYTES = 3 * sizeof(float) };

typedef struct sender {
  weft_scene* scene;
  weft_cluster_stats stats[MAX_TEST_RANKS];
  bool done[MAX_TEST_RANKS];
} sender;

static void step_rank(void* context, const weft_transport* transport) {
  sender* s = context;
  weft_cluster* cluster = NULL;
  weft_world_def def = weft_plain_world_def();
  def.solver.iterations = ITERATIONS;
  def.worker_count = 1;
  s->done[transport->rank] =
      weft_cluster_create(transport, &def, s->scene, &cluster).error == WEFT_OK &&
      weft_cluster_step(cluster, STEPS).error == WEFT_OK &&
      weft_cluster_get_stats(cluster, &s->stats[transport->rank]).error == WEFT_OK;
  weft_cluster_destroy(&cluster);
}

// Bytes of a step but for the heads of messages, of which several patches may share one.
static uint64_t modelled_bytes(const weft__schedule* schedule, uint32_t ranks) {
  weft__patch_graph graph;
  weft__patch_message* messages = NULL;
  size_t count = 0;
  uint32_t* owner = test_alloc(schedule->patch_count * (sizeof *owner));
  ck_assert(weft__patch_graph_of_schedule(&graph, schedule));
  weft__partition_ranges(&graph, ranks, owner);
  ck_assert(weft__partition_messages(&graph, owner, &messages, &count));
  uint64_t bytes = (uint64_t)count * ENTRY_HEAD * (ITERATIONS + 1);
  for (size_t i = 0; i < count; ++i) {
    // positions, and after integration the start of the substep too
    bytes += PARTICLE_BYTES * (2 * messages[i].own_particles + ITERATIONS * messages[i].particles);
  }
  weft__free(messages);
  weft__patch_graph_destroy(&graph);
  return bytes;
}

static weft_scene* new_cloth(int number) {
  weft_scene* scene = new_scene();
  random_source random = {3};
  if (number == 0) add_sheet(scene, 512, 96, STRUCTURAL | SHEAR);
  if (number == 1) add_sheet(scene, 101, 97, ALL_FAMILIES);
  if (number == 2) add_random_mesh(scene, &random, 90);
  return scene;
}

LOOP_TEST(a_cluster_sends_the_bytes_of_its_partition, THREADED(0, 1), THREADED(3, 2)) {
  for (uint32_t ranks = 1; ranks <= 4; ++ranks) {
    sender s = {.scene = new_cloth(_i)};
    uint64_t messages = 0, bytes = 0;
    run_ranks(ranks, false, step_rank, &s);
    for (uint32_t r = 0; r < ranks; ++r) {
      ck_assert(s.done[r]);
      messages += s.stats[r].messages_sent;
      bytes += s.stats[r].bytes_sent;
    }
    frozen f = freeze(s.scene);
    ck_assert_uint_eq(bytes - WEFT__PHASES_HEAD * messages,
                      STEPS * modelled_bytes(&f.schedule, ranks));
  }
}
