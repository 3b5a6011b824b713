/* weft-bench limits: the machine's limits, and the share of them that scenes reach. */
#include <inttypes.h>
#include <math.h>

#include "commands.h"
#include "common/json_file.h"
#include "common/number.h"
#include "machine_limits.h"
#include "pace.h"
#include "run.h"

enum { MAX_LABEL = 128 };

typedef struct limits_settings {
  bench_plan plan;
  bench_limits limits;
} limits_settings;

static const tool_option options[] = {
    BENCH_SCENES_OPTIONS(1, "sheet, a hanging square cloth (default)"),
    TOOL_HEADING("Runs:"),
    BENCH_THREADS_OPTION("threads for scenes and memory (default 1 and all cores)"),
    BENCH_ANY_ISAS_OPTION,
    BENCH_ITERATIONS_OPTION("sweeps over all links a step of the scenes (default 10)"),
    BENCH_OUTPUT_OPTIONS,
    TOOL_OPTIONS_END,
};

static const char* const notes[] = {
    "All times are the best of several; those of 'throughput' are medians. 'read' adds up an array "
    "several times as large as the last cache, 'triad' is a = b + s c, its 24 bytes an element; "
    "'ns/link' is a whole step over links times iterations. The ceilings are measured before the "
    "scenes and after them, and the better one counts.",
    "Columns: threads at work, fewer than requested if the scene is small; ceiling, ns/link of the "
    "L2-resident sheet over ns/link of the scene times threads; GB/s, as if a sweep moved 28 bytes "
    "a particle (x y z w read, x y z written), as a sheet's does; a mesh's moves indices and "
    "lengths as well; memory, these GB/s over read or triad, the faster, on as many threads; a "
    "scene that stays in the caches can be above 100 %; round trip, the time in ns in which a "
    "cache line goes to another core and back, before and after the row. Where the two differ by "
    "more than 1.6 times, or only one could be measured, the row is taken again, up to three "
    "times; a '*' marks rows that still differ.",
    "The line 'speed' tells whether the solve in L1, probed all along, had one speed or flipped "
    "between two, as on a core shared with another machine, or of a changing clock.",
    "Exit status: 0 success, 2 error, 130 Ctrl-C; no file is written after Ctrl-C.",
    NULL,
};

// ---- rows ----

/* One scene on one number of threads. */
typedef struct limit_row {
  char scene[BENCH_MAX_NAME];
  uint32_t size, count;                         /* copies of the sheet, or 1 */
  uint32_t particles, links, iterations, steps; /* steps that the state hash comes after */
  char isa[BENCH_LIMIT_WORD];
  bench_pace pace;
  double share_of_l2_ceiling; /* ceiling over ns/link of one thread; 1 = as fast */
  double effective_gb_per_s;  /* 28 bytes a particle a sweep: x y z w read, x y z written */
  double share_of_bandwidth;  /* the rate over read or triad of as many threads, the faster */
} limit_row;

#define ROW limit_row
#define PACE(type, member) BENCH_NAMED(#member, type, pace.member)
static const bench_row_type limit_type =
    BENCH_ROW_TYPE(BENCH_TEXT(scene), BENCH_COUNT(size), BENCH_COUNT(particles), BENCH_COUNT(links),
                   BENCH_TEXT(isa), PACE(COUNT, threads), BENCH_COUNT(iterations),
                   BENCH_COUNT(steps), PACE(COUNT, takes), PACE(REAL, ns_per_link),
                   BENCH_REAL(share_of_l2_ceiling), BENCH_REAL(effective_gb_per_s),
                   BENCH_REAL(share_of_bandwidth), PACE(REAL, round_trip_before_ns),
                   PACE(REAL, round_trip_after_ns), PACE(HASH, state_hash), BENCH_COUNT(count));

// bytes that a sweep moves a particle
static const double sweep_bytes = 28.0;

static void fill_row(const bench_scene* scene, const bench_pace_request* request,
                     const bench_pace* pace, limit_row* row) {
  *row = (limit_row){.size = scene->size,
                     .count = scene->count,
                     .particles = scene->particle_count,
                     .links = scene->link_count,
                     .iterations = request->iterations,
                     .steps = request->steps,
                     .pace = *pace};
  snprintf(row->scene, sizeof row->scene, "%s", scene->name);
  snprintf(row->isa, sizeof row->isa, "%s", weft_isa_name(pace->isa));
}

static void fill_shares(const bench_limits* limits, limit_row* row) {
  const double sweep_ns = row->pace.ns_per_link * (double)row->links;
  const double thread_ns = row->pace.ns_per_link * (double)row->pace.threads;
  row->share_of_l2_ceiling = bench_l2_ceiling_ns(limits, row->isa) / thread_ns;
  row->effective_gb_per_s = sweep_bytes * (double)row->particles / sweep_ns;
  row->share_of_bandwidth =
      row->effective_gb_per_s / bench_memory_gb_per_s(limits, row->pace.threads);
}

static bool measure_row(const bench_pace_request* request, const bench_scene* scene,
                        tool_progress* progress, limit_row* row, tool_message* why) {
  bench_pace pace;
  char title[BENCH_MAX_TITLE], label[MAX_LABEL];
  bench_scene_title(scene->name, scene->size, scene->count, title);
  snprintf(label, sizeof label, "%.60s: %s x%u", title, weft_isa_name(request->isa),
           request->threads);
  if (!bench_measure_pace(request, scene, label, progress, &pace, why)) return false;
  fill_row(scene, request, &pace, row);
  return true;
}

static bool append_rows(const bench_plan* plan, const bench_scene* scene, bool quiet,
                        bench_rows* rows, tool_message* why) {
  const size_t new_count = (size_t)plan->isas.count * plan->threads.count;
  limit_row* added = bench_rows_append(rows, new_count, why);
  if (!added) return false;
  const uint32_t steps = bench_pace_steps(scene->link_count, plan->iterations);
  tool_progress progress = tool_progress_start((uint64_t)steps * new_count, quiet);
  bool ok = true;
  for (size_t i = 0; ok && i < new_count; ++i) {
    const bench_pace_request request = {plan->isas.items[i / plan->threads.count],
                                        plan->threads.items[i % plan->threads.count],
                                        plan->iterations, steps};
    ok = measure_row(&request, scene, &progress, &added[i], why);
  }
  tool_progress_end(&progress);
  return ok;
}

// ---- tables ----

static void write_title(char cell[BENCH_MAX_CELL], const void* item) {
  const limit_row* row = item;
  char title[BENCH_MAX_TITLE];
  bench_scene_title(row->scene, row->size, row->count, title);
  snprintf(cell, BENCH_MAX_CELL, "%.21s", title);
}

static void write_round_trip(char cell[BENCH_MAX_CELL], const void* item) {
  const limit_row* row = item;
  bench_format_round_trip(cell, BENCH_MAX_CELL, row->pace.threads, row->pace.round_trip_before_ns,
                          row->pace.round_trip_after_ns);
}

static const bench_row_type row_table =
    BENCH_ROW_TYPE(BENCH_WRITTEN("scene", TEXT, write_title), BENCH_TEXT(isa), PACE(COUNT, threads),
                   BENCH_CELL("ns/link", pace.ns_per_link, "%.3f"),
                   BENCH_SCALED("ceiling", share_of_l2_ceiling, "%.0f %%", 100.0),
                   BENCH_CELL("GB/s", effective_gb_per_s, "%.1f"),
                   BENCH_SCALED("memory", share_of_bandwidth, "%.0f %%", 100.0),
                   BENCH_WRITTEN("round trip", REAL, write_round_trip),
                   BENCH_NAMED("state hash", HASH, pace.state_hash));
#undef ROW

#define ROW bench_bandwidth
static const bench_row_type memory_type =
    BENCH_ROW_TYPE(BENCH_COUNT(threads), BENCH_REAL(read_gb_per_s), BENCH_REAL(triad_gb_per_s));
static const bench_row_type memory_table =
    BENCH_ROW_TYPE(BENCH_COUNT(threads), BENCH_CELL("read GB/s", read_gb_per_s, "%.1f"),
                   BENCH_CELL("triad GB/s", triad_gb_per_s, "%.1f"));
#undef ROW

static void write_rate(char cell[BENCH_MAX_CELL], const void* item) {
  const double rate = ((const bench_cache_read*)item)->gb_per_s;
  snprintf(cell, BENCH_MAX_CELL, isnan(rate) ? "unknown" : "%.1f", rate);
}

static void write_block(char cell[BENCH_MAX_CELL], const void* item) {
  const bench_cache_read* read = item;
  snprintf(cell, BENCH_MAX_CELL, "%.0f", (double)read->block_bytes / (1u << 10));
}

#define ROW bench_cache_read
static const bench_row_type cache_type = BENCH_ROW_TYPE(
    BENCH_TEXT(cache), BENCH_LARGE(block_bytes), BENCH_NAMED("read_gb_per_s", REAL, gb_per_s));
static const bench_row_type cache_table =
    BENCH_ROW_TYPE(BENCH_TEXT(cache), BENCH_WRITTEN("block KiB", REAL, write_block),
                   BENCH_WRITTEN("read GB/s", REAL, write_rate));
#undef ROW

static void write_resident(char cell[BENCH_MAX_CELL], const void* item) {
  snprintf(cell, BENCH_MAX_CELL, "%s-resident", ((const bench_ceiling*)item)->resident);
}

static void write_before_after(char cell[BENCH_MAX_CELL], const void* item) {
  const bench_ceiling* ceiling = item;
  snprintf(cell, BENCH_MAX_CELL, "%.3f, %.3f", ceiling->ns_per_link_before,
           ceiling->ns_per_link_after);
}

static void write_links_a_second(char cell[BENCH_MAX_CELL], const void* item) {
  snprintf(cell, BENCH_MAX_CELL, "%.0f", 1e3 / ((const bench_ceiling*)item)->ns_per_link);
}

#define ROW bench_ceiling
static const bench_row_type ceiling_type = BENCH_ROW_TYPE(
    BENCH_TEXT(resident), BENCH_TEXT(isa), BENCH_TEXT(scene), BENCH_COUNT(size),
    BENCH_COUNT(particles), BENCH_COUNT(links), BENCH_COUNT(iterations), BENCH_REAL(ns_per_link),
    BENCH_REAL(ns_per_link_before), BENCH_REAL(ns_per_link_after), BENCH_REAL(bytes_per_link));
static const bench_row_type ceiling_table =
    BENCH_ROW_TYPE(BENCH_WRITTEN("ceiling", TEXT, write_resident), BENCH_TEXT(isa),
                   BENCH_NAMED("sheet", COUNT, size), BENCH_COUNT(links),
                   BENCH_CELL("ns/link", ns_per_link, "%.3f"),
                   BENCH_WRITTEN("before, after", REAL, write_before_after),
                   BENCH_WRITTEN("Mlinks/s", REAL, write_links_a_second),
                   BENCH_CELL("bytes/link", bytes_per_link, "%.1f"));
#undef ROW

#define ROW bench_speed_modes
static const bench_row_type speed_type = BENCH_ROW_TYPE(
    BENCH_COUNT(probes), BENCH_NAMED("bimodal", FLAG, is_bimodal),
    BENCH_NAMED("fast_ns_per_link", REAL, fast_ns), BENCH_NAMED("slow_ns_per_link", REAL, slow_ns),
    BENCH_REAL(slow_share), BENCH_NAMED("low_ns_per_link", REAL, low_ns),
    BENCH_NAMED("high_ns_per_link", REAL, high_ns));
#undef ROW

static const char ceilings_are[] =
    "measured: the kernel of the scenes, on particles that stay in the cache; not a theory";

static void print_speed(FILE* out, const bench_speed_modes* speed) {
  if (speed->is_bimodal) {
    fprintf(
        out,
        "speed: flips between two in L1: %.3f ns/link in %.0f %% of %u probes, %.3f in %.0f %%\n",
        speed->fast_ns, 100.0 * (1.0 - speed->slow_share), speed->probes, speed->slow_ns,
        100.0 * speed->slow_share);
  } else if (speed->probes > 0) {
    fprintf(out, "speed: steady in L1: %.3f ns/link, 90 %% of %u probes from %.3f to %.3f\n",
            speed->fast_ns, speed->probes, speed->low_ns, speed->high_ns);
  }
}

static void print_limits(FILE* out, const bench_limits* limits) {
  fprintf(out, "\nmemory: arrays of %.0f MiB\n", (double)limits->array_bytes / (1u << 20));
  bench_rows_print(out, &memory_table, limits->memory, limits->memory_count);
  fprintf(out, "\ncaches: one core\n");
  bench_rows_print(out, &cache_table, limits->caches, BENCH_CACHES);
  fprintf(out, "\nlink solve: one thread, hundreds of iterations a step\n");
  bench_rows_print(out, &ceiling_table, limits->ceilings, limits->ceiling_count);
  fprintf(out, "%s\n", ceilings_are);
  print_speed(out, &limits->speed);
}

/* Counts rows that were measured again. */
static void print_footnotes(FILE* out, const bench_rows* rows) {
  const limit_row* items = rows->items;
  uint32_t again = 0, unsteady = 0;
  for (size_t i = 0; i < rows->count; ++i) {
    const limit_row* row = &items[i];
    if (row->pace.takes > 1) ++again;
    if (bench_round_trip_moved(row->pace.round_trip_before_ns, row->pace.round_trip_after_ns))
      ++unsteady;
  }
  if (again > 0) {
    fprintf(out, "%u row%s taken again, as the round trip between two cores had changed\n", again,
            again == 1 ? " was" : "s were");
  }
  if (unsteady > 0) fputs(bench_round_trip_footnote, out);
}

static void print_rows(FILE* out, const bench_rows* rows) {
  const limit_row* items = rows->items;
  const uint32_t iterations = rows->count > 0 ? items[0].iterations : 0;
  fprintf(out, "\nscenes: %u iteration%s a step\n", iterations, tool_plural(iterations));
  bench_rows_print(out, &row_table, items, rows->count);
  print_footnotes(out, rows);
}

// ---- the command ----

static bool complete(void* target, bench_session* session, tool_message* why) {
  limits_settings* settings = target;
  session->results.type = &limit_type;
  const tool_count_list threads = bench_default_threads(&session->machine);
  return bench_plan_complete(&settings->plan, &threads, NULL, why) &&
         bench_plan_fits(&settings->plan, BENCH_WORLD_PARTICLE_BYTES, &session->machine, why);
}

/* False without a message when interrupted. */
static bool run_scenes(const bench_plan* plan, bool quiet, bench_speed_probe* probe,
                       bench_rows* rows, tool_message* why) {
  for (uint32_t i = 0; i < plan->scene_count; ++i) {
    bench_scene scene;
    if (!bench_scene_make(&plan->scenes[i], &scene, why)) return false;
    const bool ok = append_rows(plan, &scene, quiet, rows, why);
    bench_scene_free(&scene);
    if (!ok) return false;
    bench_speed_probe_take(probe);
  }
  return true;
}

static bool measure(void* target, bench_session* session, tool_message* why) {
  limits_settings* settings = target;
  const bench_plan* plan = &settings->plan;
  bench_limits* limits = &settings->limits;
  const bool quiet = session->output.quiet;
  const bool ok = bench_measure_limits(plan, &session->machine, quiet, limits, why) &&
                  run_scenes(plan, quiet, &limits->probe, &session->results, why) &&
                  bench_measure_ceilings_again(plan, &session->machine, quiet, limits, why);
  bench_finish_limits(limits);
  if (!ok) return false;
  limit_row* rows = session->results.items;
  for (size_t i = 0; i < session->results.count; ++i) fill_shares(limits, &rows[i]);
  print_limits(session->tables, limits);
  print_rows(session->tables, &session->results);
  return true;
}

static bool write_files(const void* target, const bench_session* session, tool_message* why) {
  const bench_limits* limits = &((const limits_settings*)target)->limits;
  json_t* found = json_pack(
      "{sI so so ss so so}", "array_bytes", (json_int_t)limits->array_bytes, "memory",
      bench_rows_json(&memory_type, limits->memory, limits->memory_count), "caches",
      bench_rows_json(&cache_type, limits->caches, BENCH_CACHES), "ceilings_are", ceilings_are,
      "ceilings", bench_rows_json(&ceiling_type, limits->ceilings, limits->ceiling_count), "speed",
      bench_row_json(&speed_type, &limits->speed));
  return bench_write_results(session, json_pack("{so}", "limits", found), why);
}

int command_limits(int argc, char** argv) {
  static const bench_command command = {
      {"limits", "Usage: weft-bench limits [OPTION...]\n",
       "Measures the bandwidth of memory and caches and the solve of links that stay in a cache; "
       "then the share of these limits that each scene reaches (default sheets of 128, 512 and "
       "1024).",
       options, notes, NULL},
      true,
      complete,
      measure,
      write_files};
  limits_settings settings = {.plan = bench_default_plan("128,512,1024")};
  return bench_run(&command, &settings, argc, argv);
}
