/* Scripts of key presses: "right 0.5-2, jump 1.5": held from 0.5 to 2 seconds; pressed for a step.
 */
#ifndef TOOLS_SIM_KEYS_H
#define TOOLS_SIM_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/message.h"

typedef struct sim_press {
  uint32_t key;    /* index of the name */
  double from, to; /* seconds; one step if equal */
} sim_press;

typedef struct sim_script {
  sim_press* presses; /* [count] */
  size_t count;
} sim_script;

/* `names` of keys, ended by NULL. `option` names the text in errors. */
bool sim_script_read(const char* option, const char* text, const char* const* names,
                     sim_script* script, tool_message* why);

void sim_script_free(sim_script* script);

/* True if a press holds its key in a step of h seconds: from the first step that begins at `from`
 * or later, for at least one, and in none that begins at `to` or later. */
bool sim_press_holds(const sim_press* press, uint64_t step, double h);

#endif
