#include "sim/text.h"

#include <string.h>

static const char blanks[] = " \t\n";

size_t sim_count_items(const char* text) {
  if (text[strspn(text, blanks)] == '\0') return 0;
  size_t count = 1;
  for (; *text; ++text) count += *text == ',';
  return count;
}

static bool add_word(const char* option, const char* word, size_t length, sim_item* item,
                     tool_message* why) {
  if (length >= SIM_WORD_SIZE || item->count == SIM_MOST_WORDS) {
    return tool_because(why, "%s: too long at '%.20s'", option, word);
  }
  memcpy(item->words[item->count], word, length);
  item->words[item->count][length] = '\0';
  ++item->count;
  return true;
}

bool sim_next_item(const char* option, const char** text, sim_item* item, tool_message* why) {
  const char* here = *text + strspn(*text, blanks);
  item->count = 0;
  while (*here && *here != ',') {
    const size_t length = strcspn(here, " \t\n,");
    if (!add_word(option, here, length, item, why)) return false;
    here += length;
    here += strspn(here, blanks);
  }
  *text = *here == ',' ? here + 1 : here;
  return item->count > 0 ||
         tool_because(why, "%s: nothing between two commas, or at an end", option);
}
