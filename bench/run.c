#include "run.h"

#include "common/interrupt.h"
#include "common/json_file.h"
#include "common/output_file.h"
#include "pace.h"

/* Assertions would slow the library down. */
static bool check_build(const bench_output* output, tool_message* why) {
#ifndef NDEBUG
  const char* option = output->json_path ? "--json" : output->csv_path ? "--csv" : NULL;
  if (option) {
    return tool_because(why, "this is a debug build: it writes no results (%s)", option);
  }
#endif
  (void)output;
  (void)why;
  return true;
}

static bool check_output(bench_session* session, tool_message* why) {
  static const char* const names[] = {"--json", "--csv", "--trace"};
  const bench_output* output = &session->output;
  const char* const paths[] = {output->json_path, output->csv_path, output->trace_path};
  session->tables = tool_table_stream(paths, 3);
  return tool_paths_differ(names, paths, 3, why) && check_build(output, why);
}

bool bench_write_results(const bench_session* session, json_t* more, tool_message* why) {
  const bench_rows* rows = &session->results;
  const bench_output* output = &session->output;
  json_t* report = json_pack("{ss so so}", "schema", "weft-bench/1", "machine",
                             bench_machine_json(&session->machine), "results",
                             bench_rows_json(rows->type, rows->items, rows->count));
  if (more) json_object_update(report, more);
  json_decref(more);
  if (!output->json_path) json_decref(report);
  if (output->json_path && !tool_json_write(output->json_path, report, why)) return false;
  return !output->csv_path || bench_rows_write_csv(output->csv_path, rows, why);
}

/* The trace is kept after Ctrl-C if it has steps. */
static bool measure(const bench_command* command, void* settings, bench_session* session,
                    tool_message* why) {
  tool_trace trace;
  tool_message unused;
  if (!session->output.trace_path) return command->measure(settings, session, why);
  if (!tool_trace_open(session->output.trace_path, &trace, why)) return false;
  session->trace = &trace;
  const bool ok = command->measure(settings, session, why);
  const bool is_kept = ok || (tool_interrupted() && trace.step_count > 0);
  session->keeps_trace = tool_trace_close(&trace, is_kept, is_kept ? why : &unused);
  return ok && session->keeps_trace;
}

static bool measure_under_load(const bench_command* command, void* settings, bench_session* session,
                               tool_message* why) {
  bench_machine* machine = &session->machine;
  FILE* out = session->tables;
  machine->load_before = bench_load_before();
  machine->round_trip_ns = bench_round_trip_ns();
  bench_topology_measure_speeds(&machine->topology);
  bench_machine_print(out, machine);
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
  bench_session session = {.machine = bench_describe_machine()};
  tool_message why;
  const int outcome = tool_read_command_line(&command->syntax, argc, argv, settings);
  if (outcome != TOOL_GO_ON) return outcome;
  session.output = ((const bench_plan*)settings)->output;
  if (!check_output(&session, &why)) return tool_fail(&why);
  if (!command->complete(settings, &session, &why)) return tool_fail(&why);
  tool_catch_interrupt();
  bool ok = measure_under_load(command, settings, &session, &why);
  const bool interrupted = tool_interrupted();
  if (ok && !interrupted) {
    ok = command->write ? command->write(settings, &session, &why)
                        : bench_write_results(&session, NULL, &why);
  }
  bench_rows_free(&session.results);
  if (interrupted) {
    fprintf(stderr, "weft-bench: interrupted, no file was written%s\n",
            session.keeps_trace ? " but the trace" : "");
    return TOOL_EXIT_INTERRUPTED;
  }
  return ok ? TOOL_EXIT_OK : tool_fail(&why);
}
