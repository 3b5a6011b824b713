#include "common/json_file.h"
#include "limit_report.h"

static json_t* memory_array(const bench_limits* limits) {
  json_t* array = json_array();
  for (uint32_t i = 0; i < limits->memory_count; ++i) {
    const bench_bandwidth* memory = &limits->memory[i];
    json_array_append_new(
        array, json_pack("{sI so so}", "threads", (json_int_t)memory->threads, "read_gb_per_s",
                         tool_json_number(memory->read_gb_per_s), "triad_gb_per_s",
                         tool_json_number(memory->triad_gb_per_s)));
  }
  return array;
}

static json_t* cache_array(const bench_limits* limits) {
  json_t* array = json_array();
  for (int i = 0; i < BENCH_CACHES; ++i) {
    const bench_cache_read* read = &limits->caches[i];
    json_array_append_new(array, json_pack("{ss sI so}", "cache", bench_cache_name((bench_cache)i),
                                           "block_bytes", (json_int_t)read->block_bytes,
                                           "read_gb_per_s", tool_json_number(read->gb_per_s)));
  }
  return array;
}

static json_t* ceiling_array(const bench_limits* limits) {
  json_t* array = json_array();
  for (uint32_t i = 0; i < limits->ceiling_count; ++i) {
    const bench_ceiling* ceiling = &limits->ceilings[i];
    json_array_append_new(
        array, json_pack("{ss ss ss sI sI sI sI so so so so}", "resident",
                         bench_cache_name(ceiling->cache), "isa", weft_isa_name(ceiling->isa),
                         "scene", "sheet", "size", (json_int_t)ceiling->size, "particles",
                         (json_int_t)ceiling->particles, "links", (json_int_t)ceiling->links,
                         "iterations", (json_int_t)ceiling->iterations, "ns_per_link",
                         tool_json_number(ceiling->ns_per_link), "ns_per_link_before",
                         tool_json_number(ceiling->ns_per_link_before), "ns_per_link_after",
                         tool_json_number(ceiling->ns_per_link_after), "bytes_per_link",
                         tool_json_number(ceiling->bytes_per_link)));
  }
  return array;
}

static json_t* speed_object(const bench_speed_modes* speed) {
  return json_pack("{sI sb so so so so so}", "probes", (json_int_t)speed->probes, "bimodal",
                   speed->is_bimodal, "fast_ns_per_link", tool_json_number(speed->fast_ns),
                   "slow_ns_per_link", tool_json_number(speed->slow_ns), "slow_share",
                   tool_json_number(speed->slow_share), "low_ns_per_link",
                   tool_json_number(speed->low_ns), "high_ns_per_link",
                   tool_json_number(speed->high_ns));
}

static json_t* limits_object(const bench_limits* limits) {
  return json_pack("{sI so so ss so so}", "array_bytes", (json_int_t)limits->array_bytes, "memory",
                   memory_array(limits), "caches", cache_array(limits), "ceilings_are",
                   bench_ceilings_are, "ceilings", ceiling_array(limits), "speed",
                   speed_object(&limits->speed));
}

bool bench_write_limits(const bench_session* session, const bench_limits* limits,
                        tool_message* why) {
  const bench_rows* rows = &session->results;
  json_t* report = json_pack("{ss so so so}", "schema", "weft-bench/1", "machine",
                             bench_machine_json(&session->machine), "limits", limits_object(limits),
                             "results", bench_rows_json(rows->type, rows->items, rows->count));
  return bench_write_files(session, report, rows->type, rows->items, rows->count, why);
}
