#include "limit_report.h"

#include <inttypes.h>
#include <math.h>

#include "common/number.h"
#include "round_trip.h"
#include "text_table.h"

enum { MAX_CELL = BENCH_MAX_CELL };

const char bench_ceilings_are[] =
    "measured: the kernel of the scenes, on particles that stay in the cache; not a theory";

static const double kib = 1u << 10, mib = 1u << 20;

static void print_memory(FILE* out, const bench_limits* limits) {
  static const char* const heads[] = {"threads", "read GB/s", "triad GB/s"};
  bench_text_table table;
  if (!bench_text_table_create(heads, "rrr", limits->memory_count, &table)) return;
  for (uint32_t i = 0; i < limits->memory_count; ++i) {
    const bench_bandwidth* memory = &limits->memory[i];
    char(*cell)[MAX_CELL] = table.rows[i].cells;
    snprintf(*cell++, MAX_CELL, "%u", memory->threads);
    snprintf(*cell++, MAX_CELL, "%.1f", memory->read_gb_per_s);
    snprintf(*cell++, MAX_CELL, "%.1f", memory->triad_gb_per_s);
  }
  fprintf(out, "\nmemory: arrays of %.0f MiB\n", (double)limits->array_bytes / mib);
  bench_text_table_print(out, &table);
}

static void print_caches(FILE* out, const bench_limits* limits) {
  static const char* const heads[] = {"cache", "block KiB", "read GB/s"};
  bench_text_table table;
  if (!bench_text_table_create(heads, "lrr", BENCH_CACHES, &table)) return;
  for (int i = 0; i < BENCH_CACHES; ++i) {
    const bench_cache_read* read = &limits->caches[i];
    char(*cell)[MAX_CELL] = table.rows[i].cells;
    snprintf(*cell++, MAX_CELL, "%s", bench_cache_name((bench_cache)i));
    snprintf(*cell++, MAX_CELL, "%.0f", (double)read->block_bytes / kib);
    if (isnan(read->gb_per_s)) {
      snprintf(*cell++, MAX_CELL, "unknown");
    } else {
      snprintf(*cell++, MAX_CELL, "%.1f", read->gb_per_s);
    }
  }
  fprintf(out, "\ncaches: one core\n");
  bench_text_table_print(out, &table);
}

static void format_ceiling(const void* row, bench_text_row* to) {
  const bench_ceiling* ceiling = row;
  char(*cell)[MAX_CELL] = to->cells;
  snprintf(*cell++, MAX_CELL, "%s-resident", bench_cache_name(ceiling->cache));
  snprintf(*cell++, MAX_CELL, "%s", weft_isa_name(ceiling->isa));
  snprintf(*cell++, MAX_CELL, "%u", ceiling->size);
  snprintf(*cell++, MAX_CELL, "%u", ceiling->links);
  snprintf(*cell++, MAX_CELL, "%.3f", ceiling->ns_per_link);
  snprintf(*cell++, MAX_CELL, "%.3f, %.3f", ceiling->ns_per_link_before,
           ceiling->ns_per_link_after);
  snprintf(*cell++, MAX_CELL, "%.0f", 1e3 / ceiling->ns_per_link);
  snprintf(*cell++, MAX_CELL, "%.1f", ceiling->bytes_per_link);
}

static void print_ceilings(FILE* out, const bench_limits* limits) {
  static const char* const heads[] = {"ceiling", "isa",           "sheet",    "links",
                                      "ns/link", "before, after", "Mlinks/s", "bytes/link"};
  fprintf(out, "\nlink solve: one thread, hundreds of iterations a step\n");
  bench_text_rows_print(out, heads, "llrrrrrr", limits->ceilings, limits->ceiling_count,
                        sizeof *limits->ceilings, format_ceiling);
  fprintf(out, "%s\n", bench_ceilings_are);
}

static void print_speed(FILE* out, const bench_speed_modes* speed) {
  if (speed->is_bimodal) {
    fprintf(
        out,
        "speed: flips between two in L1: %.3f ns/link in %.0f %% of %u probes, %.3f in %.0f %%\n",
        speed->fast_ns, 100.0 * (1.0 - speed->slow_share), speed->probes, speed->slow_ns,
        100.0 * speed->slow_share);
  } else if (speed->probes > 0) {
    fprintf(out, "speed: steady in L1: %.3f ns/link, 90 %% of %u probes from %.3f to %.3f\n",
            speed->fast_ns, speed->probes, speed->low_ns, speed->high_ns);
  }
}

void bench_print_limits(FILE* out, const bench_limits* limits) {
  print_memory(out, limits);
  print_caches(out, limits);
  print_ceilings(out, limits);
  print_speed(out, &limits->speed);
}

static void format_row(const void* item, bench_text_row* to) {
  const bench_limit_row* row = item;
  char(*cell)[MAX_CELL] = to->cells;
  char title[BENCH_MAX_TITLE];
  bench_scene_title(row->scene, row->size, row->count, title);
  snprintf(*cell++, MAX_CELL, "%.21s", title);
  snprintf(*cell++, MAX_CELL, "%s", row->isa);
  snprintf(*cell++, MAX_CELL, "%u", row->threads);
  snprintf(*cell++, MAX_CELL, "%.3f", row->ns_per_link);
  snprintf(*cell++, MAX_CELL, "%.0f %%", 100.0 * row->share_of_l2_ceiling);
  snprintf(*cell++, MAX_CELL, "%.1f", row->effective_gb_per_s);
  snprintf(*cell++, MAX_CELL, "%.0f %%", 100.0 * row->share_of_bandwidth);
  bench_format_round_trip(*cell++, MAX_CELL, row->threads, row->round_trip_before_ns,
                          row->round_trip_after_ns);
  snprintf(*cell++, MAX_CELL, "%016" PRIx64, row->state_hash);
}

/* Says what happened to rows that were taken again. */
static void print_footnotes(FILE* out, const bench_rows* rows) {
  const bench_limit_row* items = rows->items;
  uint32_t again = 0, unsteady = 0;
  for (size_t i = 0; i < rows->count; ++i) {
    const bench_limit_row* row = &items[i];
    if (row->takes > 1) ++again;
    if (bench_round_trip_moved(row->round_trip_before_ns, row->round_trip_after_ns)) ++unsteady;
  }
  if (again > 0) {
    fprintf(out, "%u row%s taken again, as the round trip between two cores had changed\n", again,
            again == 1 ? " was" : "s were");
  }
  if (unsteady > 0) fputs(bench_round_trip_footnote, out);
}

void bench_print_limit_rows(FILE* out, const bench_rows* rows) {
  const bench_limit_row* items = rows->items;
  static const char* const heads[] = {"scene", "isa",    "threads",    "ns/link",   "ceiling",
                                      "GB/s",  "memory", "round trip", "state hash"};
  const uint32_t iterations = rows->count > 0 ? items[0].iterations : 0;
  fprintf(out, "\nscenes: %u iteration%s a step\n", iterations, tool_plural(iterations));
  bench_text_rows_print(out, heads, "llrrrrrrl", items, rows->count, sizeof *items, format_row);
  print_footnotes(out, rows);
}
