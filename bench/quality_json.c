#include "quality_report.h"

bool bench_write_quality(const bench_session* session, const bench_quality* quality,
                         tool_message* why) {
  bench_equal_strain found[BENCH_TARGETS];
  bench_find_equal_strain(quality->rows, quality->count, found);
  json_t* report = json_pack(
      "{ss so so so}", "schema", "weft-bench/1", "machine", bench_machine_json(&session->machine),
      "results", bench_rows_json(&bench_quality_type, quality->rows, quality->count),
      "equal_strain", bench_rows_json(&bench_equal_strain_type, found, BENCH_TARGETS));
  return bench_write_files(session, report, &bench_quality_type, quality->rows, quality->count,
                           why);
}
