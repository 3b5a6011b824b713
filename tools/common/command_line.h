/* Command lines as tables: a row has an option's name, the member of the settings that it fills,
 * its range and help. Parsing and --help both come from the rows. */
#ifndef TOOLS_COMMON_COMMAND_LINE_H
#define TOOLS_COMMON_COMMAND_LINE_H

#include <stdio.h>

#include "common/options.h"

/* Exit statuses. 1 is left to the commands. */
enum {
  TOOL_EXIT_OK = 0,
  TOOL_EXIT_ERROR = 2,
  TOOL_EXIT_INTERRUPTED = 130,
  TOOL_GO_ON = -1, /* not an exit: the command line is good */
};

typedef enum tool_option_kind {
  TOOL_OPTION_END = 0,
  TOOL_OPTION_HEADING,  /* a line of the help */
  TOOL_OPTION_FLAG,     /* bool */
  TOOL_OPTION_COUNT,    /* uint32_t within low to high */
  TOOL_OPTION_WHOLE,    /* within low to high, in an int64_t */
  TOOL_OPTION_COUNTS,   /* tool_count_list, each within low to high */
  TOOL_OPTION_REAL,     /* double within low to high */
  TOOL_OPTION_NAME,     /* int, index of one of names[high] */
  TOOL_OPTION_NAMES,    /* uint32_t, bits of names[high] */
  TOOL_OPTION_ISAS,     /* tool_isa_list */
  TOOL_OPTION_WORD,     /* const char* */
  TOOL_OPTION_PATH,     /* const char*, of a file that can be written */
  TOOL_OPTION_OWN,      /* read by take() */
  TOOL_OPTION_REPEATED, /* read by take(); may be given several times */
} tool_option_kind;

typedef struct tool_option {
  tool_option_kind kind;
  const char* name;  /* without dashes */
  const char* value; /* name of the value in the help; NULL for flags */
  size_t offset;     /* place of the member in the settings */
  const char* help;
  double low, high;
  const char* const* names;
  bool (*take)(void* member, const char* value, tool_message* why);
} tool_option;

/* Rows; `at` is the member's offset. */
#define TOOL_OPTION(type, word, sample, at, text) \
  { .kind = TOOL_OPTION_##type, .name = word, .value = sample, .offset = at, .help = text }
#define TOOL_RANGE(type, word, sample, at, least, most, text)                              \
  {                                                                                        \
    .kind = TOOL_OPTION_##type, .name = word, .value = sample, .offset = at, .help = text, \
    .low = least, .high = most                                                             \
  }
#define TOOL_CHOICE(type, word, sample, at, count, list, text)                             \
  {                                                                                        \
    .kind = TOOL_OPTION_##type, .name = word, .value = sample, .offset = at, .help = text, \
    .high = count, .names = list                                                           \
  }
#define TOOL_TAKEN_OPTION(type, word, sample, at, function, text)                          \
  {                                                                                        \
    .kind = TOOL_OPTION_##type, .name = word, .value = sample, .offset = at, .help = text, \
    .take = function                                                                       \
  }
#define TOOL_OWN_OPTION(word, sample, at, function, text) \
  TOOL_TAKEN_OPTION(OWN, word, sample, at, function, text)
#define TOOL_REPEATED_OPTION(word, sample, at, function, text) \
  TOOL_TAKEN_OPTION(REPEATED, word, sample, at, function, text)
#define TOOL_HEADING(text) \
  { .kind = TOOL_OPTION_HEADING, .help = text }
#define TOOL_OPTIONS_END \
  { .kind = TOOL_OPTION_END }

typedef struct tool_syntax {
  const char* name;           /* sub-command; "" = none */
  const char* usage;          /* command lines as printed */
  const char* about;          /* paragraph below the usage */
  const tool_option* options; /* to TOOL_OPTIONS_END */
  const char* const* notes;   /* last paragraphs, to NULL; may be NULL */
  /* takes a word that is no option; NULL = refused */
  bool (*take_word)(void* settings, const char* word, tool_message* why);
} tool_syntax;

/* Fills the settings by the options, then by the other words. Refuses options with a value given
 * twice. Returns TOOL_GO_ON or the exit status. */
int tool_read_command_line(const tool_syntax* syntax, int argc, char** argv, void* settings);

bool tool_option_take(const tool_option* option, void* settings, const char* value,
                      tool_message* why);

/* Writes the text in lines of at most 100 columns and ends the last one. `column`: first free
 * column; `indent` of the following lines. '\n' begins a line. */
void tool_write_wrapped(FILE* out, const char* text, int column, int indent);

/* Takes the only word of a command line; false for one more. */
bool tool_take_word(const char** member, const char* word, tool_message* why);

/* Prints an error; returns TOOL_EXIT_ERROR. */
int tool_fail(const tool_message* why);

/* Reports the interrupt on standard error; returns TOOL_EXIT_INTERRUPTED. */
int tool_end_interrupted(void);

void tool_print_version(void);

/* Flushes standard output at the end of a program. Returns `status`, or, if the output was lost and
 * the program succeeded otherwise, prints the error and returns `failure`. */
int tool_finish_output(int status, int failure);

#endif
