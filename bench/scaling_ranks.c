#include "scaling_ranks.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "cluster.h"
#include "common/interrupt.h"
#include "mpirun.h"
#include "schedule/freeze.h"
#include "text_table.h"

static const bench_column columns[] = {
    {"scene", BENCH_COLUMN_TEXT, offsetof(bench_ranks_row, scene)},
    {"isa", BENCH_COLUMN_TEXT, offsetof(bench_ranks_row, isa)},
    {"size", BENCH_COLUMN_COUNT, offsetof(bench_ranks_row, size)},
    {"particles", BENCH_COLUMN_COUNT, offsetof(bench_ranks_row, particles)},
    {"ranks", BENCH_COLUMN_COUNT, offsetof(bench_ranks_row, ranks)},
    {"threads", BENCH_COLUMN_COUNT, offsetof(bench_ranks_row, threads)},
    {"steps", BENCH_COLUMN_COUNT, offsetof(bench_ranks_row, steps)},
    {"step_ms_min", BENCH_COLUMN_REAL, offsetof(bench_ranks_row, step_ms_min)},
    {"step_ms_median", BENCH_COLUMN_REAL, offsetof(bench_ranks_row, step_ms_median)},
    {"step_ms_mean", BENCH_COLUMN_REAL, offsetof(bench_ranks_row, step_ms_mean)},
    {"waited_ms", BENCH_COLUMN_REAL, offsetof(bench_ranks_row, waited_ms)},
    {"peak_mib", BENCH_COLUMN_REAL, offsetof(bench_ranks_row, peak_mib)},
    {"imbalance", BENCH_COLUMN_REAL, offsetof(bench_ranks_row, imbalance)},
    {"speed_up", BENCH_COLUMN_REAL, offsetof(bench_ranks_row, speed_up)},
    {"efficiency", BENCH_COLUMN_REAL, offsetof(bench_ranks_row, efficiency)},
    {"predicted_speed_up", BENCH_COLUMN_REAL, offsetof(bench_ranks_row, predicted)},
    {"messages", BENCH_COLUMN_REAL, offsetof(bench_ranks_row, messages)},
    {"bytes", BENCH_COLUMN_REAL, offsetof(bench_ranks_row, bytes)},
    {"model_bytes", BENCH_COLUMN_REAL, offsetof(bench_ranks_row, model_bytes)},
    {"state_hash", BENCH_COLUMN_HASH, offsetof(bench_ranks_row, state_hash)},
};

const bench_row_type bench_ranks_type = BENCH_ROW_TYPE(bench_ranks_row, columns);

// ---- runs ----

static bool read_answer(json_t* answer, const char* name, bench_ranks_row* row, tool_message* why) {
  const char *isa, *hash;
  json_int_t particles;
  row->imbalance = (double)NAN;
  const bool is_read =
      json_unpack(answer, "{s:I, s?F, s:s, s:F, s:F, s:F, s:F, s:F, s:F, s:F, s:s}", "particles",
                  &particles, "imbalance", &row->imbalance, "isa", &isa, "step_ms_min",
                  &row->step_ms_min, "step_ms_median", &row->step_ms_median, "step_ms_mean",
                  &row->step_ms_mean, "messages", &row->messages, "bytes", &row->bytes, "waited_ms",
                  &row->waited_ms, "peak_mib", &row->peak_mib, "state_hash", &hash) == 0;
  if (!is_read) return tool_because(why, "weft-bench-mpi has not printed the times of steps");
  snprintf(row->scene, sizeof row->scene, "%s", name);
  snprintf(row->isa, sizeof row->isa, "%s", isa);
  row->particles = (uint32_t)particles;
  row->state_hash = strtoull(hash, NULL, 16);
  return true;
}

// Rows of a sheet. With more ranks a weak scene has more rows of the same width: the border of a
// rank and the locality of its particles stay as they are.
static uint32_t rows_of(const bench_scaling_request* request, const bench_ranks_row* row) {
  return request->is_weak ? row->size * row->ranks : row->size;
}

// Runs a row once; keeps the run if its median is shorter than that so far.
static bool run_row(const bench_scaling_request* request, const char* launcher, uint32_t round,
                    bench_ranks_row* row, tool_message* why) {
  char scene[1024], arguments[2048];
  const char* mesh = request->cloth.mesh_path;
  bench_ranks_row made = *row;
  json_t* answer = NULL;
  if (mesh != NULL) snprintf(scene, sizeof scene, "--mesh '%s'", mesh);
  if (mesh == NULL)
    snprintf(scene, sizeof scene, "--size %u --rows %u%s", row->size, rows_of(request, row),
             request->parts ? " --parts" : "");
  snprintf(arguments, sizeof arguments,
           "steps %s --threads %u --iterations %u --steps %u "
           "--warmup %u",
           scene, row->threads, request->iterations, request->steps, request->warmup);
  if (!bench_mpirun(launcher, row->ranks, arguments, &answer, why)) return false;
  const bool ok = read_answer(answer, bench_scaling_scene_name(request), &made, why);
  json_decref(answer);
  if (!ok) return false;
  if (round > 0 && made.state_hash != row->state_hash) {
    return tool_because(why, "two runs of %u ranks have different hashes", row->ranks);
  }
  made.size = bench_scaling_shown_size(request, row->size, made.particles);
  if (round == 0 || made.step_ms_median < row->step_ms_median) *row = made;
  return true;
}

static bool run_rows(const bench_scaling_request* request, const char* launcher,
                     bench_ranks_row* rows, size_t count, tool_message* why) {
  for (uint32_t round = 0; round < BENCH_RANK_ROUNDS; ++round) {
    for (size_t i = 0; i < count; ++i) {
      if (tool_interrupted() || !run_row(request, launcher, round, &rows[i], why)) return false;
    }
  }
  for (size_t i = 1; i < count && !request->is_weak; ++i) {
    if (rows[i].state_hash == rows[0].state_hash) continue;
    return tool_because(why, "%u and %u ranks have different hashes", rows[0].ranks, rows[i].ranks);
  }
  return true;
}

// ---- model ----

// Inputs of a prediction.
typedef struct model {
  weft__patch_graph patches; /* of a row's scene */
  uint32_t* owner;           /* [patch_count] */
  uint32_t phase_count;
  bool has_time; /* costs and network are measured */
  bench_rank_costs costs;
  bench_network network;
} model;

static void free_patches(model* m) {
  weft__patch_graph_destroy(&m->patches);
  free(m->owner);
}

static bool create_patches(const bench_scaling_request* request, const bench_ranks_row* row,
                           model* m, tool_message* why) {
  bench_scene scene;
  bench_scene_request cloth = request->cloth;
  weft__schedule schedule;
  if (cloth.mesh_path == NULL) {
    cloth.sheet_size = row->size;
    cloth.sheet_rows = rows_of(request, row);
  }
  if (!bench_scene_make(&cloth, &scene, why)) return false;
  bool ok = weft__freeze(&schedule, scene.description);
  if (ok) {
    ok = weft__patch_graph_of_schedule(&m->patches, &schedule);
    weft__schedule_destroy(&schedule);
  }
  bench_scene_free(&scene);
  m->owner = ok ? calloc((size_t)m->patches.patch_count + 1, sizeof *m->owner) : NULL;
  return m->owner != NULL || tool_because(why, "no memory for a schedule");
}

static bool measure_costs(const bench_scaling_request* request, uint32_t threads,
                          const char* launcher, model* m, tool_message* why) {
  const bench_cluster_request recorded = {
      .workers = threads, .iterations = request->iterations, .recorded_size = request->size};
  m->phase_count = request->iterations + 1;
  m->has_time = request->cloth.mesh_path == NULL;
  return !m->has_time || (bench_measure_network(launcher, &m->network, why) &&
                          bench_measure_rank_costs(&recorded, &m->costs, why));
}

// Nanoseconds of a step. Threads beyond the CPUs take turns on them.
static bool predict(model* m, const bench_ranks_row* row, double* ns, tool_message* why) {
  bench_rank_graph graph;
  bench_rank_replay replay = {.ns = (double)NAN};
  const uint32_t cpus = weft_available_cpus(), threads = row->ranks * row->threads;
  *ns = (double)NAN;
  if (!m->has_time) return true;
  if (!bench_rank_graph_create(&graph, &m->patches, m->owner, row->ranks)) {
    return tool_because(why, "no memory for a graph of patches");
  }
  const bench_rank_request request = {.graph = &graph,
                                      .phase_count = m->phase_count,
                                      .workers = row->threads,
                                      .costs = m->costs,
                                      .network = m->network};
  const bool ok = bench_rank_replay_run(&request, &replay);
  bench_rank_graph_free(&graph);
  *ns = replay.ns * fmax(1.0, (double)threads / cpus);
  return ok || tool_because(why, "no memory for a replay");
}

static bool model_row(model* m, bench_ranks_row* row, double* ns, tool_message* why) {
  weft__patch_message* messages = NULL;
  size_t count = 0;
  weft__partition_ranges(&m->patches, row->ranks, m->owner);
  if (!weft__partition_messages(&m->patches, m->owner, &messages, &count)) {
    return tool_because(why, "no memory for messages");
  }
  row->model_bytes = BENCH_MESSAGE_HEADER * row->messages;
  for (size_t i = 0; i < count; ++i) {
    row->model_bytes += (double)(BENCH_PATCH_HEADER * m->phase_count);
    row->model_bytes += 2.0 * BENCH_PARTICLE_BYTES * messages[i].own_particles;
    row->model_bytes += (double)BENCH_PARTICLE_BYTES * messages[i].particles * (m->phase_count - 1);
  }
  weft__free(messages);
  return predict(m, row, ns, why);
}

// Speed-ups are those of particles a second.
static bool model_rows(const bench_scaling_request* request, model* m, bench_ranks_row* rows,
                       size_t count, tool_message* why) {
  double first_ns = 0.0, ns = 0.0;
  for (size_t i = 0; i < count; ++i) {
    const double work = (double)rows[i].particles / rows[0].particles;
    const bool ok = create_patches(request, &rows[i], m, why) && model_row(m, &rows[i], &ns, why);
    free_patches(m);
    if (!ok) return false;
    if (i == 0) first_ns = ns;
    rows[i].predicted = work * first_ns / ns;
    rows[i].speed_up = work * rows[0].step_ms_median / rows[i].step_ms_median;
    rows[i].efficiency = rows[i].speed_up * rows[0].ranks / rows[i].ranks;
  }
  return true;
}

// ---- table ----

static const char* const heads[] = {"ranks",     "threads",    "median ms", "min",       "speed-up",
                                    "predicted", "efficiency", "waited ms", "imbalance", "MiB",
                                    "messages",  "bytes",      "model"};
static const char sides[] = "rrrrrrrrrrrrr";

enum { MAX_CELL = BENCH_MAX_CELL };

static void format_row(const void* item, bench_text_row* text) {
  const bench_ranks_row* row = item;
  char(*to)[MAX_CELL] = text->cells;
  snprintf(*to++, MAX_CELL, "%u", row->ranks);
  snprintf(*to++, MAX_CELL, "%u", row->threads);
  snprintf(*to++, MAX_CELL, "%.3f", row->step_ms_median);
  snprintf(*to++, MAX_CELL, "%.3f", row->step_ms_min);
  snprintf(*to++, MAX_CELL, "%.2f", row->speed_up);
  snprintf(*to++, MAX_CELL, "%.2f", row->predicted);
  snprintf(*to++, MAX_CELL, "%.0f %%", 100.0 * row->efficiency);
  snprintf(*to++, MAX_CELL, "%.3f", row->waited_ms);
  snprintf(*to++, MAX_CELL, isnan(row->imbalance) ? "-" : "%.3f", row->imbalance);
  snprintf(*to++, MAX_CELL, "%.0f", row->peak_mib);
  snprintf(*to++, MAX_CELL, "%.1f", row->messages);
  snprintf(*to++, MAX_CELL, "%.0f", row->bytes);
  snprintf(*to++, MAX_CELL, "%.0f", row->model_bytes);
}

static void print_rows(FILE* out, const bench_scaling_request* request, const bench_ranks_row* rows,
                       size_t count) {
  fprintf(out, "\n%s %u: %u particles%s; %s, %u steps a row, the best of %d runs\n", rows[0].scene,
          rows[0].size, rows[0].particles, request->is_weak ? " in proportion to ranks" : "",
          rows[0].isa, rows[0].steps, BENCH_RANK_ROUNDS);
  bench_text_rows_print(out, heads, sides, rows, count, sizeof *rows, format_row);
  if (!request->is_weak) {
    fprintf(out, "state hash of all rows: %016" PRIx64 "\n", rows[0].state_hash);
  }
}

bool bench_scaling_measure_ranks(const bench_scaling_request* request, const tool_count_list* ranks,
                                 uint32_t threads, const char* launcher, FILE* out,
                                 bench_rows* rows, tool_message* why) {
  bench_ranks_row* made = bench_rows_append(rows, ranks->count, why);
  if (made == NULL) return false;
  for (uint32_t i = 0; i < ranks->count; ++i) {
    made[i] = (bench_ranks_row){.ranks = ranks->items[i],
                                .threads = threads,
                                .steps = request->steps,
                                .size = request->size};
  }
  model m = {.owner = NULL};
  const bool ok = run_rows(request, launcher, made, ranks->count, why) &&
                  measure_costs(request, threads, launcher, &m, why) &&
                  model_rows(request, &m, made, ranks->count, why);
  if (ok) print_rows(out, request, made, ranks->count);
  return ok;
}
