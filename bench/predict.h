/* Prediction of the time of a step on more workers, from steps that one worker has recorded. */
#ifndef BENCH_PREDICT_H
#define BENCH_PREDICT_H

#include "machine_costs.h"
#include "scaling.h"

enum { BENCH_PREDICT_STEPS = 20, BENCH_PREDICT_LOSSES = 8 };

typedef struct bench_predict_request {
  tool_count_list workers; /* asked for; measured ones are predicted, too */
  double gb_per_s;         /* memory of larger machines; 0 = in proportion */
} bench_predict_request;

/* Prediction for some number of workers: speed-ups over one worker, the median of the recorded
 * steps and its quartiles. Of these the slower half is left out: it has lost its core in between.
 */
typedef struct bench_prediction {
  uint32_t workers;
  double speed_up, speed_up_low, speed_up_high;
  double most;         /* speed-up by the longest path alone */
  bench_replay replay; /* of the step with the median */
} bench_prediction;

typedef struct bench_predictions {
  bench_machine_costs costs;
  bench_prediction* items; /* [count]; freed by the caller */
  size_t count;
} bench_predictions;

/* Predicts for the workers of the request and of the measured rows, above 1 and ascending. Also
 * false, but without a message, when interrupted. */
bool bench_predict(const bench_scaling_request* scene, const bench_predict_request* request,
                   const bench_machine* machine, const bench_scaling_row* rows, size_t count,
                   bool quiet, bench_predictions* predictions, tool_message* why);

/* Row of a prediction, from the measured row of one worker. */
bench_scaling_row bench_predicted_row(const bench_scaling_row* one, const bench_prediction* item);

void bench_predict_print(FILE* out, const bench_predictions* predictions,
                         const bench_scaling_row* rows, size_t count);

/* The largest losses: cause, name, and share of the workers' time. */
json_t* bench_losses_json(const bench_prediction* item);

#endif
