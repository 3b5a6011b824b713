/* weft-sim list: the scenes, or the parameters of one. */
#include <stdio.h>
#include <stdlib.h>

#include "common/command_line.h"
#include "common/json_file.h"
#include "sim/commands.h"
#include "sim/file/scene_file.h"

typedef struct list_settings {
  const char* name;
  bool json;
} list_settings;

static const tool_option options[] = {
    TOOL_OPTION(FLAG, "json", NULL, offsetof(list_settings, json),
                "as JSON, with the parameters of all scenes"),
    TOOL_OPTIONS_END,
};

static bool take_word(void* target, const char* word, tool_message* why) {
  list_settings* settings = target;
  return tool_take_word(&settings->name, word, why) &&
         (sim_is_file_name(word) || sim_find_scene(word, why) != NULL);
}

static void print_value(const sim_values* values, size_t param) {
  char text[SIM_TEXT_SIZE];
  sim_format_value(values, param, text);
  printf(values->params[param].kind == SIM_TEXT ? "'%s'" : "%s", text);
}

static void print_range(const sim_param* param) {
  if (param->kind == SIM_CHOICE) {
    for (size_t i = 0; param->choices[i]; ++i) printf("%s%s", i > 0 ? ", " : "", param->choices[i]);
  } else if (param->kind == SIM_FLAG) {
    printf("true, false");
  } else if (param->kind == SIM_TEXT) {
    printf("text");
  } else {
    printf("%s%.10g to %.10g", param->kind == SIM_COUNT ? "whole, " : "", param->lower,
           param->upper);
  }
}

static void print_scene(const sim_scene* scene) {
  printf("%s: %s\n", scene->name, scene->summary);
  printf("runs for %g s at %g steps a second\n", scene->seconds, scene->rate);
  const sim_values usual = sim_usual_values(scene->params);
  for (size_t i = 0; scene->params && scene->params[i].name; ++i) {
    const sim_param* param = &scene->params[i];
    printf("  --set %s=", param->name);
    print_value(&usual, i);
    printf("\n      %s; ", param->summary);
    print_range(param);
    printf("\n");
  }
  if (scene->columns) printf("  --table FILE\n      %s\n", scene->columns);
}

static void print_all(void) {
  for (size_t i = 0; i < sim_scene_count; ++i) {
    printf("%-16s %s\n", sim_scene_at(i)->name, sim_scene_at(i)->summary);
  }
}

static json_t* choices_json(const sim_param* param) {
  json_t* list = json_array();
  for (size_t i = 0; param->choices[i]; ++i) {
    json_array_append_new(list, json_string(param->choices[i]));
  }
  return list;
}

static json_t* param_json(const sim_param* param) {
  static const char* const kinds[] = {"number", "integer", "choice", "flag", "text"};
  json_t* object = json_pack("{ss ss ss}", "name", param->name, "summary", param->summary, "kind",
                             kinds[param->kind]);
  if (param->kind == SIM_CHOICE) {
    json_object_set_new(object, "default", json_string(param->choices[(size_t)param->usual]));
    json_object_set_new(object, "choices", choices_json(param));
  } else if (param->kind == SIM_TEXT) {
    json_object_set_new(object, "default", json_string(param->choices[0]));
  } else if (param->kind == SIM_FLAG) {
    json_object_set_new(object, "default", json_boolean(param->usual != 0.0));
  } else {
    json_object_set_new(object, "default", json_real(param->usual));
    json_object_set_new(object, "lower", json_real(param->lower));
    json_object_set_new(object, "upper", json_real(param->upper));
  }
  return object;
}

static json_t* scene_json(const sim_scene* scene) {
  json_t* params = json_array();
  for (const sim_param* param = scene->params; param && param->name; ++param) {
    json_array_append_new(params, param_json(param));
  }
  return json_pack("{ss ss sf sf so ss?}", "name", scene->name, "summary", scene->summary,
                   "seconds", scene->seconds, "rate", scene->rate, "parameters", params, "table",
                   scene->columns);
}

static json_t* list_json(const sim_scene* only) {
  json_t* scenes = json_array();
  for (size_t i = 0; !only && i < sim_scene_count; ++i) {
    json_array_append_new(scenes, scene_json(sim_scene_at(i)));
  }
  if (only) json_array_append_new(scenes, scene_json(only));
  return json_pack("{si so}", "schema", 1, "scenes", scenes);
}

static int fail(const tool_message* why) {
  tool_print_error(why);
  return SIM_EXIT_FAILED;
}

static int list(const list_settings* settings, const sim_scene* scene) {
  tool_message why;
  if (settings->json) {
    return tool_json_write("-", list_json(scene), &why) ? TOOL_EXIT_OK : fail(&why);
  } else if (scene) {
    print_scene(scene);
  } else {
    print_all();
  }
  return TOOL_EXIT_OK;
}

int command_list(int argc, char** argv) {
  static const tool_syntax syntax = {
      "list",
      "Usage: weft-sim list [SCENE | FILE.json] [--json]\n",
      "Lists the scenes, a line each, or the parameters of one with their defaults and ranges.",
      options,
      NULL,
      take_word};
  list_settings settings = {NULL, false};
  tool_message why;
  const int outcome = tool_read_command_line(&syntax, argc, argv, &settings);
  if (outcome != TOOL_GO_ON) return outcome;
  if (!settings.name || !sim_is_file_name(settings.name)) {
    return list(&settings, settings.name ? sim_find_scene(settings.name, &why) : NULL);
  }
  sim_scene scene;
  void* state = NULL;
  const bool ok = sim_file_open(settings.name, &scene, &state, &why);
  const int status = ok ? list(&settings, &scene) : fail(&why);
  if (state) scene.free(state);
  free(state);
  return status;
}
