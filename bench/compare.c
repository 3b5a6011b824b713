/* weft-bench compare: rows of two files of results that are faster, slower or the same. */
#include "compare.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "option_table.h"
#include "rows.h"

// columns that are set, in the order in which they are shown
static const char* const keys[] = {
    "scene",    "size",        "count",   "contacts",   "solver",
    "method",   "isa",         "threads", "iterations", "coarse_iterations",
    "substeps", "attachments", "beside",  "mode",
};
enum { KEYS = sizeof keys / sizeof keys[0] };

// the first that a row has is compared
static const char* const measures[] = {"step_ms_median", "ns_per_link"};

typedef struct result_file {
  const char* path;
  json_t* root;
  json_t* rows; /* member of root */
} result_file;

// ---- files ----

static bool read_file(const char* path, result_file* file, tool_message* why) {
  json_error_t error;
  errno = 0;
  *file = (result_file){path, json_load_file(path, 0, &error), NULL};
  if (!file->root && error.line < 0) {
    return tool_because(why, "cannot read '%s': %s", path, strerror(errno));
  }
  if (!file->root) return tool_because(why, "%s:%d: %s", path, error.line, error.text);
  file->rows = json_object_get(file->root, "results");
  const char* schema = json_string_value(json_object_get(file->root, "schema"));
  if (!schema) return tool_because(why, "%s: no results of weft-bench: no schema", path);
  if (strcmp(schema, "weft-bench/1") != 0) {
    return tool_because(why, "%s: schema '%.60s', which is not weft-bench/1", path, schema);
  }
  if (json_array_size(file->rows) > 0) return true;
  return tool_because(why, "%s: no rows", path);
}

static bool is_same_machine(const result_file* a, const result_file* b, tool_message* why) {
  static const char* const members[] = {"cpu", "cores", "hardware_threads", "available_cpus",
                                        "caches"};
  const json_t* left = json_object_get(a->root, "machine");
  const json_t* right = json_object_get(b->root, "machine");
  for (size_t i = 0; i < sizeof members / sizeof members[0]; ++i) {
    const json_t* x = json_object_get(left, members[i]);
    const json_t* y = json_object_get(right, members[i]);
    if (x == y || json_equal(x, y)) continue;
    return tool_because(why, "%s and %s are of different machines: %s (see --any-machine)", a->path,
                        b->path, members[i]);
  }
  return true;
}

// ---- keys ----

/* Columns that were asked for are set; columns about the run are not. */
static json_t* key_of(const json_t* row, size_t key) {
  json_t* asked = strcmp(keys[key], "threads") == 0 ? json_object_get(row, "threads_asked") : NULL;
  return asked ? asked : json_object_get(row, keys[key]);
}

static bool is_match(const json_t* a, const json_t* b) {
  for (size_t k = 0; k < KEYS; ++k) {
    const json_t *x = key_of(a, k), *y = key_of(b, k);
    // older files lack columns of newer ones
    if (x && y && !json_equal(x, y)) return false;
  }
  return true;
}

static bool is_predicted(const json_t* row) {
  return json_is_true(json_object_get(row, "predicted"));
}

static void add_word(char text[BENCH_COMPARE_KEY], const char* name, const json_t* value) {
  const size_t used = strlen(text), room = BENCH_COMPARE_KEY - used;
  const char* space = used > 0 ? " " : "";
  if (json_is_string(value)) snprintf(text + used, room, "%s%s", space, json_string_value(value));
  if (!json_is_integer(value)) return;
  snprintf(text + used, room, "%s%s %" JSON_INTEGER_FORMAT, space, name, json_integer_value(value));
}

static bool is_common(const json_t* rows, size_t key) {
  const json_t* first = key_of(json_array_get(rows, 0), key);
  for (size_t i = 1; i < json_array_size(rows); ++i) {
    const json_t* value = key_of(json_array_get(rows, i), key);
    if (first != value && !json_equal(first, value)) return false;
  }
  return true;
}

static void write_key(const json_t* rows, const json_t* row, bool common,
                      char text[BENCH_COMPARE_KEY]) {
  text[0] = '\0';
  for (size_t k = 0; k < KEYS; ++k) {
    if (is_common(rows, k) == common) add_word(text, keys[k], key_of(row, k));
  }
}

// ---- values ----

static double number(const json_t* row, const char* name) {
  const json_t* value = row ? json_object_get(row, name) : NULL;
  return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static double value_of(const json_t* row) {
  const double value = number(row, measures[0]);
  return isnan(value) ? number(row, measures[1]) : value;
}

/* Half the distance of the quartiles, as a share; of rows without them, the median from the
 * fastest. */
static double noise_of(const json_t* row) {
  const double median = number(row, "step_ms_median");
  const double quartiles = 0.5 * (number(row, "step_ms_q3") - number(row, "step_ms_q1"));
  const double noise = isnan(quartiles) ? median - number(row, "step_ms_min") : quartiles;
  return isnan(noise) ? 0.0 : noise / median;
}

static bool has_other_bits(const json_t* a, const json_t* b) {
  const json_t *x = json_object_get(a, "state_hash"), *y = json_object_get(b, "state_hash");
  return x && y && !json_equal(x, y);
}

static bench_verdict judge(double ratio, double noise, double threshold) {
  const double band = 1.0 + fmax(threshold, noise);
  if (ratio > band) return BENCH_SLOWER;
  return ratio < 1.0 / band ? BENCH_FASTER : BENCH_WITHIN_NOISE;
}

static bench_compared compare_rows(const json_t* old_row, const json_t* new_row, double threshold) {
  bench_compared row = {.old_value = value_of(old_row), .new_value = value_of(new_row)};
  row.ratio = row.new_value / row.old_value;
  row.noise = hypot(noise_of(old_row), noise_of(new_row));
  row.old_strain = number(old_row, "strain_mean");
  row.new_strain = number(new_row, "strain_mean");
  row.has_other_bits = has_other_bits(old_row, new_row);
  row.verdict = !old_row   ? BENCH_ONLY_NEW
                : !new_row ? BENCH_ONLY_OLD
                           : judge(row.ratio, row.noise, threshold);
  return row;
}

// ---- the comparison ----

/* First row that matches and is not taken yet: a key may occur twice. */
static const json_t* take_match(const json_t* rows, const json_t* wanted, bool* taken) {
  for (size_t i = 0; i < json_array_size(rows); ++i) {
    const json_t* row = json_array_get(rows, i);
    if (taken[i] || is_predicted(row) || !is_match(row, wanted)) continue;
    taken[i] = true;
    return row;
  }
  return NULL;
}

static void add_row(bench_comparison* to, const json_t* rows, const json_t* row,
                    bench_compared compared) {
  bench_compared* added = &to->rows[to->count++];
  *added = compared;
  write_key(rows, row, false, added->key);
  if (compared.verdict == BENCH_SLOWER) ++to->slower;
}

static bool compare_all(const result_file* a, const result_file* b, double threshold, bool* taken,
                        bench_comparison* to, tool_message* why) {
  size_t matched = 0;
  write_key(a->rows, json_array_get(a->rows, 0), true, to->scene);
  for (size_t i = 0; i < json_array_size(a->rows); ++i) {
    const json_t* row = json_array_get(a->rows, i);
    if (is_predicted(row)) continue;
    const json_t* match = take_match(b->rows, row, taken);
    if (match) ++matched;
    add_row(to, a->rows, row, compare_rows(row, match, threshold));
  }
  for (size_t i = 0; i < json_array_size(b->rows); ++i) {
    const json_t* row = json_array_get(b->rows, i);
    if (!taken[i] && !is_predicted(row)) {
      add_row(to, b->rows, row, compare_rows(NULL, row, threshold));
    }
  }
  return matched > 0 || tool_because(why, "%s and %s have no row in common", a->path, b->path);
}

static bool compare_files(const bench_compare_request* request, result_file* a, result_file* b,
                          bench_comparison* comparison, tool_message* why) {
  if (!read_file(request->old_path, a, why) || !read_file(request->new_path, b, why)) return false;
  if (!request->any_machine && !is_same_machine(a, b, why)) return false;
  const size_t count = json_array_size(a->rows) + json_array_size(b->rows);
  bool* taken = calloc(count, sizeof *taken);
  comparison->rows = calloc(count, sizeof *comparison->rows);
  const bool ok = taken && comparison->rows
                      ? compare_all(a, b, request->threshold, taken, comparison, why)
                      : tool_because(why, "no memory for %zu rows", count);
  free(taken);
  return ok;
}

bool bench_compare(const bench_compare_request* request, bench_comparison* comparison,
                   tool_message* why) {
  result_file a = {NULL, NULL, NULL}, b = {NULL, NULL, NULL};
  *comparison = (bench_comparison){.count = 0};
  const bool ok = compare_files(request, &a, &b, comparison, why);
  json_decref(a.root);
  json_decref(b.root);
  if (!ok) bench_comparison_free(comparison);
  return ok;
}

void bench_comparison_free(bench_comparison* comparison) {
  free(comparison->rows);
  *comparison = (bench_comparison){.count = 0};
}

// ---- report ----

enum { SHOWN_KEY = 40 };

static const char* const verdicts[] = {"within noise", "faster", "slower", "only in the old file",
                                       "only in the new file"};

static void write_key_cell(char cell[BENCH_MAX_CELL], const void* item) {
  snprintf(cell, BENCH_MAX_CELL, "%.*s", SHOWN_KEY, ((const bench_compared*)item)->key);
}

static void write_noise(char cell[BENCH_MAX_CELL], const void* item) {
  const bench_compared* row = item;
  if (isfinite(row->ratio)) snprintf(cell, BENCH_MAX_CELL, "%.1f %%", 100.0 * row->noise);
}

static void write_verdict(char cell[BENCH_MAX_CELL], const void* item) {
  const bench_compared* row = item;
  snprintf(cell, BENCH_MAX_CELL, "%s%s", verdicts[row->verdict], row->has_other_bits ? " *" : "");
}

#define ROW bench_compared
static const bench_row_type table = BENCH_ROW_TYPE(
    BENCH_WRITTEN("row", TEXT, write_key_cell), BENCH_CELL("old", old_value, "%.3f"),
    BENCH_CELL("new", new_value, "%.3f"), BENCH_CELL("new/old", ratio, "%.3f"),
    BENCH_WRITTEN("noise", REAL, write_noise), BENCH_WRITTEN("verdict", TEXT, write_verdict));

/* Other bits are other work: a time is then to be read with its strain. */
static void print_other_bits(FILE* out, const bench_comparison* comparison) {
  size_t others = 0;
  for (size_t i = 0; i < comparison->count; ++i) {
    const bench_compared* row = &comparison->rows[i];
    if (!row->has_other_bits) continue;
    if (others++ == 0) fputs("* other state hash than before", out);
    if (isnan(row->old_strain) || isnan(row->new_strain)) continue;
    char old_strain[BENCH_MAX_CELL], new_strain[BENCH_MAX_CELL];
    bench_format_strain(old_strain, row->old_strain);
    bench_format_strain(new_strain, row->new_strain);
    fprintf(out, "\n  %.*s: strain %s before, %s now", SHOWN_KEY, row->key, old_strain, new_strain);
  }
  if (others > 0) fputc('\n', out);
}

void bench_comparison_print(FILE* out, const bench_comparison* comparison) {
  size_t counts[sizeof verdicts / sizeof verdicts[0]] = {0};
  for (size_t i = 0; i < comparison->count; ++i) ++counts[comparison->rows[i].verdict];
  if (comparison->scene[0] != '\0') fprintf(out, "%.100s\n", comparison->scene);
  bench_rows_print(out, &table, comparison->rows, comparison->count);
  print_other_bits(out, comparison);
  fprintf(out, "%zu slower, %zu faster, %zu within noise", counts[BENCH_SLOWER],
          counts[BENCH_FASTER], counts[BENCH_WITHIN_NOISE]);
  const size_t missing = counts[BENCH_ONLY_OLD] + counts[BENCH_ONLY_NEW];
  if (missing > 0) fprintf(out, ", %zu in one file alone", missing);
  fputc('\n', out);
}

// ---- the command ----

static const bench_option options[] = {
    BENCH_RANGE(REAL, "threshold", "SHARE", offsetof(bench_compare_request, threshold), 0, 1,
                "rows that differ by less are within noise, 0 to 1 (default 0.05)"),
    BENCH_OPTION(FLAG, "any-machine", NULL, offsetof(bench_compare_request, any_machine),
                 "compares files of different machines, too"),
    BENCH_OPTIONS_END,
};

static const char* const notes[] = {
    "A row is slower or faster if it differs by more than the threshold and by more than its "
    "noise: half the distance of the quartiles of either file, both combined as independent "
    "errors. Rows in only one file are named. Rows with other bits have their strain below the "
    "table: a time counts together with it.",
    "Exit status: 0 nothing slower, 1 at least one row slower, 2 error.",
    NULL,
};

static bool take_word(void* target, const char* word, tool_message* why) {
  bench_compare_request* request = target;
  if (request->new_path)
    return tool_because(why, "compare takes two files, and '%s' is one more", word);
  if (request->old_path) {
    request->new_path = word;
  } else {
    request->old_path = word;
  }
  return true;
}

int command_compare(int argc, char** argv) {
  static const bench_syntax syntax = {
      "compare",
      "Usage: weft-bench compare OLD.json NEW.json [OPTION...]\n",
      "Compares the median steps (of limits, the times a link) of two files of results of one "
      "command of weft-bench. Rows are matched by scene, size, solver, method, instruction set, "
      "threads asked for and settings.",
      options,
      notes,
      take_word};
  bench_compare_request request = {.threshold = 0.05};
  tool_message why;
  const int outcome = bench_read_command_line(&syntax, argc, argv, &request);
  if (outcome != TOOL_GO_ON) return outcome;
  bench_comparison comparison;
  if (!request.new_path) {
    tool_because(&why, "compare takes two files: OLD.json NEW.json");
    return tool_fail(&why);
  }
  if (!bench_compare(&request, &comparison, &why)) return tool_fail(&why);
  bench_comparison_print(stdout, &comparison);
  const bool is_slower = comparison.slower > 0;
  bench_comparison_free(&comparison);
  return is_slower ? BENCH_EXIT_SLOWER : TOOL_EXIT_OK;
}
