/* Cases of the matrix: all of them, or a cover of pairs. A case has four factors: law, body, path,
 * setting. A cover has a case for each pair of rows of two factors that goes together in any case:
 * for each uncovered pair in turn, the case with the most uncovered pairs, the first of equals.
 * That is about twice as many cases as the largest product of two factors, far fewer than the
 * product of all. */
#include <stdlib.h>
#include <string.h>

#include "laws/laws.h"
#include "laws/situations.h"

enum { LAW, BODY, PATH, SETTING, FACTORS };
enum { MOST_ROWS = 64 };

typedef struct cover {
  law_cases cases;
  uint32_t capacity;
  bool covered[FACTORS][MOST_ROWS][FACTORS][MOST_ROWS];
} cover;

static uint32_t rows_of(int factor) {
  const uint32_t counts[FACTORS] = {law_count, law_body_count, law_path_count, law_setting_count};
  return counts[factor];
}

static law_case case_of(const uint32_t rows[FACTORS]) {
  return (law_case){rows[LAW], rows[BODY], rows[PATH], rows[SETTING]};
}

static void append(law_cases* cases, uint32_t* capacity, const law_case* c) {
  if (cases->count == *capacity) {
    *capacity = *capacity > 0 ? 2 * *capacity : 1024;
    cases->items = realloc(cases->items, *capacity * sizeof(*cases->items));
    if (cases->items == NULL) abort();
  }
  cases->items[cases->count++] = *c;
}

law_cases law_all_cases(void) {
  law_cases cases = {NULL, 0};
  uint32_t capacity = 0, rows[FACTORS];
  for (rows[LAW] = 0; rows[LAW] < law_count; ++rows[LAW]) {
    for (rows[BODY] = 0; rows[BODY] < law_body_count; ++rows[BODY]) {
      for (rows[PATH] = 0; rows[PATH] < law_path_count; ++rows[PATH]) {
        for (rows[SETTING] = 0; rows[SETTING] < law_setting_count; ++rows[SETTING]) {
          const law_case c = case_of(rows);
          if (law_applies(&c)) append(&cases, &capacity, &c);
        }
      }
    }
  }
  return cases;
}

// uncovered pairs of a case
static uint32_t count_new(const cover* made, const uint32_t rows[FACTORS]) {
  uint32_t count = 0;
  for (int a = 0; a < FACTORS; ++a) {
    for (int b = a + 1; b < FACTORS; ++b) count += !made->covered[a][rows[a]][b][rows[b]];
  }
  return count;
}

static void take(cover* made, const uint32_t rows[FACTORS]) {
  const law_case c = case_of(rows);
  append(&made->cases, &made->capacity, &c);
  for (int a = 0; a < FACTORS; ++a) {
    for (int b = a + 1; b < FACTORS; ++b) made->covered[a][rows[a]][b][rows[b]] = true;
  }
}

// Takes the best case of a pair, if there is one: two factors of `rows` are given, the others run
// over their rows, settings below `setting_end`.
static bool cover_pair(cover* made, uint32_t rows[FACTORS], int a, int b, uint32_t setting_end) {
  int others[2], found = 0;
  uint32_t best[FACTORS], most = 0;
  for (int factor = 0; factor < FACTORS; ++factor) {
    if (factor != a && factor != b) others[found++] = factor;
  }
  uint32_t *first = &rows[others[0]], *second = &rows[others[1]];
  const uint32_t end = others[1] == SETTING && setting_end > 0 ? setting_end : rows_of(others[1]);
  for (*first = 0; *first < rows_of(others[0]); ++*first) {
    for (*second = 0; *second < end; ++*second) {
      const law_case c = case_of(rows);
      const uint32_t count = law_applies(&c) ? count_new(made, rows) : 0;
      if (count <= most) continue;
      most = count;
      memcpy(best, rows, sizeof(best));
    }
  }
  if (most > 0) take(made, best);
  return most > 0;
}

static void cover_factors(cover* made, int a, int b) {
  for (uint32_t i = 0; i < rows_of(a); ++i) {
    for (uint32_t j = 0; j < rows_of(b); ++j) {
      uint32_t rows[FACTORS];
      rows[a] = i, rows[b] = j;
      if (made->covered[a][i][b][j]) continue;
      // a law of a body holds at the default settings first
      if (a == LAW && b == BODY && cover_pair(made, rows, a, b, 1)) continue;
      cover_pair(made, rows, a, b, 0);
    }
  }
}

static void take_situations(cover* made) {
  for (uint32_t i = 0; i < law_situation_count; ++i) {
    law_case c;
    if (!law_find_case(law_situations[i], &c)) abort();
    const uint32_t rows[FACTORS] = {c.law, c.body, c.path, c.setting};
    take(made, rows);
  }
}

law_cases law_cover(void) {
  cover* made = calloc(1, sizeof(*made));
  if (made == NULL) abort();
  take_situations(made);
  for (int a = 0; a < FACTORS; ++a) {
    for (int b = a + 1; b < FACTORS; ++b) cover_factors(made, a, b);
  }
  const law_cases cases = made->cases;
  free(made);
  return cases;
}
