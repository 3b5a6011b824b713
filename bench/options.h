/* From the words of the command line to values. Every failure names the option and the word. */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "message.h"
#include "weft/weft.h"

/* The most words one comma-separated list may have. */
#define BENCH_MAX_LIST 64

typedef struct bench_range {
  uint32_t lowest, highest;
} bench_range;

typedef struct bench_count_list {
  uint32_t items[BENCH_MAX_LIST];
  uint32_t count;
} bench_count_list;

typedef struct bench_isa_list {
  weft_isa items[BENCH_MAX_LIST];
  uint32_t count;
} bench_isa_list;

/* A whole number within the range: digits only, so neither "-1", "1e3" nor " 4". */
bool bench_parse_count(const char* option, const char* text, bench_range range, uint32_t* value,
                       bench_message* why);

/* A real number from `lowest` to `highest`. */
bool bench_parse_number(const char* option, const char* text, double lowest, double highest,
                        double* value, bench_message* why);

/* A real number within 0 to 1. */
bool bench_parse_share(const char* option, const char* text, double* value, bench_message* why);

/* A comma-separated list of whole numbers, appended; a number already listed is not listed again.
 */
bool bench_parse_counts(const char* option, const char* text, bench_range range,
                        bench_count_list* list, bench_message* why);

/* A comma-separated list of the given names, at most 32: sets the bit of each name that it has. */
bool bench_parse_names(const char* option, const char* text, const char* const* names,
                       uint32_t name_count, uint32_t* bits, bench_message* why);

/* A comma-separated list of instruction sets; "all" stands for every one but auto. */
bool bench_parse_isas(const char* option, const char* text, bench_isa_list* list,
                      bench_message* why);

#endif
