/* The table for people: rounded numbers, columns as wide as their widest cell, text to the left and
 * numbers to the right. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

enum { TABLE_COLUMNS = 14, MAX_CELL = 32 };

typedef struct table_row {
  char cells[TABLE_COLUMNS][MAX_CELL];
} table_row;

static const char* const heads[TABLE_COLUMNS] = {
    "solver",    "isa",       "threads",  "ms/step", "min",         "ns/link",    "Mlinks/s",
    "x natural", "x colored", "build ms", "MiB",     "mean strain", "max strain", "round trip ns",
};

static void print_bytes(FILE* out, const char* name, uint64_t bytes) {
  if (bytes >= 1u << 30) {
    fprintf(out, ", %s %.1f GiB", name, (double)bytes / (1u << 30));
  } else if (bytes >= 1u << 20) {
    fprintf(out, ", %s %.1f MiB", name, (double)bytes / (1u << 20));
  } else if (bytes > 0) {
    fprintf(out, ", %s %.0f KiB", name, (double)bytes / 1024);
  }
}

void bench_print_machine(FILE* out, const bench_machine* machine) {
  fprintf(out, "%s, %u cores", machine->cpu, machine->cores);
  print_bytes(out, "L1d", machine->l1d_bytes);
  print_bytes(out, "L2", machine->l2_bytes);
  print_bytes(out, "L3", machine->l3_bytes);
  print_bytes(out, "memory", machine->memory_bytes);
  fprintf(out, "\n%s, %s, weft %s (%s)\n", machine->os, machine->compiler, machine->version,
          machine->flags);
}

/* Percent with three digits; sheets that have gone wild have strains of many thousand percent. */
static void format_strain(char cell[MAX_CELL], double strain) {
  snprintf(cell, MAX_CELL, strain < 10.0 ? "%.3g %%" : "%.2g x",
           strain < 10.0 ? 100 * strain : strain);
}

static void format_round_trip(char cell[MAX_CELL], const bench_result* row) {
  if (row->threads < 2) {
    cell[0] = '\0';
  } else if (isnan(row->round_trip_before_ns) || isnan(row->round_trip_after_ns)) {
    snprintf(cell, MAX_CELL, "unknown");
  } else {
    snprintf(cell, MAX_CELL, "%.0f, %.0f", row->round_trip_before_ns, row->round_trip_after_ns);
  }
}

static void format_row(const bench_result* row, table_row* to) {
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
  format_strain(*cell++, row->strain_mean);
  format_strain(*cell++, row->strain_max);
  format_round_trip(*cell++, row);
}

static void widen(int widths[TABLE_COLUMNS], const table_row* row) {
  for (int c = 0; c < TABLE_COLUMNS; ++c) {
    const int width = (int)strlen(row->cells[c]);
    if (width > widths[c]) widths[c] = width;
  }
}

static void print_row(FILE* out, const int widths[TABLE_COLUMNS], const table_row* row,
                      const char* last) {
  for (int c = 0; c < TABLE_COLUMNS; ++c) {
    const int width = c < 2 ? -widths[c] : widths[c];  // the first two are text
    fprintf(out, "%*s  ", width, row->cells[c]);
  }
  fprintf(out, "%s\n", last);
}

static void print_facts(FILE* out, const bench_schedule* schedule, const bench_result* row) {
  fprintf(out, "\n%s %u: %u particles, %u links, ", row->scene, row->size, row->particles,
          row->links);
  fprintf(out, "%u patches in %u colours; ", row->patches, row->patch_colors);
  fprintf(out, "%u iterations, %u repeats of %u steps\n", row->iterations, schedule->repeats,
          schedule->steps);
}

void bench_print_table(FILE* out, const bench_schedule* schedule, const bench_result* rows,
                       size_t count) {
  table_row head;
  table_row* lines = calloc(count, sizeof *lines);
  if (!lines) return;  // the results themselves are safe
  int widths[TABLE_COLUMNS] = {0};
  for (int c = 0; c < TABLE_COLUMNS; ++c) snprintf(head.cells[c], MAX_CELL, "%s", heads[c]);
  widen(widths, &head);
  for (size_t i = 0; i < count; ++i) {
    format_row(&rows[i], &lines[i]);
    widen(widths, &lines[i]);
  }
  print_facts(out, schedule, &rows[count - 1]);
  print_row(out, widths, &head, "state hash");
  for (size_t i = 0; i < count; ++i) {
    char hash[MAX_CELL];
    snprintf(hash, sizeof hash, "%016" PRIx64, rows[i].state_hash);
    print_row(out, widths, &lines[i], hash);
  }
  free(lines);
}
