/* JSON objects of one level: members are numbers, texts, true, false, and arrays of numbers or of
 * texts. The reader also runs without a JSON library, in WebAssembly. Strict: invalid JSON, other
 * kinds of values and names given twice are refused. */
#ifndef TOOLS_VIEW_JSON_LINE_H
#define TOOLS_VIEW_JSON_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/message.h"

enum { VIEW_MOST_MEMBERS = 8, VIEW_MOST_NUMBERS = 16, VIEW_MOST_TEXTS = 32 };

typedef enum view_json_kind {
  VIEW_JSON_NUMBERS, /* one or an array */
  VIEW_JSON_TEXTS,   /* one or an array */
  VIEW_JSON_FLAG,
} view_json_kind;

typedef struct view_json_member {
  char name[24];
  view_json_kind kind;
  bool is_array, flag;
  uint32_t count;                     /* numbers or texts */
  double numbers[VIEW_MOST_NUMBERS];  /* finite */
  const char* texts[VIEW_MOST_TEXTS]; /* ended by 0, in `text` of the line */
} view_json_member;

typedef struct view_json_line {
  view_json_member members[VIEW_MOST_MEMBERS];
  uint32_t count;
  char* text; /* all texts, unescaped */
} view_json_line;

/* Reads [length] bytes; view_json_free() also after a failure. */
bool view_json_read(const char* bytes, size_t length, view_json_line* line, tool_message* why);

void view_json_free(view_json_line* line);

/* NULL without such a member. */
const view_json_member* view_json_find(const view_json_line* line, const char* name);

#endif
