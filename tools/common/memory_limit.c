#include "common/memory_limit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

/* Kilobytes in the line of a file that begins with `name`; 0 without it. */
static uint64_t read_kilobytes(const char* path, const char* name) {
  char line[256];
  uint64_t kilobytes = 0;
  FILE* file = fopen(path, "r");
  while (file && fgets(line, sizeof line, file)) {
    if (strncmp(line, name, strlen(name)) != 0) continue;
    if (sscanf(line + strlen(name), " %" SCNu64, &kilobytes) != 1) kilobytes = 0;
    break;
  }
  if (file) fclose(file);
  return kilobytes;
}

void tool_limit_memory(void) {
  const uint64_t available = read_kilobytes("/proc/meminfo", "MemAvailable:");
  const uint64_t used = read_kilobytes("/proc/self/status", "VmData:");
  struct rlimit limit;
  if (available == 0 || used >= available || getrlimit(RLIMIT_DATA, &limit) != 0) return;
  const rlim_t bytes = (rlim_t)(available * 1024);
  if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur <= bytes) return;
  limit.rlim_cur = bytes;
  (void)setrlimit(RLIMIT_DATA, &limit);
}
