/* JSON files that a tool writes. */
#ifndef TOOLS_COMMON_JSON_FILE_H
#define TOOLS_COMMON_JSON_FILE_H

#include <jansson.h>
#include <stdbool.h>

#include "common/message.h"

/* null for a number that is not finite. */
json_t* tool_json_number(double value);

/* null for a text that is not UTF-8, as file and processor names may be. */
json_t* tool_json_text(const char* text);

/* Writes and frees the report, NULL = no memory for it. Numbers are the shortest that read back the
 * same. "-" is standard output. */
bool tool_json_write(const char* path, json_t* report, tool_message* why);

#endif
