/* Settings of a run as JSON, in the form of files. */
#ifndef TOOLS_SIM_FILE_TABLE_JSON_H
#define TOOLS_SIM_FILE_TABLE_JSON_H

#include <jansson.h>

#include "sim/file/table.h"

json_t* sim_table_json(const sim_table* table, const void* value);

#endif
