#include <math.h>
#include <stdlib.h>

#include "common/json_file.h"
#include "common/must.h"
#include "common/number.h"
#include "sim/file/table_json.h"
#include "sim/file/tables.h"
#include "sim/report.h"

static json_t* value_json(const sim_values* values, size_t i) {
  const sim_param* param = &values->params[i];
  const double value = values->items[i];
  switch (param->kind) {
    case SIM_TEXT:
      return tool_json_text(values->texts[(size_t)value]);
    case SIM_NUMBER:
      return tool_json_number(value);
    case SIM_COUNT:
      return json_integer((json_int_t)value);
    case SIM_CHOICE:
      return json_string(param->choices[(size_t)value]);
    default:
      return json_boolean(value != 0.0);
  }
}

static json_t* values_json(const sim_values* values) {
  json_t* object = json_object();
  for (size_t i = 0; values->params && values->params[i].name; ++i) {
    json_object_set_new(object, values->params[i].name, value_json(values, i));
  }
  return object;
}

double sim_seconds(double seconds) {
  char text[TOOL_NUMBER_SIZE];
  snprintf(text, sizeof text, "%.7g", seconds);
  return strtod(text, NULL);
}

json_t* sim_run_settings(const sim_run* run) {
  const weft_world_def* def = sim_run_def(run);
  weft_world_stats stats = {.worker_count = 0};
  tool_must(weft_world_get_stats(sim_run_world(run), &stats));
  return json_pack("{sf sf sf sI sI sI ss so so}", "time_scale", sim_run_time_scale(run), "seconds",
                   sim_seconds((double)sim_run_length(run) * (double)def->step_ns * 1e-9), "rate",
                   sim_run_rate(run), "ranks", (json_int_t)sim_run_ranks(run), "redistribute",
                   (json_int_t)sim_run_redistribute_every(run), "workers",
                   (json_int_t)stats.worker_count, "isa", weft_isa_name(stats.isa), "parameters",
                   values_json(sim_run_values(run)), "world",
                   sim_table_json(&sim_world_table, def));
}
