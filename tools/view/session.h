/* A scene that a person plays with: commands in, steps, pictures out. The native server and the
 * WebAssembly module are thin layers over this; docs/view.md has the commands and the bytes.
 *
 *     page  -- commands: a line of JSON each -->  session  -- topology, frame: bytes -->  page
 *
 * No threads, no network. The same scene and the same commands at the same steps give the same
 * bits, so a recording (the commands, each with its step) can be replayed anywhere. Functions that
 * can fail return false and say why. */
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
  const char* const* sets; /* "name=value" [set_count], over those of the viewer */
  size_t set_count;
  uint32_t threads; /* 0 = as the scene says, or all CPUs */
  weft_isa isa;     /* WEFT_ISA_AUTO = the widest */
} view_options;

sim_outcome view_session_create(const view_options* options, view_session** session,
                                tool_message* why);

/* Frees all and sets the pointer to NULL. */
void view_session_destroy(view_session** session);

// ---- commands and steps ----

/* Runs a command, a JSON object on one line, [length] bytes. One that fails changes nothing, but
 * for a scene that cannot be made: the one before it is begun anew then. */
bool view_session_command(view_session* session, const char* line, size_t length,
                          tool_message* why);

/* Takes the steps that are due after `elapsed` seconds of the clock, at the speed that is set, and
 * not while paused. Stops after `budget` seconds, but takes one step if it is due; steps that are
 * still due are taken by the next calls, those of more than a quarter of a second of the clock
 * never are. *steps is the number taken. */
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
 * and valid until the next call. NULL where there is no memory or it has grown too long. */
const char* view_session_recording(view_session* session, size_t* length);

typedef enum view_replay_state {
  VIEW_REPLAY_NONE = 0,
  VIEW_REPLAY_RUNS = 1,
  VIEW_REPLAY_SAME = 2,    /* ended at the hash of the recording */
  VIEW_REPLAY_DIFFERS = 3, /* ended at another one */
  VIEW_REPLAY_FAILED = 4,  /* a command of the recording failed */
} view_replay_state;

/* Begins the scene of a recording anew and runs its commands before the steps that they belong to.
 * At its end the session pauses. Commands of state end it early. */
bool view_session_replay(view_session* session, const char* text, size_t length, tool_message* why);

view_replay_state view_session_replay_state(const view_session* session);

// ---- pictures ----

/* Bytes that grow. Zeroed at first; freed by view_bytes_free(). */
typedef struct view_bytes {
  uint8_t* data;
  size_t size, capacity;
} view_bytes;

void view_bytes_free(view_bytes* bytes);

/* Changes whenever faces, lines, shapes, pins or colliders do; never 0. */
uint32_t view_session_topology(const view_session* session);

/* Write a message of docs/view.md from its beginning. False where memory cannot be had. Positions
 * of a frame are between the last two steps as time has it. */
bool view_write_topology(view_session* session, view_bytes* out);
bool view_write_frame(view_session* session, view_bytes* out);

/* Copy of all that frames need between two steps: another thread writes frames of it while the
 * session takes the next one. Zeroed at first. */
typedef struct view_capture {
  view_bytes head, tail; /* a frame before and after its positions */
  float *from, *to;      /* positions of the points one step ago and now, metres [count][3] */
  float* between;        /* room for those of a frame [count][3] */
  uint32_t count, capacity, generation, points; /* generation of the session, and its detail */
  uint64_t step;
  double share, rate; /* of the way from one to the other: when captured, and per second */
} view_capture;

void view_capture_free(view_capture* capture);

/* `step_seconds`: seconds of the clock that a step takes, where frames shall be written after the
 * capture as well; 0 = all are as at its time. The capture before, if it was one step ago, is the
 * state that positions come from. False where memory cannot be had. */
bool view_capture_take(view_session* session, double step_seconds, view_capture* capture);

/* Share of the way `elapsed` seconds after the capture: 1 where no later frame differs. */
double view_capture_share(const view_capture* capture, double elapsed);

/* Writes a frame `elapsed` seconds after the capture. False where memory cannot be had. */
bool view_capture_write(view_capture* capture, double elapsed, view_bytes* out);

/* Writes a JSON object: the scene, its parameters with ranges and values, the scenes there are,
 * threads, instruction set. Changes with the scene alone: with view_session_generation(). */
bool view_write_info(view_session* session, view_bytes* out);

/* Number of scenes begun so far, not counting resets; from 1. */
uint32_t view_session_generation(const view_session* session);

#endif
