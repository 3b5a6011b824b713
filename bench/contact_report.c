/* Rows of contacts for people and for programs. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/number.h"
#include "contact_rows.h"
#include "text_table.h"

enum { MAX_CELL = BENCH_MAX_CELL };

typedef char cell[MAX_CELL];

static const char* const heads[] = {"contacts", "threads",   "ms/step", "min",
                                    "max",      "x without", "MiB",     "state hash"};
static const char sides[] = "lrrrrrrl";

static const char* const stage_heads[] = {"contacts",  "threads",   "links", "broad phase", "self",
                                          "particles", "colliders", "ccd",   "other"};
static const char stage_sides[] = "lrrrrrrrr";

static const char* const growth_heads[] = {
    "particles", "substeps", "contact ms", "cpu ms", "ns each", "growth",    "colliders",
    "cloth",     "bodies",   "ccd",        "hits",   "lost",    "state hash"};
static const char growth_sides[] = "rrrrrrrrrrrrl";
// rows are printed one by one: these are of what is usual
static const int growth_widths[] = {9, 8, 10, 9, 7, 6, 9, 7, 7, 7, 7, 4, 16};

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

/* "2 of 8": at work, of those asked for. */
static cell* write_threads(cell* to, const bench_contact_row* row) {
  snprintf(*to, MAX_CELL, row->threads == row->threads_asked ? "%u" : "%u of %u", row->threads,
           row->threads_asked);
  return to + 1;
}

static void format_row(const void* item, bench_text_row* text) {
  const bench_contact_row* row = item;
  cell* to = text->cells;
  snprintf(*to++, MAX_CELL, "%s", row->contacts);
  to = write_threads(to, row);
  to = write_number(to, "%.3f", row->step_ms_median);
  to = write_number(to, "%.3f", row->step_ms_min);
  to = write_number(to, "%.3f", row->step_ms_max);
  to = write_number(to, "%.2f", row->ratio_to_without);
  to = write_number(to, "%.1f", mib(row->bytes));
  snprintf(*to, MAX_CELL, "%016" PRIx64, row->state_hash);
}

static void format_stages(const void* item, bench_text_row* text) {
  const bench_contact_row* row = item;
  static const int told[] = {WEFT_STAGE_LINKS,          WEFT_STAGE_BROAD_PHASE,
                             WEFT_STAGE_SELF_COLLISION, WEFT_STAGE_PARTICLE_CONTACTS,
                             WEFT_STAGE_COLLIDERS,      WEFT_STAGE_CCD};
  enum { TOLD = sizeof told / sizeof told[0] };
  double sum = 0.0;
  for (int stage = 0; stage < WEFT_STAGE_COUNT; ++stage) sum += row->stage_ms[stage];
  double rest = sum;
  cell* to = text->cells;
  snprintf(*to++, MAX_CELL, "%s", row->contacts);
  to = write_threads(to, row);
  for (int i = 0; i < TOLD; ++i) {
    to = write_share(to, row->stage_ms[told[i]], sum);
    rest -= row->stage_ms[told[i]];
  }
  write_share(to, rest > 1e-9 * sum ? rest : 0.0, sum);
}

static void print_facts(FILE* out, const bench_contact_row* row) {
  fprintf(out, "\n%s %u: %u particles, %u links; %s, %u substep%s of %u iteration%s\n", row->scene,
          row->size, row->particles, row->links, row->isa, row->substeps,
          tool_plural(row->substeps), row->iterations, tool_plural(row->iterations));
  fprintf(out, "steps %" PRIu64 " to %" PRIu64 "; in the last one:", row->first_step,
          row->last_step);
  fprintf(out, "\n%u particle%s at colliders, %u self pair%s, %u CCD pair%s, %u hit%s",
          row->collider_contacts, tool_plural(row->collider_contacts), row->self_pairs,
          tool_plural(row->self_pairs), row->ccd_pairs, tool_plural(row->ccd_pairs), row->ccd_hits,
          tool_plural(row->ccd_hits));
  if (row->lost > 0) {
    fprintf(out, "; %" PRIu64 " pair%s found no room", row->lost, tool_plural(row->lost));
  }
  fputc('\n', out);
}

void bench_contact_print(FILE* out, const bench_contact_row* rows, size_t count) {
  // rows with contacts come first
  print_facts(out, &rows[0]);
  bench_text_rows_print(out, heads, sides, rows, count, sizeof *rows, format_row);
  fputc('\n', out);
  bench_text_rows_print(out, stage_heads, stage_sides, rows, count, sizeof *rows, format_stages);
}

static void format_growth(const bench_contact_row* row, double limit, bench_text_row* text) {
  cell* to = text->cells;
  snprintf(*to++, MAX_CELL, "%u", row->particles);
  snprintf(*to++, MAX_CELL, "%u", row->substeps);
  to = write_number(to, "%.3f", row->contact_ms_median);
  to = write_number(to, "%.3f", row->cpu_ms_median);
  to = write_number(to, "%.0f", row->ns_per_particle);
  to = write_number(to, row->growth > limit ? "%.2f !" : "%.2f  ", row->growth);
  snprintf(*to++, MAX_CELL, "%u", row->collider_contacts);
  snprintf(*to++, MAX_CELL, "%u", row->self_pairs);
  snprintf(*to++, MAX_CELL, "%u", row->particle_pairs);
  snprintf(*to++, MAX_CELL, "%u", row->ccd_pairs);
  snprintf(*to++, MAX_CELL, "%u", row->ccd_hits);
  snprintf(*to++, MAX_CELL, "%" PRIu64, row->lost);
  snprintf(*to, MAX_CELL, "%016" PRIx64, row->state_hash);
}

void bench_contact_print_growth_heads(FILE* out, const bench_contact_row* row, const char* common) {
  fprintf(out, "\n%s, %s: %s, %u thread%s, steps %" PRIu64 " to %" PRIu64 "\n", row->scene, common,
          row->isa, row->threads, tool_plural(row->threads), row->first_step, row->last_step);
  bench_text_line_print(out, growth_sides, growth_widths, growth_heads);
}

void bench_contact_print_growth(FILE* out, const bench_contact_row* row, double limit) {
  bench_text_row text = {0};
  const char* cells[sizeof growth_sides - 1];
  format_growth(row, limit, &text);
  for (size_t i = 0; i < sizeof growth_sides - 1; ++i) cells[i] = text.cells[i];
  bench_text_line_print(out, growth_sides, growth_widths, cells);
}
