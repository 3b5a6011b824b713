#include "sim/file/template.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_REPEATS = 1000000 };

typedef struct expander {
  const sim_source* source;
  sim_scope* scope;
} expander;

static bool expand(expander* x, const sim_place* place, const tool_tree* from, tool_tree* to);

static bool has_key(const char* key, const char* const* keys) {
  for (; *keys; ++keys) {
    if (strcmp(key, *keys) == 0) return true;
  }
  return false;
}

static const char* const own_keys[] = {"if", "let", "repeat", NULL};

static bool evaluate(expander* x, const sim_place* place, const tool_tree* item, double* value,
                     bool* is_flag) {
  sim_formula formula;
  if (!sim_read_formula(x->source, place, item, x->scope, &formula)) return false;
  *value = sim_formula_value(&formula, x->scope, NULL);
  *is_flag = formula.is_flag;
  return !isnan(*value) || sim_fault(x->source, place, "the formula has no value");
}

static bool is_true(expander* x, const sim_place* place, const tool_tree* object, bool* yes) {
  const tool_tree* item = tool_tree_get(object, "if");
  const sim_place here = {place, "if", 0};
  double value = 1.0;
  bool is_flag;
  if (item && !evaluate(x, &here, item, &value, &is_flag)) return false;
  *yes = value != 0.0;
  return true;
}

/* A choice is its word, an infinite number its word in files. */
static bool expand_formula(expander* x, const sim_place* place, const tool_tree* from,
                           tool_tree* to) {
  const char* text = from->text + 1 + strspn(from->text + 1, " ");
  const tool_tree formula = {.kind = TOOL_TREE_TEXT, .text = text};
  const uint32_t name = sim_scope_find(x->scope, text);
  double value;
  bool is_flag;
  to->source = NULL;
  if (name < SIM_MOST_NAMES && x->scope->names[name].choices) {
    to->text = x->scope->names[name].choices[(size_t)x->scope->values[name]];
    return true;
  }
  if (!evaluate(x, place, &formula, &value, &is_flag)) return false;
  if (is_flag) {
    to->kind = TOOL_TREE_FLAG;
    to->flag = value != 0.0;
  } else if (isinf(value)) {
    to->text = value > 0.0 ? "infinity" : "-infinity";
  } else if (value == floor(value) && fabs(value) < 0x1p53 && !(value == 0.0 && signbit(value))) {
    to->kind = TOOL_TREE_WHOLE;
    to->whole = (int64_t)value;
  } else {
    to->kind = TOOL_TREE_REAL;
    to->real = value;
  }
  return true;
}

static bool too_many(expander* x, const sim_place* place, const char* what) {
  return sim_fault(x->source, place, "too many %s", what);
}

/* Adds the names of an object's `let`. */
static bool expand_let(expander* x, const sim_place* place, const tool_tree* object) {
  const tool_tree* let = tool_tree_get(object, "let");
  const sim_place here = {place, "let", 0};
  if (let && let->kind != TOOL_TREE_OBJECT) return sim_fault(x->source, &here, "is not an object");
  for (size_t i = 0; let && i < let->count; ++i) {
    const sim_place member = {&here, let->items[i].key, 0};
    sim_formula formula;
    // without a value it may not be used
    if (!sim_read_formula(x->source, &member, &let->items[i], x->scope, &formula)) return false;
    const sim_name name = {let->items[i].key, formula.is_flag, NULL};
    if (!sim_scope_add(x->scope, name, sim_formula_value(&formula, x->scope, NULL))) {
      return too_many(x, &member, "names");
    }
  }
  return true;
}

static tool_tree* append(tool_tree* list, size_t* room) {
  if (list->count == *room) {
    const size_t more = *room > 0 ? 2 * *room : 8;
    tool_tree* grown = realloc(list->items, more * sizeof *grown);
    if (!grown) return NULL;
    list->items = grown;
    *room = more;
  }
  list->items[list->count] = (tool_tree){.kind = TOOL_TREE_NULL};
  return &list->items[list->count++];
}

/* Appends the computed value unless its `if` is false. */
static bool expand_into(expander* x, const sim_place* place, const tool_tree* from,
                        tool_tree* parent, size_t* room) {
  bool yes = true;
  const uint32_t names = x->scope->count;
  if (from->kind == TOOL_TREE_OBJECT &&
      (!expand_let(x, place, from) || !is_true(x, place, from, &yes))) {
    return false;
  }
  if (yes || tool_tree_get(from, "else")) {
    tool_tree* to = append(parent, room);
    if (!to) return too_many(x, place, "values for the memory");
    const bool ok = expand(x, place, from, to);
    to->key = from->key;
    if (!ok) return false;
  }
  x->scope->count = names;
  return true;
}

/* Appends an element as often as its `repeat` says. */
static bool expand_element(expander* x, const sim_place* place, const tool_tree* from,
                           tool_tree* list, size_t* room) {
  const tool_tree* repeat = tool_tree_get(from, "repeat");
  const sim_place at_repeat = {place, "repeat", 0};
  double count;
  bool is_flag;
  if (!repeat) return expand_into(x, place, from, list, room);
  if (repeat->kind != TOOL_TREE_OBJECT || repeat->count != 1) {
    return sim_fault(x->source, &at_repeat, "is not an object of one name and a count");
  }
  const sim_place member = {&at_repeat, repeat->items[0].key, 0};
  if (!evaluate(x, &member, &repeat->items[0], &count, &is_flag)) return false;
  if (!(count <= MOST_REPEATS)) return too_many(x, &member, "repeats");
  const uint32_t name = x->scope->count;
  if (!sim_scope_add(x->scope, (sim_name){member.key, false, NULL}, 0.0)) {
    return too_many(x, &member, "names");
  }
  for (double i = 0.0; i < count; i += 1.0) {
    x->scope->values[name] = i;
    if (!expand_into(x, place, from, list, room)) return false;
  }
  x->scope->count = name;
  return true;
}

static bool expand_choice(expander* x, const sim_place* place, const tool_tree* from,
                          tool_tree* to) {
  bool yes;
  if (!is_true(x, place, from, &yes)) return false;
  const char* key = yes ? "then" : "else";
  const tool_tree* chosen = tool_tree_get(from, key);
  const sim_place here = {place, key, 0};
  return chosen ? expand(x, &here, chosen, to) : sim_fault(x->source, &here, "missing key");
}

static bool expand_items(expander* x, const sim_place* place, const tool_tree* from,
                         tool_tree* to) {
  size_t room = 0;
  const bool is_object = from->kind == TOOL_TREE_OBJECT;
  for (size_t i = 0; i < from->count; ++i) {
    const tool_tree* item = &from->items[i];
    const sim_place here = {place, item->key, i};
    if (is_object && has_key(item->key, own_keys)) continue;
    if (is_object ? !expand_into(x, &here, item, to, &room)
                  : !expand_element(x, &here, item, to, &room)) {
      return false;
    }
  }
  return true;
}

static bool expand(expander* x, const sim_place* place, const tool_tree* from, tool_tree* to) {
  *to = *from;
  if (from->kind == TOOL_TREE_TEXT && from->text[0] == '=') {
    return expand_formula(x, place, from, to);
  }
  if (from->kind != TOOL_TREE_OBJECT && from->kind != TOOL_TREE_LIST) return true;
  to->items = NULL;
  to->count = 0;
  if (tool_tree_get(from, "then")) return expand_choice(x, place, from, to);
  return expand_items(x, place, from, to);
}

bool sim_expand(const sim_source* source, sim_scope* scope, tool_tree* expanded) {
  expander x = {source, scope};
  *expanded = (tool_tree){.kind = TOOL_TREE_OBJECT, .line = source->root->line};
  return expand_let(&x, NULL, source->root) && expand(&x, NULL, source->root, expanded);
}
