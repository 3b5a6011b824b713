#include "common/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "common/clock.h"

enum { BAR_WIDTH = 30 };

static const double redraw_ns = 1e8;

tool_progress tool_progress_start(uint64_t total, bool quiet) {
  return (tool_progress){!quiet && isatty(STDERR_FILENO), 0, total > 0 ? total : 1, 0.0};
}

static void draw(const tool_progress* progress, const char* label) {
  static const char bar[] = "##############################";
  const int filled = (int)(BAR_WIDTH * progress->done / progress->total);
  const int percent = (int)(100 * progress->done / progress->total);
  fprintf(stderr, "\r\033[K[%-*.*s] %3d %%  %s", BAR_WIDTH, filled, bar, percent, label);
  fflush(stderr);
}

void tool_progress_step(tool_progress* progress, const char* label) {
  ++progress->done;
  if (!progress->shown) return;
  const double now_ns = tool_clock_ns();
  if (now_ns - progress->drawn_ns < redraw_ns) return;
  progress->drawn_ns = now_ns;
  draw(progress, label);
}

void tool_progress_end(tool_progress* progress) {
  if (progress->shown) fputs("\r\033[K", stderr);
}
