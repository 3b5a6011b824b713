#include "common/command_line.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/near.h"
#include "weft/weft.h"

int tool_fail(const tool_message* why) {
  tool_print_error(why);
  return TOOL_EXIT_ERROR;
}

void tool_print_version(void) {
  printf("%s %s\n", tool_name, weft_version());
}

int tool_finish_output(int status, int failure) {
  const bool lost = ferror(stdout) != 0;
  if (fflush(stdout) == 0 && !lost) return status;
  tool_message why;
  // the reason of what was lost before is gone
  tool_because(&why, "standard output: %s", lost ? "not all was written" : strerror(errno));
  tool_print_error(&why);
  return status == TOOL_EXIT_OK ? failure : status;
}

static int print_help(const tool_syntax* syntax) {
  for (const char* const* paragraph = syntax->help; *paragraph; ++paragraph) {
    fputs(*paragraph, stdout);
  }
  return TOOL_EXIT_OK;
}

static int fail_with_hint(const tool_syntax* syntax, const tool_message* why) {
  tool_print_error(why);
  const char* blank = syntax->name[0] ? " " : "";
  fprintf(stderr, "Try '%s%s%s --help'.\n", tool_name, blank, syntax->name);
  return TOOL_EXIT_ERROR;
}

enum { MAX_OPTIONS = 64 };

/* Long option that is unknown, or of which several begin so. */
static void explain_long(const tool_syntax* syntax, const char* word, tool_message* why) {
  const char* names[MAX_OPTIONS];
  char stem[64];
  size_t count = 0, begun = 0;
  snprintf(stem, sizeof stem, "%.*s", (int)strcspn(word + 2, "="), word + 2);
  for (const struct option* o = syntax->options; o->name && count < MAX_OPTIONS; ++o) {
    names[count++] = o->name;
    begun += strncmp(o->name, stem, strlen(stem)) == 0;
  }
  const char* near = tool_nearest(stem, names, count);
  if (begun > 1) {
    tool_because(why, "ambiguous option '--%s'", stem);
  } else if (near) {
    tool_because(why, "unknown option '--%s' (did you mean --%s?)", stem, near);
  } else {
    tool_because(why, "unknown option '--%s'", stem);
  }
}

/* getopt says '?' for what it does not know, and ':' for a missing value. */
static void explain(const tool_syntax* syntax, int answer, const char* word, tool_message* why) {
  if (answer == ':') {
    tool_because(why, "option '%s' needs a value", word);
  } else if (optopt > 0 && optopt < TOOL_OPTION_PLAN && word[1] != '-') {
    tool_because(why, "unknown option '-%c'", optopt);
  } else if (optopt > 0) {
    tool_because(why, "option '%s' takes no value", word);
  } else {
    explain_long(syntax, word, why);
  }
}

static bool take_word(const tool_syntax* syntax, void* settings, const char* word,
                      tool_message* why) {
  if (syntax->take_word) return syntax->take_word(settings, word, why);
  return tool_because(why, "unexpected argument '%s'", word);
}

/* `index` is its place among the syntax's options. */
static bool is_given_once(const tool_syntax* syntax, int index, bool given[MAX_OPTIONS],
                          tool_message* why) {
  const struct option* o = &syntax->options[index];
  assert(index < MAX_OPTIONS);
  if (o->has_arg == no_argument || o->val >= TOOL_OPTION_REPEATED) return true;
  if (given[index]) return tool_because(why, "--%s is given twice", o->name);
  return given[index] = true;
}

int tool_read_command_line(const tool_syntax* syntax, int argc, char** argv, void* settings) {
  tool_message why;
  bool given[MAX_OPTIONS] = {false};
  int index = 0;
  opterr = 0;
  optind = 0;  // 0 makes getopt start afresh, should it have run before
  for (int option; (option = getopt_long(argc, argv, ":hV", syntax->options, &index)) != -1;) {
    if (option == 'h') return print_help(syntax);
    if (option == 'V') return tool_print_version(), TOOL_EXIT_OK;
    if (option == '?' || option == ':') {
      explain(syntax, option, argv[optind - 1], &why);
      return fail_with_hint(syntax, &why);
    }
    if (!is_given_once(syntax, index, given, &why) || !syntax->take(settings, option, optarg, &why))
      return fail_with_hint(syntax, &why);
  }
  for (; optind < argc; ++optind) {
    if (!take_word(syntax, settings, argv[optind], &why)) return fail_with_hint(syntax, &why);
  }
  return TOOL_GO_ON;
}
