/* One rank: a build without MPI. */
#include <stddef.h>

#include "sim/ranks/ranks.h"

void sim_ranks_join(int* argc, char*** argv) {
  (void)argc;
  (void)argv;
}

void sim_ranks_hear(void) {}

void sim_ranks_leave(void) {}

const weft_transport* sim_ranks_transport(void) {
  return NULL;
}

bool sim_ranks_is_first(void) {
  return true;
}

bool sim_ranks_agree(bool ok, tool_message* why) {
  (void)why;
  return ok;
}

// one rank writes its files by itself

bool sim_ranks_open_file(const char* path, const uint32_t* numbers, uint32_t count,
                         sim_ranks_file** file, tool_message* why) {
  (void)numbers, (void)count;
  *file = NULL;
  return tool_because(why, "cannot write '%s' by ranks", path);
}

bool sim_ranks_share_file(sim_ranks_file* file, const uint32_t* numbers, uint32_t count,
                          tool_message* why) {
  (void)file, (void)numbers, (void)count;
  return tool_because(why, "no ranks");
}

bool sim_ranks_write(sim_ranks_file* file, uint64_t offset, const float* triples,
                     tool_message* why) {
  (void)file, (void)offset, (void)triples;
  return tool_because(why, "no ranks");
}

void sim_ranks_close_file(sim_ranks_file** file) {
  *file = NULL;
}
