/* The part of reading a command line that is the same for every sub-command. */
#ifndef BENCH_COMMAND_LINE_H
#define BENCH_COMMAND_LINE_H

#include <getopt.h>
#include <stdbool.h>

#include "message.h"

/* What the program exits with. */
enum {
  BENCH_EXIT_OK = 0,
  BENCH_EXIT_DIFFER = 1, /* `hash` only: the hashes are not all equal */
  BENCH_EXIT_ERROR = 2,
  BENCH_EXIT_INTERRUPTED = 130,
  BENCH_GO_ON = -1, /* not an exit: the command line is read, now do it */
};

/* Values of struct option.val: a letter, or from here on where there is none. */
enum { BENCH_OPTION_PLAN = 256, BENCH_OPTION_OWN = 512 };

#define BENCH_COMMON_OPTIONS                                               \
  {"help", no_argument, NULL, 'h'}, {"version", no_argument, NULL, 'V'}, { \
    NULL, 0, NULL, 0                                                       \
  }

typedef struct bench_syntax {
  const char* name;             /* of the sub-command */
  const char* const* help;      /* paragraphs, ended by NULL */
  const struct option* options; /* ended by BENCH_COMMON_OPTIONS */
  bool (*take)(void* settings, int option, const char* value, bench_message* why);
} bench_syntax;

/* Hands every option to syntax->take(). Returns BENCH_GO_ON, or what to exit with. */
int bench_read_command_line(const bench_syntax* syntax, int argc, char** argv, void* settings);

/* Prints an error; returns BENCH_EXIT_ERROR. */
int bench_fail(const bench_message* why);

void bench_print_version(void);

#endif
