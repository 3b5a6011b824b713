/* Tables of scenes, their settings, and bounds of the results that they end with. */
#ifndef TESTS_SIM_SCENES_OUTCOMES_H
#define TESTS_SIM_SCENES_OUTCOMES_H

#include <float.h>

#include "support/sim_runs.h"
#include "support/test.h"

enum { MOST_OUTCOMES = 8 };

typedef struct outcome {
  const char* result;
  double lower, upper; /* NaN: the result is no number */
} outcome;

#define IS(result, value) \
  { result, value, value }
#define NEAR(result, value, by) \
  { result, (value) - (by), (value) + (by) }
#define BETWEEN(result, lower, upper) \
  { result, lower, upper }
#define BELOW(result, value) \
  { result, -DBL_MAX, value }
#define ABOVE(result, value) \
  { result, value, DBL_MAX }
#define FINITE(result) \
  { result, -DBL_MAX, DBL_MAX }
#define NO_NUMBER(result) \
  { result, NAN, NAN }

typedef struct outcome_case {
  sim_case of;
  outcome outcomes[MOST_OUTCOMES];
} outcome_case;

static inline void expect_outcomes(const sim_run* run, const sim_case* of,
                                   const outcome outcomes[MOST_OUTCOMES]) {
  for (int i = 0; i < MOST_OUTCOMES && outcomes[i].result != NULL; ++i) {
    const outcome* o = &outcomes[i];
    const double value = result_of(run, o->result);
    if (isnan(o->lower) ? isnan(value) : o->lower <= value && value <= o->upper) continue;
    ck_abort_msg("%s, %s ..: %s is %.9g at %g s, not %.9g to %.9g", of->name, of->sets[0],
                 o->result, value, sim_run_moment(run).time, o->lower, o->upper);
  }
}

static inline sim_run* run_outcome_case(const outcome_case* c) {
  sim_run* run = new_sim_run(&c->of);
  run_to_the_end(run);
  expect_outcomes(run, &c->of, c->outcomes);
  return run;
}

#endif
