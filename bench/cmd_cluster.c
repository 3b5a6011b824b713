/* weft-bench cluster: predicted time of a step on many ranks. */
#include <string.h>

#include "cluster.h"
#include "commands.h"
#include "mpirun.h"
#include "run.h"

typedef struct cluster_settings {
  bench_cluster_request request;
  bench_network given; /* without a name unless options give one */
  bool measures_network;
  const char* launcher;
} cluster_settings;

enum {
  OPTION_PARTICLES = TOOL_OPTION_OWN,
  OPTION_RANKS,
  OPTION_WORKERS,
  OPTION_ITERATIONS,
  OPTION_SIZE,
  OPTION_NETWORK,
  OPTION_MPIRUN,
  OPTION_LATENCY,
  OPTION_OVERHEAD,
  OPTION_BANDWIDTH,
  OPTION_PARTITION,
  OPTION_ORDER,
  OPTION_INTEGRATION,
  OPTION_SWEEP,
  OPTION_MEMORY,
  OPTION_COARSE,
};

static const struct option options[] = {
    {"particles", required_argument, NULL, OPTION_PARTICLES},
    {"ranks", required_argument, NULL, OPTION_RANKS},
    {"workers", required_argument, NULL, OPTION_WORKERS},
    {"iterations", required_argument, NULL, OPTION_ITERATIONS},
    {"coarse", required_argument, NULL, OPTION_COARSE},
    {"size", required_argument, NULL, OPTION_SIZE},
    {"network", required_argument, NULL, OPTION_NETWORK},
    {"mpirun", required_argument, NULL, OPTION_MPIRUN},
    {"latency", required_argument, NULL, OPTION_LATENCY},
    {"overhead", required_argument, NULL, OPTION_OVERHEAD},
    {"bandwidth", required_argument, NULL, OPTION_BANDWIDTH},
    {"partition", required_argument, NULL, OPTION_PARTITION},
    {"order", required_argument, NULL, OPTION_ORDER},
    {"integration", required_argument, NULL, OPTION_INTEGRATION},
    {"sweep", required_argument, NULL, OPTION_SWEEP},
    {"memory", required_argument, NULL, OPTION_MEMORY},
    BENCH_OUTPUT_OPTIONS,
    TOOL_COMMON_OPTIONS,
};

static const char* const help[] = {
    "Usage: weft-bench cluster [OPTION...]\n"
    "\n"
    "Predicts the time of a step of a square sheet on many ranks: measures the costs of one "
    "worker\n"
    "here, and replays all patches of all ranks on simulated workers and networks (LogGP).\n"
    "\n"
    "  --particles N[,N..]  of the sheets, 10000 to 2000000000 (default 100000000, 1000000000)\n"
    "  --ranks N[,N..]      1 to 65536 (default 16,64,256,1024)\n"
    "  --workers N          of each rank, 1 to 256 (default 16)\n"
    "  --iterations K       sweeps over all links a step, 1 to 1000 (default 10)\n"
    "  --coarse K           sweeps over each coarse level, 0 to 1000 (default 0)\n"
    "  --size N             sheet that costs are measured on, 128 to 8192 (default 1024)\n"
    "  --integration NS     of one worker, nanoseconds a particle, in place of that measured here\n"
    "  --sweep NS           likewise, of a sweep\n"
    "  --memory GB/S        of a rank, likewise\n"
    "  --network NAME[,..]  25gbe, 100gbe, hdr, ndr, slingshot (default all of these), or "
    "measured:\n"
    "                       between two ranks under mpirun\n"
    "  --mpirun COMMAND     that starts ranks, with its options (default mpirun)\n"
    "  --latency US         of a network of its own, 0 to 1000 microseconds\n"
    "  --overhead US        of it, a message and end, 0 to 1000 microseconds (default 0.3)\n"
    "  --bandwidth GB/S     of it, a rank and direction, 0.01 to 1000 (default 12)\n"
    "  --partition NAME     ranges of patches (default), or blocks of tiles\n"
    "  --order NAME         of ready patches: shares of the workers, as in the engine (default), "
    "or\n"
    "                       those nearest to borders of the rank first\n"
    "\n",
    bench_output_help,
    "Columns: speed-up and efficiency over one rank with as many workers; imbalance, work of the\n"
    "largest rank over the mean; megabytes and messages of all ranks in a step; share of the time "
    "of\n"
    "the first workers, which alone send and receive, spent on messages.\n"
    "\n"
    "Exit status: 0 success, 2 error, 130 Ctrl-C; no file is written after Ctrl-C.\n",
    NULL,
};

static void add_network(bench_cluster_request* request, const bench_network* network) {
  request->networks[request->network_count++] = *network;
}

static bool take_networks(cluster_settings* settings, const char* list, tool_message* why) {
  static const char* const names[] = {"25gbe", "100gbe", "hdr", "ndr", "slingshot", "measured"};
  enum { COUNT = sizeof names / sizeof names[0], MEASURED = COUNT - 1 };
  uint32_t bits = 0;
  if (!tool_parse_names("--network", list, names, COUNT, &bits, why)) return false;
  settings->request.network_count = 0;
  for (uint32_t i = 0; i < MEASURED; ++i) {
    if ((bits >> i & 1u) != 0) add_network(&settings->request, bench_network_by_name(names[i]));
  }
  settings->measures_network = (bits >> MEASURED & 1u) != 0;
  return true;
}

static bool take_partition(bench_cluster_request* request, const char* name, tool_message* why) {
  for (int i = 0; i < 2; ++i) {
    if (strcmp(name, bench_partition_names[i]) != 0) continue;
    request->partition = (bench_partition)i;
    return true;
  }
  return tool_because(why, "--partition: '%s' is neither ranges nor blocks", name);
}

static bool take_order(bench_cluster_request* request, const char* name, tool_message* why) {
  for (int i = 0; i < BENCH_ORDERS; ++i) {
    if (strcmp(name, bench_rank_order_names[i]) != 0) continue;
    request->order = (bench_rank_order)i;
    return true;
  }
  return tool_because(why, "--order: '%s' is neither shares nor borders", name);
}

static bool take_given(bench_network* given, int option, const char* value, tool_message* why) {
  double* target = option == OPTION_LATENCY ? &given->latency_ns : &given->overhead_ns;
  const char* name = option == OPTION_LATENCY ? "--latency" : "--overhead";
  given->name = "given";
  if (option == OPTION_BANDWIDTH) {
    return tool_parse_number("--bandwidth", value, 0.01, 1000.0, &given->gb_per_s, why);
  }
  if (!tool_parse_number(name, value, 0.0, 1000.0, target, why)) return false;
  *target *= 1000.0;
  return true;
}

static bool take(void* target, int option, const char* value, tool_message* why) {
  cluster_settings* settings = target;
  bench_cluster_request* request = &settings->request;
  switch (option) {
    case OPTION_PARTICLES:
      return tool_parse_counts("--particles", value, (tool_range){10000, 2000000000},
                               &request->particles, why);
    case OPTION_RANKS:
      return tool_parse_counts("--ranks", value, (tool_range){1, 65536}, &request->ranks, why);
    case OPTION_WORKERS:
      return tool_parse_count("--workers", value, (tool_range){1, 256}, &request->workers, why);
    case OPTION_ITERATIONS:
      return tool_parse_count("--iterations", value, (tool_range){1, 1000}, &request->iterations,
                              why);
    case OPTION_COARSE:
      return tool_parse_count("--coarse", value, (tool_range){0, 1000}, &request->coarse_iterations,
                              why);
    case OPTION_SIZE:
      return tool_parse_count("--size", value, (tool_range){128, 8192}, &request->recorded_size,
                              why);
    case OPTION_NETWORK:
      return take_networks(settings, value, why);
    case OPTION_MPIRUN:
      settings->launcher = value;
      return true;
    case OPTION_INTEGRATION:
      return tool_parse_number("--integration", value, 0.001, 1e6, &request->costs.integration,
                               why);
    case OPTION_SWEEP:
      return tool_parse_number("--sweep", value, 0.001, 1e6, &request->costs.sweep, why);
    case OPTION_MEMORY:
      return tool_parse_number("--memory", value, 0.1, 1e6, &request->costs.memory_gb_per_s, why);
    case OPTION_PARTITION:
      return take_partition(request, value, why);
    case OPTION_ORDER:
      return take_order(request, value, why);
    default:
      return take_given(&settings->given, option, value, why);
  }
}

static bool complete(void* target, bench_session* session, tool_message* why) {
  cluster_settings* settings = target;
  bench_cluster_request* request = &settings->request;
  session->results.type = &bench_cluster_type;
  if (request->particles.count == 0) {
    request->particles = (tool_count_list){.items = {100000000, 1000000000}, .count = 2};
  }
  if (request->ranks.count == 0) {
    request->ranks = (tool_count_list){.items = {16, 64, 256, 1024}, .count = 4};
  }
  const bool is_given = settings->given.name != NULL;
  if (is_given) add_network(request, &settings->given);
  return is_given || settings->measures_network || request->network_count > 0 ||
         take_networks(settings, BENCH_NETWORK_NAMES, why);
}

// Costs that are not given.
static bool measure_costs(bench_cluster_request* request, const bench_session* session,
                          tool_message* why) {
  bench_rank_costs* costs = &request->costs;
  const bench_rank_costs given = *costs;
  if ((given.integration == 0.0 || given.sweep == 0.0) &&
      !bench_measure_rank_costs(request, costs, why)) {
    return false;
  }
  if (given.integration > 0.0) costs->integration = given.integration;
  if (given.sweep > 0.0) costs->sweep = given.sweep;
  costs->memory_gb_per_s = given.memory_gb_per_s;
  return given.memory_gb_per_s > 0.0 ||
         bench_measure_rank_memory(&session->machine, request->workers, session->quiet,
                                   &costs->memory_gb_per_s, why);
}

static bool measure(void* target, bench_session* session, tool_message* why) {
  cluster_settings* settings = target;
  bench_cluster_request* request = &settings->request;
  bench_network network;
  if (settings->measures_network) {
    if (!bench_measure_network(settings->launcher, &network, why)) return false;
    add_network(request, &network);
  }
  if (!measure_costs(request, session, why)) return false;
  bench_cluster_print_costs(session->tables, request);
  return bench_cluster_predict(request, session->tables, &session->results, why);
}

int command_cluster(int argc, char** argv) {
  static const bench_command command = {.name = "cluster",
                                        .help = help,
                                        .options = options,
                                        .take = take,
                                        .complete = complete,
                                        .measure = measure};
  cluster_settings settings = {
      .request = {.workers = 16, .iterations = 10, .recorded_size = 1024},
      .given = {.overhead_ns = 300.0, .gap_ns = 100.0, .gb_per_s = 12.0, .source = "given"}};
  return bench_run(&command, &settings, argc, argv);
}
