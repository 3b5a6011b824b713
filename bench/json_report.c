#include "json_report.h"

#include <inttypes.h>

static json_t* cell(const char* row, const bench_column* column) {
  const void* at = row + column->offset;
  switch (column->kind) {
    case BENCH_COLUMN_TEXT:
      return tool_json_text(at);
    case BENCH_COLUMN_COUNT:
      return json_integer(*(const uint32_t*)at);
    case BENCH_COLUMN_LARGE:
      return json_integer((json_int_t) * (const uint64_t*)at);
    case BENCH_COLUMN_REAL:
      return tool_json_number(*(const double*)at);
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
      "{so sI sI so sI so so so so so so}", "cpu", tool_json_text(machine->cpu), "cores",
      (json_int_t)machine->cores, "hardware_threads", (json_int_t)machine->hardware_threads,
      "caches", cache_object(machine), "memory_bytes", (json_int_t)machine->memory_bytes, "os",
      tool_json_text(machine->os), "compiler", tool_json_text(machine->compiler), "flags",
      tool_json_text(machine->flags), "baseline_flags", tool_json_text(machine->baseline_flags),
      "version", tool_json_text(machine->version), "round_trip_ns",
      tool_json_number(machine->round_trip_ns));
}
