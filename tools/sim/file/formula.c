#include "sim/file/formula.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/near.h"
#include "common/substeps.h"
#include "sim/path.h"
#include "sim/wave.h"

enum { MOST_VALUES = 32, MOST_WORD = 40, MOST_NESTED = 24 };

// ---- names ----

bool sim_scope_add(sim_scope* scope, sim_name name, double value) {
  if (scope->count == SIM_MOST_NAMES) return false;
  scope->names[scope->count] = name;
  scope->values[scope->count++] = value;
  return true;
}

uint32_t sim_scope_find(const sim_scope* scope, const char* name) {
  for (uint32_t i = scope->count; i-- > 0;) {
    if (strcmp(scope->names[i].name, name) == 0) return i;
  }
  return SIM_MOST_NAMES;
}

// ---- functions ----

static double sine(double turns) {
  double s, c;
  sim_sine_of_turns(turns, &s, &c);
  return s;
}

static double cosine(double turns) {
  double s, c;
  sim_sine_of_turns(turns, &s, &c);
  return c;
}

static double single(double x) {
  return (double)(float)x;
}

static double sign(double x) {
  return x < 0.0 ? -1.0 : x > 0.0 ? 1.0 : 0.0;
}

static double length(double x, double y, double z) {
  return sqrt(x * x + y * y + z * z);
}

/* Arithmetic-geometric mean (Gauss 1799). */
static double agm(double a, double b) {
  for (int i = 0; i < 10; ++i) {
    const double mean = 0.5 * (a + b);
    b = sqrt(a * b);
    a = mean;
  }
  return a;
}

/* Distance of the ends at which the outermost fibres of a rope of so many turns have the length L
 * of the strip. Its volume is L times `section` at any distance D, so that pi R^2 D = L section. A
 * fibre is a helix, L^2 = D^2 + (2 pi turns R)^2, hence D (L^2 - D^2) = 4 pi turns^2 L section,
 * whose larger root is a strip under tension. The left side is largest at L / sqrt(3), where the
 * ends stop: no rope has more turns. */
static double twisted_length(double strip, double section, double turns) {
  const double least = 4.0 * 3.141592653589793 * turns * turns * strip * section;
  double lower = strip / sqrt(3.0), upper = strip;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (lower + upper);
    *(middle * (strip * strip - middle * middle) < least ? &upper : &lower) = middle;
  }
  return lower;
}

/* Half the angle, in turns, of an arc with this share of chord to length. */
static double arc_angle(double chord_share) {
  double lower = 0.0, upper = 0.5;
  for (int i = 0; i < 60; ++i) {
    const double turns = 0.5 * (lower + upper);
    *(sine(turns) > 2.0 * 3.14159265358979323846 * turns * chord_share ? &lower : &upper) = turns;
  }
  return lower;
}

/* From 0 to 1: the n-th number of SplitMix64 (Steele, Lea, Flood 2014). */
static double random_share(double seed, double n) {
  uint64_t z = (uint64_t)seed + (uint64_t)n * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

typedef struct function {
  const char* name;
  uint32_t count; /* count of arguments */
  double (*one)(double);
  double (*two)(double, double);
  double (*three)(double, double, double);
} function;

static const function functions[] = {
    {"sqrt", 1, sqrt, NULL, NULL},
    {"cbrt", 1, cbrt, NULL, NULL},
    {"abs", 1, fabs, NULL, NULL},
    {"floor", 1, floor, NULL, NULL},
    {"ceil", 1, ceil, NULL, NULL},
    {"round", 1, round, NULL, NULL},
    {"sin", 1, sin, NULL, NULL},
    {"cos", 1, cos, NULL, NULL},
    {"sine", 1, sine, NULL, NULL},
    {"cosine", 1, cosine, NULL, NULL},
    {"wave", 1, sim_wave, NULL, NULL},
    {"single", 1, single, NULL, NULL},
    {"sign", 1, sign, NULL, NULL},
    {"arc_angle", 1, arc_angle, NULL, NULL},
    {"min", 2, NULL, fmin, NULL},
    {"max", 2, NULL, fmax, NULL},
    {"atan2", 2, NULL, atan2, NULL},
    {"agm", 2, NULL, agm, NULL},
    {"random", 2, NULL, random_share, NULL},
    {"substeps", 2, NULL, tool_parts, NULL},
    {"fall_speed", 2, NULL, tool_fall_speed, NULL},
    {"length", 3, NULL, NULL, length},
    {"twisted_length", 3, NULL, NULL, twisted_length},
};

enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

/* Coordinates and velocities of a particle. */
static const char* const particle_functions[] = {"px", "py", "pz", "vx", "vy", "vz"};

static double read_particle(const weft_world* world, uint32_t which, double particle) {
  float numbers[3] = {NAN, NAN, NAN};
  if (!world || !(particle >= 0.0) || !(particle < 4294967295.0)) return (double)NAN;
  const weft_result result = which < 3
                                 ? weft_world_get(world, WEFT_ATTRIBUTE_POSITION,
                                                  weft_range((uint32_t)particle, 1), numbers, 0)
                                 : weft_world_get(world, WEFT_ATTRIBUTE_VELOCITY,
                                                  weft_range((uint32_t)particle, 1), numbers, 0);
  return result.error == WEFT_OK ? (double)numbers[which % 3] : (double)NAN;
}

// ---- operations ----

enum {
  PUSH_NUMBER,
  CALL = 2,
  READ,
  CHOOSE, /* clang-format off */
  OR, AND, LESS, LESS_EQUAL, MORE, MORE_EQUAL, EQUAL, NOT_EQUAL, ADD, SUBTRACT, MULTIPLY, DIVIDE,
  REMAINDER, NOT, NEGATE /* clang-format on */
};

/* By precedence, weakest first; longer operators before their prefixes. */
static const struct {
  const char* text;
  uint8_t code, level;
} operators[] = {
    {"or", OR, 0},       {"and", AND, 1},      {"<=", LESS_EQUAL, 3}, {">=", MORE_EQUAL, 3},
    {"==", EQUAL, 3},    {"!=", NOT_EQUAL, 3}, {"<", LESS, 3},        {">", MORE, 3},
    {"+", ADD, 4},       {"-", SUBTRACT, 4},   {"*", MULTIPLY, 5},    {"/", DIVIDE, 5},
    {"%", REMAINDER, 5},
};

enum { OPERATORS = sizeof operators / sizeof operators[0], LEVELS = 6, LEVEL_NOT = 2 };

static double apply(uint8_t code, double a, double b) {
  switch (code) {
    case OR:
      return a != 0.0 || b != 0.0;
    case AND:
      return a != 0.0 && b != 0.0;
    case LESS:
      return a < b;
    case LESS_EQUAL:
      return a <= b;
    case MORE:
      return a > b;
    case MORE_EQUAL:
      return a >= b;
    case EQUAL:
      return a == b;
    case NOT_EQUAL:
      return a != b;
    case ADD:
      return a + b;
    case SUBTRACT:
      return a - b;
    case MULTIPLY:
      return a * b;
    case DIVIDE:
      return a / b;
    default:
      return a - b * floor(a / b);
  }
}

double sim_formula_value(const sim_formula* formula, const sim_scope* scope,
                         const weft_world* world) {
  double stack[MOST_VALUES];
  uint32_t top = 0; /* values on the stack */
  for (uint32_t i = 0; i < formula->count; ++i) {
    const sim_operation* o = &formula->operations[i];
    if (o->code == PUSH_NUMBER) {
      stack[top++] = o->number;
    } else if (o->code == SIM_FORMULA_NAME) {
      stack[top++] = scope->values[o->index];
    } else if (o->code == READ) {
      stack[top - 1] = read_particle(world, o->index, stack[top - 1]);
    } else if (o->code == CALL) {
      const function* f = &functions[o->index];
      top -= f->count - 1;
      double* a = &stack[top - 1];
      *a = f->one ? f->one(a[0]) : f->two ? f->two(a[0], a[1]) : f->three(a[0], a[1], a[2]);
    } else if (o->code == CHOOSE) {
      top -= 2;
      stack[top - 1] = stack[top - 1] != 0.0 ? stack[top] : stack[top + 1];
    } else if (o->code == NOT || o->code == NEGATE) {
      stack[top - 1] = o->code == NOT ? stack[top - 1] == 0.0 : -stack[top - 1];
    } else {
      --top;
      stack[top - 1] = apply(o->code, stack[top - 1], stack[top]);
    }
  }
  return stack[0];
}

void sim_formula_floats(const sim_formula* formulas, size_t count, const sim_scope* scope,
                        const weft_world* world, float* numbers) {
  for (size_t i = 0; i < count; ++i) {
    numbers[i] = (float)sim_formula_value(&formulas[i], scope, world);
  }
}

// ---- reading: recursive descent ----

typedef struct parser {
  const char* at;
  const sim_source* source;
  const sim_place* place;
  const sim_scope* scope;
  sim_formula* made;
  uint32_t top; /* values on the stack */
  uint32_t nested;
  bool is_flag; /* the last value is true or false */
} parser;

static bool read_choice(parser* p);

static bool emit(parser* p, uint8_t code, double number, uint32_t index, uint32_t taken) {
  if (p->made->count == SIM_MOST_OPERATIONS || p->top == MOST_VALUES) {
    return sim_fault(p->source, p->place, "the formula is too long");
  }
  sim_operation* made = &p->made->operations[p->made->count++];
  made->code = code;
  if (code == PUSH_NUMBER) {
    made->number = number;
  } else {
    made->index = index;
  }
  p->top += 1 - taken;
  p->is_flag = code == NOT || (code >= OR && code <= NOT_EQUAL);
  return true;
}

static bool unexpected(parser* p) {
  if (*p->at == '\0') return sim_fault(p->source, p->place, "the formula ends too soon");
  return sim_fault(p->source, p->place, "the formula has an unexpected '%.12s'", p->at);
}

static void skip(parser* p) {
  while (*p->at == ' ') ++p->at;
}

static bool is_part(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

/* Takes a sign, or a word that ends there. */
static bool take(parser* p, const char* text) {
  const size_t size = strlen(text);
  skip(p);
  if (strncmp(p->at, text, size) != 0 || (is_part(text[0]) && is_part(p->at[size]))) return false;
  p->at += size;
  return true;
}

static bool read_word(parser* p, char word[MOST_WORD]) {
  size_t size = 0;
  skip(p);
  while (is_part(p->at[size]) && size + 1 < MOST_WORD) word[size] = p->at[size], ++size;
  word[size] = '\0';
  if (size == 0 || is_part(p->at[size])) return unexpected(p);
  p->at += size;
  return true;
}

static bool read_call(parser* p, const char* word) {
  uint32_t index = 0, count = 1;
  uint8_t code = READ;
  while (index < 6 && strcmp(particle_functions[index], word) != 0) ++index;
  if (index == 6) {
    code = CALL;
    for (index = 0; index < FUNCTIONS && strcmp(functions[index].name, word) != 0;) ++index;
    if (index == FUNCTIONS) return sim_fault(p->source, p->place, "'%s' is no function", word);
    count = functions[index].count;
  }
  for (uint32_t i = 0; i < count; ++i) {
    if (i > 0 && !take(p, ",")) return unexpected(p);
    if (!read_choice(p)) return false;
  }
  return take(p, ")") ? emit(p, code, 0.0, index, count) : unexpected(p);
}

/* `NAME is WORD` */
static bool read_is(parser* p, uint32_t index) {
  char word[MOST_WORD];
  const char* const* choices = p->scope->names[index].choices;
  if (!read_word(p, word)) return false;
  for (uint32_t i = 0; choices && choices[i]; ++i) {
    if (strcmp(choices[i], word) != 0) continue;
    return emit(p, SIM_FORMULA_NAME, 0.0, index, 0) && emit(p, PUSH_NUMBER, i, 0, 0) &&
           emit(p, EQUAL, 0.0, 0, 2);
  }
  return sim_fault(p->source, p->place, "'%s' is no choice of %s", word,
                   p->scope->names[index].name);
}

static bool read_name(parser* p) {
  char word[MOST_WORD];
  const char* names[SIM_MOST_NAMES];
  if (!read_word(p, word)) return false;
  if (take(p, "(")) return read_call(p, word);
  const uint32_t index = sim_scope_find(p->scope, word);
  if (index < SIM_MOST_NAMES) {
    if (take(p, "is")) return read_is(p, index);
    const bool ok = emit(p, SIM_FORMULA_NAME, 0.0, index, 0);
    p->is_flag = p->scope->names[index].is_flag;
    return ok;
  }
  for (uint32_t i = 0; i < p->scope->count; ++i) names[i] = p->scope->names[i].name;
  const char* near = tool_nearest(word, names, p->scope->count);
  if (!near) return sim_fault(p->source, p->place, "'%s' is no name", word);
  return sim_fault(p->source, p->place, "'%s' is no name (did you mean %s?)", word, near);
}

static bool enter(parser* p) {
  return ++p->nested < MOST_NESTED || sim_fault(p->source, p->place, "the formula is too deep");
}

static bool read_factor(parser* p) {
  skip(p);
  if (take(p, "(")) return read_choice(p) && (take(p, ")") || unexpected(p));
  if (take(p, "-")) {
    if (!enter(p) || !read_factor(p)) return false;
    --p->nested;
    return emit(p, NEGATE, 0.0, 0, 1);
  }
  if (isdigit((unsigned char)*p->at) || *p->at == '.') {
    char* end;
    const double number = strtod(p->at, &end);
    if (end == p->at || is_part(*end)) return unexpected(p);
    p->at = end;
    return emit(p, PUSH_NUMBER, number, 0, 0);
  }
  return read_name(p);
}

static bool read_level(parser* p, uint8_t level) {
  if (level == LEVEL_NOT && take(p, "not")) {
    if (!enter(p) || !read_level(p, level)) return false;
    --p->nested;
    return emit(p, NOT, 0.0, 0, 1);
  }
  if (level == LEVELS ? !read_factor(p) : !read_level(p, level + 1)) return false;
  for (uint32_t i = 0; i < OPERATORS && level < LEVELS; ++i) {
    if (operators[i].level != level || !take(p, operators[i].text)) continue;
    if (!read_level(p, level + 1) || !emit(p, operators[i].code, 0.0, 0, 2)) return false;
    i = UINT32_MAX; /* from the first operator again */
  }
  return true;
}

static bool read_choice(parser* p) {
  if (!enter(p) || !read_level(p, 0)) return false;
  if (take(p, "?")) {
    if (!read_choice(p) || !(take(p, ":") || unexpected(p)) || !read_choice(p)) return false;
    if (!emit(p, CHOOSE, 0.0, 0, 3)) return false;
  }
  --p->nested;
  return true;
}

bool sim_read_formula(const sim_source* source, const sim_place* place, const tool_tree* item,
                      const sim_scope* scope, sim_formula* formula) {
  double number = 0.0;
  char quote[SIM_MAX_QUOTE];
  formula->count = 0;
  parser p = {tool_tree_text(item), source, place, scope, formula, 0, 0, false};
  const bool is_flag = tool_tree_is(item, TOOL_TREE_FLAG);
  if (p.at) {
    if (!read_choice(&p)) return false;
    skip(&p);
    if (*p.at) return unexpected(&p);
  } else if (is_flag || tool_tree_number(item, &number)) {
    if (!emit(&p, PUSH_NUMBER, is_flag ? item->flag : number, 0, 0)) return false;
    p.is_flag = is_flag;
  } else {
    sim_quote(item, quote);
    return sim_fault(source, place, "'%s' is not a formula", quote);
  }
  formula->is_flag = p.is_flag;
  return true;
}

bool sim_read_formulas(const sim_source* source, const sim_place* place, const tool_tree* list,
                       const sim_scope* scope, sim_formula* formulas, size_t count) {
  char quote[SIM_MAX_QUOTE];
  if (tool_tree_size(list) != count) {
    sim_quote(list, quote);
    return sim_fault(source, place, "'%s' is not a list of %zu formulas", quote, count);
  }
  for (size_t i = 0; i < count; ++i) {
    const sim_place element = {place, NULL, i};
    if (!sim_read_formula(source, &element, &list->items[i], scope, &formulas[i])) return false;
  }
  return true;
}
