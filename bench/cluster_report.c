#include <inttypes.h>

#include "cluster.h"
#include "common/number.h"
#include "text_table.h"

static const bench_column columns[] = {
    {"network", BENCH_COLUMN_TEXT, offsetof(bench_cluster_row, network)},
    {"partition", BENCH_COLUMN_TEXT, offsetof(bench_cluster_row, partition)},
    {"order", BENCH_COLUMN_TEXT, offsetof(bench_cluster_row, order)},
    {"size", BENCH_COLUMN_COUNT, offsetof(bench_cluster_row, size)},
    {"particles", BENCH_COLUMN_LARGE, offsetof(bench_cluster_row, particles)},
    {"ranks", BENCH_COLUMN_COUNT, offsetof(bench_cluster_row, ranks)},
    {"workers", BENCH_COLUMN_COUNT, offsetof(bench_cluster_row, workers)},
    {"step_ms", BENCH_COLUMN_REAL, offsetof(bench_cluster_row, step_ms)},
    {"speed_up", BENCH_COLUMN_REAL, offsetof(bench_cluster_row, speed_up)},
    {"efficiency", BENCH_COLUMN_REAL, offsetof(bench_cluster_row, efficiency)},
    {"imbalance", BENCH_COLUMN_REAL, offsetof(bench_cluster_row, imbalance)},
    {"bytes", BENCH_COLUMN_LARGE, offsetof(bench_cluster_row, bytes)},
    {"messages", BENCH_COLUMN_LARGE, offsetof(bench_cluster_row, messages)},
    {"patch_messages", BENCH_COLUMN_LARGE, offsetof(bench_cluster_row, patch_messages)},
    {"coarse_iterations", BENCH_COLUMN_COUNT, offsetof(bench_cluster_row, coarse_iterations)},
    {"message_share", BENCH_COLUMN_REAL, offsetof(bench_cluster_row, message_share)},
};

const bench_row_type bench_cluster_type = BENCH_ROW_TYPE(bench_cluster_row, columns);

static const char* const heads[] = {"network",   "ranks",      "step ms",
                                    "speed-up",  "efficiency", "imbalance",
                                    "MB a step", "messages",   "on messages"};
static const char sides[] = "lrrrrrrrr";

enum { MAX_CELL = BENCH_MAX_CELL };

static void format_row(const void* item, bench_text_row* text) {
  const bench_cluster_row* row = item;
  char(*to)[MAX_CELL] = text->cells;
  snprintf(*to++, MAX_CELL, "%s", row->network);
  snprintf(*to++, MAX_CELL, "%u", row->ranks);
  snprintf(*to++, MAX_CELL, "%.3f", row->step_ms);
  snprintf(*to++, MAX_CELL, "%.1f", row->speed_up);
  snprintf(*to++, MAX_CELL, "%.0f %%", 100.0 * row->efficiency);
  snprintf(*to++, MAX_CELL, "%.2f", row->imbalance);
  snprintf(*to++, MAX_CELL, "%.1f", 1e-6 * (double)row->bytes);
  snprintf(*to++, MAX_CELL, "%" PRIu64, row->messages);
  snprintf(*to++, MAX_CELL, "%.1f %%", 100.0 * row->message_share);
}

void bench_cluster_print_costs(FILE* out, const bench_cluster_request* request) {
  const bench_rank_costs* costs = &request->costs;
  fprintf(out,
          "costs of one worker: integration %.2f ns a particle, sweep %.2f, rest %.2f, "
          "serial %.1f us a step\n",
          costs->integration, costs->sweep, costs->rest, 1e-3 * costs->serial);
  fprintf(out, "memory of a rank %.0f GB/s\n", costs->memory_gb_per_s);
  for (uint32_t i = 0; i < request->network_count; ++i) {
    const bench_network* network = &request->networks[i];
    fprintf(out, "%s: latency %.2f us, overhead %.2f us, gap %.2f us, %.1f GB/s; %s\n",
            network->name, 1e-3 * network->latency_ns, 1e-3 * network->overhead_ns,
            1e-3 * network->gap_ns, network->gb_per_s, network->source);
  }
}

void bench_cluster_print(FILE* out, const bench_cluster_row* rows, size_t count) {
  fprintf(out, "\nsheet %u x %u, %u worker%s a rank, %s, order by %s", rows[0].size, rows[0].size,
          rows[0].workers, tool_plural(rows[0].workers), rows[0].partition, rows[0].order);
  if (rows[0].coarse_iterations > 0) {
    fprintf(out, ", %u sweeps of each level", rows[0].coarse_iterations);
  }
  fprintf(out, ": predicted\n");
  bench_text_rows_print(out, heads, sides, rows, count, sizeof *rows, format_row);
}
