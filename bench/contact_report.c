/* Rows of contacts for people and for programs. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/number.h"
#include "contact_rows.h"
#include "text_table.h"

enum { MAX_CELL = BENCH_MAX_CELL };

typedef char cell[MAX_CELL];

static const char* const heads[] = {
    "contacts", "threads", "ms/step",   "min", "x without", "links", "near",
    "cloth",    "bodies",  "colliders", "ccd", "other",     "MiB",   "state hash",
};
static const char sides[] = "lrrrrrrrrrrrrl";

static const char* const growth_heads[] = {
    "particles",   "contact ms", "min",         "growth", "step ms", "at colliders",
    "cloth pairs", "body pairs", "exact pairs", "lost",   "MiB",     "state hash",
};
static const char growth_sides[] = "rrrrrrrrrrrl";
// rows are printed one by one: these are of what is usual
static const int growth_widths[] = {9, 10, 10, 8, 10, 12, 11, 10, 11, 5, 8, 16};

static double mib(uint64_t bytes) {
  return (double)bytes / (1u << 20);
}

static cell* write_number(cell* to, const char* format, double number) {
  if (isfinite(number)) snprintf(*to, MAX_CELL, format, number);
  return to + 1;
}

// percent of all stages; nothing where a stage is not there
static cell* write_share(cell* to, double part, double sum) {
  if (part > 0.0) snprintf(*to, MAX_CELL, "%.1f %%", 100.0 * part / sum);
  return to + 1;
}

static void format_row(const bench_contact_row* row, bench_text_row* text) {
  static const int told[] = {WEFT_STAGE_LINKS,          WEFT_STAGE_BROAD_PHASE,
                             WEFT_STAGE_SELF_COLLISION, WEFT_STAGE_PARTICLE_CONTACTS,
                             WEFT_STAGE_COLLIDERS,      WEFT_STAGE_CCD};
  enum { TOLD = sizeof told / sizeof told[0] };
  double sum = 0.0, rest = 0.0;
  for (int stage = 0; stage < WEFT_STAGE_COUNT; ++stage) sum += row->stage_ms[stage];
  rest = sum;
  cell* to = text->cells;
  snprintf(*to++, MAX_CELL, "%s", row->contacts);
  snprintf(*to++, MAX_CELL, "%u", row->threads);
  to = write_number(to, "%.3f", row->step_ms_median);
  to = write_number(to, "%.3f", row->step_ms_min);
  to = write_number(to, "%.2f", row->ratio_to_without);
  for (int i = 0; i < TOLD; ++i) {
    to = write_share(to, row->stage_ms[told[i]], sum);
    rest -= row->stage_ms[told[i]];
  }
  to = write_share(to, rest > 1e-9 * sum ? rest : 0.0, sum);
  to = write_number(to, "%.1f", mib(row->bytes));
  snprintf(*to, MAX_CELL, "%016" PRIx64, row->state_hash);
}

static void print_facts(FILE* out, const bench_contact_row* row) {
  fprintf(out, "\n%s %u: %u particles, %u links; %s, %u substep%s of %u iteration%s\n", row->scene,
          row->size, row->particles, row->links, row->isa, row->substeps,
          tool_plural(row->substeps), row->iterations, tool_plural(row->iterations));
  fprintf(out, "steps %" PRIu64 " to %" PRIu64 "; in the last one", row->first_step,
          row->last_step);
  fprintf(out, " %u particle%s at colliders, %u pair%s of cloth, %u exact pair%s, %u hit%s",
          row->collider_contacts, tool_plural(row->collider_contacts), row->self_pairs,
          tool_plural(row->self_pairs), row->ccd_pairs, tool_plural(row->ccd_pairs), row->ccd_hits,
          tool_plural(row->ccd_hits));
  if (row->lost > 0) {
    fprintf(out, "; %" PRIu64 " pair%s found no room", row->lost, tool_plural(row->lost));
  }
  fputc('\n', out);
}

void bench_contact_print(FILE* out, const bench_contact_row* rows, size_t count) {
  bench_text_table table;
  // without memory for the table, the results themselves are safe
  if (!bench_text_table_create(heads, sides, count, &table)) return;
  for (size_t i = 0; i < count; ++i) format_row(&rows[i], &table.rows[i]);
  // those with contacts come first
  print_facts(out, &rows[0]);
  bench_text_table_print(out, &table);
  bench_text_table_free(&table);
}

static void format_growth(const bench_contact_row* row, double limit, bench_text_row* text) {
  cell* to = text->cells;
  snprintf(*to++, MAX_CELL, "%u", row->particles);
  to = write_number(to, "%.3f", row->contact_ms_median);
  to = write_number(to, "%.3f", row->contact_ms_min);
  to = write_number(to, row->growth > limit ? "%.2f !" : "%.2f  ", row->growth);
  to = write_number(to, "%.3f", row->step_ms_median);
  snprintf(*to++, MAX_CELL, "%u", row->collider_contacts);
  snprintf(*to++, MAX_CELL, "%u", row->self_pairs);
  snprintf(*to++, MAX_CELL, "%u", row->particle_pairs);
  snprintf(*to++, MAX_CELL, "%u", row->ccd_pairs);
  snprintf(*to++, MAX_CELL, "%" PRIu64, row->lost);
  to = write_number(to, "%.1f", mib(row->bytes));
  snprintf(*to, MAX_CELL, "%016" PRIx64, row->state_hash);
}

void bench_contact_print_growth_heads(FILE* out, const bench_contact_row* row) {
  fprintf(out, "\n%s: %s, %u thread%s, %u substep%s, steps %" PRIu64 " to %" PRIu64 "\n",
          row->scene, row->isa, row->threads, tool_plural(row->threads), row->substeps,
          tool_plural(row->substeps), row->first_step, row->last_step);
  bench_text_line_print(out, growth_sides, growth_widths, growth_heads);
}

void bench_contact_print_growth(FILE* out, const bench_contact_row* row, double limit) {
  bench_text_row text = {0};
  const char* cells[sizeof growth_sides - 1];
  format_growth(row, limit, &text);
  for (size_t i = 0; i < sizeof growth_sides - 1; ++i) cells[i] = text.cells[i];
  bench_text_line_print(out, growth_sides, growth_widths, cells);
}
