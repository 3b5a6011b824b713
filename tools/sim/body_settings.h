/* Settings by body: `--explain`, and the viewer's table. */
#ifndef TOOLS_SIM_BODY_SETTINGS_H
#define TOOLS_SIM_BODY_SETTINGS_H

#include <stdbool.h>
#include <stdio.h>

#include "common/message.h"
#include "weft/inspect.h"

/* Settings of bodies alike that follow each other. */
typedef struct sim_settings_row {
  weft_body_settings settings; /* of the first one */
  uint32_t bodies;
} sim_settings_row;

/* Lists the settings of all bodies of a world; to be freed. NULL if out of memory. */
sim_settings_row* sim_list_settings(const weft_world* world, uint32_t* count);

/* Prints a row a line. False if out of memory. */
bool sim_print_settings(FILE* out, const weft_world* world, tool_message* why);

#endif
