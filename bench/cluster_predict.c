#include <math.h>
#include <stdlib.h>

#include "cluster.h"
#include "common/interrupt.h"

const char* const bench_partition_names[2] = {"ranges", "blocks"};

// A sheet on some number of ranks.
typedef struct sheet {
  uint32_t size;
  weft__patch_graph patches;
  uint32_t* owner; /* [patch_count] */
} sheet;

static bool create_sheet(sheet* made, uint32_t particles) {
  *made = (sheet){.size = (uint32_t)lround(sqrt((double)particles))};
  if (!weft__patch_graph_of_sheet(&made->patches, made->size, made->size)) return false;
  made->owner = calloc((size_t)made->patches.patch_count + 1, sizeof *made->owner);
  return made->owner != NULL;
}

static void free_sheet(sheet* made) {
  weft__patch_graph_destroy(&made->patches);
  free(made->owner);
}

static bool replay(const bench_cluster_request* request, const bench_network* network, sheet* cloth,
                   uint32_t ranks, bench_rank_replay* result) {
  if (request->partition == BENCH_PARTITION_BLOCKS) {
    weft__partition_blocks(cloth->size, cloth->size, ranks, cloth->owner);
  } else {
    weft__partition_ranges(&cloth->patches, ranks, cloth->owner);
  }
  bench_rank_graph graph;
  if (!bench_rank_graph_create(&graph, &cloth->patches, cloth->owner, ranks)) return false;
  const bench_rank_request run = {&graph,         request->iterations + 1, request->workers,
                                  request->order, request->costs,          *network};
  const bool done = bench_rank_replay_run(&run, result);
  bench_rank_graph_free(&graph);
  return done;
}

static bool fill_row(const bench_cluster_request* request, const bench_network* network,
                     sheet* cloth, uint32_t ranks, double alone_ns, bench_cluster_row* row) {
  bench_rank_replay result;
  weft__partition_measures measures;
  if (!replay(request, network, cloth, ranks, &result) ||
      !weft__partition_measure(&cloth->patches, cloth->owner, ranks, &measures)) {
    return false;
  }
  *row = (bench_cluster_row){.size = cloth->size,
                             .particles = (uint64_t)cloth->size * cloth->size,
                             .ranks = ranks,
                             .workers = request->workers,
                             .step_ms = 1e-6 * result.ns,
                             .speed_up = alone_ns / result.ns,
                             .efficiency = alone_ns / result.ns / ranks,
                             .imbalance = measures.imbalance,
                             .bytes = result.bytes,
                             .messages = result.messages,
                             .patch_messages = result.patch_messages,
                             .message_share = result.message_ns / (result.ns * ranks)};
  snprintf(row->network, sizeof row->network, "%s", network->name);
  snprintf(row->partition, sizeof row->partition, "%s", bench_partition_names[request->partition]);
  snprintf(row->order, sizeof row->order, "%s", bench_rank_order_names[request->order]);
  return true;
}

// All networks and ranks of one sheet; one rank alone is the same on every network.
static bool predict_sheet(const bench_cluster_request* request, uint32_t particles, FILE* out,
                          bench_rows* rows, tool_message* why) {
  sheet cloth;
  bench_rank_replay alone;
  const uint32_t each = request->ranks.count;
  bench_cluster_row* made = bench_rows_append(rows, (size_t)request->network_count * each, why);
  if (made == NULL) return false;
  bool ok =
      create_sheet(&cloth, particles) && replay(request, &request->networks[0], &cloth, 1, &alone);
  for (uint32_t i = 0; ok && i < request->network_count * each; ++i) {
    if (tool_interrupted()) break;
    ok = fill_row(request, &request->networks[i / each], &cloth, request->ranks.items[i % each],
                  alone.ns, &made[i]);
  }
  free_sheet(&cloth);
  if (!ok) return tool_because(why, "no memory for the patches of %u particles", particles);
  if (tool_interrupted()) return false;
  bench_cluster_print(out, made, (size_t)request->network_count * each);
  fflush(out);
  return true;
}

bool bench_cluster_predict(const bench_cluster_request* request, FILE* out, bench_rows* rows,
                           tool_message* why) {
  for (uint32_t i = 0; i < request->particles.count; ++i) {
    if (!predict_sheet(request, request->particles.items[i], out, rows, why)) return false;
  }
  return true;
}
