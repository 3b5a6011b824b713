/* Parameters that are texts: lists such as "right 0.5-2, jump 1", items between commas, words
 * between blanks. */
#ifndef TOOLS_SIM_TEXT_H
#define TOOLS_SIM_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "common/message.h"

enum { SIM_MOST_WORDS = 8, SIM_WORD_SIZE = 64 };

typedef struct sim_item {
  char words[SIM_MOST_WORDS][SIM_WORD_SIZE];
  size_t count;
} sim_item;

/* Items of a text: none if it is blank. */
size_t sim_count_items(const char* text);

/* Takes the next item off the text. `option` names the text in errors. False if it is empty, or has
 * more or longer words than an item holds. */
bool sim_next_item(const char* option, const char** text, sim_item* item, tool_message* why);

#endif
