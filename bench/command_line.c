#include "command_line.h"

#include <stdio.h>

#include "weft/weft.h"

int bench_fail(const bench_message* why) {
  bench_print_error(why);
  return BENCH_EXIT_ERROR;
}

void bench_print_version(void) {
  printf("weft-bench %s\n", weft_version());
}

static int print_help(const bench_syntax* syntax) {
  for (const char* const* paragraph = syntax->help; *paragraph; ++paragraph) {
    fputs(*paragraph, stdout);
  }
  return BENCH_EXIT_OK;
}

static int fail_with_hint(const bench_syntax* syntax, const bench_message* why) {
  bench_print_error(why);
  fprintf(stderr, "Try 'weft-bench %s --help'.\n", syntax->name);
  return BENCH_EXIT_ERROR;
}

/* getopt says '?' for what it does not know, and ':' for a missing value. */
static void explain(int answer, const char* word, bench_message* why) {
  if (answer == ':') {
    bench_because(why, "option '%s' needs a value", word);
  } else if (optopt > 0 && optopt < BENCH_OPTION_PLAN && word[1] != '-') {
    bench_because(why, "unknown option '-%c'", optopt);
  } else if (optopt > 0) {
    bench_because(why, "option '%s' takes no value", word);
  } else {
    bench_because(why, "unknown or ambiguous option '%s'", word);
  }
}

int bench_read_command_line(const bench_syntax* syntax, int argc, char** argv, void* settings) {
  bench_message why;
  opterr = 0;
  optind = 0;  // 0 makes getopt start afresh, should it have run before
  for (int option; (option = getopt_long(argc, argv, ":hV", syntax->options, NULL)) != -1;) {
    if (option == 'h') return print_help(syntax);
    if (option == 'V') return bench_print_version(), BENCH_EXIT_OK;
    if (option == '?' || option == ':') {
      explain(option, argv[optind - 1], &why);
      return fail_with_hint(syntax, &why);
    }
    if (!syntax->take(settings, option, optarg, &why)) return fail_with_hint(syntax, &why);
  }
  if (optind == argc) return BENCH_GO_ON;
  bench_because(&why, "unexpected argument '%s'", argv[optind]);
  return fail_with_hint(syntax, &why);
}
