/* A suite of laws: each case of the cover whose law names the suite is a test. */
#ifndef TESTS_LAWS_SUITE_OF_LAWS_H
#define TESTS_LAWS_SUITE_OF_LAWS_H

#include "laws/laws.h"
#include "support/suite.h"

/* Cases run: one of so many, few in debug builds and under sanitizers. */
#ifdef NDEBUG
enum { CASES_APART = ROUNDS(1, 24) };
#else
enum { CASES_APART = 24 };
#endif

static law_cases cases;
static law_known_list known;

static inline void keep_cases_of(const char* suite) {
  uint32_t kept = 0;
  known = law_read_known(WEFT_KNOWN_LAWS, false);
  cases = law_cover();
  for (uint32_t i = 0; i < cases.count; i += CASES_APART) {
    if (strcmp(laws[cases.items[i].law].suite, suite) == 0) cases.items[kept++] = cases.items[i];
  }
  cases.count = kept;
}

static inline void expect_law(const law_case* c) {
  char name[LAW_CASE_SIZE];
  law_format_case(c, name);
  const double figure = law_measure(c);
  const law_verdict verdict = law_judge(&known, c, figure);
  if (verdict == LAW_HOLDS || verdict == LAW_KNOWN) return;
  ck_abort_msg("%s: %s: %.3g %s, bound %g; tools/laws.sh --renew lists it", name,
               law_verdict_name(verdict), figure, laws[c->law].unit, laws[c->law].bound);
}

#endif
