#include "sim/keys.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/near.h"
#include "common/options.h"
#include "sim/text.h"

static bool find_key(const char* option, const char* word, const char* const* names, uint32_t* key,
                     tool_message* why) {
  uint32_t count = 0;
  for (; names[count]; ++count) {
    if (strcmp(word, names[count]) == 0) return *key = count, true;
  }
  const char* near = tool_nearest(word, names, count);
  return tool_because(why, "%s: '%s' is not a key%s%s%s", option, word,
                      near ? " (did you mean " : "", near ? near : "", near ? "?)" : "");
}

static bool read_press(const char* option, const sim_item* item, const char* const* names,
                       sim_press* press, tool_message* why) {
  if (!find_key(option, item->words[0], names, &press->key, why)) return false;
  if (item->count != 2) {
    return tool_because(why, "%s: '%s' is followed by SECOND or FROM-TO", option, item->words[0]);
  }
  char from[SIM_WORD_SIZE];
  const char* dash = strchr(item->words[1], '-');
  const char* to = dash ? dash + 1 : item->words[1];
  snprintf(from, sizeof from, "%.*s", dash ? (int)(dash - item->words[1]) : SIM_WORD_SIZE - 1,
           item->words[1]);
  if (!tool_parse_number(option, from, 0.0, 1e6, &press->from, why)) return false;
  if (!tool_parse_number(option, to, 0.0, 1e6, &press->to, why)) return false;
  return press->to >= press->from ||
         tool_because(why, "%s: '%s' ends before it begins", option, item->words[1]);
}

bool sim_script_read(const char* option, const char* text, const char* const* names,
                     sim_script* script, tool_message* why) {
  const size_t count = sim_count_items(text);
  if (count == 0) return true;
  script->presses = calloc(count, sizeof *script->presses);
  if (!script->presses) return tool_because(why, "no memory for a script");
  for (; script->count < count; ++script->count) {
    sim_item item;
    if (!sim_next_item(option, &text, &item, why) ||
        !read_press(option, &item, names, &script->presses[script->count], why)) {
      return false;
    }
  }
  return true;
}

void sim_script_free(sim_script* script) {
  free(script->presses);
  *script = (sim_script){.count = 0};
}

// first step that begins then or later, a millionth of a step sooner against rounding
static double step_at(double time, double h) {
  return ceil(time / h - 1e-6);
}

bool sim_press_holds(const sim_press* press, uint64_t step, double h) {
  const double first = step_at(press->from, h);
  const double end = fmax(step_at(press->to, h), first + 1.0);
  return (double)step >= first && (double)step < end;
}
