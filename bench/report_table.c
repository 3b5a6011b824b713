/* The table for people: rounded numbers. */
#include <inttypes.h>

#include "common/number.h"
#include "report.h"
#include "round_trip.h"
#include "text_table.h"

enum { MAX_CELL = BENCH_MAX_CELL };

static const char* const time_heads[] = {"rung",    "threads", "ms/step", "min",       "max",
                                         "natural", "colored", "strain",  "state hash"};
static const char time_sides[] = "lrrrrrrrl";

static const char* const solve_heads[] = {"rung",     "threads", "ns/link",    "Mlinks/s",
                                          "build ms", "MiB",     "max strain", "round trip ns"};
static const char solve_sides[] = "lrrrrrrr";

/* "2 of 8": at work, of those asked for. */
static char (*format_rung(const bench_result* row, bench_text_row* to))[MAX_CELL] {
  char(*cell)[MAX_CELL] = to->cells;
  const bool is_engine = row->patches > 0;
  snprintf(*cell++, MAX_CELL, "%s%s%s", row->solver, is_engine ? " " : "",
           is_engine ? row->isa : "");
  if (row->threads == row->threads_asked) {
    snprintf(*cell++, MAX_CELL, "%u", row->threads);
  } else {
    snprintf(*cell++, MAX_CELL, "%u of %u", row->threads, row->threads_asked);
  }
  return cell;
}

static void format_times(const void* item, bench_text_row* to) {
  const bench_result* row = item;
  char(*cell)[MAX_CELL] = format_rung(row, to);
  snprintf(*cell++, MAX_CELL, "%.3f", row->step_ms_median);
  snprintf(*cell++, MAX_CELL, "%.3f", row->step_ms_min);
  snprintf(*cell++, MAX_CELL, "%.3f", row->step_ms_max);
  snprintf(*cell++, MAX_CELL, "%.2f", row->ratio_to_serial_natural);
  snprintf(*cell++, MAX_CELL, "%.2f", row->ratio_to_serial_colored);
  bench_format_strain(*cell++, row->strain_mean);
  snprintf(*cell++, MAX_CELL, "%016" PRIx64, row->state_hash);
}

static void format_solve(const void* item, bench_text_row* to) {
  const bench_result* row = item;
  char(*cell)[MAX_CELL] = format_rung(row, to);
  snprintf(*cell++, MAX_CELL, "%.3f", row->solve_ns_per_link);
  snprintf(*cell++, MAX_CELL, "%.0f", 1e-6 * row->links_per_second);
  snprintf(*cell++, MAX_CELL, "%.1f", row->build_ms);
  snprintf(*cell++, MAX_CELL, "%.1f", (double)row->bytes / (1u << 20));
  bench_format_strain(*cell++, row->strain_max);
  bench_format_round_trip(*cell++, MAX_CELL, row->threads, row->round_trip_before_ns,
                          row->round_trip_after_ns);
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
  print_facts(out, schedule, &rows[count - 1]);
  bench_text_rows_print(out, time_heads, time_sides, rows, count, sizeof *rows, format_times);
  fputc('\n', out);
  bench_text_rows_print(out, solve_heads, solve_sides, rows, count, sizeof *rows, format_solve);
  print_footnote(out, rows, count);
}
