/* weft-bench throughput of scenes of contacts: the same scene with contacts and without, by turns.
 */
#ifndef BENCH_CONTACT_THROUGHPUT_H
#define BENCH_CONTACT_THROUGHPUT_H

#include "contact_rows.h"
#include "measure.h"
#include "plan.h"

typedef struct bench_contact_results {
  bench_contact_row* rows; /* [count] */
  size_t count;
} bench_contact_results;

/* Measures a scene in each size of the plan, prints the rows and appends them. Iterations of 0 are
 * the scene's own. Also false, but without a message, when interrupted. */
bool bench_contact_throughput(const bench_plan* plan, tool_contact_kind kind, uint32_t iterations,
                              const bench_schedule* schedule, FILE* tables, bool quiet,
                              bench_contact_results* results, tool_message* why);

/* Makes room for more rows and returns the first of them; NULL where there is no memory. */
bench_contact_row* bench_contact_more(bench_contact_results* results, size_t count);

void bench_contact_results_free(bench_contact_results* results);

#endif
