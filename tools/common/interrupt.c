#include "common/interrupt.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/command_line.h"
#include "common/output_file.h"

static volatile sig_atomic_t interrupted, is_indivisible;

/* Message of the program that ends at once: a handler cannot format. */
static char last_words[80];

static void end_at_once(void) {
  const ssize_t written = write(STDERR_FILENO, last_words, strlen(last_words));
  (void)written;
  _exit(TOOL_EXIT_INTERRUPTED);
}

/* A signal within half a second of the first one is the same: `timeout` sends one to the program
 * and one to its group. */
static bool is_another(void) {
  static bool has_first;
  static struct timespec first;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (!has_first) first = now;
  has_first = true;
  return (double)(now.tv_sec - first.tv_sec) + 1e-9 * (double)(now.tv_nsec - first.tv_nsec) > 0.5;
}

static void note_interrupt(int number) {
  if (is_another()) {
    // ends the program on return: until then the handler holds it back
    signal(number, SIG_DFL);
    raise(number);
  }
  interrupted = 1;
  if (is_indivisible) end_at_once();
}

void tool_catch_interrupt(void) {
  struct sigaction action = {.sa_handler = note_interrupt};
  sigemptyset(&action.sa_mask);
  sigaddset(&action.sa_mask, SIGINT);
  sigaddset(&action.sa_mask, SIGTERM);
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
  if (interrupted) end_at_once();
}

void tool_end_indivisible(void) {
  is_indivisible = 0;
}
