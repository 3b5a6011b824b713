/* weft-bench throughput of scenes of contacts: the same scene with contacts and without, by turns.
 */
#ifndef BENCH_CONTACT_THROUGHPUT_H
#define BENCH_CONTACT_THROUGHPUT_H

#include "contact_rows.h"
#include "measure.h"
#include "plan.h"
#include "run.h"

/* Measures a scene in each size of the plan, prints the rows, appends them, and records the worlds
 * with contacts if the session has a trace. Iterations of 0 are the scene's own. Also false, but
 * without a message, when interrupted. */
bool bench_contact_throughput(const bench_plan* plan, tool_contact_kind kind, uint32_t iterations,
                              const bench_schedule* schedule, bench_session* session,
                              tool_message* why);

#endif
