/* Parameters of a scene, and its results: all but texts are doubles, which hold every count and
 * choice. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "common/near.h"
#include "common/number.h"
#include "common/options.h"
#include "sim/scene.h"

static size_t count_params(const sim_param* params) {
  size_t count = 0;
  while (params && params[count].name) ++count;
  return count;
}

sim_values sim_usual_values(const sim_param* params) {
  sim_values values = {.params = params};
  const size_t count = count_params(params);
  assert(count <= SIM_MOST_PARAMS);
  size_t texts = 0;
  for (size_t i = 0; i < count; ++i) {
    values.items[i] = params[i].usual;
    if (params[i].kind != SIM_TEXT) continue;
    assert(texts < SIM_MOST_TEXTS);
    snprintf(values.texts[texts], SIM_TEXT_SIZE, "%s", params[i].choices[0]);
    values.items[i] = (double)texts++;
  }
  return values;
}

static bool refuse_name(const sim_values* values, const char* name, tool_message* why) {
  const char* names[SIM_MOST_PARAMS];
  const size_t count = count_params(values->params);
  if (strcmp(name, "fabric") == 0) {
    return tool_because(why, "--fabric: the scene has no parameter 'fabric'");
  }
  if (count == 0) return tool_because(why, "--set: '%s': there are no parameters to set", name);
  for (size_t i = 0; i < count; ++i) names[i] = values->params[i].name;
  const char* near = tool_nearest(name, names, count);
  return tool_because(why, "--set: '%s' is not a parameter%s%s%s", name,
                      near ? " (did you mean " : ": 'weft-sim list SCENE' names them",
                      near ? near : "", near ? "?)" : "");
}

static bool set_choice(const sim_param* param, const char* option, const char* text, double* value,
                       tool_message* why) {
  uint32_t count = 0;
  while (param->choices[count]) ++count;
  char all[256] = "";
  for (uint32_t i = 0; i < count; ++i) {
    if (strcmp(text, param->choices[i]) == 0) return *value = i, true;
    const size_t length = strlen(all);
    snprintf(all + length, sizeof all - length, "%s%s", i > 0 ? ", " : "", param->choices[i]);
  }
  return tool_because(why, "%s: '%s' is not one of %s", option, text, all);
}

static bool set_flag(const char* option, const char* text, double* value, tool_message* why) {
  const bool yes = strcmp(text, "true") == 0, no = strcmp(text, "false") == 0;
  if (!yes && !no) return tool_because(why, "%s: '%s' is not true or false", option, text);
  *value = yes;
  return true;
}

static bool set_text(const char* option, const char* text, char* value, tool_message* why) {
  if (strlen(text) >= SIM_TEXT_SIZE) {
    return tool_because(why, "%s: it has more than %d letters", option, SIM_TEXT_SIZE - 1);
  }
  memcpy(value, text, strlen(text) + 1);
  return true;
}

static bool set_param(const sim_param* param, const char* text, double* value, tool_message* why) {
  char option[128];
  snprintf(option, sizeof option, "--set %s", param->name);
  if (param->kind == SIM_CHOICE) return set_choice(param, option, text, value, why);
  if (param->kind == SIM_FLAG) return set_flag(option, text, value, why);
  if (param->kind == SIM_NUMBER) {
    return tool_parse_number(option, text, param->lower, param->upper, value, why);
  }
  uint32_t count = 0;
  const tool_range range = {(uint32_t)param->lower, (uint32_t)param->upper};
  if (!tool_parse_count(option, text, range, &count, why)) return false;
  *value = count;
  return true;
}

bool sim_set_value(sim_values* values, const char* assignment, tool_message* why) {
  char name[64];
  const char* equals = strchr(assignment, '=');
  if (!equals) return tool_because(why, "--set: '%s' is not a NAME=VALUE", assignment);
  snprintf(name, sizeof name, "%.*s", (int)(equals - assignment), assignment);
  for (size_t i = 0; i < count_params(values->params); ++i) {
    if (strcmp(name, values->params[i].name) != 0) continue;
    if (values->params[i].kind == SIM_TEXT) {
      char option[128];
      snprintf(option, sizeof option, "--set %s", name);
      values->is_set[i] = true;
      return set_text(option, equals + 1, values->texts[(size_t)values->items[i]], why);
    }
    double value = 0.0;
    if (!set_param(&values->params[i], equals + 1, &value, why)) return false;
    values->items[i] = value;
    values->is_set[i] = true;
    return true;
  }
  return refuse_name(values, name, why);
}

void sim_format_value(const sim_values* values, size_t param, char text[SIM_TEXT_SIZE]) {
  const sim_param* of = &values->params[param];
  const double value = values->items[param];
  char number[TOOL_NUMBER_SIZE];
  const char* word = number;
  if (of->kind == SIM_CHOICE) {
    word = of->choices[(size_t)value];
  } else if (of->kind == SIM_FLAG) {
    word = value != 0.0 ? "true" : "false";
  } else if (of->kind == SIM_TEXT) {
    word = values->texts[(size_t)value];
  } else {
    tool_shortest(value, number);
  }
  snprintf(text, SIM_TEXT_SIZE, "%s", word);
}

bool sim_check_values(const sim_values* values, const sim_values* saved, tool_message* why) {
  char text[SIM_TEXT_SIZE], saved_text[SIM_TEXT_SIZE];
  for (size_t i = 0; i < count_params(values->params); ++i) {
    sim_format_value(values, i, text);
    sim_format_value(saved, i, saved_text);
    if (strcmp(text, saved_text) == 0) continue;
    const char* name = values->params[i].name;
    return tool_because(why, "--set %s: the snapshot has %s=%.200s, which stays as it is", name,
                        name, saved_text);
  }
  return true;
}

void sim_apply_preset(sim_values* values, const sim_preset* presets) {
  if (!presets) return;
  const sim_values given = *values;
  sim_values preset = *values;
  const sim_preset* chosen = presets + sim_choice(values, "preset");
  tool_message why;
  for (const char* const* text = chosen->assignments; *text; ++text) {
    if (!sim_set_value(&preset, *text, &why)) assert(false && "a preset sets no such parameter");
  }
  for (size_t i = 0; i < count_params(values->params); ++i) {
    if (!given.is_set[i]) values->items[i] = preset.items[i];
  }
}

static double value_of(const sim_values* values, const char* name, sim_kind kind) {
  for (size_t i = 0; i < count_params(values->params); ++i) {
    if (strcmp(name, values->params[i].name) != 0) continue;
    assert(values->params[i].kind == kind);
    return values->items[i];
  }
  (void)kind;
  assert(false && "the scene has no such parameter");
  return 0.0;
}

double sim_number(const sim_values* values, const char* name) {
  return value_of(values, name, SIM_NUMBER);
}

uint32_t sim_count(const sim_values* values, const char* name) {
  return (uint32_t)value_of(values, name, SIM_COUNT);
}

uint32_t sim_choice(const sim_values* values, const char* name) {
  return (uint32_t)value_of(values, name, SIM_CHOICE);
}

bool sim_flag(const sim_values* values, const char* name) {
  return value_of(values, name, SIM_FLAG) != 0.0;
}

const char* sim_text(const sim_values* values, const char* name) {
  return values->texts[(size_t)value_of(values, name, SIM_TEXT)];
}

void sim_add_result(sim_results* results, const char* name, double value) {
  size_t i = 0;
  while (i < results->count && strcmp(results->items[i].name, name) != 0) ++i;
  assert(i < SIM_MOST_RESULTS);
  assert(strlen(name) < SIM_MOST_RESULT_NAME);
  snprintf(results->items[i].name, SIM_MOST_RESULT_NAME, "%s", name);
  results->items[i].value = value;
  if (i == results->count) ++results->count;
}

bool sim_find_result(const sim_results* results, const char* name, double* value) {
  for (size_t i = 0; i < results->count; ++i) {
    if (strcmp(results->items[i].name, name) != 0) continue;
    *value = results->items[i].value;
    return true;
  }
  return false;
}
