/* The part of reading a command line that is the same for every sub-command. */
#ifndef TOOLS_COMMON_COMMAND_LINE_H
#define TOOLS_COMMON_COMMAND_LINE_H

#include <getopt.h>
#include <stdbool.h>

#include "common/message.h"

/* Exit statuses. 1 is left to the commands. */
enum {
  TOOL_EXIT_OK = 0,
  TOOL_EXIT_ERROR = 2,
  TOOL_EXIT_INTERRUPTED = 130,
  TOOL_GO_ON = -1, /* not an exit: the command line is read, now do it */
};

/* Values of struct option.val: a letter, or from here on where there is none. */
enum {
  TOOL_OPTION_PLAN = 256,
  TOOL_OPTION_OUTPUT = 384,
  TOOL_OPTION_SOLVER = 448,
  TOOL_OPTION_OWN = 512,
  TOOL_OPTION_REPEATED = 640, /* from here on an option may be given several times */
};

#define TOOL_COMMON_OPTIONS                                                \
  {"help", no_argument, NULL, 'h'}, {"version", no_argument, NULL, 'V'}, { \
    NULL, 0, NULL, 0                                                       \
  }

typedef struct tool_syntax {
  const char* name;             /* name of the sub-command; "" = there are none */
  const char* const* help;      /* paragraphs, ended by NULL */
  const struct option* options; /* ended by TOOL_COMMON_OPTIONS */
  bool (*take)(void* settings, int option, const char* value, tool_message* why);
  /* takes a word that is no option; NULL = there may be none */
  bool (*take_word)(void* settings, const char* word, tool_message* why);
} tool_syntax;

/* Hands every option to syntax->take(), and then every other word to syntax->take_word(). Refuses
 * options that have a value and are given twice. Returns TOOL_GO_ON, or what to exit with. */
int tool_read_command_line(const tool_syntax* syntax, int argc, char** argv, void* settings);

/* Prints an error; returns TOOL_EXIT_ERROR. */
int tool_fail(const tool_message* why);

void tool_print_version(void);

/* Flushes standard output at the end of a program. Returns `status`; if the output was lost and the
 * program succeeded otherwise, prints the error and returns `failure`. */
int tool_finish_output(int status, int failure);

#endif
