/* weft-bench scaling: the time of a step by number of threads, on an idle or a busy machine. */
#include <string.h>

#include "commands.h"
#include "common/json_file.h"
#include "contact_run.h"
#include "machine_costs.h"
#include "mpirun.h"
#include "plan.h"
#include "recording.h"
#include "scaling.h"
#include "scaling_ranks.h"

typedef struct scaling_settings {
  bench_plan plan;
  bench_scaling_request request;
  bench_scaling_findings findings;
  bool records;
  json_t* recorded;      /* members of the JSON file for tools/predict */
  json_t* graphs;        /* of the patches of rows of ranks */
  tool_count_list ranks; /* empty: threads of one process */
  const char* launcher;
} scaling_settings;

enum {
  OPTION_MODE = BENCH_SCALING_OPTION_OWN,
  OPTION_BESIDE,
  OPTION_RECORD,
  OPTION_RANKS,
  OPTION_MPIRUN,
  OPTION_PARTS,
};

static const struct option options[] = {
    BENCH_PLAN_OPTIONS,
    BENCH_BIND_OPTION,
    BENCH_OUTPUT_OPTIONS,
    BENCH_TRACE_OPTIONS,
    BENCH_SCALING_OPTIONS,
    {"mode", required_argument, NULL, OPTION_MODE},
    {"beside", required_argument, NULL, OPTION_BESIDE},
    {"record", no_argument, NULL, OPTION_RECORD},
    {"ranks", required_argument, NULL, OPTION_RANKS},
    {"mpirun", required_argument, NULL, OPTION_MPIRUN},
    {"parts", no_argument, NULL, OPTION_PARTS},
    TOOL_COMMON_OPTIONS,
};

static const char* const help[] = {
    "Usage: weft-bench scaling [--size N] [OPTION...]\n"
    "       weft-bench scaling --mesh FILE [OPTION...]\n"
    "       weft-bench scaling --scene NAME [--size N] [OPTION...]\n"
    "\n"
    "Times single steps of one scene with each number of threads, the rows in turns, and fits\n"
    "Amdahl's law and, from three numbers of threads on, the universal scalability law.\n"
    "\n",
    "The default scene is a sheet of 512 x 512.\n"
    "\n",
    bench_plan_help,
    bench_scaling_scene_help,
    "\n"
    "Runs:\n"
    "  --threads N[,N...]   numbers of threads, the first being what the others are compared\n"
    "                       with (default 1 to all cores, above 8 in powers of two)\n"
    "  --mode strong|weak   one scene for all (default), or particles in proportion to threads, or "
    "rows\n"
    "                       of the sheet in proportion to ranks\n",
    bench_bind_help,
    "  --beside N           busy threads of the bench beside those that step (default 0)\n"
    "  --record             the --json file also has steps of one thread and the costs of this "
    "machine,\n"
    "                       from which tools/predict predicts more threads, and ranks\n"
    "  --ranks N[,N...]     in the place of threads: processes under mpirun, 1 to 65536, of a "
    "sheet "
    "or a\n"
    "                       mesh, each with the threads of --threads, one number (default 1)\n"
    "  --parts              with --ranks: each rank builds its rows of the sheet, none has all\n"
    "  --mpirun COMMAND     that starts ranks, with its options (default mpirun)\n"
    "  --isa NAME           auto, scalar, sse2, avx2, avx512, neon or simd128 (default auto)\n"
    "  --iterations K       sweeps over all links a step, without contacts (default 10)\n"
    "  --steps S            timed steps of each row, rounded up to a multiple of 10 (default 200)\n"
    "  --warmup W           steps before that, not timed (default 10; with contacts 60 on the\n"
    "                       sphere, 90 in folds and in the heap)\n"
    "\n",
    bench_output_help,
    bench_trace_help,
    "\n"
    "Columns: threads asked for, and at work: a small scene has fewer, and no world has more than\n"
    "affinity mask and CPU quota leave; times of single steps, p99 being the one that 99 % do not\n"
    "exceed; speed-up over the first row, the median of ten turns, and its quartiles (of weak\n"
    "scaling: in particles a second); efficiency, that over threads at work.\n"
    "\n"
    "Time of each worker, in 50 more steps, or those of the trace: work, in pieces of loops and\n"
    "phases of patches; search, for the next of these; neighbours, for a patch that may go on;\n"
    "job end, for others to finish a loop; absent, without a core or too late for a job; serial,\n"
    "where the first thread works alone.\n"
    "\n"
    "Jobs, loops and wavefronts, by what they lose of the time of the most threads, beyond the\n"
    "work of the first row: waiting, data in caches of others, cores slower beside each other.\n"
    "\n"
    "Ranks: the best of three runs; messages and bytes of all ranks in a step, and the bytes that\n"
    "as many messages have by the model; waited, of the rank that waits longest for messages;\n"
    "imbalance, the largest cost of a rank over the mean, counted after the steps, not with "
    "--parts;\n"
    "MiB, the most resident memory of a rank.\n"
    "\n"
    "Exit status: 0 success, 2 error, 130 Ctrl-C; no file is written after Ctrl-C.\n",
    NULL,
};

static bool take_mode(scaling_settings* settings, const char* name, tool_message* why) {
  settings->request.is_weak = strcmp(name, "weak") == 0;
  if (settings->request.is_weak || strcmp(name, "strong") == 0) return true;
  return tool_because(why, "--mode: '%s' is neither strong nor weak", name);
}

static bool take(void* target, int option, const char* value, tool_message* why) {
  scaling_settings* settings = target;
  bench_scaling_request* request = &settings->request;
  switch (option) {
    case OPTION_MODE:
      return take_mode(settings, value, why);
    case OPTION_BESIDE:
      return tool_parse_count("--beside", value, (tool_range){0, 1024}, &request->beside, why);
    case OPTION_RECORD:
      return settings->records = true;
    case OPTION_RANKS:
      return tool_parse_counts("--ranks", value, (tool_range){1, WEFT_MAX_RANKS}, &settings->ranks,
                               why);
    case OPTION_PARTS:
      request->parts = true;
      return true;
    case OPTION_MPIRUN:
      settings->launcher = value;
      return true;
    default:
      return bench_scaling_take(request, &settings->plan, option, value, why);
  }
}

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
  bench_scaling_request* request = &settings->request;
  request->steps = (request->steps + BENCH_SCALING_TURNS - 1) / BENCH_SCALING_TURNS;
  request->steps *= BENCH_SCALING_TURNS;
  if (!bench_scaling_complete_scene(&settings->plan, request, why)) return false;
  if (request->is_weak && request->cloth.mesh_path != NULL) {
    return tool_because(why, "--mode weak: a mesh has one size");
  }
  return true;
}

// Ranks take the scene and one number of threads.
static bool complete_ranks(scaling_settings* settings, bench_session* session, tool_message* why) {
  const bench_scaling_request* request = &settings->request;
  session->results.type = &bench_ranks_type;
  if (settings->plan.threads.count > 1) return tool_because(why, "--threads: --ranks takes one");
  if (request->has_contacts) return tool_because(why, "--scene: --ranks has sheets and meshes");
  if (request->parts && settings->plan.scenes[0].mesh_path != NULL) {
    return tool_because(why, "--parts: a sheet alone");
  }
  if (request->beside > 0 || session->trace_path != NULL) {
    return tool_because(why, "--ranks: not with --beside or --trace");
  }
  return true;
}

static bool complete(void* target, bench_session* session, tool_message* why) {
  scaling_settings* settings = target;
  bench_plan* plan = &settings->plan;
  const bool has_ranks = settings->ranks.count > 0;
  const tool_count_list one = {.items = {1}, .count = 1};
  const tool_count_list threads = has_ranks ? one : default_threads(&session->machine);
  const tool_isa_list isas = {.items = {WEFT_ISA_AUTO}, .count = 1};
  session->results.type = &bench_scaling_type;
  if (!bench_plan_complete(plan, &threads, &isas, why)) return false;
  if (plan->isas.count > 1) return tool_because(why, "--isa: scaling takes one");
  if (plan->scene_count > 1) return tool_because(why, "--mesh: scaling takes one");
  if (settings->records && session->json_path == NULL) {
    return tool_because(why, "--record: needs --json, for the file that it is written to");
  }
  if (settings->records && !has_ranks &&
      (settings->request.is_weak || plan->threads.items[0] != 1)) {
    return tool_because(why, "--record: needs --mode strong, and --threads that begin with 1");
  }
  settings->request.recorded_steps =
      session->trace_path != NULL ? session->trace_steps : BENCH_SCALING_RECORDED;
  if (settings->request.parts && settings->request.is_weak) {
    return tool_because(why, "--parts: not with --mode weak, whose sheets are higher than wide");
  }
  if (settings->request.parts && !has_ranks) return tool_because(why, "--parts: only with --ranks");
  if (has_ranks && !complete_ranks(settings, session, why)) return false;
  return bench_plan_bind(plan, &session->machine, why) && complete_scene(settings, why);
}

static bool keep(scaling_settings* settings, const char* name, json_t* member) {
  return member != NULL && json_object_set_new(settings->recorded, name, member) == 0;
}

// Measures and records for tools/predict.
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
              bench_costs_json(&session->machine, &settings->plan.threads, session->quiet, why)) &&
         keep(settings, "recording", bench_record_steps(&settings->request, why));
}

static bool measure_ranks(scaling_settings* settings, bench_session* session, tool_message* why) {
  if (settings->records) settings->graphs = json_array();
  return bench_scaling_measure_ranks(&settings->request, &settings->ranks,
                                     settings->plan.threads.items[0], settings->launcher,
                                     session->tables, &session->results, settings->graphs, why) &&
         record(settings, session, why);
}

static bool measure(void* target, bench_session* session, tool_message* why) {
  scaling_settings* settings = target;
  const bench_scaling_request* request = &settings->request;
  const tool_count_list* threads = &settings->plan.threads;
  if (settings->ranks.count > 0) return measure_ranks(settings, session, why);
  bench_scaling_row* rows = bench_rows_append(&session->results, threads->count, why);
  if (rows == NULL) return false;
  for (size_t i = 0; i < threads->count; ++i) {
    rows[i].threads = threads->items[i];
    snprintf(rows[i].scene, sizeof rows[i].scene, "%s", bench_scaling_scene_name(request));
  }
  if (!bench_scaling_measure(request, rows, threads->count, session->quiet, session->trace,
                             &settings->findings, why)) {
    return false;
  }
  bench_scaling_print(session->tables, request, rows, threads->count, &settings->findings);
  return record(settings, session, why);
}

static json_t* fit_json(const bench_scaling_fit* fit) {
  return json_pack("{so so so so so}", "serial", tool_json_number(fit->serial), "serial_low",
                   tool_json_number(fit->serial_low), "serial_high",
                   tool_json_number(fit->serial_high), "contention",
                   tool_json_number(fit->contention), "coherency",
                   tool_json_number(fit->coherency));
}

// Rows, and a fit of the rows by threads.
static json_t* report_json(const scaling_settings* settings, const bench_session* session) {
  const bench_rows* rows = &session->results;
  const bool has_ranks = settings->ranks.count > 0;
  json_t* report = json_pack("{ss so}", "schema", "weft-bench/1", "machine",
                             bench_machine_json(&session->machine));
  if (!has_ranks) json_object_set_new(report, "fit", fit_json(&settings->findings.fit));
  json_object_set_new(report, "results",
                      has_ranks ? bench_rows_json(rows->type, rows->items, rows->count)
                                : bench_scaling_json(rows->items, rows->count, &settings->request,
                                                     &settings->findings));
  return report;
}

static bool write_files(const void* target, const bench_session* session, tool_message* why) {
  const scaling_settings* settings = target;
  const bench_rows* rows = &session->results;
  json_t* report = report_json(settings, session);
  json_t* results = json_object_get(report, "results");
  for (size_t i = 0; i < json_array_size(settings->graphs); ++i) {
    json_object_set(json_array_get(results, i), "patches", json_array_get(settings->graphs, i));
  }
  if (settings->recorded != NULL) json_object_update(report, settings->recorded);
  return bench_write_files(session, report, rows->type, rows->items, rows->count, why);
}

int command_scaling(int argc, char** argv) {
  static const bench_command command = {.name = "scaling",
                                        .help = help,
                                        .shows_topology = true,
                                        .options = options,
                                        .take = take,
                                        .complete = complete,
                                        .measure = measure,
                                        .write = write_files};
  scaling_settings settings = {.plan = bench_default_plan("512"),
                               .request = {.steps = 200, .warmup = BENCH_SCALING_USUAL_WARMUP}};
  const int status = bench_run(&command, &settings, argc, argv);
  bench_scaling_free_findings(&settings.findings);
  json_decref(settings.recorded);
  json_decref(settings.graphs);
  return status;
}
