#include <math.h>

#include "common/json_file.h"
#include "common/number.h"
#include "predict.h"
#include "text_table.h"

enum { MAX_CELL = BENCH_MAX_CELL, LINES_EACH = 4 };

static const char* const heads[] = {"threads",   "predicted ms", "speed-up",
                                    "quartiles", "efficiency",   "measured",
                                    "error",     "fastest",      "at most"};
static const char sides[] = "rrrrrrrrr";

static const bench_scaling_row* measured_row(const bench_scaling_row* rows, size_t count,
                                             uint32_t workers) {
  for (size_t i = 0; i < count; ++i) {
    if (rows[i].workers == workers) return &rows[i];
  }
  return NULL;
}

static void format_row(const bench_prediction* item, const bench_scaling_row* one,
                       const bench_scaling_row* measured, bench_text_row* text) {
  char(*to)[MAX_CELL] = text->cells;
  snprintf(*to++, MAX_CELL, "%u", item->workers);
  snprintf(*to++, MAX_CELL, "%.3f", one->step_ms_median / item->speed_up);
  snprintf(*to++, MAX_CELL, "%.2f", item->speed_up);
  snprintf(*to++, MAX_CELL, "%.2f-%.2f", item->speed_up_low, item->speed_up_high);
  snprintf(*to++, MAX_CELL, "%.0f %%", 100.0 * item->speed_up / item->workers);
  if (measured != NULL) {
    snprintf(*to++, MAX_CELL, "%.2f", measured->speed_up);
    snprintf(*to++, MAX_CELL, "%+.0f %%", 100.0 * (item->speed_up / measured->speed_up - 1.0));
    snprintf(*to++, MAX_CELL, "%.2f", one->step_ms_min / measured->step_ms_min);
  } else {
    to += 3;
  }
  snprintf(*to++, MAX_CELL, "%.1f", item->most);
}

static void print_rows(FILE* out, const bench_predictions* predictions,
                       const bench_scaling_row* rows, size_t count) {
  bench_text_table table;
  if (!bench_text_table_create(heads, sides, predictions->count, &table)) return;
  for (size_t i = 0; i < predictions->count; ++i) {
    const bench_prediction* item = &predictions->items[i];
    format_row(item, &rows[0], measured_row(rows, count, item->workers), &table.rows[i]);
  }
  bench_text_table_print(out, &table);
}

// ---- losses ----

static const char* const loss_heads[] = {"threads", "lost", "of it by", "in"};
static const char loss_sides[] = "rrll";

static double worker_ns(const bench_prediction* item) {
  return item->workers * item->replay.ns;
}

static size_t format_losses(const bench_prediction* item, bench_text_row* lines) {
  size_t count = 0;
  for (; count < LINES_EACH && count < item->replay.loss_count; ++count) {
    const bench_loss* loss = &item->replay.losses[count];
    char(*to)[MAX_CELL] = lines[count].cells;
    if (count == 0) snprintf(to[0], MAX_CELL, "%u", item->workers);
    snprintf(to[1], MAX_CELL, "%.1f %%", 100.0 * loss->ns / worker_ns(item));
    snprintf(to[2], MAX_CELL, "%s", bench_loss_name(loss->cause));
    snprintf(to[3], MAX_CELL, "%s", loss->name);
  }
  return count;
}

static void print_losses(FILE* out, const bench_predictions* predictions) {
  bench_text_table table;
  size_t lines = 0;
  if (!bench_text_table_create(loss_heads, loss_sides, predictions->count * LINES_EACH, &table))
    return;
  for (size_t i = 0; i < predictions->count; ++i) {
    lines += format_losses(&predictions->items[i], &table.rows[lines]);
  }
  table.row_count = lines;
  fprintf(out, "\nlargest losses, shares of the time of all workers\n");
  bench_text_table_print(out, &table);
}

static void print_costs(FILE* out, const bench_machine_costs* costs) {
  fprintf(out, "memory of %u CPU%s %.0f GB/s (measured), of more workers ", costs->cpus,
          tool_plural(costs->cpus), costs->all_gb_per_s);
  if (costs->given_gb_per_s > 0.0) {
    fprintf(out, "%.0f (--bandwidth)", costs->given_gb_per_s);
  } else {
    fprintf(out, "in proportion, at most %.0f (assumed)", BENCH_SOCKET_GB_PER_S);
  }
  fprintf(out, "\nhandoff from core to core %.0f ns (%s)", bench_costs_for(costs, 1).handoff,
          isfinite(costs->round_trip_ns) ? "measured" : "assumed");
  for (uint32_t n = 2; n <= costs->cpus && n <= BENCH_MAX_SLOWDOWNS; ++n) {
    if (costs->slowdown[n] > 1.0) {
      fprintf(out, "\n%u threads beside each other take %.2f times as long as one", n,
              costs->slowdown[n]);
    }
  }
  fprintf(out, "\n");
}

void bench_predict_print(FILE* out, const bench_predictions* predictions,
                         const bench_scaling_row* rows, size_t count) {
  fprintf(out, "\nprediction from %d recorded steps of one worker, the slower half left out\n",
          BENCH_PREDICT_STEPS);
  print_rows(out, predictions, rows, count);
  print_costs(out, &predictions->costs);
  print_losses(out, predictions);
}

json_t* bench_losses_json(const bench_prediction* item) {
  json_t* losses = json_array();
  for (size_t i = 0; i < BENCH_PREDICT_LOSSES && i < item->replay.loss_count; ++i) {
    const bench_loss* loss = &item->replay.losses[i];
    json_array_append_new(
        losses, json_pack("{ss ss so}", "cause", bench_loss_name(loss->cause), "name", loss->name,
                          "share", tool_json_number(loss->ns / worker_ns(item))));
  }
  return losses;
}
