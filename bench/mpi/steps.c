#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "common/clock.h"
#include "common/must.h"
#include "mpi_bench.h"
#include "plan.h"
#include "samples.h"
#include "weft/mpi.h"

typedef struct step_settings {
  bench_plan plan; /* iterations, instruction set and solver */
  const char* mesh;
  bool parts; /* each rank builds its rows of the sheet */
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

// Messages of all ranks: sums, and the longest wait of a rank, in seconds.
typedef struct message_sums {
  uint64_t messages, bytes;
  double waited;
} message_sums;

// Peak of the resident memory of a rank, MiB: of the rank with the most.
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

// Largest cost of a rank over the mean, by the ranges of the steps; 0 where costs are not counted.
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

int bench_mpi_steps(int argc, char** argv, int rank) {
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
