#include "sim/file/parameters.h"

#include <stdlib.h>
#include <string.h>

#include "common/integrators.h"
#include "sim/cloth.h"

typedef struct file_parameter {
  const char* about;
  const tool_tree *usual, *range, *count, *one_of;
} file_parameter;

#define PARAMETER(member) offsetof(file_parameter, member)
static const sim_field fields[] = {
    {"about", SIM_FIELD_TEXT, PARAMETER(about), true, false, 0, 0, NULL,
     "description, with the unit"},
    {"default", SIM_FIELD_ANY, PARAMETER(usual), true, false, 0, 0, NULL,
     "a number, true or false, or a word of `one_of`"},
    SIM_KEY_OF(PARAMETER, LIST, range, "least and largest of a number"),
    SIM_KEY_OF(PARAMETER, LIST, count, "least and largest of a whole number"),
    SIM_KEY_OF(PARAMETER, ANY, one_of, "words of a choice, or `\"fabrics\"`, `\"integrators\"`"),
};

const sim_table sim_parameter_table = {
    "parameters",
    "One member of `parameters`, by its name: `--set NAME=VALUE` sets it, `weft-sim list FILE` "
    "tells of it, and formulas use it.",
    SIM_TABLE_FIELDS(fields), sizeof(file_parameter), NULL};

static bool read_range(const sim_source* source, const sim_place* place, const tool_tree* range,
                       const tool_tree* usual, sim_param* param) {
  char quote[SIM_MAX_QUOTE];
  sim_quote(range, quote);
  if (tool_tree_size(range) != 2 || !tool_tree_number(&range->items[0], &param->lower) ||
      !tool_tree_number(&range->items[1], &param->upper)) {
    return sim_fault(source, place, "'%s' is not a list of 2 numbers", quote);
  }
  const sim_place here = {place->parent, "default", 0};
  sim_quote(usual, quote);
  return (tool_tree_number(usual, &param->usual) && param->usual >= param->lower &&
          param->usual <= param->upper) ||
         sim_fault(source, &here, "'%s' is not in its range", quote);
}

/* Words of a choice: a list, or the name of one. */
static bool read_words(const sim_source* source, const sim_place* place, const tool_tree* list,
                       const char*** words, const char* const** choices) {
  const char* name = tool_tree_text(list);
  const size_t count = tool_tree_size(list);
  if (name && strcmp(name, "fabrics") == 0) return *choices = sim_fabrics, true;
  if (name && strcmp(name, "integrators") == 0) return *choices = tool_integrators, true;
  if (count == 0) return sim_fault(source, place, "is no list of words");
  *words = calloc(count + 1, sizeof **words);
  if (!*words) return sim_fault(source, place, "no memory for its words");
  *choices = *words;
  for (size_t i = 0; i < count; ++i) {
    const sim_place element = {place, NULL, i};
    (*words)[i] = tool_tree_text(&list->items[i]);
    if (!(*words)[i]) return sim_fault(source, &element, "is no word");
  }
  return true;
}

static bool read_choice(const sim_source* source, const sim_place* place,
                        const file_parameter* read, const char*** words, sim_param* param) {
  const sim_place at_words = {place, "one_of", 0}, at_usual = {place, "default", 0};
  const char* usual = tool_tree_text(read->usual);
  char quote[SIM_MAX_QUOTE];
  if (!read_words(source, &at_words, read->one_of, words, &param->choices)) return false;
  for (size_t i = 0; usual && param->choices[i]; ++i) {
    if (strcmp(param->choices[i], usual) == 0) return param->usual = (double)i, true;
  }
  sim_quote(read->usual, quote);
  return sim_fault(source, &at_usual, "'%s' is not one of its words", quote);
}

static bool read_parameter(const sim_source* source, const sim_place* place, const tool_tree* item,
                           const char*** words, sim_param* param) {
  file_parameter read;
  const sim_target target = {&sim_parameter_table, &read};
  if (!sim_read_object(source, place, item, &target, 1)) return false;
  *param = (sim_param){.name = item->key, .summary = read.about, .kind = SIM_FLAG, .upper = 1.0};
  if (!!read.range + !!read.count + !!read.one_of > 1) {
    return sim_fault(source, place, "has more than one of range, count and one_of");
  }
  if (read.one_of) {
    param->kind = SIM_CHOICE;
    return read_choice(source, place, &read, words, param);
  }
  if (read.range || read.count) {
    const sim_place here = {place, read.range ? "range" : "count", 0};
    param->kind = read.range ? SIM_NUMBER : SIM_COUNT;
    return read_range(source, &here, read.range ? read.range : read.count, read.usual, param);
  }
  const sim_place usual = {place, "default", 0};
  if (read.usual->kind != TOOL_TREE_FLAG) {
    return sim_fault(source, &usual, "needs a range, count or one_of");
  }
  param->usual = read.usual->flag;
  return true;
}

bool sim_read_parameters(const sim_source* source, const tool_tree* object,
                         sim_parameters* parameters) {
  const sim_place place = {NULL, "parameters", 0};
  if (!object) return true;
  if (object->kind != TOOL_TREE_OBJECT) return sim_fault(source, &place, "is not an object");
  if (object->count > SIM_MOST_PARAMS) {
    return sim_fault(source, &place, "has more than %d parameters", SIM_MOST_PARAMS);
  }
  for (size_t i = 0; i < object->count; ++i) {
    const sim_place here = {&place, object->items[i].key, 0};
    if (!read_parameter(source, &here, &object->items[i], &parameters->words[i],
                        &parameters->items[i])) {
      return parameters->items[i].name = NULL, false;
    }
  }
  return true;
}

void sim_free_parameters(sim_parameters* parameters) {
  for (size_t i = 0; i < SIM_MOST_PARAMS; ++i) free(parameters->words[i]);
}

void sim_scope_add_values(sim_scope* scope, const sim_values* values) {
  for (size_t i = 0; values->params && values->params[i].name; ++i) {
    const sim_param* param = &values->params[i];
    const sim_name name = {param->name, param->kind == SIM_FLAG,
                           param->kind == SIM_CHOICE ? param->choices : NULL};
    (void)sim_scope_add(scope, name, values->items[i]); /* fewer than a scope holds */
  }
}
