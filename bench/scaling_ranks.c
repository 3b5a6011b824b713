#include "scaling.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "common/interrupt.h"
#include "libraries/cluster/partition.h"
#include "recording.h"
#include "step/stage.h"

// weft-bench-mpi in the folder of this program.
static bool find_program(char path[PATH_MAX], tool_message* why) {
  static const char name[] = "weft-bench-mpi";
  const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - sizeof name);
  if (length <= 0) return tool_because(why, "no path of this program");
  path[length] = '\0';
  strcpy(strrchr(path, '/') + 1, name);
  if (access(path, X_OK) == 0) return true;
  return tool_because(why, "no %s: build with WEFT_BUILD_MPI", path);
}

static bool run_command(const char* command, json_t** answer, tool_message* why) {
  char text[4096];
  FILE* pipe = popen(command, "r");
  if (pipe == NULL) return tool_because(why, "'%s' cannot be started", command);
  const size_t length = fread(text, 1, sizeof text, pipe);
  const int status = pclose(pipe);
  if (status != 0) {
    return tool_because(why, "'%s' failed: status %d", command,
                        WIFEXITED(status) ? WEXITSTATUS(status) : -1);
  }
  *answer = json_loadb(text, length, JSON_DISABLE_EOF_CHECK, NULL);
  return *answer != NULL || tool_because(why, "'%s' has not printed JSON", command);
}

bool bench_mpirun(const char* launcher, uint32_t ranks, const char* arguments, json_t** answer,
                  tool_message* why) {
  char path[PATH_MAX], command[PATH_MAX + 1024];
  if (!find_program(path, why)) return false;
  const int length = snprintf(command, sizeof command, "%s -n %u '%s' %s",
                              launcher != NULL ? launcher : "mpirun", ranks, path, arguments);
  if (length < 0 || (size_t)length >= sizeof command) {
    return tool_because(why, "--mpirun: the command is too long");
  }
  return run_command(command, answer, why);
}

#define ROW bench_ranks_row
const bench_row_type bench_ranks_type = BENCH_ROW_TYPE(
    BENCH_TEXT(scene), BENCH_TEXT(isa), BENCH_COUNT(size), BENCH_COUNT(particles),
    BENCH_COUNT(ranks), BENCH_COUNT(threads), BENCH_COUNT(steps), BENCH_REAL(step_ms_min),
    BENCH_REAL(step_ms_median), BENCH_REAL(step_ms_mean), BENCH_REAL(waited_ms),
    BENCH_REAL(peak_mib), BENCH_REAL(imbalance), BENCH_REAL(speed_up), BENCH_REAL(efficiency),
    BENCH_REAL(messages), BENCH_REAL(bytes), BENCH_REAL(model_bytes), BENCH_HASH(state_hash));

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

// Keeps the run if its median is the shortest so far.
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
           "steps %s --threads %u --iterations %u --steps %u --warmup %u", scene, row->threads,
           request->iterations, request->steps, request->warmup);
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

// Bytes before a message, before the particles of each patch in it, and of a particle:
// engine/libraries/cluster/ghosts.c.
enum { MESSAGE_HEADER = 8, PATCH_HEADER = 16, PARTICLE_BYTES = 12 };

static bool create_patches(const bench_scaling_request* request, const bench_ranks_row* row,
                           weft__patch_graph* patches, tool_message* why) {
  bench_scene scene;
  bench_scene_request cloth = request->cloth;
  weft__schedule schedule;
  if (cloth.mesh_path == NULL) {
    cloth.sheet_size = row->size;
    cloth.sheet_rows = rows_of(request, row);
  }
  if (!bench_scene_make(&cloth, &scene, why)) return false;
  weft__stage_states stages = {.block = NULL};
  bool ok =
      weft__stages_allocate(&stages) && weft__stages_freeze(&stages, &schedule, scene.description);
  weft__stages_destroy(&stages);
  if (ok) {
    ok = weft__patch_graph_of_schedule(patches, &schedule);
    weft__schedule_destroy(&schedule);
  }
  bench_scene_free(&scene);
  return ok || tool_because(why, "no memory for a schedule");
}

// Bytes of a step with as many messages as counted.
static bool count_bytes(const weft__patch_graph* patches, uint32_t sweeps, bench_ranks_row* row,
                        tool_message* why) {
  weft__patch_message* messages = NULL;
  size_t count = 0;
  uint32_t* owner = calloc((size_t)patches->patch_count + 1, sizeof *owner);
  if (owner != NULL) weft__partition_ranges(patches, row->ranks, owner);
  const bool ok = owner != NULL && weft__partition_messages(patches, owner, &messages, &count);
  row->model_bytes = MESSAGE_HEADER * row->messages;
  for (size_t i = 0; ok && i < count; ++i) {
    row->model_bytes += (double)(PATCH_HEADER * (sweeps + 1));
    row->model_bytes += 2.0 * PARTICLE_BYTES * messages[i].own_particles;
    row->model_bytes += (double)PARTICLE_BYTES * messages[i].particles * sweeps;
  }
  weft__free(messages);
  free(owner);
  return ok || tool_because(why, "no memory for messages");
}

static json_t* graph_json(const weft__patch_graph* graph) {
  json_t* costs = json_array();
  for (uint32_t p = 0; p < graph->patch_count; ++p) {
    json_array_append_new(costs, json_integer((json_int_t)graph->cost[p]));
  }
  const uint32_t shares = graph->share_count;
  return json_pack("{so so so so so}", "costs", costs, "particles",
                   bench_integers_json(graph->particles, graph->patch_count), "share_first",
                   bench_integers_json(graph->share_first, shares + 1), "share_patches",
                   bench_integers_json(graph->share_patches, graph->share_first[shares]),
                   "share_particles", bench_integers_json(graph->share_particles, shares));
}

// Speed-ups compare particles a second.
static bool model_rows(const bench_scaling_request* request, bench_ranks_row* rows, size_t count,
                       json_t* graphs, tool_message* why) {
  for (size_t i = 0; i < count; ++i) {
    weft__patch_graph patches;
    const double work = (double)rows[i].particles / rows[0].particles;
    if (!create_patches(request, &rows[i], &patches, why)) return false;
    const bool ok = count_bytes(&patches, request->iterations, &rows[i], why);
    if (ok && graphs != NULL) json_array_append_new(graphs, graph_json(&patches));
    weft__patch_graph_destroy(&patches);
    if (!ok) return false;
    rows[i].speed_up = work * rows[0].step_ms_median / rows[i].step_ms_median;
    rows[i].efficiency = rows[i].speed_up * rows[0].ranks / rows[i].ranks;
  }
  return true;
}

static void write_imbalance(char cell[BENCH_MAX_CELL], const void* item) {
  const double imbalance = ((const bench_ranks_row*)item)->imbalance;
  snprintf(cell, BENCH_MAX_CELL, isnan(imbalance) ? "-" : "%.3f", imbalance);
}

static const bench_row_type table = BENCH_ROW_TYPE(
    BENCH_COUNT(ranks), BENCH_COUNT(threads), BENCH_CELL("median ms", step_ms_median, "%.3f"),
    BENCH_CELL("min", step_ms_min, "%.3f"), BENCH_CELL("speed-up", speed_up, "%.2f"),
    BENCH_SCALED("efficiency", efficiency, "%.0f %%", 100.0),
    BENCH_CELL("waited ms", waited_ms, "%.3f"), BENCH_WRITTEN("imbalance", REAL, write_imbalance),
    BENCH_CELL("MiB", peak_mib, "%.0f"), BENCH_CELL("messages", messages, "%.1f"),
    BENCH_CELL("bytes", bytes, "%.0f"), BENCH_CELL("model", model_bytes, "%.0f"));

static void print_rows(FILE* out, const bench_scaling_request* request, const bench_ranks_row* rows,
                       size_t count) {
  fprintf(out, "\n%s %u: %u particles%s; %s, %u steps a row, the best of %d runs\n", rows[0].scene,
          rows[0].size, rows[0].particles, request->is_weak ? " in proportion to ranks" : "",
          rows[0].isa, rows[0].steps, BENCH_RANK_ROUNDS);
  bench_rows_print(out, &table, rows, count);
  if (!request->is_weak) {
    fprintf(out, "state hash of all rows: %016" PRIx64 "\n", rows[0].state_hash);
  }
}

bool bench_scaling_measure_ranks(const bench_scaling_request* request, const tool_count_list* ranks,
                                 uint32_t threads, const char* launcher, FILE* out,
                                 bench_rows* rows, json_t* graphs, tool_message* why) {
  bench_ranks_row* made = bench_rows_append(rows, ranks->count, why);
  if (made == NULL) return false;
  for (uint32_t i = 0; i < ranks->count; ++i) {
    made[i] = (bench_ranks_row){.ranks = ranks->items[i],
                                .threads = threads,
                                .steps = request->steps,
                                .size = request->size};
  }
  const bool ok = run_rows(request, launcher, made, ranks->count, why) &&
                  model_rows(request, made, ranks->count, graphs, why);
  if (ok) print_rows(out, request, made, ranks->count);
  return ok;
}
