#include "common/command_line.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "common/near.h"
#include "common/output_file.h"

/* Values of getopt_long() from FIRST_ROW on are rows of a table. */
enum { FIRST_ROW = 256, MAX_OPTIONS = 64, HELP_COLUMN = 23, LINE_WIDTH = 80 };

int tool_fail(const tool_message* why) {
  tool_print_error(why);
  return TOOL_EXIT_ERROR;
}

int tool_end_interrupted(void) {
  fprintf(stderr, "%s: interrupted\n", tool_name);
  return TOOL_EXIT_INTERRUPTED;
}

void tool_print_version(void) {
  printf("%s %s\n", tool_name, weft_version());
}

int tool_finish_output(int status, int failure) {
  const bool lost = ferror(stdout) != 0;
  if (fflush(stdout) == 0 && !lost) return status;
  tool_message why;
  // the reason of an earlier loss is gone
  tool_because(&why, "standard output: %s", lost ? "not all was written" : strerror(errno));
  tool_print_error(&why);
  return status == TOOL_EXIT_OK ? failure : status;
}

void tool_write_wrapped(FILE* out, const char* text, int column, int indent) {
  for (bool is_first = true; *text;) {
    const int length = (int)strcspn(text, " \n");
    if (!is_first && column + 1 + length > LINE_WIDTH) {
      fprintf(out, "\n%*s", indent, "");
      column = indent;
    } else if (!is_first) {
      column += fprintf(out, " ");
    }
    column += fprintf(out, "%.*s", length, text);
    text += length;
    is_first = *text == '\n';
    if (is_first) column = fprintf(out, "\n%*s", indent, "") - 1;
    if (*text) ++text;
  }
  fputc('\n', out);
}

static void write_option(const tool_option* option) {
  const int width = option->value ? printf("  --%s %s", option->name, option->value)
                                  : printf("  --%s", option->name);
  const int gap = width < HELP_COLUMN ? HELP_COLUMN - width : 1;
  printf("%*s", gap, "");
  tool_write_wrapped(stdout, option->help, width + gap, HELP_COLUMN);
}

static int print_help(const tool_syntax* syntax) {
  printf("%s\n", syntax->usage);
  tool_write_wrapped(stdout, syntax->about, 0, 0);
  fputc('\n', stdout);
  for (const tool_option* option = syntax->options; option->kind; ++option) {
    if (option->kind != TOOL_OPTION_HEADING) {
      write_option(option);
    } else {
      printf("%s%s\n", option > syntax->options ? "\n" : "", option->help);
    }
  }
  fputs("  --help, --version\n", stdout);
  for (const char* const* note = syntax->notes; note && *note; ++note) {
    fputc('\n', stdout);
    tool_write_wrapped(stdout, *note, 0, 0);
  }
  return TOOL_EXIT_OK;
}

static bool take_name(const tool_option* option, int* member, const char* value,
                      tool_message* why) {
  char all[256] = "";
  for (int i = 0; i < (int)option->high; ++i) {
    if (strcmp(value, option->names[i]) == 0) return *member = i, true;
    const size_t length = strlen(all);
    snprintf(all + length, sizeof all - length, "%s%s", i > 0 ? ", " : "", option->names[i]);
  }
  return tool_because(why, "--%s: '%s' is not one of %s", option->name, value, all);
}

bool tool_option_take(const tool_option* option, void* settings, const char* value,
                      tool_message* why) {
  void* member = (char*)settings + option->offset;
  char name[32];
  uint32_t count = 0;
  snprintf(name, sizeof name, "--%s", option->name);
  const tool_range range = {(uint32_t)option->low, (uint32_t)option->high};
  switch (option->kind) {
    case TOOL_OPTION_FLAG:
      return *(bool*)member = true;
    case TOOL_OPTION_COUNT:
      return tool_parse_count(name, value, range, member, why);
    case TOOL_OPTION_WHOLE:
      if (!tool_parse_count(name, value, range, &count, why)) return false;
      return *(int64_t*)member = count, true;
    case TOOL_OPTION_COUNTS:
      return tool_parse_counts(name, value, range, member, why);
    case TOOL_OPTION_REAL:
      return tool_parse_number(name, value, option->low, option->high, member, why);
    case TOOL_OPTION_NAME:
      return take_name(option, member, value, why);
    case TOOL_OPTION_NAMES:
      return tool_parse_names(name, value, option->names, range.highest, member, why);
    case TOOL_OPTION_ISAS:
      return tool_parse_isas(name, value, member, why);
    case TOOL_OPTION_OWN:
    case TOOL_OPTION_REPEATED:
      return option->take(member, value, why);
    case TOOL_OPTION_PATH:
      if (!tool_can_write(value, why)) return false;  // falls through
    default:
      *(const char**)member = value;
      return true;
  }
}

bool tool_take_word(const char** member, const char* word, tool_message* why) {
  if (*member) return tool_because(why, "unexpected argument '%s'", word);
  *member = word;
  return true;
}

static int fail_with_hint(const tool_syntax* syntax, const tool_message* why) {
  tool_print_error(why);
  const char* blank = syntax->name[0] ? " " : "";
  fprintf(stderr, "Try '%s%s%s --help'.\n", tool_name, blank, syntax->name);
  return TOOL_EXIT_ERROR;
}

/* Long option that is unknown, or an ambiguous prefix. */
static void explain_long(const struct option* options, const char* word, tool_message* why) {
  const char* names[MAX_OPTIONS];
  char stem[64];
  size_t count = 0, begun = 0;
  snprintf(stem, sizeof stem, "%.*s", (int)strcspn(word + 2, "="), word + 2);
  for (const struct option* o = options; o->name; ++o) {
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

/* getopt returns '?' for an unknown option, ':' for a missing value. */
static void explain(const struct option* options, int answer, const char* word, tool_message* why) {
  if (answer == ':') {
    tool_because(why, "option '%s' needs a value", word);
  } else if (optopt > 0 && optopt < FIRST_ROW && word[1] != '-') {
    tool_because(why, "unknown option '-%c'", optopt);
  } else if (optopt > 0) {
    tool_because(why, "option '%s' takes no value", word);
  } else {
    explain_long(options, word, why);
  }
}

static void list_options(const tool_option* rows, struct option to[MAX_OPTIONS]) {
  for (int i = 0; rows[i].kind; ++i) {
    if (rows[i].kind == TOOL_OPTION_HEADING) continue;
    *to++ = (struct option){rows[i].name, rows[i].value ? required_argument : no_argument, NULL,
                            FIRST_ROW + i};
  }
  *to++ = (struct option){"help", no_argument, NULL, 'h'};
  *to++ = (struct option){"version", no_argument, NULL, 'V'};
  *to = (struct option){NULL, 0, NULL, 0};
}

static bool take(const tool_option* row, void* settings, bool* given, tool_message* why) {
  const bool is_free = !row->value || row->kind == TOOL_OPTION_REPEATED;
  if (*given && !is_free) return tool_because(why, "--%s is given twice", row->name);
  *given = true;
  return tool_option_take(row, settings, optarg, why);
}

static bool take_word(const tool_syntax* syntax, void* settings, const char* word,
                      tool_message* why) {
  if (syntax->take_word) return syntax->take_word(settings, word, why);
  return tool_because(why, "unexpected argument '%s'", word);
}

int tool_read_command_line(const tool_syntax* syntax, int argc, char** argv, void* settings) {
  struct option options[MAX_OPTIONS];
  bool given[MAX_OPTIONS] = {false};
  tool_message why;
  list_options(syntax->options, options);
  opterr = 0;
  optind = 0;  // 0 resets getopt, should it have run before
  for (int found; (found = getopt_long(argc, argv, ":hV", options, NULL)) != -1;) {
    if (found == 'h') return print_help(syntax);
    if (found == 'V') return tool_print_version(), TOOL_EXIT_OK;
    if (found == '?' || found == ':') {
      explain(options, found, argv[optind - 1], &why);
      return fail_with_hint(syntax, &why);
    }
    const int row = found - FIRST_ROW;
    if (!take(&syntax->options[row], settings, &given[row], &why)) {
      return fail_with_hint(syntax, &why);
    }
  }
  for (; optind < argc; ++optind) {
    if (!take_word(syntax, settings, argv[optind], &why)) return fail_with_hint(syntax, &why);
  }
  return TOOL_GO_ON;
}
