/* An input as a file, for code that reads files. */
#ifndef TESTS_FUZZ_INPUT_FILE_H
#define TESTS_FUZZ_INPUT_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Writes the input to the current folder, in a file named by process and extension; the next input
 * of that extension overwrites it. */
static inline const char* write_input(const uint8_t* data, size_t size, const char* extension) {
  static char path[64];
  snprintf(path, sizeof(path), "./input-%ld.%s", (long)getpid(), extension);
  FILE* file = fopen(path, "wb");
  if (file == NULL || fwrite(data, 1, size, file) != size || fclose(file) != 0) {
    perror(path);
    exit(EXIT_FAILURE);
  }
  return path;
}

#endif
