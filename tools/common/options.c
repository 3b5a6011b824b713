#include "common/options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORD = 64 };

/* Copies the list's next word and moves past its comma. False at the end, or for a word too long
 * for any list. */
static bool next_word(const char** rest, char word[MAX_WORD]) {
  if (*rest == NULL) return false;
  const char* comma = strchr(*rest, ',');
  const size_t length = comma ? (size_t)(comma - *rest) : strlen(*rest);
  const size_t kept = length < MAX_WORD ? length : MAX_WORD - 1;
  memcpy(word, *rest, kept);
  word[kept] = '\0';
  *rest = comma ? comma + 1 : NULL;
  return true;
}

static bool is_whole_number(const char* text, tool_range range, uint32_t* value) {
  uint64_t sum = 0;
  if (*text == '\0') return false;
  for (const char* digit = text; *digit; ++digit) {
    if (*digit < '0' || *digit > '9') return false;
    sum = sum * 10 + (uint64_t)(*digit - '0');
    if (sum > range.highest) return false;
  }
  *value = (uint32_t)sum;
  return sum >= range.lowest;
}

bool tool_parse_count(const char* option, const char* text, tool_range range, uint32_t* value,
                      tool_message* why) {
  if (is_whole_number(text, range, value)) return true;
  return tool_because(why, "%s: '%s' is not a whole number from %u to %u", option, text,
                      range.lowest, range.highest);
}

bool tool_add_set(const char* assignment, size_t most, const char** sets, size_t* count,
                  tool_message* why) {
  const size_t length = strcspn(assignment, "=");
  for (size_t i = 0; i < *count; ++i) {
    if (strncmp(sets[i], assignment, length + 1) != 0) continue;
    return tool_because(why, "--set %.*s is given twice", (int)length, assignment);
  }
  if (*count == most) return tool_because(why, "--set: more than %zu", most);
  sets[(*count)++] = assignment;
  return true;
}

bool tool_parse_number(const char* option, const char* text, double lowest, double highest,
                       double* value, tool_message* why) {
  char* end;
  *value = strtod(text, &end);
  const bool whole = end != text && *end == '\0';
  if (whole && isfinite(*value) && *value >= lowest && *value <= highest) return true;
  return tool_because(why, "%s: '%s' is not a number from %g to %g", option, text, lowest, highest);
}

bool tool_parse_share(const char* option, const char* text, double* value, tool_message* why) {
  return tool_parse_number(option, text, 0.0, 1.0, value, why);
}

static bool append_count(const char* option, uint32_t value, tool_count_list* list,
                         tool_message* why) {
  for (uint32_t i = 0; i < list->count; ++i) {
    if (list->items[i] == value) return true;
  }
  if (list->count == TOOL_MAX_LIST) {
    return tool_because(why, "%s: more than %d values", option, TOOL_MAX_LIST);
  }
  list->items[list->count++] = value;
  return true;
}

bool tool_parse_counts(const char* option, const char* text, tool_range range,
                       tool_count_list* list, tool_message* why) {
  char word[MAX_WORD];
  while (next_word(&text, word)) {
    uint32_t value = 0;
    if (!tool_parse_count(option, word, range, &value, why)) return false;
    if (!append_count(option, value, list, why)) return false;
  }
  return true;
}

static bool find_name(const char* word, const char* const* names, uint32_t name_count,
                      uint32_t* bits) {
  for (uint32_t i = 0; i < name_count; ++i) {
    if (strcmp(word, names[i]) != 0) continue;
    *bits |= 1u << i;
    return true;
  }
  return false;
}

static bool refuse_name(const char* option, const char* word, const char* const* names,
                        uint32_t name_count, tool_message* why) {
  char all[256];
  size_t length = 0;
  for (uint32_t i = 0; i < name_count && length < sizeof all; ++i) {
    const char* comma = i > 0 ? ", " : "";
    length += (size_t)snprintf(all + length, sizeof all - length, "%s%s", comma, names[i]);
  }
  return tool_because(why, "%s: '%s' is not one of %s", option, word, all);
}

bool tool_parse_names(const char* option, const char* text, const char* const* names,
                      uint32_t name_count, uint32_t* bits, tool_message* why) {
  char word[MAX_WORD];
  while (next_word(&text, word)) {
    if (!find_name(word, names, name_count, bits)) {
      return refuse_name(option, word, names, name_count, why);
    }
  }
  return true;
}

const char* const tool_isa_names[TOOL_ISAS] = {"auto",   "scalar", "sse2",   "avx2",
                                               "avx512", "neon",   "simd128"};

static void append_isa(weft_isa isa, tool_isa_list* list) {
  for (uint32_t i = 0; i < list->count; ++i) {
    if (list->items[i] == isa) return;
  }
  list->items[list->count++] = isa;
}

static bool append_isa_word(const char* word, tool_isa_list* list) {
  const bool all = strcmp(word, "all") == 0;
  bool known = false;
  for (int isa = WEFT_ISA_AUTO; isa <= WEFT_ISA_SIMD128; ++isa) {
    const bool named = strcmp(word, weft_isa_name((weft_isa)isa)) == 0;
    if (named || (all && isa != WEFT_ISA_AUTO)) {
      append_isa((weft_isa)isa, list);
      known = true;
    }
  }
  return known;
}

bool tool_parse_isas(const char* option, const char* text, tool_isa_list* list, tool_message* why) {
  char word[MAX_WORD];
  while (next_word(&text, word)) {
    if (!append_isa_word(word, list)) {
      return tool_because(why,
                          "%s: '%s' is not one of auto, scalar, sse2, avx2, avx512, neon, "
                          "simd128, all",
                          option, word);
    }
  }
  return true;
}
