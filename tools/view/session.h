/* A scene that a person plays with: commands in, steps, pictures out. The native server and the
 * WebAssembly module are thin layers over it; docs/view.md has the commands and the bytes.
 *
 *     page  -- commands: a line of JSON each -->  session  -- topology, frame: bytes -->  page
 *
 * No threads, no network. The same scene and commands at the same steps give the same bits, so that
 * a recording (commands with their steps) can be replayed anywhere. Functions that fail return
 * false and a message. */
#ifndef TOOLS_VIEW_SESSION_H
#define TOOLS_VIEW_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/message.h"
#include "sim/run.h"
#include "weft/weft.h"

typedef struct view_session view_session;

/* Largest command, and largest recording, in bytes. */
#define VIEW_MOST_COMMAND 65536u
#define VIEW_MOST_RECORDING (64u << 20)

typedef struct view_options {
  const char* name;        /* scene of weft-sim or path of a scene file */
  const char* const* sets; /* "name=value" [set_count], over the viewer's */
  size_t set_count;
  uint32_t threads; /* 0 = the scene's, or all CPUs */
  weft_isa isa;     /* WEFT_ISA_AUTO = the widest */
} view_options;

sim_outcome view_session_create(const view_options* options, view_session** session,
                                tool_message* why);

/* Frees all and sets the pointer to NULL. */
void view_session_destroy(view_session** session);

// ---- commands and steps ----

/* Runs a command, a JSON object on one line, [length] bytes. A failed one changes nothing, but that
 * a scene which cannot be made begins the previous one anew. */
bool view_session_command(view_session* session, const char* line, size_t length,
                          tool_message* why);

/* Takes the steps due after `elapsed` seconds of the clock, at the set speed, none while paused.
 * Stops after `budget` seconds, but takes one step if due; later calls take the rest, except more
 * than a quarter of a second of the clock, which is never taken. *steps is the number taken. */
bool view_session_advance(view_session* session, double elapsed, double budget, uint32_t* steps,
                          tool_message* why);

/* Takes one step, paused or not. */
bool view_session_step(view_session* session, tool_message* why);

/* Seconds of the clock until the next step is due; infinite while paused. */
double view_session_due(const view_session* session);

/* Seconds of the world, since the session began, that it is behind the clock: steps that are due,
 * and those that are never taken. */
double view_session_lag(const view_session* session);

/* Steps taken since the scene began. */
uint64_t view_session_step_count(const view_session* session);

uint64_t view_session_hash(const view_session* session);

// ---- recordings ----

/* The recording so far, as JSON lines that end with the present step and its hash; the session's,
 * and valid until the next call. NULL without memory or if too long. */
const char* view_session_recording(view_session* session, size_t* length);

typedef enum view_replay_state {
  VIEW_REPLAY_NONE = 0,
  VIEW_REPLAY_RUNS = 1,
  VIEW_REPLAY_SAME = 2,    /* the recording's hash at its end */
  VIEW_REPLAY_DIFFERS = 3, /* another hash at its end */
  VIEW_REPLAY_FAILED = 4,  /* a command of the recording failed */
} view_replay_state;

/* Begins a recording's scene anew and runs its commands before their steps. At its end the session
 * pauses. Commands of state end it early. */
bool view_session_replay(view_session* session, const char* text, size_t length, tool_message* why);

view_replay_state view_session_replay_state(const view_session* session);

// ---- pictures ----

/* Bytes that grow. Zeroed at first; freed by view_bytes_free(). */
typedef struct view_bytes {
  uint8_t* data;
  size_t size, capacity;
} view_bytes;

void view_bytes_free(view_bytes* bytes);

/* Changes with faces, lines, shapes, pins and colliders; never 0. */
uint32_t view_session_topology(const view_session* session);

/* Write a message of docs/view.md from its beginning. False without memory. Positions of a frame
 * lie between the last two steps by the clock. */
bool view_write_topology(view_session* session, view_bytes* out);
bool view_write_frame(view_session* session, view_bytes* out);

/* Copy of all that frames need between two steps: another thread writes frames of it during the
 * next step. Zeroed at first. */
typedef struct view_capture {
  view_bytes head, tail; /* a frame before and after its positions */
  float *from, *to;      /* positions of the points one step ago and now, metres [count][3] */
  float* between;        /* room for a frame's positions [count][3] */
  uint32_t count, capacity, generation, points; /* the session's generation and detail */
  uint64_t step;
  double share, rate; /* share of the way from one to the other: when captured, and per second */
} view_capture;

void view_capture_free(view_capture* capture);

/* `step_seconds`: seconds of the clock a step, if later frames shall be written; 0 = all frames are
 * of its time. A capture one step earlier gives the first positions. False without memory. */
bool view_capture_take(view_session* session, double step_seconds, view_capture* capture);

/* Share of the way `elapsed` seconds after the capture: 1 once frames no longer change. */
double view_capture_share(const view_capture* capture, double elapsed);

/* Writes a frame `elapsed` seconds after the capture. False without memory. */
bool view_capture_write(view_capture* capture, double elapsed, view_bytes* out);

/* Writes a JSON object: the scene, its parameters with ranges and values, all scenes, threads,
 * instruction set. Changes only with view_session_generation(). */
bool view_write_info(view_session* session, view_bytes* out);

/* Number of scenes begun so far, without resets; from 1. */
uint32_t view_session_generation(const view_session* session);

#endif
