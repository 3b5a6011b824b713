/* weft-bench contacts: what contacts cost in a whole scene, and what they leave. */
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "common/json_file.h"
#include "plan.h"
#include "run.h"
#include "sim_bench.h"

enum { MOST_SETS = 64 };

typedef struct contacts_settings {
  bench_sim_request request;
  const char* sets[MOST_SETS];
  sim_results found;
} contacts_settings;

enum {
  OPTION_SCENE = TOOL_OPTION_OWN,
  OPTION_SECONDS,
  OPTION_SUBSTEPS,
  OPTION_ITERATIONS,
  OPTION_THREADS,
  OPTION_ISA,
  OPTION_LOOK,
  OPTION_SET = TOOL_OPTION_REPEATED,
};

static const struct option options[] = {
    {"scene", required_argument, NULL, OPTION_SCENE},
    {"set", required_argument, NULL, OPTION_SET},
    {"seconds", required_argument, NULL, OPTION_SECONDS},
    {"substeps", required_argument, NULL, OPTION_SUBSTEPS},
    {"iterations", required_argument, NULL, OPTION_ITERATIONS},
    {"threads", required_argument, NULL, OPTION_THREADS},
    {"isa", required_argument, NULL, OPTION_ISA},
    {"look", required_argument, NULL, OPTION_LOOK},
    BENCH_OUTPUT_OPTIONS,
    TOOL_COMMON_OPTIONS,
};

static const char* const help[] = {
    "Usage: weft-bench contacts --scene NAME|FILE.json [OPTION...]\n"
    "\n"
    "Runs a scene of weft-sim from its first step to its last, with contacts and without, ten\n"
    "steps of each in turn, and counts crossings of cloth by a test that shares no code with the\n"
    "engine. Without contacts cloth falls through everything.\n"
    "\n"
    "  --scene NAME         'weft-sim list' names them: drop-folds, sheets, twist, ...; or a file\n"
    "  --set NAME=VALUE     a parameter of the scene; may be repeated\n"
    "  --seconds S          scene time (default the scene's own)\n"
    "  --substeps N         substeps a step, 1 to 1000 (default the scene's own)\n"
    "  --iterations N       iterations a substep, 0 to 10000 (default the scene's own)\n"
    "  --threads N[,N...]   (default 1 and all cores)\n"
    "  --isa NAME           auto, scalar, sse2, avx2, avx512, neon or simd128 (default auto)\n"
    "  --look N             steps from one count of crossings to the next; 0 = at the end alone\n"
    "                       (default 10)\n"
    "\n",
    bench_output_help,
    "Columns: ms, median, mean, 99 % and worst of single steps; ratio, the median over that\n"
    "without contacts, and the worst ratio of the medians of a quarter of the run; strain, the\n"
    "largest of a structural link at any count; crossings of edges and faces, the most at any\n"
    "count. Below: medians of the quarters of the run, and shares of the stages in all steps.\n"
    "'scene:' has the results that the scene itself reports.\n"
    "\n"
    "Exit status: 0 success, 2 error, 130 Ctrl-C; no file is written after Ctrl-C.\n",
    NULL,
};

static bool add_set(contacts_settings* settings, const char* value, tool_message* why) {
  sim_settings* sim = &settings->request.settings;
  return tool_add_set(value, MOST_SETS, settings->sets, &sim->set_count, why);
}

static bool take_count(const char* option, const char* value, tool_range range, int64_t* count,
                       tool_message* why) {
  uint32_t taken = 0;
  if (!tool_parse_count(option, value, range, &taken, why)) return false;
  *count = taken;
  return true;
}

static bool take_isa(bench_sim_request* request, const char* value, tool_message* why) {
  tool_isa_list isas = {.count = 0};
  if (!tool_parse_isas("--isa", value, &isas, why)) return false;
  if (isas.count > 1) return tool_because(why, "--isa: contacts takes one");
  if (!weft_isa_supported(isas.items[0])) {
    return tool_because(why, "--isa: %s cannot run here", value);
  }
  request->settings.isa = isas.items[0];
  return true;
}

static bool take(void* target, int option, const char* value, tool_message* why) {
  contacts_settings* settings = target;
  bench_sim_request* request = &settings->request;
  sim_settings* sim = &request->settings;
  switch (option) {
    case OPTION_SCENE:
      return request->scene = value, true;
    case OPTION_SET:
      return add_set(settings, value, why);
    case OPTION_SECONDS:
      return tool_parse_number("--seconds", value, 1e-6, 1e6, &sim->seconds, why);
    case OPTION_SUBSTEPS:
      return take_count("--substeps", value, (tool_range){1, 1000}, &sim->substeps, why);
    case OPTION_ITERATIONS:
      return take_count("--iterations", value, (tool_range){0, 10000}, &sim->iterations, why);
    case OPTION_THREADS:
      return tool_parse_counts("--threads", value, (tool_range){1, WEFT_MAX_WORKERS},
                               &request->threads, why);
    case OPTION_LOOK:
      return tool_parse_count("--look", value, (tool_range){0, 1000000}, &request->look_every, why);
    default:
      return take_isa(request, value, why);
  }
}

static bool complete(void* target, bench_session* session, tool_message* why) {
  contacts_settings* settings = target;
  bench_sim_request* request = &settings->request;
  session->results.type = &bench_sim_type;
  if (request->scene == NULL) return tool_because(why, "no scene: give --scene NAME");
  if (request->threads.count == 0) request->threads = bench_default_threads(&session->machine);
  request->settings.sets = settings->sets;
  request->quiet = session->quiet;
  return sim_run_check(request->scene, &request->settings, why) == SIM_OK;
}

static bool measure(void* target, bench_session* session, tool_message* why) {
  contacts_settings* settings = target;
  const size_t count = 2 * settings->request.threads.count;
  bench_sim_row* rows = bench_rows_append(&session->results, count, why);
  if (rows == NULL || !bench_sim_measure(&settings->request, rows, &settings->found, why)) {
    return false;
  }
  bench_sim_print(session->tables, rows, count, &settings->found);
  return true;
}

static bool write_files(const void* target, const bench_session* session, tool_message* why) {
  const contacts_settings* settings = target;
  const bench_rows* rows = &session->results;
  json_t* scene = json_object();
  for (size_t i = 0; i < settings->found.count; ++i) {
    json_object_set_new(scene, settings->found.items[i].name,
                        tool_json_number(settings->found.items[i].value));
  }
  json_t* report = json_pack("{ss so so so}", "schema", "weft-bench/1", "machine",
                             bench_machine_json(&session->machine), "scene", scene, "results",
                             bench_rows_json(rows->type, rows->items, rows->count));
  return bench_write_files(session, report, rows->type, rows->items, rows->count, why);
}

int command_contacts(int argc, char** argv) {
  static const bench_command command = {.name = "contacts",
                                        .help = help,
                                        .options = options,
                                        .take = take,
                                        .complete = complete,
                                        .measure = measure,
                                        .write = write_files};
  contacts_settings settings = {
      .request = {.settings = sim_default_settings(), .look_every = 10},
  };
  return bench_run(&command, &settings, argc, argv);
}
