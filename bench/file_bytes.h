/* A whole file in memory. */
#ifndef BENCH_FILE_BYTES_H
#define BENCH_FILE_BYTES_H

#include <stdbool.h>
#include <stddef.h>

#include "message.h"

typedef struct bench_bytes {
  char* text; /* [length], and a '\0' after it */
  size_t length;
} bench_bytes;

/* Reads a file that must not be empty. Free `bytes->text` with free(). `why` does not name the
 * file. */
bool bench_read_file(const char* path, bench_bytes* bytes, bench_message* why);

#endif
