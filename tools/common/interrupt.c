#include "common/interrupt.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/command_line.h"
#include "common/output_file.h"

static volatile sig_atomic_t interrupted, is_indivisible;

/* Message of the program that ends at once: a handler cannot format. */
static char last_words[80];

static void note_interrupt(int number) {
  (void)number;
  interrupted = 1;
  if (!is_indivisible) return;
  const ssize_t written = write(STDERR_FILENO, last_words, strlen(last_words));
  (void)written;
  _exit(TOOL_EXIT_INTERRUPTED);
}

void tool_catch_interrupt(void) {
  struct sigaction action = {.sa_handler = note_interrupt};
  action.sa_flags = (int)SA_RESETHAND;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  // Ctrl-C as mpirun passes it on
  sigaction(SIGTERM, &action, NULL);
}

bool tool_interrupted(void) {
  return interrupted != 0;
}

void tool_interrupt(void) {
  interrupted = 1;
}

void tool_begin_indivisible(void) {
  if (tool_open_outputs() > 0) return;
  fflush(NULL);
  snprintf(last_words, sizeof last_words, "%s%.40s: interrupted, no file was written\n",
           isatty(STDERR_FILENO) ? "\r\033[K" : "", tool_name);
  is_indivisible = 1;
  if (interrupted) note_interrupt(SIGINT);
}

void tool_end_indivisible(void) {
  is_indivisible = 0;
}
