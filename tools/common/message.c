#include "common/message.h"

#include <ctype.h>
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
  tool_message shown = *why;
  // control characters that a file has would act on the terminal
  for (char* at = shown.text; *at; ++at) {
    if (iscntrl((unsigned char)*at) && *at != '\n') *at = '?';
  }
  fprintf(stderr, "%s: %s\n", tool_name, shown.text);
}

void tool_warn(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "%s: warning: ", tool_name);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
}
