/* What went wrong, in words: filled where it is noticed, printed by the sub-command. */
#ifndef BENCH_MESSAGE_H
#define BENCH_MESSAGE_H

#include <stdbool.h>

typedef struct bench_message {
  char text[1024];
} bench_message;

/* Formats the message and returns false, so that a function fails in one line:
 * `return bench_because(why, "%s: is empty", path);` */
bool bench_because(bench_message* why, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints "weft-bench: ..." on stderr. */
void bench_print_error(const bench_message* why);
void bench_warn(const char* format, ...) __attribute__((format(printf, 1, 2)));

#endif
