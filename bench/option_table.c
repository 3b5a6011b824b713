#include "option_table.h"

#include <stdlib.h>
#include <string.h>

#include "common/output_file.h"

enum { MAX_OPTIONS = 32, HELP_COLUMN = 23, LINE_WIDTH = 100 };

// ---- help ----

void bench_write_wrapped(FILE* out, const char* text, int column, int indent) {
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

static void write_option(FILE* out, const bench_option* option) {
  const int width = option->value ? fprintf(out, "  --%s %s", option->name, option->value)
                                  : fprintf(out, "  --%s", option->name);
  const int gap = width < HELP_COLUMN ? HELP_COLUMN - width : 1;
  fprintf(out, "%*s", gap, "");
  bench_write_wrapped(out, option->help, width + gap, HELP_COLUMN);
}

static void write_help(FILE* out, const bench_syntax* syntax) {
  fprintf(out, "%s\n", syntax->usage);
  bench_write_wrapped(out, syntax->about, 0, 0);
  fputc('\n', out);
  for (const bench_option* option = syntax->options; option->kind; ++option) {
    if (option->kind != BENCH_OPTION_HEADING) {
      write_option(out, option);
    } else {
      fprintf(out, "%s%s\n", option > syntax->options ? "\n" : "", option->help);
    }
  }
  fputs("  --help, --version\n", out);
  for (const char* const* note = syntax->notes; *note; ++note) {
    fputc('\n', out);
    bench_write_wrapped(out, *note, 0, 0);
  }
}

// ---- values ----

static bool take_name(const bench_option* option, int* member, const char* value,
                      tool_message* why) {
  char all[256] = "";
  for (int i = 0; i < (int)option->high; ++i) {
    if (strcmp(value, option->names[i]) == 0) return *member = i, true;
    const size_t length = strlen(all);
    snprintf(all + length, sizeof all - length, "%s%s", i > 0 ? ", " : "", option->names[i]);
  }
  return tool_because(why, "--%s: '%s' is not one of %s", option->name, value, all);
}

bool bench_option_take(const bench_option* option, void* settings, const char* value,
                       tool_message* why) {
  void* member = (char*)settings + option->offset;
  char name[32];
  snprintf(name, sizeof name, "--%s", option->name);
  const tool_range range = {(uint32_t)option->low, (uint32_t)option->high};
  switch (option->kind) {
    case BENCH_OPTION_FLAG:
      return *(bool*)member = true;
    case BENCH_OPTION_COUNT:
      return tool_parse_count(name, value, range, member, why);
    case BENCH_OPTION_COUNTS:
      return tool_parse_counts(name, value, range, member, why);
    case BENCH_OPTION_REAL:
      return tool_parse_number(name, value, option->low, option->high, member, why);
    case BENCH_OPTION_NAME:
      return take_name(option, member, value, why);
    case BENCH_OPTION_NAMES:
      return tool_parse_names(name, value, option->names, range.highest, member, why);
    case BENCH_OPTION_ISAS:
      return tool_parse_isas(name, value, member, why);
    case BENCH_OPTION_OWN:
      return option->take(member, value, why);
    case BENCH_OPTION_PATH:
      if (!tool_can_write(value, why)) return false;  // falls through
    default:
      *(const char**)member = value;
      return true;
  }
}

// ---- the command line ----

typedef struct reader {
  const bench_syntax* syntax;
  void* settings;
} reader;

static bool take(void* target, int number, const char* value, tool_message* why) {
  const reader* to = target;
  const int base =
      number >= TOOL_OPTION_REPEATED ? (int)TOOL_OPTION_REPEATED : (int)TOOL_OPTION_OWN;
  return bench_option_take(&to->syntax->options[number - base], to->settings, value, why);
}

static bool take_word(void* target, const char* word, tool_message* why) {
  const reader* to = target;
  return to->syntax->take_word(to->settings, word, why);
}

/* Options of getopt_long(), ended by TOOL_COMMON_OPTIONS. */
static void list_options(const bench_option* from, struct option* to) {
  static const struct option common[] = {TOOL_COMMON_OPTIONS};
  for (int i = 0; from[i].kind; ++i) {
    const bool is_repeated = from[i].kind == BENCH_OPTION_OWN;
    if (from[i].kind == BENCH_OPTION_HEADING) continue;
    *to++ = (struct option){from[i].name, from[i].value ? required_argument : no_argument, NULL,
                            i + (is_repeated ? (int)TOOL_OPTION_REPEATED : (int)TOOL_OPTION_OWN)};
  }
  memcpy(to, common, sizeof common);
}

int bench_read_command_line(const bench_syntax* syntax, int argc, char** argv, void* settings) {
  struct option options[MAX_OPTIONS];
  char* help = NULL;
  size_t length = 0;
  FILE* out = open_memstream(&help, &length);
  if (!out) abort();
  write_help(out, syntax);
  (void)fclose(out);
  list_options(syntax->options, options);
  reader to = {syntax, settings};
  const tool_syntax read = {syntax->name, (const char* const[]){help, NULL}, options, take,
                            syntax->take_word ? take_word : NULL};
  const int outcome = tool_read_command_line(&read, argc, argv, &to);
  free(help);
  return outcome;
}
