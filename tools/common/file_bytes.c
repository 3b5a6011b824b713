#include "common/file_bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

FILE* tool_open_regular(const char* path, tool_message* why) {
  // does not wait for the writer of a FIFO
  const int number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat facts;
  FILE* file = NULL;
  if (number >= 0 && fstat(number, &facts) == 0) {
    if (!S_ISREG(facts.st_mode)) {
      (void)tool_because(why, "is not a regular file");
      close(number);
      return NULL;
    }
    file = fdopen(number, "rb");
  }
  if (!file) {
    (void)tool_because(why, "%s", strerror(errno));
    if (number >= 0) close(number);
  }
  return file;
}

static bool size_of_file(FILE* file, size_t upper, size_t* size, tool_message* why) {
  struct stat facts;
  if (fstat(fileno(file), &facts) != 0) return tool_because(why, "%s", strerror(errno));
  if (facts.st_size == 0) return tool_because(why, "is empty");
  if ((uintmax_t)facts.st_size > upper) {
    return tool_because(why, "has %jd bytes, and %zu are the most", (intmax_t)facts.st_size, upper);
  }
  *size = (size_t)facts.st_size;
  return true;
}

static bool read_bytes(FILE* file, size_t upper, tool_bytes* bytes, tool_message* why) {
  if (!size_of_file(file, upper, &bytes->length, why)) return false;
  bytes->text = malloc(bytes->length + 1);
  if (!bytes->text) {
    return tool_because(why, "no memory for its %zu bytes", bytes->length);
  }
  if (fread(bytes->text, 1, bytes->length, file) != bytes->length) {
    free(bytes->text);
    bytes->text = NULL;
    return tool_because(why, "could not be read to its end");
  }
  bytes->text[bytes->length] = '\0';
  return true;
}

bool tool_read_file(const char* path, size_t upper, tool_bytes* bytes, tool_message* why) {
  *bytes = (tool_bytes){NULL, 0};
  FILE* file = tool_open_regular(path, why);
  if (!file) return false;
  const bool ok = read_bytes(file, upper, bytes, why);
  fclose(file);
  return ok;
}
