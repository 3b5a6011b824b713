/* The thread that steps. It owns the session; the thread that serves hands it lines and takes
 * messages, which are immutable and shared by all pages that are sent them.
 *
 *     serving thread  -- post -->  queue  --> runner: commands, steps --> published messages
 *                     <-------------- take, after `wake` ----------------
 *
 * Frames are written only where a page asks for one, 60 times a second at most. */
#ifndef TOOLS_VIEW_SERVER_RUNNER_H
#define TOOLS_VIEW_SERVER_RUNNER_H

#include "view/session.h"

/* Bytes of a message, after `margin` free ones that the library writes its header into. */
typedef struct view_message {
  uint32_t references; /* under the lock of the runner */
  bool is_text;
  uint64_t serial; /* of its kind, ascending */
  uint32_t page;   /* that asked for it; 0 = for all */
  size_t size;
  uint8_t* bytes;
  struct view_message* next;
} view_message;

typedef struct view_runner view_runner;

/* Begins to step. `wake` is called, from the runner's thread, when there is something to take; it
 * gets the owner. `margin` bytes are left before those of each message. */
bool view_runner_start(view_session* session, size_t margin, void (*wake)(void* owner), void* owner,
                       view_runner** runner, tool_message* why);

/* Ends the thread. The session is the caller's again. */
void view_runner_stop(view_runner** runner);

/* Hands over a line, or a recording that is to be replayed; both are copied. False where too many
 * wait. */
bool view_runner_post(view_runner* runner, uint32_t page, bool is_recording, const void* bytes,
                      size_t size);

/* Asks for a frame that is newer than the last one. */
void view_runner_want_frame(view_runner* runner);

/* Messages of which the newest one alone counts. */
typedef enum view_message_kind {
  VIEW_INFO,
  VIEW_TOPOLOGY,
  VIEW_FRAME,
  VIEW_MESSAGE_KINDS,
} view_message_kind;

/* The newest message of a kind if it is newer than `serial`; NULL = there is none. To be
 * released. */
view_message* view_runner_take(view_runner* runner, view_message_kind kind, uint64_t serial);

/* The oldest answer to a page, NULL = there is none. */
view_message* view_runner_take_answer(view_runner* runner, uint32_t page);

void view_runner_release(view_runner* runner, view_message* message);

#endif
