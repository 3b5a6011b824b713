#include "view/server/child.h"

#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Searches the folders of PATH, as execvp() does. */
static bool is_program(const char* name) {
  const char* path = getenv("PATH");
  char file[4096];
  while (path && *path) {
    const size_t length = strcspn(path, ":");
    snprintf(file, sizeof file, "%.*s/%s", (int)length, path, name);
    if (access(file, X_OK) == 0) return true;
    path += length + (path[length] == ':');
  }
  return false;
}

pid_t view_start_child(const char* const* programs, char** arguments) {
  while (*programs && !is_program(*programs)) ++programs;
  if (!*programs) return -1;
  const pid_t child = fork();
  if (child != 0) return child;
  const int nothing = open("/dev/null", O_RDWR);
  for (int stream = 0; stream < 3 && nothing >= 0; ++stream) dup2(nothing, stream);
  char name[64];
  snprintf(name, sizeof name, "%s", *programs);
  arguments[0] = name;
  execvp(name, arguments);
  _exit(127);
}

static int status_of(int state) {
  return WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
}

bool view_child_ended(pid_t child, int* status) {
  int state = 0;
  if (waitpid(child, &state, WNOHANG) != child) return false;
  *status = status_of(state);
  return true;
}

int view_wait_for_child(pid_t child) {
  int state = 0;
  while (waitpid(child, &state, 0) != child) {
    if (kill(child, 0) != 0) return 1;
  }
  return status_of(state);
}

void view_end_child(pid_t child) {
  int state = 0;
  kill(child, SIGTERM);
  for (int i = 0; i < 50; ++i) {
    if (waitpid(child, &state, WNOHANG) != 0) return;
    usleep(100000);
  }
  kill(child, SIGKILL);
  waitpid(child, &state, 0);
}

static int remove_one(const char* path, const struct stat* facts, int kind, struct FTW* where) {
  (void)facts;
  (void)kind;
  (void)where;
  (void)remove(path);
  return 0;
}

void view_remove_folder(const char* path) {
  (void)nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
