/* An input as a file, for what reads files. */
#ifndef TESTS_FUZZ_INPUT_FILE_H
#define TESTS_FUZZ_INPUT_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Writes it in the current folder, under a name of the process and with this extension; the next
 * one of that extension takes its place. */
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
