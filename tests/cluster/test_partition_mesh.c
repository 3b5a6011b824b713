#include "base/memory.h"
#include "libraries/cluster/partition.h"
#include "support/frozen.h"
#include "support/test.h"

// Particles in all messages of a sweep.
static uint64_t sent_particles(const weft__patch_graph* graph, const uint32_t* owner) {
  weft__patch_message* messages = NULL;
  size_t count = 0;
  uint64_t sent = 0;
  ck_assert(weft__partition_messages(graph, owner, &messages, &count));
  for (size_t i = 0; i < count; ++i) sent += messages[i].particles;
  weft__free(messages);
  return sent;
}

// Largest cost of a rank over the mean.
static double imbalance(const weft__patch_graph* graph, const uint32_t* owner, uint32_t ranks) {
  uint64_t cost[4] = {0}, all = 0, most = 0;
  for (uint32_t p = 0; p < graph->patch_count; ++p) cost[owner[p]] += graph->cost[p];
  for (uint32_t r = 0; r < ranks; ++r) {
    all += cost[r];
    if (cost[r] > most) most = cost[r];
  }
  return (double)most * ranks / (double)all;
}

TEST(a_mesh_has_balanced_parts_that_cut_half_of_a_scattered_partition) {
  random_source random = {5};
  weft_scene* scene = new_scene();
  add_random_mesh(scene, &random, 160);
  frozen f = freeze(scene);
  weft__patch_graph graph;
  ck_assert(weft__patch_graph_of_schedule(&graph, &f.schedule));
  uint32_t* owner = test_alloc(graph.patch_count * (sizeof *owner));
  uint32_t* again = test_alloc(graph.patch_count * (sizeof *again));
  for (uint32_t ranks = 1; ranks <= 4; ++ranks) {
    ck_assert(weft__partition_mesh(&graph, ranks, owner));
    ck_assert(weft__partition_mesh(&graph, ranks, again));
    ck_assert_mem_eq(owner, again, graph.patch_count * sizeof *owner);
    for (uint32_t p = 0; p < graph.patch_count; ++p) again[p] = p % ranks;
    ck_assert_double_lt(imbalance(&graph, owner, ranks), 1.25);
    ck_assert_uint_le(2 * sent_particles(&graph, owner), sent_particles(&graph, again));
  }
  weft__patch_graph_destroy(&graph);
}
