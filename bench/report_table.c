/* The table for people: rounded numbers. */
#include <inttypes.h>

#include "common/number.h"
#include "report.h"
#include "round_trip.h"
#include "text_table.h"

enum { MAX_CELL = BENCH_MAX_CELL };

static const char* const heads[] = {
    "solver",  "isa",         "threads",    "ms/step",       "min",
    "ns/link", "Mlinks/s",    "x natural",  "x colored",     "build ms",
    "MiB",     "mean strain", "max strain", "round trip ns", "state hash",
};
static const char sides[] = "llrrrrrrrrrrrrl";

static void format_row(const bench_result* row, bench_text_row* to) {
  char(*cell)[MAX_CELL] = to->cells;
  snprintf(*cell++, MAX_CELL, "%s", row->solver);
  snprintf(*cell++, MAX_CELL, "%s", row->isa);
  snprintf(*cell++, MAX_CELL, "%u", row->threads);
  snprintf(*cell++, MAX_CELL, "%.3f", row->step_ms_median);
  snprintf(*cell++, MAX_CELL, "%.3f", row->step_ms_min);
  snprintf(*cell++, MAX_CELL, "%.3f", row->solve_ns_per_link);
  snprintf(*cell++, MAX_CELL, "%.0f", 1e-6 * row->links_per_second);
  snprintf(*cell++, MAX_CELL, "%.2f", row->ratio_to_serial_natural);
  snprintf(*cell++, MAX_CELL, "%.2f", row->ratio_to_serial_colored);
  snprintf(*cell++, MAX_CELL, "%.1f", row->build_ms);
  snprintf(*cell++, MAX_CELL, "%.1f", (double)row->bytes / (1u << 20));
  bench_format_strain(*cell++, row->strain_mean);
  bench_format_strain(*cell++, row->strain_max);
  bench_format_round_trip(*cell++, MAX_CELL, row->threads, row->round_trip_before_ns,
                          row->round_trip_after_ns);
  snprintf(*cell++, MAX_CELL, "%016" PRIx64, row->state_hash);
}

static void print_facts(FILE* out, const bench_schedule* schedule, const bench_result* row) {
  char title[BENCH_MAX_TITLE];
  bench_scene_title(row->scene, row->size, row->count, title);
  fprintf(out, "\n%s: %u particles, %u links, ", title, row->particles, row->links);
  fprintf(out, "%u patch%s in %u colour%s; ", row->patches, row->patches == 1 ? "" : "es",
          row->patch_colors, tool_plural(row->patch_colors));
  fprintf(out, "%u iteration%s, %u repeat%s of %u step%s\n", row->iterations,
          tool_plural(row->iterations), schedule->repeats, tool_plural(schedule->repeats),
          schedule->steps, tool_plural(schedule->steps));
}

/* Says what the star is, where there is one. */
static void print_footnote(FILE* out, const bench_result* rows, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (!bench_round_trip_moved(rows[i].round_trip_before_ns, rows[i].round_trip_after_ns))
      continue;
    fputs(bench_round_trip_footnote, out);
    return;
  }
}

void bench_print_table(FILE* out, const bench_schedule* schedule, const bench_result* rows,
                       size_t count) {
  bench_text_table table;
  // without memory for the table, the results themselves are safe
  if (!bench_text_table_create(heads, sides, count, &table)) return;
  for (size_t i = 0; i < count; ++i) format_row(&rows[i], &table.rows[i]);
  print_facts(out, schedule, &rows[count - 1]);
  bench_text_table_print(out, &table);
  print_footnote(out, rows, count);
  bench_text_table_free(&table);
}
