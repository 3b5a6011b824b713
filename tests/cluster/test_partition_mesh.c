#include "cluster/partition.h"
#include "support/frozen.h"
#include "support/scenes.h"
#include "support/suite.h"

START_TEST(a_mesh_has_balanced_parts_that_cut_half_of_a_scattered_partition) {
  random_source random = {5};
  weft_scene* scene = new_scene();
  add_random_mesh(scene, &random, 160);
  frozen f = freeze(scene);
  weft__patch_graph graph;
  ck_assert(weft__patch_graph_of_schedule(&graph, &f.schedule));
  uint32_t* owner = calloc(graph.patch_count, sizeof *owner);
  uint32_t* again = calloc(graph.patch_count, sizeof *again);
  for (uint32_t ranks = 1; ranks <= 4; ++ranks) {
    weft__partition_measures parts, scattered;
    ck_assert(weft__partition_mesh(&graph, ranks, owner));
    ck_assert(weft__partition_mesh(&graph, ranks, again));
    ck_assert_mem_eq(owner, again, graph.patch_count * sizeof *owner);
    ck_assert(weft__partition_measure(&graph, owner, ranks, &parts));
    for (uint32_t p = 0; p < graph.patch_count; ++p) again[p] = p % ranks;
    ck_assert(weft__partition_measure(&graph, again, ranks, &scattered));
    ck_assert_double_lt(parts.imbalance, 1.25);
    ck_assert_uint_le(2 * parts.sent_particles, scattered.sent_particles);
  }
  free(owner);
  free(again);
  weft__patch_graph_destroy(&graph);
  free_frozen(&f);
}
END_TEST

SUITE(partition_mesh) {
  tcase_add_test(tests, a_mesh_has_balanced_parts_that_cut_half_of_a_scattered_partition);
}
