/* One line on a terminal that says how far a run is, and how long the rest may take. */
#ifndef TOOLS_COMMON_PROGRESS_H
#define TOOLS_COMMON_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct tool_progress {
  bool shown;
  uint64_t done, total; /* units of work: steps, or what steps are worth */
  double start_ns;
  double drawn_ns; /* when the line was last drawn */
} tool_progress;

/* Shows nothing when quiet, or when stderr is not a terminal. */
tool_progress tool_progress_start(uint64_t total, bool quiet);

/* One more step is done; `label` says what is running. Draws a few times a second. */
void tool_progress_step(tool_progress* progress, const char* label);

/* Likewise where a step is worth several units of work, for runs whose steps grow. */
void tool_progress_add(tool_progress* progress, uint64_t units, const char* label);

enum { TOOL_TIME_LEFT_SIZE = 24 };

/* Writes ", 90 s left", or minutes or hours, as far as the work that is done tells; "" in the first
 * second. Times in nanoseconds. */
void tool_format_time_left(uint64_t done, uint64_t total, double elapsed_ns,
                           char text[TOOL_TIME_LEFT_SIZE]);

/* Shows a text in the place of the bar, "" = none, for work that has no steps. */
void tool_progress_note(const char* text, bool quiet);

/* Clears the line. */
void tool_progress_end(tool_progress* progress);

#endif
