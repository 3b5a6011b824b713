/* Traces in the Trace Event Format, for ui.perfetto.dev, chrome://tracing and speedscope: a process
 * for each world, a lane for each of its workers, and counters.
 *
 *     worker 0   step > stage > job > pieces, phases, waits
 *     worker 1   job > pieces, phases, waits, or their lack
 *
 * Steps are written at once, so that memory does not grow. (Google 2016, "Trace Event Format":
 * complete events X, counter events C, metadata events M) */
#ifndef TOOLS_COMMON_TRACE_FILE_H
#define TOOLS_COMMON_TRACE_FILE_H

#include "common/output_file.h"
#include "weft/weft.h"

/* Steps of a world to write, by default. */
enum { TOOL_TRACE_STEPS = 100 };

typedef struct tool_trace {
  tool_output output;
  bool has_events;
  int64_t origin_ns; /* time 0: the first step */
  uint32_t process;  /* the present world's, from 1 */
  uint64_t step_count;
  uint64_t world_step; /* step of the present world */
  uint64_t lost;       /* spans that did not fit */
  uint64_t left_out;   /* steps for lack of room: 256 MiB and the step that exceeds it */
} tool_trace;

bool tool_trace_open(const char* path, tool_trace* trace, tool_message* why);

/* Begins the steps of another world. */
void tool_trace_begin_world(tool_trace* trace, const char* name, uint32_t worker_count);

/* Writes the last step of the world, whose def has a span capacity. */
bool tool_trace_add_step(tool_trace* trace, const weft_world* world, tool_message* why);

/* Ends the file, also with fewer steps than requested, and puts it in its place if it is kept. */
bool tool_trace_close(tool_trace* trace, bool is_kept, tool_message* why);

#endif
