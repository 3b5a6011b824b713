#include <math.h>
#include <stdlib.h>

#include "cluster.h"
#include "common/interrupt.h"

const char* const bench_partition_names[2] = {"ranges", "blocks"};

// Levels below this number of particles are computed by every rank: engine/cluster/divide.c.
enum { LEAST_DIVIDED = 4096, MAX_LEVELS = 24 };

// A level of a sheet, with every second column and row of the finer one.
typedef struct level {
  uint32_t size;
  weft__patch_graph patches;
  uint32_t* owner; /* [patch_count] */
} level;

typedef struct sheet {
  level levels[MAX_LEVELS]; /* the cloth first */
  uint32_t level_count;
} sheet;

static bool create_level(level* made, uint32_t size) {
  made->size = size;
  if (!weft__patch_graph_of_sheet(&made->patches, size, size)) return false;
  made->owner = calloc((size_t)made->patches.patch_count + 1, sizeof *made->owner);
  return made->owner != NULL;
}

static bool create_sheet(sheet* made, uint32_t particles, bool has_levels) {
  *made = (sheet){.level_count = 0};
  for (uint32_t size = (uint32_t)lround(sqrt((double)particles));
       made->level_count < MAX_LEVELS && size > 3; size = size / 2 + 1) {
    if (!create_level(&made->levels[made->level_count++], size)) return false;
    if (!has_levels) break;
  }
  return true;
}

static void free_sheet(sheet* made) {
  for (uint32_t l = 0; l < made->level_count; ++l) {
    weft__patch_graph_destroy(&made->levels[l].patches);
    free(made->levels[l].owner);
  }
}

static bool replay_level(const bench_cluster_request* request, const bench_network* network,
                         level* l, bool is_coarse, uint32_t ranks, bench_rank_replay* result) {
  if (request->partition == BENCH_PARTITION_BLOCKS) {
    weft__partition_blocks(l->size, l->size, ranks, l->owner);
  } else {
    weft__partition_ranges(&l->patches, ranks, l->owner);
  }
  const uint32_t sweeps = is_coarse ? request->coarse_iterations : request->iterations;
  bench_rank_graph graph;
  if (!bench_rank_graph_create(&graph, &l->patches, l->owner, ranks)) return false;
  const bench_rank_request run = {.graph = &graph,
                                  .phase_count = sweeps + 1,
                                  .workers = request->workers,
                                  .order = request->order,
                                  .is_coarse = is_coarse,
                                  .costs = request->costs,
                                  .network = *network};
  const bool done = bench_rank_replay_run(&run, result);
  bench_rank_graph_free(&graph);
  return done;
}

// Replays the levels one after the other. A coarse level waits for two exchanges, of displacements
// and of corrections; small ones are the same on every rank.
static bool replay(const bench_cluster_request* request, const bench_network* network, sheet* cloth,
                   uint32_t ranks, bench_rank_replay* result) {
  if (!replay_level(request, network, &cloth->levels[0], false, ranks, result)) return false;
  for (uint32_t l = 1; l < cloth->level_count; ++l) {
    bench_rank_replay one;
    level* coarse = &cloth->levels[l];
    const bool is_divided = coarse->size * coarse->size >= LEAST_DIVIDED && ranks > 1;
    if (!replay_level(request, network, coarse, true, is_divided ? ranks : 1, &one)) return false;
    result->ns += one.ns;
    if (is_divided) result->ns += 2.0 * (network->latency_ns + 2.0 * network->overhead_ns);
    result->bytes += one.bytes;
    result->messages += one.messages;
    result->patch_messages += one.patch_messages;
    result->message_ns += one.message_ns;
  }
  return true;
}

static bool fill_row(const bench_cluster_request* request, const bench_network* network,
                     sheet* cloth, uint32_t ranks, double alone_ns, bench_cluster_row* row) {
  bench_rank_replay result;
  weft__partition_measures measures;
  if (!replay(request, network, cloth, ranks, &result) ||
      !weft__partition_measure(&cloth->levels[0].patches, cloth->levels[0].owner, ranks,
                               &measures)) {
    return false;
  }
  const uint32_t size = cloth->levels[0].size;
  *row = (bench_cluster_row){.size = size,
                             .particles = (uint64_t)size * size,
                             .coarse_iterations = request->coarse_iterations,
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
  bool ok = create_sheet(&cloth, particles, request->coarse_iterations > 0) &&
            replay(request, &request->networks[0], &cloth, 1, &alone);
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
