/* One line on a terminal that says how far a run is. */
#ifndef TOOLS_COMMON_PROGRESS_H
#define TOOLS_COMMON_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct tool_progress {
  bool shown;
  uint64_t done, total; /* steps */
  double drawn_ns;      /* when the line was last drawn */
} tool_progress;

/* Shows nothing when quiet, or when stderr is not a terminal. */
tool_progress tool_progress_start(uint64_t total, bool quiet);

/* One more step is done; `label` says what is running. Draws a few times a second. */
void tool_progress_step(tool_progress* progress, const char* label);

/* Clears the line. */
void tool_progress_end(tool_progress* progress);

#endif
