#include "csv_report.h"
#include "report.h"

bool bench_write_csv(const char* path, const bench_results* results, tool_message* why) {
  return bench_csv_write(path, results->rows, results->count, sizeof *results->rows, bench_columns,
                         BENCH_FILE_COLUMNS, why);
}
