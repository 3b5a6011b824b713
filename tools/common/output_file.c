#include "common/output_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static unsigned open_outputs;

unsigned tool_open_outputs(void) {
  return open_outputs;
}

/* The folder of a path, to be freed; "." without one. */
static char* folder_of(const char* path) {
  const char* slash = strrchr(path, '/');
  if (!slash) return strdup(".");
  return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

bool tool_is_standard_output(const char* path) {
  return path && strcmp(path, "-") == 0;
}

bool tool_paths_differ(const char* const* options, const char* const* paths, size_t count,
                       tool_message* why) {
  for (size_t i = 0; i < count; ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (!paths[i] || !paths[j] || strcmp(paths[i], paths[j]) != 0) continue;
      return tool_because(why, "%s: '%s' is the %s file too", options[i], paths[i], options[j]);
    }
  }
  return true;
}

FILE* tool_table_stream(const char* const* paths, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (tool_is_standard_output(paths[i])) return stderr;
  }
  return stdout;
}

/* Renaming onto a device or a pipe would replace it. */
bool tool_can_write(const char* path, tool_message* why) {
  struct stat facts;
  if (tool_is_standard_output(path)) return true;
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
  if (tool_is_standard_output(path)) {
    *output = (tool_output){.path = path, .stream = stdout};
    return true;
  }
  const size_t room = strlen(path) + 32;
  *output = (tool_output){.path = path, .temporary = malloc(room)};
  if (output->temporary) {
    snprintf(output->temporary, room, "%s.%ld.tmp", path, (long)getpid());
    output->stream = fopen(output->temporary, "w+x");
  }
  if (output->stream) return ++open_outputs, true;
  tool_because(why, "cannot write '%s': %s", path, strerror(errno));
  free(output->temporary);
  return false;
}

bool tool_output_close(tool_output* output, bool written, tool_message* why) {
  written = written && !ferror(output->stream);
  if (output->stream == stdout) {
    // an interrupted run keeps its output so far
    if (fflush(stdout) == 0 && written) return true;
    return tool_because(why, "cannot write standard output: %s", strerror(errno));
  }
  --open_outputs;
  const bool closed = fclose(output->stream) == 0;
  bool placed = written && closed && rename(output->temporary, output->path) == 0;
  if (!placed) {
    tool_because(why, "cannot write '%s': %s", output->path, strerror(errno));
    unlink(output->temporary);
  }
  free(output->temporary);
  return placed;
}
