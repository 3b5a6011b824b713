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
