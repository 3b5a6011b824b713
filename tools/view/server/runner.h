/* The thread that steps. It owns the session; the serving thread hands it lines and takes messages,
 * which are immutable and shared by all pages.
 *
 *     serving thread  -- post -->  queue  --> runner: commands, steps --> published messages
 *                     <-------------- take, after `wake` ----------------
 *
 * Frames are written on request, 60 times a second at most. */
#ifndef TOOLS_VIEW_SERVER_RUNNER_H
#define TOOLS_VIEW_SERVER_RUNNER_H

#include "view/session.h"

/* Bytes of a message, after `margin` free ones for the library's header. */
typedef struct view_message {
  uint32_t references; /* guarded by the runner's lock */
  bool is_text;
  uint64_t serial; /* ascending within a kind */
  uint32_t page;   /* page that asked for it; 0 = for all */
  size_t size;
  uint8_t* bytes;
  struct view_message* next;
} view_message;

typedef struct view_runner view_runner;

/* Begins to step. `wake(owner)` is called from the runner's thread when messages are ready.
 * `margin` bytes precede each message's. */
bool view_runner_start(view_session* session, size_t margin, void (*wake)(void* owner), void* owner,
                       view_runner** runner, tool_message* why);

/* Ends the thread. The session is the caller's again. */
void view_runner_stop(view_runner** runner);

/* Hands over a copy of a line, or of a recording to replay. False if too many wait. */
bool view_runner_post(view_runner* runner, uint32_t page, bool is_recording, const void* bytes,
                      size_t size);

/* Asks for a frame newer than the last. */
void view_runner_want_frame(view_runner* runner);

/* Messages of which only the newest counts. */
typedef enum view_message_kind {
  VIEW_INFO,
  VIEW_TOPOLOGY,
  VIEW_FRAME,
  VIEW_MESSAGE_KINDS,
} view_message_kind;

/* The newest message of a kind if newer than `serial`; NULL = none. To be released. */
view_message* view_runner_take(view_runner* runner, view_message_kind kind, uint64_t serial);

/* The oldest answer to a page; NULL = none. */
view_message* view_runner_take_answer(view_runner* runner, uint32_t page);

void view_runner_release(view_runner* runner, view_message* message);

#endif
