/* Files of JSON that a tool writes. */
#ifndef TOOLS_COMMON_JSON_FILE_H
#define TOOLS_COMMON_JSON_FILE_H

#include <jansson.h>
#include <stdbool.h>

#include "common/message.h"

/* null where the number is not finite, for which JSON has no word. */
json_t* tool_json_number(double value);

/* null where the text is not UTF-8, as file names and the names of processors need not be. */
json_t* tool_json_text(const char* text);

/* Writes and frees the report, NULL where there was no memory for it. Numbers are the shortest that
 * read back the same. "-" is standard output. */
bool tool_json_write(const char* path, json_t* report, tool_message* why);

#endif
