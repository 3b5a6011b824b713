#include "file_bytes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool size_of_file(FILE* file, size_t* size, bench_message* why) {
  struct stat facts;
  if (fstat(fileno(file), &facts) != 0) return bench_because(why, "%s", strerror(errno));
  if (!S_ISREG(facts.st_mode)) return bench_because(why, "is not a regular file");
  if (facts.st_size == 0) return bench_because(why, "is empty");
  *size = (size_t)facts.st_size;
  return true;
}

static bool read_bytes(FILE* file, bench_bytes* bytes, bench_message* why) {
  if (!size_of_file(file, &bytes->length, why)) return false;
  bytes->text = malloc(bytes->length + 1);
  if (!bytes->text) {
    return bench_because(why, "no memory for its %zu bytes", bytes->length);
  }
  if (fread(bytes->text, 1, bytes->length, file) != bytes->length) {
    free(bytes->text);
    bytes->text = NULL;
    return bench_because(why, "could not be read to its end");
  }
  bytes->text[bytes->length] = '\0';
  return true;
}

bool bench_read_file(const char* path, bench_bytes* bytes, bench_message* why) {
  *bytes = (bench_bytes){NULL, 0};
  FILE* file = fopen(path, "rb");
  if (!file) return bench_because(why, "%s", strerror(errno));
  const bool ok = read_bytes(file, bytes, why);
  fclose(file);
  return ok;
}
