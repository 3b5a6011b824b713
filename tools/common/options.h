/* Values from words of the command line. Every failure names the option and the word. */
#ifndef TOOLS_COMMON_OPTIONS_H
#define TOOLS_COMMON_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/message.h"
#include "weft/weft.h"

/* Words of a comma-separated list, at most. */
#define TOOL_MAX_LIST 64

typedef struct tool_range {
  uint32_t lowest, highest;
} tool_range;

typedef struct tool_count_list {
  uint32_t items[TOOL_MAX_LIST];
  uint32_t count;
} tool_count_list;

typedef struct tool_isa_list {
  weft_isa items[TOOL_MAX_LIST];
  uint32_t count;
} tool_isa_list;

/* A whole number within the range: digits only, neither "-1", "1e3" nor " 4". */
bool tool_parse_count(const char* option, const char* text, tool_range range, uint32_t* value,
                      tool_message* why);

/* NAME=VALUE, appended to a list of at most `most`; a name is set once. */
bool tool_add_set(const char* assignment, size_t most, const char** sets, size_t* count,
                  tool_message* why);

bool tool_parse_number(const char* option, const char* text, double lowest, double highest,
                       double* value, tool_message* why);

bool tool_parse_share(const char* option, const char* text, double* value, tool_message* why);

/* Comma-separated whole numbers, appended; numbers already listed are left out. */
bool tool_parse_counts(const char* option, const char* text, tool_range range,
                       tool_count_list* list, tool_message* why);

/* Comma-separated words of at most 32 names: sets the bit of each. */
bool tool_parse_names(const char* option, const char* text, const char* const* names,
                      uint32_t name_count, uint32_t* bits, tool_message* why);

enum { TOOL_ISAS = WEFT_ISA_SIMD128 + 1 };
extern const char* const tool_isa_names[TOOL_ISAS];

/* Comma-separated instruction sets; "all" is every one but auto. */
bool tool_parse_isas(const char* option, const char* text, tool_isa_list* list, tool_message* why);

#endif
