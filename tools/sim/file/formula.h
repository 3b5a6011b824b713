/* Formulas of scene files: arithmetic of named numbers, such as "width / (size - 1)".
 *
 *     A ? B : C   or   and   not   < <= > >= == !=   + -   * / %   -A   NAME   NUMBER   F(A, B)
 *
 * `NAME is WORD` compares a choice with one of its words. Operations are in double precision in the
 * order of the text, with equal values on every machine, as are sine() and cosine(), which take
 * turns; sin(), cos() and the like are the C library's. */
#ifndef TOOLS_SIM_FILE_FORMULA_H
#define TOOLS_SIM_FILE_FORMULA_H

#include "sim/file/source.h"
#include "weft/weft.h"

enum { SIM_MOST_NAMES = 128, SIM_MOST_OPERATIONS = 160, SIM_FORMULA_NAME = 1 };

typedef struct sim_name {
  const char* name;
  bool is_flag;               /* 0 or 1 */
  const char* const* choices; /* words of a choice, ended by NULL; NULL = a number */
} sim_name;

/* Names of a formula, and their present values. The last of a name counts. */
typedef struct sim_scope {
  sim_name names[SIM_MOST_NAMES];
  double values[SIM_MOST_NAMES];
  uint32_t count;
} sim_scope;

/* Adds a name; false where there are too many. */
bool sim_scope_add(sim_scope* scope, sim_name name, double value);

/* Index of a name, SIM_MOST_NAMES without it. */
uint32_t sim_scope_find(const sim_scope* scope, const char* name);

typedef struct sim_operation {
  uint8_t code; /* SIM_FORMULA_NAME, or another code of formula.c */
  union {
    double number;
    uint32_t index;
  };
} sim_operation;

typedef struct sim_formula {
  uint32_t count; /* 0 = there is none */
  bool is_flag;   /* true or false */
  sim_operation operations[SIM_MOST_OPERATIONS];
} sim_formula;

/* Reads the text of a formula, or a number or flag, with the names of a scope. */
bool sim_read_formula(const sim_source* source, const sim_place* place, const tool_tree* item,
                      const sim_scope* scope, sim_formula* formula);

/* Reads a list of `count` formulas. */
bool sim_read_formulas(const sim_source* source, const sim_place* place, const tool_tree* list,
                       const sim_scope* scope, sim_formula* formulas, size_t count);

/* Value with the numbers of the scope; px(I) to vz(I) read `world`, NULL = NaN. */
double sim_formula_value(const sim_formula* formula, const sim_scope* scope,
                         const weft_world* world);

/* Values of three or four formulas, as floats. */
void sim_formula_floats(const sim_formula* formulas, size_t count, const sim_scope* scope,
                        const weft_world* world, float* numbers);

#endif
