/* Options of a command as a table: a row has the name, the member of the settings that it fills,
 * the range and the help. The command line is read and --help is written from it. */
#ifndef BENCH_OPTION_TABLE_H
#define BENCH_OPTION_TABLE_H

#include <stdio.h>

#include "common/command_line.h"
#include "common/options.h"

typedef enum bench_option_kind {
  BENCH_OPTION_END = 0,
  BENCH_OPTION_HEADING, /* a line of the help */
  BENCH_OPTION_FLAG,    /* bool */
  BENCH_OPTION_COUNT,   /* uint32_t within low to high */
  BENCH_OPTION_COUNTS,  /* tool_count_list of these */
  BENCH_OPTION_REAL,    /* double within low to high */
  BENCH_OPTION_NAME,    /* int, index of one of names[high] */
  BENCH_OPTION_NAMES,   /* uint32_t, bits of names[high] */
  BENCH_OPTION_ISAS,    /* tool_isa_list */
  BENCH_OPTION_WORD,    /* const char* */
  BENCH_OPTION_PATH,    /* const char*, of a file that can be written */
  BENCH_OPTION_OWN,     /* by take(); may be given several times */
} bench_option_kind;

typedef struct bench_option {
  bench_option_kind kind;
  const char* name;  /* without dashes */
  const char* value; /* name of the value in the help; NULL for flags */
  size_t offset;     /* the member's place in the settings */
  const char* help;
  double low, high;
  const char* const* names;
  bool (*take)(void* member, const char* value, tool_message* why);
} bench_option;

/* Rows; `at` is the offset of the member. */
#define BENCH_OPTION(type, word, sample, at, text) \
  { .kind = BENCH_OPTION_##type, .name = word, .value = sample, .offset = at, .help = text }
#define BENCH_RANGE(type, word, sample, at, least, most, text)                              \
  {                                                                                         \
    .kind = BENCH_OPTION_##type, .name = word, .value = sample, .offset = at, .help = text, \
    .low = least, .high = most                                                              \
  }
#define BENCH_CHOICE(type, word, sample, at, count, list, text)                             \
  {                                                                                         \
    .kind = BENCH_OPTION_##type, .name = word, .value = sample, .offset = at, .help = text, \
    .high = count, .names = list                                                            \
  }
#define BENCH_OWN_OPTION(word, sample, at, function, text)                               \
  {                                                                                      \
    .kind = BENCH_OPTION_OWN, .name = word, .value = sample, .offset = at, .help = text, \
    .take = function                                                                     \
  }
#define BENCH_HEADING(text) \
  { .kind = BENCH_OPTION_HEADING, .help = text }
#define BENCH_OPTIONS_END \
  { .kind = BENCH_OPTION_END }

typedef struct bench_syntax {
  const char* name;            /* sub-command; "" = there are none */
  const char* usage;           /* lines of command lines, as they are printed */
  const char* about;           /* paragraph below them */
  const bench_option* options; /* to BENCH_OPTION_END */
  const char* const* notes;    /* paragraphs at the end, to NULL */
  /* takes a word that is no option; NULL = there may be none */
  bool (*take_word)(void* settings, const char* word, tool_message* why);
} bench_syntax;

/* Fills the settings. Returns TOOL_GO_ON, or the exit status. */
int bench_read_command_line(const bench_syntax* syntax, int argc, char** argv, void* settings);

/* Fills the option's member of the settings. */
bool bench_option_take(const bench_option* option, void* settings, const char* value,
                       tool_message* why);

/* Writes the text in lines of at most 100 columns and ends the last one. `column` is the first
 * free column, `indent` of the lines that follow. '\n' begins a line. */
void bench_write_wrapped(FILE* out, const char* text, int column, int indent);

#endif
