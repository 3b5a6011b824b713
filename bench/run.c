#include "run.h"

#include <inttypes.h>

#include "common/interrupt.h"
#include "common/json_file.h"
#include "common/number.h"
#include "common/options.h"
#include "common/output_file.h"
#include "round_trip.h"

const char bench_output_help[] =
    "Files:\n"
    "  --json FILE          the results with their full precision (not from a debug build);\n"
    "                       - is standard output, and the tables go to standard error\n"
    "  --csv FILE           the rows of the results as CSV\n"
    "  --quiet              no progress bar (there is none unless stderr is a terminal)\n"
    "  --help, --version\n"
    "\n";

const char bench_trace_help[] =
    "  --trace FILE         what each worker does, as JSON for ui.perfetto.dev, in steps of their\n"
    "                       own, after those that are timed\n"
    "  --trace-steps N      these steps of each world (default 100)\n";

// ---- the command line ----

typedef struct target {
  const bench_command* command;
  bench_session* session;
  void* settings;
} target;

static bool take(void* at, int option, const char* value, tool_message* why) {
  const target* to = at;
  switch (option) {
    case BENCH_OUTPUT_JSON:
      return to->session->json_path = value, tool_can_write(value, why);
    case BENCH_OUTPUT_CSV:
      return to->session->csv_path = value, tool_can_write(value, why);
    case BENCH_OUTPUT_QUIET:
      return to->session->quiet = true;
    case BENCH_OUTPUT_TRACE:
      return to->session->trace_path = value, tool_can_write(value, why);
    case BENCH_OUTPUT_TRACE_STEPS:
      return tool_parse_count("--trace-steps", value, (tool_range){1, 1000000},
                              &to->session->trace_steps, why);
    default:
      return to->command->take(to->settings, option, value, why);
  }
}

static bool take_word(void* at, const char* word, tool_message* why) {
  const target* to = at;
  return to->command->take_word(to->settings, word, why);
}

/* Times of a build with assertions are not those of the library. */
static bool check_build(const bench_session* session, tool_message* why) {
#ifndef NDEBUG
  const char* option = session->json_path ? "--json" : session->csv_path ? "--csv" : NULL;
  if (option) {
    return tool_because(why, "this is a debug build: it writes no results (%s)", option);
  }
#endif
  (void)session;
  (void)why;
  return true;
}

static bool check_output(bench_session* session, tool_message* why) {
  static const char* const names[] = {"--json", "--csv", "--trace"};
  const char* const paths[] = {session->json_path, session->csv_path, session->trace_path};
  session->tables = tool_table_stream(paths, 3);
  return tool_paths_differ(names, paths, 3, why) && check_build(session, why);
}

// ---- the files ----

static json_t* cache_object(const bench_machine* machine) {
  return json_pack("{sI sI sI}", "l1d", (json_int_t)machine->l1d_bytes, "l2",
                   (json_int_t)machine->l2_bytes, "l3", (json_int_t)machine->l3_bytes);
}

json_t* bench_machine_json(const bench_machine* machine) {
  return json_pack(
      "{so sI sI sI so so so so so sI so so so so so so}", "cpu", tool_json_text(machine->cpu),
      "cores", (json_int_t)machine->cores, "hardware_threads",
      (json_int_t)machine->hardware_threads, "available_cpus", (json_int_t)machine->available_cpus,
      "topology", bench_topology_json(&machine->topology), "bind", tool_json_text(machine->bind),
      "load_before", bench_load_json(&machine->load_before), "load_during",
      bench_load_json(&machine->load_during), "caches", cache_object(machine), "memory_bytes",
      (json_int_t)machine->memory_bytes, "os", tool_json_text(machine->os), "compiler",
      tool_json_text(machine->compiler), "flags", tool_json_text(machine->flags), "baseline_flags",
      tool_json_text(machine->baseline_flags), "version", tool_json_text(machine->version),
      "round_trip_ns", tool_json_number(machine->round_trip_ns));
}

bool bench_write_files(const bench_session* session, json_t* report, const bench_row_type* type,
                       const void* items, size_t count, tool_message* why) {
  if (!session->json_path) json_decref(report);
  if (session->json_path && !tool_json_write(session->json_path, report, why)) return false;
  return !session->csv_path || bench_rows_write_csv(session->csv_path, type, items, count, why);
}

bool bench_write_results(const bench_session* session, tool_message* why) {
  const bench_rows* rows = &session->results;
  json_t* report = json_pack("{ss so so}", "schema", "weft-bench/1", "machine",
                             bench_machine_json(&session->machine), "results",
                             bench_rows_json(rows->type, rows->items, rows->count));
  return bench_write_files(session, report, rows->type, rows->items, rows->count, why);
}

// ---- the run ----

static void print_bytes(FILE* out, const char* name, uint64_t bytes) {
  if (bytes >= 1u << 30) {
    fprintf(out, ", %s %.1f GiB", name, (double)bytes / (1u << 30));
  } else if (bytes >= 1u << 20) {
    fprintf(out, ", %s %.1f MiB", name, (double)bytes / (1u << 20));
  } else if (bytes > 0) {
    fprintf(out, ", %s %.0f KiB", name, (double)bytes / 1024);
  }
}

static void print_machine(FILE* out, const bench_machine* machine) {
  fprintf(out, "%s, %u core%s", machine->cpu, machine->cores, tool_plural(machine->cores));
  print_bytes(out, "L1d", machine->l1d_bytes);
  print_bytes(out, "L2", machine->l2_bytes);
  print_bytes(out, "L3", machine->l3_bytes);
  print_bytes(out, "memory", machine->memory_bytes);
  if (machine->available_cpus < machine->hardware_threads) {
    fprintf(out, "\naffinity or CPU quota leave %u of %u CPUs: no world has more threads",
            machine->available_cpus, machine->hardware_threads);
  }
  fprintf(out, "\n%s, %s, weft %s\n%s\n", machine->os, machine->compiler, machine->version,
          machine->flags);
}

/* Measures with the trace open. It is kept after Ctrl-C if it has steps. */
static bool measure(const bench_command* command, void* settings, bench_session* session,
                    tool_message* why) {
  tool_trace trace;
  tool_message unused;
  if (!session->trace_path) return command->measure(settings, session, why);
  if (!tool_trace_open(session->trace_path, &trace, why)) return false;
  session->trace = &trace;
  const bool ok = command->measure(settings, session, why);
  const bool is_kept = ok || (tool_interrupted() && trace.step_count > 0);
  session->keeps_trace = tool_trace_close(&trace, is_kept, is_kept ? why : &unused);
  return ok && session->keeps_trace;
}

/* Measures between two samples of the load. */
static bool measure_under_load(const bench_command* command, void* settings, bench_session* session,
                               tool_message* why) {
  bench_machine* machine = &session->machine;
  FILE* out = session->tables;
  machine->load_before = bench_load_before();
  machine->round_trip_ns = bench_round_trip_ns();
  bench_topology_measure_speeds(&machine->topology);
  print_machine(out, machine);
  if (command->shows_topology) {
    bench_topology_print(out, &machine->topology, machine->available_cpus);
  }
  fflush(out);
  const bench_load_sample first = bench_load_now();
  const bool ok = measure(command, settings, session, why);
  const bench_load_sample last = bench_load_now();
  machine->load_during = bench_load_between(&first, &last);
  if (ok && command->shows_topology) {
    bench_load_print(out, &machine->load_before, &machine->load_during, machine->hardware_threads);
  }
  return ok;
}

int bench_run(const bench_command* command, void* settings, int argc, char** argv) {
  bench_session session = {.machine = bench_describe_machine(), .trace_steps = TOOL_TRACE_STEPS};
  target to = {command, &session, settings};
  const tool_syntax syntax = {command->name, command->help, command->options, take,
                              command->take_word ? take_word : NULL};
  tool_message why;
  const int outcome = tool_read_command_line(&syntax, argc, argv, &to);
  if (outcome != TOOL_GO_ON) return outcome;
  if (!check_output(&session, &why)) return tool_fail(&why);
  if (!command->complete(settings, &session, &why)) return tool_fail(&why);
  tool_catch_interrupt();
  bool ok = measure_under_load(command, settings, &session, &why);
  const bool interrupted = tool_interrupted();
  if (ok && !interrupted) {
    ok = command->write ? command->write(settings, &session, &why)
                        : bench_write_results(&session, &why);
  }
  bench_rows_free(&session.results);
  if (interrupted) {
    fprintf(stderr, "weft-bench: interrupted, no file was written%s\n",
            session.keeps_trace ? " but the trace" : "");
    return TOOL_EXIT_INTERRUPTED;
  }
  return ok ? TOOL_EXIT_OK : tool_fail(&why);
}
