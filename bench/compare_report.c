#include <math.h>

#include "common/number.h"
#include "compare.h"
#include "text_table.h"

enum { MAX_CELL = BENCH_MAX_CELL, SHOWN_KEY = 40 };

static const char* const verdicts[] = {"within noise", "faster", "slower", "only in the old file",
                                       "only in the new file"};

static void write_number(char cell[MAX_CELL], const char* format, double value) {
  if (isfinite(value)) snprintf(cell, MAX_CELL, format, value);
}

static void format_row(const bench_compared* row, bench_text_row* to) {
  char(*cell)[MAX_CELL] = to->cells;
  snprintf(*cell++, MAX_CELL, "%.*s", SHOWN_KEY, row->key);
  write_number(*cell++, "%.3f", row->old_value);
  write_number(*cell++, "%.3f", row->new_value);
  write_number(*cell++, "%.3f", row->ratio);
  if (isfinite(row->ratio)) snprintf(*cell, MAX_CELL, "%.1f %%", 100.0 * row->noise);
  ++cell;
  snprintf(*cell++, MAX_CELL, "%s%s", verdicts[row->verdict], row->has_other_bits ? " *" : "");
}

/* Other bits are other work: a time is then to be read with its strain. */
static void print_other_bits(FILE* out, const bench_comparison* comparison) {
  size_t others = 0;
  for (size_t i = 0; i < comparison->count; ++i) {
    const bench_compared* row = &comparison->rows[i];
    if (!row->has_other_bits) continue;
    if (others++ == 0) fputs("* other state hash than before", out);
    if (isnan(row->old_strain) || isnan(row->new_strain)) continue;
    char old_strain[MAX_CELL], new_strain[MAX_CELL];
    bench_format_strain(old_strain, row->old_strain);
    bench_format_strain(new_strain, row->new_strain);
    fprintf(out, "\n  %.*s: strain %s before, %s now", SHOWN_KEY, row->key, old_strain, new_strain);
  }
  if (others > 0) fputc('\n', out);
}

void bench_comparison_print(FILE* out, const bench_comparison* comparison) {
  static const char* const heads[] = {"row", "old", "new", "new/old", "noise", "verdict"};
  bench_text_table table;
  size_t counts[sizeof verdicts / sizeof verdicts[0]] = {0};
  if (!bench_text_table_create(heads, "lrrrrl", comparison->count, &table)) return;
  for (size_t i = 0; i < comparison->count; ++i) {
    format_row(&comparison->rows[i], &table.rows[i]);
    ++counts[comparison->rows[i].verdict];
  }
  if (comparison->scene[0] != '\0') fprintf(out, "%.100s\n", comparison->scene);
  bench_text_table_print(out, &table);
  print_other_bits(out, comparison);
  fprintf(out, "%zu slower, %zu faster, %zu within noise", counts[BENCH_SLOWER],
          counts[BENCH_FASTER], counts[BENCH_WITHIN_NOISE]);
  const size_t missing = counts[BENCH_ONLY_OLD] + counts[BENCH_ONLY_NEW];
  if (missing > 0) fprintf(out, ", %zu in one file alone", missing);
  fputc('\n', out);
}
