/* Computed values of a scene file. A text that begins with '=' is a formula; an object with `if` is
 * left out where that is false, or becomes its `then` or `else`; an element with `repeat` becomes
 * many; `let` names values within its object. */
#ifndef TOOLS_SIM_FILE_TEMPLATE_H
#define TOOLS_SIM_FILE_TEMPLATE_H

#include "sim/file/formula.h"

/* Writes the computed file: a tree that shares the texts of source->root, to be cleared also after
 * a failure. Names of the outermost `let` stay in the scope. */
bool sim_expand(const sim_source* source, sim_scope* scope, tool_tree* expanded);

#endif
