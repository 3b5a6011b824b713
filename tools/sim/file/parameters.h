/* Parameters of a scene file: `parameters`, set by `--set name=value`. */
#ifndef TOOLS_SIM_FILE_PARAMETERS_H
#define TOOLS_SIM_FILE_PARAMETERS_H

#include "sim/file/formula.h"
#include "sim/file/table.h"
#include "sim/scene.h"

typedef struct sim_parameters {
  sim_param items[SIM_MOST_PARAMS + 1]; /* ended by one without a name */
  const char** words[SIM_MOST_PARAMS];  /* a file's own choices; else NULL */
} sim_parameters;

extern const sim_table sim_parameter_table;

/* Reads an object of parameters, NULL = none; free also after a failure. */
bool sim_read_parameters(const sim_source* source, const tool_tree* object,
                         sim_parameters* parameters);
void sim_free_parameters(sim_parameters* parameters);

void sim_scope_add_values(sim_scope* scope, const sim_values* values);

#endif
