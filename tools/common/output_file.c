#include "common/output_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The folder part of a path, to be freed; "." where there is none. */
static char* folder_of(const char* path) {
  const char* slash = strrchr(path, '/');
  if (!slash) return strdup(".");
  return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

/* Renaming onto a device or a pipe would replace it. */
bool tool_can_write(const char* path, tool_message* why) {
  struct stat facts;
  if (path[0] == '\0') return tool_because(why, "cannot write a file without a name");
  if (stat(path, &facts) == 0 && !S_ISREG(facts.st_mode)) {
    return tool_because(why, "cannot write '%s': it is not a regular file", path);
  }
  char* folder = folder_of(path);
  const bool writable = folder && access(folder, W_OK | X_OK) == 0;
  const int problem = folder ? errno : ENOMEM;
  free(folder);
  return writable || tool_because(why, "cannot write '%s': %s", path, strerror(problem));
}

bool tool_output_open(const char* path, tool_output* output, tool_message* why) {
  if (!tool_can_write(path, why)) return false;
  const size_t room = strlen(path) + 32;
  *output = (tool_output){.path = path, .temporary = malloc(room)};
  if (output->temporary) {
    snprintf(output->temporary, room, "%s.%ld.tmp", path, (long)getpid());
    output->stream = fopen(output->temporary, "wx");
  }
  if (output->stream) return true;
  tool_because(why, "cannot write '%s': %s", path, strerror(errno));
  free(output->temporary);
  return false;
}

bool tool_output_close(tool_output* output, bool written, tool_message* why) {
  written = written && !ferror(output->stream);
  const bool closed = fclose(output->stream) == 0;
  bool placed = written && closed && rename(output->temporary, output->path) == 0;
  if (!placed) {
    tool_because(why, "cannot write '%s': %s", output->path, strerror(errno));
    unlink(output->temporary);
  }
  free(output->temporary);
  return placed;
}
