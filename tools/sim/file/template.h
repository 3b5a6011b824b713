/* Computed values of a scene file. A text that begins with '=' is a formula; an object with `if` is
 * left out where that is false, or stands for its `then` or `else`; an element with `repeat` stands
 * for many; `let` gives names to values, for the object that it is in. */
#ifndef TOOLS_SIM_FILE_TEMPLATE_H
#define TOOLS_SIM_FILE_TEMPLATE_H

#include "sim/file/formula.h"

/* Writes the computed file: a tree that shares the texts of source->root, to be cleared also where
 * this fails. Names of the outermost `let` stay in the scope. */
bool sim_expand(const sim_source* source, sim_scope* scope, tool_tree* expanded);

#endif
