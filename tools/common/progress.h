/* A line on a terminal: the progress of a run and its remaining time. */
#ifndef TOOLS_COMMON_PROGRESS_H
#define TOOLS_COMMON_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct tool_progress {
  bool shown;
  uint64_t done, total; /* steps, or units that steps are worth */
  double start_ns;
  double drawn_ns; /* time of the last drawing */
} tool_progress;

/* Shows nothing when quiet, or when stderr is not a terminal. */
tool_progress tool_progress_start(uint64_t total, bool quiet);

/* One step is done; `label` names the work. Draws a few times a second. */
void tool_progress_step(tool_progress* progress, const char* label);

/* The same where a step is worth several units, in runs whose steps grow. */
void tool_progress_add(tool_progress* progress, uint64_t units, const char* label);

enum { TOOL_TIME_LEFT_SIZE = 24 };

/* Writes ", 90 s left", or minutes or hours, by the work done so far; "" in the first second. Times
 * in nanoseconds. */
void tool_format_time_left(uint64_t done, uint64_t total, double elapsed_ns,
                           char text[TOOL_TIME_LEFT_SIZE]);

/* Shows a text in place of the bar, "" = none, for work without steps. */
void tool_progress_note(const char* text, bool quiet);

void tool_progress_end(tool_progress* progress);

#endif
