#include "message.h"

#include <stdarg.h>
#include <stdio.h>

bool bench_because(bench_message* why, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(why->text, sizeof why->text, format, arguments);
  va_end(arguments);
  return false;
}

void bench_print_error(const bench_message* why) {
  fprintf(stderr, "weft-bench: %s\n", why->text);
}

void bench_warn(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("weft-bench: warning: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
}
