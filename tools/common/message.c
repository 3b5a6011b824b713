#include "common/message.h"

#include <stdarg.h>
#include <stdio.h>

bool tool_because(tool_message* why, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(why->text, sizeof why->text, format, arguments);
  va_end(arguments);
  return false;
}

void tool_print_error(const tool_message* why) {
  fprintf(stderr, "%s: %s\n", tool_name, why->text);
}

void tool_warn(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "%s: warning: ", tool_name);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
}
