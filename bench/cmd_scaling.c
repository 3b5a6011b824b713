/* weft-bench scaling: the time of a step by number of threads, on an idle or a busy machine. */
#include <string.h>

#include "commands.h"
#include "common/json_file.h"
#include "recording.h"
#include "scaling.h"

typedef struct scaling_settings {
  bench_scaling_settings of;
  bench_scaling_findings findings;
  int mode;
  bool records;
  json_t* recorded;      /* members of the JSON file for tools/predict */
  json_t* graphs;        /* patches of each row of ranks */
  tool_count_list ranks; /* empty: threads of one process */
  const char* launcher;
} scaling_settings;

enum { MODE_STRONG, MODE_WEAK, MODES };
static const char* const modes[MODES] = {"strong", "weak"};

#define AT(member) offsetof(scaling_settings, member)
static const tool_option options[] = {
    BENCH_SCALING_SCENE_OPTIONS,
    TOOL_HEADING("Runs:"),
    BENCH_THREADS_OPTION("numbers of threads, the first being what the others are compared with "
                         "(default 1 to all cores, above 8 in powers of two)"),
    TOOL_CHOICE(NAME, "mode", "strong|weak", AT(mode), MODES, modes,
                "one scene for all (default), or particles in proportion to threads, or rows of "
                "the sheet in proportion to ranks"),
    BENCH_BIND_OPTION,
    TOOL_RANGE(COUNT, "beside", "N", AT(of.request.beside), 0, 1024,
               "busy threads of the bench beside those that step (default 0)"),
    TOOL_OPTION(
        FLAG, "record", NULL, AT(records),
        "the --json file also has steps of one thread and the costs of this machine, from which "
        "tools/predict predicts more threads, and ranks"),
    TOOL_RANGE(COUNTS, "ranks", "N[,N...]", AT(ranks), 1, WEFT_MAX_RANKS,
               "in the place of threads: processes under mpirun, 1 to 65536, of a sheet or a mesh, "
               "each with the threads of --threads, one number (default 1)"),
    TOOL_OPTION(FLAG, "parts", NULL, AT(of.request.parts),
                "with --ranks: each rank builds its rows of the sheet, none has all"),
    TOOL_OPTION(WORD, "mpirun", "COMMAND", AT(launcher),
                "that starts ranks, with its options (default mpirun)"),
    BENCH_ISAS_OPTION("NAME", BENCH_ISA_NAMES),
    BENCH_SCALING_STEPS_OPTIONS(
        "timed steps of each row, rounded up to a multiple of 10 (default 200)"),
    BENCH_OUTPUT_OPTIONS,
    BENCH_TRACE_OPTIONS,
    TOOL_OPTIONS_END,
};

static const char* const notes[] = {
    "Columns: threads asked for, and at work: a small scene has fewer, and no world has more than "
    "affinity mask and CPU quota leave; times of single steps, p99 being the one that 99 % do not "
    "exceed; speed-up over the first row, the median of ten turns, and its quartiles (of weak "
    "scaling: in particles a second); efficiency, that over threads at work.",
    "Time of each worker, in 50 more steps, or those of the trace: work, in pieces of loops and "
    "phases of patches; search, for the next of these; neighbours, for a patch that may go on; job "
    "end, for others to finish a loop; absent, without a core or too late for a job; serial, where "
    "only the first thread works.",
    "Jobs, loops and wavefronts, by what they lose of the time of the most threads, beyond the "
    "work of the first row: waiting, data in caches of others, cores slower beside each other.",
    "Ranks: the best of three runs; messages and bytes of all ranks in a step, and the bytes that "
    "as many messages have by the model; waited, of the rank that waits longest for messages; "
    "imbalance, the largest cost of a rank over the mean, counted after the steps, not with "
    "--parts; MiB, the most resident memory of a rank.",
    "Exit status: 0 success, 2 error, 130 Ctrl-C; no file is written after Ctrl-C.",
    NULL,
};

// 1 to 8, then powers of two, and all
static tool_count_list default_threads(const bench_machine* machine) {
  const tool_count_list ends = bench_default_threads(machine);
  const uint32_t most = ends.items[ends.count - 1];
  tool_count_list list = {.count = 0};
  for (uint32_t n = 1; n < most; n = n < 8 ? n + 1 : 2 * n) list.items[list.count++] = n;
  list.items[list.count++] = most;
  return list;
}

static bool complete_scene(scaling_settings* settings, tool_message* why) {
  bench_scaling_request* request = &settings->of.request;
  request->steps = (request->steps + BENCH_SCALING_TURNS - 1) / BENCH_SCALING_TURNS;
  request->steps *= BENCH_SCALING_TURNS;
  if (!bench_scaling_complete_scene(&settings->of.plan, request, why)) return false;
  if (request->is_weak && request->cloth.mesh_path != NULL) {
    return tool_because(why, "--mode weak: a mesh has one size");
  }
  return true;
}

// Ranks take one scene and one number of threads.
static bool complete_ranks(scaling_settings* settings, bench_session* session, tool_message* why) {
  const bench_scaling_request* request = &settings->of.request;
  session->results.type = &bench_ranks_type;
  if (settings->of.plan.threads.count > 1) return tool_because(why, "--threads: --ranks takes one");
  if (request->has_contacts) return tool_because(why, "--scene: --ranks has sheets and meshes");
  if (request->parts && settings->of.plan.scenes[0].mesh_path != NULL) {
    return tool_because(why, "--parts: only of a sheet");
  }
  if (request->beside > 0 || session->output.trace_path != NULL) {
    return tool_because(why, "--ranks: not with --beside or --trace");
  }
  return true;
}

static bool complete(void* target, bench_session* session, tool_message* why) {
  scaling_settings* settings = target;
  bench_plan* plan = &settings->of.plan;
  bench_scaling_request* request = &settings->of.request;
  const bool has_ranks = settings->ranks.count > 0;
  const tool_count_list one = {.items = {1}, .count = 1};
  const tool_count_list threads = has_ranks ? one : default_threads(&session->machine);
  request->is_weak = settings->mode == MODE_WEAK;
  session->results.type = &bench_scaling_type;
  if (!bench_plan_complete(plan, &threads, NULL, why) ||
      !bench_plan_has_one_isa(plan, "scaling", why))
    return false;
  if (plan->scene_count > 1) return tool_because(why, "--mesh: scaling takes one");
  if (settings->records && session->output.json_path == NULL) {
    return tool_because(why, "--record: needs --json, for the file that it is written to");
  }
  if (settings->records && !has_ranks && (request->is_weak || plan->threads.items[0] != 1)) {
    return tool_because(why, "--record: needs --mode strong, and --threads that begin with 1");
  }
  request->recorded_steps =
      session->output.trace_path ? session->output.trace_steps : BENCH_SCALING_RECORDED;
  if (request->parts && request->is_weak) {
    return tool_because(why, "--parts: not with --mode weak, whose sheets are higher than wide");
  }
  if (request->parts && !has_ranks) return tool_because(why, "--parts: only with --ranks");
  return bench_plan_bind(plan, &session->machine, why) && complete_scene(settings, why) &&
         (!has_ranks || complete_ranks(settings, session, why));
}

static bool keep(scaling_settings* settings, const char* name, json_t* member) {
  return member != NULL && json_object_set_new(settings->recorded, name, member) == 0;
}

static bool record(scaling_settings* settings, const bench_session* session, tool_message* why) {
  json_t* network = NULL;
  if (!settings->records) return true;
  settings->recorded = json_object();
  if (settings->ranks.count > 0 &&
      (!bench_mpirun(settings->launcher, 2, "network", &network, why) ||
       !keep(settings, "network", network))) {
    return false;
  }
  return keep(settings, "costs",
              bench_costs_json(&session->machine, &settings->of.plan.threads, session->output.quiet,
                               why)) &&
         keep(settings, "recording", bench_record_steps(&settings->of.request, why));
}

static bool measure_ranks(scaling_settings* settings, bench_session* session, tool_message* why) {
  if (settings->records) settings->graphs = json_array();
  return bench_scaling_measure_ranks(&settings->of.request, &settings->ranks,
                                     settings->of.plan.threads.items[0], settings->launcher,
                                     session->tables, &session->results, settings->graphs, why) &&
         record(settings, session, why);
}

static bool measure(void* target, bench_session* session, tool_message* why) {
  scaling_settings* settings = target;
  const bench_scaling_request* request = &settings->of.request;
  const tool_count_list* threads = &settings->of.plan.threads;
  if (settings->ranks.count > 0) return measure_ranks(settings, session, why);
  bench_scaling_row* rows = bench_rows_append(&session->results, threads->count, why);
  if (rows == NULL) return false;
  for (size_t i = 0; i < threads->count; ++i) {
    rows[i].of.threads_asked = threads->items[i];
    snprintf(rows[i].of.scene, sizeof rows[i].of.scene, "%s", bench_scaling_scene_name(request));
  }
  if (!bench_scaling_measure(request, rows, threads->count, session->output.quiet, session->trace,
                             &settings->findings, why)) {
    return false;
  }
  bench_scaling_print(session->tables, request, rows, threads->count, &settings->findings);
  return record(settings, session, why);
}

#define ROW bench_scaling_fit
static const bench_row_type fit_type =
    BENCH_ROW_TYPE(BENCH_REAL(serial), BENCH_REAL(serial_low), BENCH_REAL(serial_high),
                   BENCH_REAL(contention), BENCH_REAL(coherency));

/* Rows of threads with their workers, jobs and fit; rows of ranks with their patch graphs. */
static bool write_files(const void* target, const bench_session* session, tool_message* why) {
  const scaling_settings* settings = target;
  const bench_rows* rows = &session->results;
  json_t* more = json_object();
  if (settings->ranks.count == 0) {
    json_object_set_new(more, "fit", bench_row_json(&fit_type, &settings->findings.fit));
    json_object_set_new(
        more, "results",
        bench_scaling_json(rows->items, rows->count, &settings->of.request, &settings->findings));
  } else if (settings->graphs != NULL) {
    json_t* results = bench_rows_json(rows->type, rows->items, rows->count);
    for (size_t i = 0; i < json_array_size(settings->graphs); ++i) {
      json_object_set(json_array_get(results, i), "patches", json_array_get(settings->graphs, i));
    }
    json_object_set_new(more, "results", results);
  }
  if (settings->recorded != NULL) json_object_update(more, settings->recorded);
  return bench_write_results(session, more, why);
}

int command_scaling(int argc, char** argv) {
  static const bench_command command = {
      {"scaling",
       "Usage: weft-bench scaling [--size N] [OPTION...]\n"
       "       weft-bench scaling --mesh FILE [OPTION...]\n"
       "       weft-bench scaling --scene NAME [--size N] [OPTION...]\n",
       "Times single steps of one scene with each number of threads, the rows in turns, and fits "
       "Amdahl's law and, from three numbers of threads on, the universal scalability law. The "
       "default scene is a sheet of 512 x 512.",
       options, notes, NULL},
      true,
      complete,
      measure,
      write_files};
  scaling_settings settings = {
      .of = {bench_default_plan("512"), {.steps = 200, .warmup = BENCH_USUAL_WARMUP}}};
  const int status = bench_run(&command, &settings, argc, argv);
  bench_scaling_free_findings(&settings.findings);
  json_decref(settings.recorded);
  json_decref(settings.graphs);
  return status;
}
