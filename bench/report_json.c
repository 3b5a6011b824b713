#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdbool.h>

#include "output_file.h"
#include "report.h"

/* JSON has no word for NaN and infinity. */
static json_t* number_or_null(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

/* File names and the names of processors need not be UTF-8. */
static json_t* text_or_null(const char* text) {
  json_t* string = json_string(text);
  return string ? string : json_null();
}

static json_t* hash_text(uint64_t hash) {
  return json_sprintf("%016" PRIx64, hash);
}

static json_t* cell(const bench_result* row, const bench_column* column) {
  const char* at = (const char*)row + column->offset;
  switch (column->kind) {
    case BENCH_COLUMN_TEXT:
      return text_or_null(at);
    case BENCH_COLUMN_COUNT:
      return json_integer(*(const uint32_t*)(const void*)at);
    case BENCH_COLUMN_LARGE:
      return json_integer((json_int_t) * (const uint64_t*)(const void*)at);
    case BENCH_COLUMN_REAL:
      return number_or_null(*(const double*)(const void*)at);
    default:
      return hash_text(*(const uint64_t*)(const void*)at);
  }
}

static json_t* row_object(const bench_result* row) {
  json_t* object = json_object();
  for (size_t c = 0; c < BENCH_FILE_COLUMNS; ++c) {
    json_object_set_new(object, bench_columns[c].name, cell(row, &bench_columns[c]));
  }
  return object;
}

static json_t* cache_object(const bench_machine* machine) {
  return json_pack("{sI sI sI}", "l1d", (json_int_t)machine->l1d_bytes, "l2",
                   (json_int_t)machine->l2_bytes, "l3", (json_int_t)machine->l3_bytes);
}

static json_t* machine_object(const bench_machine* machine) {
  return json_pack("{so sI sI so sI so so so so so so}", "cpu", text_or_null(machine->cpu), "cores",
                   (json_int_t)machine->cores, "hardware_threads",
                   (json_int_t)machine->hardware_threads, "caches", cache_object(machine),
                   "memory_bytes", (json_int_t)machine->memory_bytes, "os",
                   text_or_null(machine->os), "compiler", text_or_null(machine->compiler), "flags",
                   text_or_null(machine->flags), "baseline_flags",
                   text_or_null(machine->baseline_flags), "version", text_or_null(machine->version),
                   "round_trip_ns", number_or_null(machine->round_trip_ns));
}

static json_t* report_object(const bench_machine* machine, const bench_results* results) {
  json_t* rows = json_array();
  for (size_t i = 0; i < results->count; ++i) {
    json_array_append_new(rows, row_object(&results->rows[i]));
  }
  return json_pack("{ss so so}", "schema", "weft-bench/1", "machine", machine_object(machine),
                   "results", rows);
}

bool bench_write_json(const char* path, const bench_machine* machine, const bench_results* results,
                      bench_message* why) {
  bench_output output;
  json_t* report = report_object(machine, results);
  if (!report) return bench_because(why, "no memory to write '%s'", path);
  bool ok = bench_output_open(path, &output, why);
  if (ok) {
    const bool written =
        json_dumpf(report, output.stream, JSON_INDENT(2)) == 0 && fputc('\n', output.stream) != EOF;
    ok = bench_output_close(&output, written, why);
  }
  json_decref(report);
  return ok;
}
