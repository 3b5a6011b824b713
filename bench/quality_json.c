#include "json_report.h"
#include "quality_report.h"

bool bench_write_quality(const char* path, const bench_machine* machine,
                         const bench_quality* quality, tool_message* why) {
  bench_equal_strain found[BENCH_TARGETS];
  bench_find_equal_strain(quality->rows, quality->count, found);
  json_t* rows = bench_json_rows(quality->rows, quality->count, sizeof quality->rows[0],
                                 bench_quality_columns, BENCH_QUALITY_COLUMNS);
  json_t* equal = bench_json_rows(found, BENCH_TARGETS, sizeof found[0], bench_equal_strain_columns,
                                  BENCH_EQUAL_STRAIN_COLUMNS);
  json_t* report = json_pack("{ss so so so}", "schema", "weft-bench/1", "machine",
                             bench_json_machine(machine), "results", rows, "equal_strain", equal);
  return tool_json_write(path, report, why);
}
