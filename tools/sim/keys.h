/* Scripts of key presses: "right 0.5-2, jump 1.5": held from a half to two seconds; pressed for a
 * step. */
#ifndef TOOLS_SIM_KEYS_H
#define TOOLS_SIM_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/message.h"

typedef struct sim_press {
  uint32_t key;    /* which of the names */
  double from, to; /* seconds; of one step where they are equal */
} sim_press;

typedef struct sim_script {
  sim_press* presses; /* [count] */
  size_t count;
} sim_script;

/* `names` of keys, ended by NULL. `option` is what the text was given to. */
bool sim_script_read(const char* option, const char* text, const char* const* names,
                     sim_script* script, tool_message* why);

void sim_script_free(sim_script* script);

/* True if a press holds its key in a step of h seconds: from the first step that begins at `from`
 * or later, for at least one, and in none that begins at `to` or later. */
bool sim_press_holds(const sim_press* press, uint64_t step, double h);

#endif
