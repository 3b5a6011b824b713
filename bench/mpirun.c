#include "mpirun.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// Path of weft-bench-mpi, in the folder of this program.
static bool find_program(char path[PATH_MAX], tool_message* why) {
  static const char name[] = "weft-bench-mpi";
  const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - sizeof name);
  if (length <= 0) return tool_because(why, "no path of this program");
  path[length] = '\0';
  strcpy(strrchr(path, '/') + 1, name);
  if (access(path, X_OK) == 0) return true;
  return tool_because(why, "no %s: build with WEFT_BUILD_MPI", path);
}

static bool read_answer(const char* command, json_t** answer, tool_message* why) {
  char text[4096];
  FILE* pipe = popen(command, "r");
  if (pipe == NULL) return tool_because(why, "'%s' cannot be started", command);
  const size_t length = fread(text, 1, sizeof text, pipe);
  const int status = pclose(pipe);
  if (status != 0) {
    return tool_because(why, "'%s' failed: status %d", command,
                        WIFEXITED(status) ? WEXITSTATUS(status) : -1);
  }
  *answer = json_loadb(text, length, JSON_DISABLE_EOF_CHECK, NULL);
  return *answer != NULL || tool_because(why, "'%s' has not printed JSON", command);
}

bool bench_mpirun(const char* launcher, uint32_t ranks, const char* arguments, json_t** answer,
                  tool_message* why) {
  char path[PATH_MAX], command[PATH_MAX + 1024];
  if (!find_program(path, why)) return false;
  const int length = snprintf(command, sizeof command, "%s -n %u '%s' %s",
                              launcher != NULL ? launcher : "mpirun", ranks, path, arguments);
  if (length < 0 || (size_t)length >= sizeof command) {
    return tool_because(why, "--mpirun: the command is too long");
  }
  return read_answer(command, answer, why);
}
