/* Session of the viewer as a WebAssembly module: plain functions for the page's worker, one session
 * a module. Failures return false, with web_error(). Returned bytes and texts are valid until the
 * next call. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <emscripten.h>

#include "view/session.h"

enum { MOST_SETS = 64 };

static view_session* session;
static view_bytes bytes;
static size_t size;
static tool_message reason;

const char tool_name[] = "weft-view";

bool web_start(const char* name, char* sets, uint32_t threads);
bool web_command(const char* line, uint32_t length);
int web_advance(double elapsed, double budget);
double web_due(void);
double web_step_count(void);
uint32_t web_topology_version(void);
uint32_t web_generation(void);
int web_replay_state(void);
bool web_replay(const char* text, uint32_t length);
const uint8_t* web_topology(void);
const uint8_t* web_frame(void);
const uint8_t* web_info(void);
const char* web_recording(void);
const char* web_hash(void);
const char* web_error(void);
uint32_t web_size(void);

/* Begins with a scene. `sets` are "name=value", one a line; it is changed. */
EMSCRIPTEN_KEEPALIVE bool web_start(const char* name, char* sets, uint32_t threads) {
  const char* items[MOST_SETS];
  view_options options = {.name = name, .sets = items, .threads = threads};
  for (char* item = strtok(sets, "\n"); item; item = strtok(NULL, "\n")) {
    if (options.set_count == MOST_SETS)
      return tool_because(&reason, "more than %d values", MOST_SETS);
    items[options.set_count++] = item;
  }
  view_session_destroy(&session);
  return view_session_create(&options, &session, &reason) == SIM_OK;
}

EMSCRIPTEN_KEEPALIVE bool web_command(const char* line, uint32_t length) {
  return view_session_command(session, line, length, &reason);
}

/* Returns the number of steps taken; -1 = failed. */
EMSCRIPTEN_KEEPALIVE int web_advance(double elapsed, double budget) {
  uint32_t steps = 0;
  return view_session_advance(session, elapsed, budget, &steps, &reason) ? (int)steps : -1;
}

EMSCRIPTEN_KEEPALIVE double web_due(void) {
  return view_session_due(session);
}

EMSCRIPTEN_KEEPALIVE double web_step_count(void) {
  return (double)view_session_step_count(session);
}

EMSCRIPTEN_KEEPALIVE uint32_t web_topology_version(void) {
  return view_session_topology(session);
}

EMSCRIPTEN_KEEPALIVE uint32_t web_generation(void) {
  return view_session_generation(session);
}

EMSCRIPTEN_KEEPALIVE int web_replay_state(void) {
  return (int)view_session_replay_state(session);
}

/* Recordings may be longer than a command. */
EMSCRIPTEN_KEEPALIVE bool web_replay(const char* text, uint32_t length) {
  return view_session_replay(session, text, length, &reason);
}

// The bytes just written; NULL, with the reason, without memory.
static const uint8_t* finish(bool is_written) {
  size = bytes.size;
  if (is_written) return bytes.data;
  (void)tool_because(&reason, "no memory for a picture");
  return NULL;
}

EMSCRIPTEN_KEEPALIVE const uint8_t* web_topology(void) {
  return finish(view_write_topology(session, &bytes));
}

EMSCRIPTEN_KEEPALIVE const uint8_t* web_frame(void) {
  return finish(view_write_frame(session, &bytes));
}

EMSCRIPTEN_KEEPALIVE const uint8_t* web_info(void) {
  return finish(view_write_info(session, &bytes));
}

EMSCRIPTEN_KEEPALIVE const char* web_recording(void) {
  const char* text = view_session_recording(session, &size);
  if (!text) (void)tool_because(&reason, "the recording is too long");
  return text;
}

/* Sixteen hexadecimal digits. */
EMSCRIPTEN_KEEPALIVE const char* web_hash(void) {
  static char text[17];
  (void)snprintf(text, sizeof text, "%016" PRIx64, view_session_hash(session));
  return text;
}

EMSCRIPTEN_KEEPALIVE const char* web_error(void) {
  return reason.text;
}

/* Bytes of the last function's result. */
EMSCRIPTEN_KEEPALIVE uint32_t web_size(void) {
  return (uint32_t)size;
}
