/* weft-bench-mpi: the network between two ranks, and steps of a cluster; run by weft-bench under
 * mpirun. */
#include <inttypes.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "common/clock.h"
#include "common/must.h"
#include "plan.h"
#include "samples.h"
#include "weft/mpi.h"

// ---- network ----

typedef struct bench_ping_pong {
  double latency_ns, overhead_ns, gap_ns, gb_per_s; /* LogGP: see docs/scaling.md */
} bench_ping_pong;

/* Times between ranks 0 and 1; others wait. Each is the shortest of some batches, as cores may be
 * shared.
 *
 *     small     half of a round trip of 8 bytes: latency + 2 x overhead
 *     overhead  of a call that sends 8 bytes
 *     gap       of messages of 8 bytes, many at once
 *     bytes     slope of half of a round trip from 64 KiB to 1 MiB */
enum { BATCHES = 20, ROUND_TRIPS = 50, WINDOW = 64, SMALL = 8, LARGE = 1 << 16, LARGEST = 1 << 20 };

static unsigned char sent[LARGEST], received[LARGEST];

static void send(int to, int bytes) {
  MPI_Send(sent, bytes, MPI_BYTE, to, 0, MPI_COMM_WORLD);
}

static void receive(int from, int bytes) {
  MPI_Recv(received, bytes, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static double half_round_trip_ns(int rank, int bytes) {
  double shortest = (double)INFINITY;
  for (int batch = 0; batch < BATCHES; ++batch) {
    const double start_ns = tool_clock_ns();
    for (int i = 0; i < ROUND_TRIPS; ++i) {
      if (rank == 0) send(1, bytes);
      receive(1 - rank, bytes);
      if (rank == 1) send(0, bytes);
    }
    shortest = fmin(shortest, (tool_clock_ns() - start_ns) / (2.0 * ROUND_TRIPS));
  }
  return shortest;
}

// Sends a window of small messages and waits for an answer. Returns the time of a call.
static double send_window(double* gap_ns) {
  MPI_Request requests[WINDOW];
  const double start_ns = tool_clock_ns();
  for (int i = 0; i < WINDOW; ++i) {
    MPI_Isend(sent, SMALL, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &requests[i]);
  }
  const double called_ns = tool_clock_ns() - start_ns;
  MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
  receive(1, SMALL);
  *gap_ns = (tool_clock_ns() - start_ns) / WINDOW;
  return called_ns / WINDOW;
}

static void measure_windows(int rank, bench_ping_pong* result) {
  for (int batch = 0; batch < BATCHES; ++batch) {
    if (rank == 0) {
      double gap_ns;
      result->overhead_ns = fmin(result->overhead_ns, send_window(&gap_ns));
      result->gap_ns = fmin(result->gap_ns, gap_ns);
    } else {
      for (int i = 0; i < WINDOW; ++i) receive(0, SMALL);
      send(0, SMALL);
    }
  }
}

/* Collective; needs two ranks. The result is rank 0's. */
static bench_ping_pong measure_ping_pong(void) {
  bench_ping_pong result = {.overhead_ns = (double)INFINITY, .gap_ns = (double)INFINITY};
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank < 2) {
    const double small_ns = half_round_trip_ns(rank, SMALL);
    measure_windows(rank, &result);
    const double large_ns = half_round_trip_ns(rank, LARGE);
    const double largest_ns = half_round_trip_ns(rank, LARGEST);
    result.gb_per_s = (LARGEST - LARGE) / fmax(1.0, largest_ns - large_ns);
    result.latency_ns = fmax(0.0, small_ns - 2.0 * result.overhead_ns);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return result;
}

// ---- steps ----

typedef struct step_settings {
  bench_plan plan; /* iterations, instruction set and solver */
  const char* mesh;
  bool parts; /* each rank builds its rows only */
  uint32_t size, rows, threads, steps, warmup;
} step_settings;

#define AT(member) offsetof(step_settings, member)
static const tool_option options[] = {
    TOOL_RANGE(COUNT, "size", "N", AT(size), BENCH_SHEET_SMALLEST, BENCH_SHEET_LARGEST,
               "a sheet of N x N particles (default 512)"),
    TOOL_RANGE(COUNT, "rows", "N", AT(rows), BENCH_SHEET_SMALLEST, BENCH_MOST_ROWS,
               "rows of the sheet (default as many as columns)"),
    TOOL_OPTION(WORD, "mesh", "FILE", AT(mesh), "a mesh in its place"),
    TOOL_OPTION(FLAG, "parts", NULL, AT(parts),
                "each rank builds its rows of the sheet, none has all of it"),
    TOOL_RANGE(COUNT, "threads", "N", AT(threads), 1, WEFT_MAX_WORKERS, "of each rank (default 1)"),
    BENCH_ISAS_OPTION("NAME", "of each rank (default auto)"),
    BENCH_ITERATIONS_OPTION("sweeps over all links a step (default 10)"),
    BENCH_SOLVER_OPTIONS,
    TOOL_RANGE(COUNT, "steps", "S", AT(steps), 1, 100000, "timed steps (default 100)"),
    TOOL_RANGE(COUNT, "warmup", "W", AT(warmup), 0, 100000,
               "steps before that, not timed (default 10)"),
    TOOL_OPTIONS_END,
};

static const char* const notes[] = {NULL};

// Messages of all ranks: sums, and the longest wait of a rank in seconds.
typedef struct message_sums {
  uint64_t messages, bytes;
  double waited;
} message_sums;

// Largest peak of a rank's resident memory, MiB.
static double peak_memory(void) {
  struct rusage usage;
  double own = 0.0, most = 0.0;
  if (getrusage(RUSAGE_SELF, &usage) == 0) own = (double)usage.ru_maxrss / 1024.0;
  MPI_Allreduce(&own, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return most;
}

static message_sums sum_messages(const weft_cluster* cluster) {
  weft_cluster_stats stats = {0};
  uint64_t sums[2];
  message_sums all;
  tool_must(weft_cluster_get_stats(cluster, &stats));
  const uint64_t own[2] = {stats.messages_sent, stats.bytes_sent};
  MPI_Allreduce(own, sums, 2, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(&stats.waited, &all.waited, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  all.messages = sums[0];
  all.bytes = sums[1];
  return all;
}

// Largest cost of a rank over the mean, by the ranges of steps; 0 where costs are not counted.
static bool measure_imbalance(const step_settings* settings, weft_cluster* cluster,
                              double* imbalance, tool_message* why) {
  weft_cluster_stats stats = {.imbalance_before = 0.0};
  const bool ok = settings->parts || (bench_check_weft(why, "weft_cluster_redistribute",
                                                       weft_cluster_redistribute(cluster, 1.0f)) &&
                                      bench_check_weft(why, "weft_cluster_get_stats",
                                                       weft_cluster_get_stats(cluster, &stats)));
  *imbalance = stats.imbalance_before;
  return ok;
}

static void print_answer(const step_settings* settings, const weft_world_stats* stats,
                         uint32_t particles, bench_samples* step_ms, const message_sums* sums,
                         double peak_mib, double imbalance, uint64_t hash) {
  const double steps = (double)settings->steps;
  const bench_times times = bench_samples_times(step_ms);
  printf(
      "{\"particles\": %u, \"threads\": %u, \"isa\": \"%s\", \"step_ms_min\": %.17g, "
      "\"step_ms_median\": %.17g, \"step_ms_mean\": %.17g, \"messages\": %.17g, "
      "\"bytes\": %.17g, \"waited_ms\": %.17g, \"peak_mib\": %.17g, ",
      particles, stats->worker_count, weft_isa_name(stats->isa), times.min, times.median,
      times.mean, (double)sums->messages / steps, (double)sums->bytes / steps,
      1e3 * sums->waited / steps, peak_mib);
  if (imbalance > 0.0) printf("\"imbalance\": %.17g, ", imbalance);
  printf("\"state_hash\": \"%016" PRIx64 "\"}\n", hash);
}

static bool time_steps(const step_settings* settings, weft_cluster* cluster, int rank,
                       bench_samples* step_ms, tool_message* why) {
  if (!bench_check_weft(why, "weft_cluster_step", weft_cluster_step(cluster, settings->warmup))) {
    return false;
  }
  const message_sums before = sum_messages(cluster);
  MPI_Barrier(MPI_COMM_WORLD);
  for (uint32_t i = 0; i < settings->steps; ++i) {
    const double start_ns = tool_clock_ns();
    tool_must(weft_cluster_step(cluster, 1));
    bench_samples_add(step_ms, 1e-6 * (tool_clock_ns() - start_ns));
  }
  const message_sums after = sum_messages(cluster);
  const double peak_mib = peak_memory();
  const message_sums sums = {after.messages - before.messages, after.bytes - before.bytes,
                             after.waited - before.waited};
  uint64_t hash = 0;
  double imbalance = 0.0;
  const weft_world_stats stats = bench_stats_of(weft_cluster_world(cluster));
  if (!bench_check_weft(why, "weft_cluster_hash", weft_cluster_hash(cluster, &hash)) ||
      !measure_imbalance(settings, cluster, &imbalance, why)) {
    return false;
  }
  const uint32_t particles =
      settings->parts ? settings->size * settings->rows : stats.particle_count;
  if (rank == 0) {
    print_answer(settings, &stats, particles, step_ms, &sums, peak_mib, imbalance, hash);
  }
  return true;
}

// Creates the part of a sheet, pinned at its top row.
static weft_result create_part(const step_settings* settings, const weft_transport* transport,
                               const weft_world_def* def, weft_cluster** cluster) {
  const weft_sheet_def sheet = bench_sheet_def(settings->size, settings->rows);
  const weft_cluster_range top = {0, sheet.columns};
  return weft_cluster_create_sheet(transport, def, &sheet, &top, 1, cluster);
}

static bool run_cluster(const step_settings* settings, const weft_scene* description, int rank,
                        tool_message* why) {
  weft_transport transport;
  weft_cluster* cluster = NULL;
  bench_samples step_ms = {NULL, 0, 0};
  weft_world_def def = weft_plain_world_def();
  bench_plan_set_solver(&settings->plan, &def);
  if (settings->plan.isas.count > 0) def.isa = settings->plan.isas.items[0];
  def.worker_count = settings->threads;
  if (!bench_check_weft(why, "weft_mpi_create", weft_mpi_create(MPI_COMM_WORLD, &transport))) {
    return false;
  }
  const bool ok =
      bench_samples_create(&step_ms, settings->steps, why) &&
      bench_check_weft(why, "weft_cluster_create",
                       description == NULL
                           ? create_part(settings, &transport, &def, &cluster)
                           : weft_cluster_create(&transport, &def, description, &cluster)) &&
      time_steps(settings, cluster, rank, &step_ms, why);
  weft_cluster_destroy(&cluster);
  weft_mpi_destroy(&transport);
  bench_samples_free(&step_ms);
  return ok;
}

static int run_steps(int argc, char** argv, int rank) {
  static const tool_syntax syntax = {
      "steps",
      "Usage: mpirun -n N weft-bench-mpi steps [OPTION...]\n",
      "Steps one scene on all ranks, and prints times, messages and the hash as a line of JSON. "
      "weft-bench scaling --ranks and hash --ranks start it.",
      options,
      notes,
      NULL};
  step_settings settings = {
      .plan = bench_default_plan(NULL), .size = 512, .threads = 1, .steps = 100, .warmup = 10};
  settings.plan.iterations = 10;
  tool_message why;
  const int outcome = tool_read_command_line(&syntax, argc, argv, &settings);
  if (outcome != TOOL_GO_ON) return outcome;
  if (settings.rows == 0) settings.rows = settings.size;
  const bench_scene_request request = {.mesh_path = settings.mesh,
                                       .sheet_size = settings.size,
                                       .sheet_rows = settings.rows,
                                       .count = 1};
  bench_scene scene = {.description = NULL};
  if (settings.parts && settings.mesh != NULL) {
    (void)tool_because(&why, "--parts: not with --mesh");
    return tool_fail(&why);
  }
  if (!settings.parts && !bench_scene_make(&request, &scene, &why)) return tool_fail(&why);
  const bool ok = run_cluster(&settings, scene.description, rank, &why);
  bench_scene_free(&scene);
  return ok ? TOOL_EXIT_OK : tool_fail(&why);
}

// ---- the program ----

static int fail(int rank, const char* reason) {
  if (rank == 0) fprintf(stderr, "weft-bench-mpi: %s\n", reason);
  return 2;
}

static int run_network(int rank, int rank_count) {
  if (rank_count < 2) return fail(rank, "network: needs two ranks: mpirun -n 2");
  const bench_ping_pong result = measure_ping_pong();
  if (rank == 0) {
    printf("{\"latency_ns\": %.1f, \"overhead_ns\": %.1f, \"gap_ns\": %.1f, \"gb_per_s\": %.4f}\n",
           result.latency_ns, result.overhead_ns, result.gap_ns, result.gb_per_s);
  }
  return 0;
}

static int run(int argc, char** argv, int rank, int rank_count) {
  if (argc == 2 && strcmp(argv[1], "network") == 0) return run_network(rank, rank_count);
  if (argc >= 2 && strcmp(argv[1], "steps") == 0) return run_steps(argc - 1, argv + 1, rank);
  return fail(rank, "usage: mpirun -n N weft-bench-mpi network | steps [OPTION...]");
}

int main(int argc, char** argv) {
  int provided, rank, rank_count;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
  const int status = run(argc, argv, rank, rank_count);
  MPI_Finalize();
  return status;
}
