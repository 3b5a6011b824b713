#include "json_report.h"

#include <inttypes.h>
#include <math.h>

#include "output_file.h"

json_t* bench_json_number(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

json_t* bench_json_text(const char* text) {
  json_t* string = json_string(text);
  return string ? string : json_null();
}

static json_t* cell(const char* row, const bench_column* column) {
  const void* at = row + column->offset;
  switch (column->kind) {
    case BENCH_COLUMN_TEXT:
      return bench_json_text(at);
    case BENCH_COLUMN_COUNT:
      return json_integer(*(const uint32_t*)at);
    case BENCH_COLUMN_LARGE:
      return json_integer((json_int_t) * (const uint64_t*)at);
    case BENCH_COLUMN_REAL:
      return bench_json_number(*(const double*)at);
    default:
      return json_sprintf("%016" PRIx64, *(const uint64_t*)at);
  }
}

json_t* bench_json_rows(const void* rows, size_t count, size_t row_bytes,
                        const bench_column* columns, size_t column_count) {
  json_t* array = json_array();
  for (size_t i = 0; i < count; ++i) {
    json_t* object = json_object();
    for (size_t c = 0; c < column_count; ++c) {
      json_object_set_new(object, columns[c].name,
                          cell((const char*)rows + i * row_bytes, &columns[c]));
    }
    json_array_append_new(array, object);
  }
  return array;
}

static json_t* cache_object(const bench_machine* machine) {
  return json_pack("{sI sI sI}", "l1d", (json_int_t)machine->l1d_bytes, "l2",
                   (json_int_t)machine->l2_bytes, "l3", (json_int_t)machine->l3_bytes);
}

json_t* bench_json_machine(const bench_machine* machine) {
  return json_pack(
      "{so sI sI so sI so so so so so so}", "cpu", bench_json_text(machine->cpu), "cores",
      (json_int_t)machine->cores, "hardware_threads", (json_int_t)machine->hardware_threads,
      "caches", cache_object(machine), "memory_bytes", (json_int_t)machine->memory_bytes, "os",
      bench_json_text(machine->os), "compiler", bench_json_text(machine->compiler), "flags",
      bench_json_text(machine->flags), "baseline_flags", bench_json_text(machine->baseline_flags),
      "version", bench_json_text(machine->version), "round_trip_ns",
      bench_json_number(machine->round_trip_ns));
}

bool bench_json_write(const char* path, json_t* report, bench_message* why) {
  bench_output output;
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
