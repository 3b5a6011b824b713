#include "json_report.h"
#include "report.h"

bool bench_write_json(const char* path, const bench_machine* machine, const bench_results* results,
                      tool_message* why) {
  json_t* rows = bench_json_rows(results->rows, results->count, sizeof *results->rows,
                                 bench_columns, BENCH_FILE_COLUMNS);
  json_t* report = json_pack("{ss so so}", "schema", "weft-bench/1", "machine",
                             bench_json_machine(machine), "results", rows);
  return tool_json_write(path, report, why);
}
