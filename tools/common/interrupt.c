#include "common/interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t interrupted;

static void note_interrupt(int number) {
  (void)number;
  interrupted = 1;
}

void tool_catch_interrupt(void) {
  struct sigaction action = {.sa_handler = note_interrupt};
  action.sa_flags = (int)SA_RESETHAND;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  // mpirun passes Ctrl-C on as this
  sigaction(SIGTERM, &action, NULL);
}

bool tool_interrupted(void) {
  return interrupted != 0;
}

void tool_interrupt(void) {
  interrupted = 1;
}
