#include "common/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "common/clock.h"

enum { BAR_WIDTH = 30 };

static const double redraw_ns = 1e8;

void tool_progress_note(const char* text, bool quiet) {
  if (quiet || !isatty(STDERR_FILENO)) return;
  fprintf(stderr, "\r\033[K%s", text);
  fflush(stderr);
}

tool_progress tool_progress_start(uint64_t total, bool quiet) {
  return (tool_progress){!quiet && isatty(STDERR_FILENO), 0, total > 0 ? total : 1, tool_clock_ns(),
                         0.0};
}

void tool_format_time_left(uint64_t done, uint64_t total, double elapsed_ns,
                           char text[TOOL_TIME_LEFT_SIZE]) {
  const double share = (double)(total > done ? total - done : 0) / (double)(done > 0 ? done : 1);
  const double seconds = 1e-9 * elapsed_ns * share;
  text[0] = '\0';
  if (elapsed_ns < 1e9 || done == 0) return;
  if (seconds < 99.5) {
    snprintf(text, TOOL_TIME_LEFT_SIZE, ", %.0f s left", seconds);
  } else if (seconds < 99.5 * 60.0) {
    snprintf(text, TOOL_TIME_LEFT_SIZE, ", %.0f min left", seconds / 60.0);
  } else {
    snprintf(text, TOOL_TIME_LEFT_SIZE, ", %.3g h left", seconds / 3600.0);
  }
}

static void draw(const tool_progress* progress, const char* label) {
  char left[TOOL_TIME_LEFT_SIZE];
  static const char bar[] = "##############################";
  const int filled = (int)(BAR_WIDTH * progress->done / progress->total);
  const int percent = (int)(100 * progress->done / progress->total);
  tool_format_time_left(progress->done, progress->total, progress->drawn_ns - progress->start_ns,
                        left);
  fprintf(stderr, "\r\033[K[%-*.*s] %3d %%%s  %s", BAR_WIDTH, filled, bar, percent, left, label);
  fflush(stderr);
}

void tool_progress_step(tool_progress* progress, const char* label) {
  tool_progress_add(progress, 1, label);
}

void tool_progress_add(tool_progress* progress, uint64_t units, const char* label) {
  progress->done += units;
  if (!progress->shown) return;
  const double now_ns = tool_clock_ns();
  if (now_ns - progress->drawn_ns < redraw_ns) return;
  progress->drawn_ns = now_ns;
  draw(progress, label);
}

void tool_progress_end(tool_progress* progress) {
  if (progress->shown) fputs("\r\033[K", stderr);
}
