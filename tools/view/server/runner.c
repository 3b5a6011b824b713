#include "view/server/runner.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/clock.h"
#include "view/parts.h"

enum { MOST_WAITING = 4096, MOST_ANSWERS = 256 };
/* Bytes of lines that wait. */
#define MOST_BYTES (128u << 20)
/* Seconds from frame to frame, at least, where steps keep their time, and where they do not. */
#define FRAME_SECONDS (1.0 / 61.0)
#define LATE_FRAME_SECONDS 0.15
/* Seconds of a turn without anything to do; of steps in a turn. */
#define IDLE_SECONDS 0.1
#define STEP_SECONDS 0.05

typedef struct posted {
  struct posted* next;
  uint32_t page;
  bool is_recording;
  size_t size;
  char bytes[];
} posted;

struct view_runner {
  view_session* session;
  size_t margin;
  void (*wake)(void* owner);
  void* owner;
  pthread_t thread;
  pthread_mutex_t lock; /* guards all below, and the references of messages */
  pthread_cond_t changed;
  bool is_stopped, wants_frame;
  posted *first, *last;
  uint32_t waiting, answer_count;
  size_t waiting_bytes;
  view_message *info, *topology, *frame;
  view_message* answers; /* oldest first */
  uint64_t serial;
  // the runner's own
  view_bytes bytes;
  uint32_t generation, topology_version;
  bool is_dirty;        /* something has changed since the last frame */
  double frame_seconds; /* from the last frame to the next, at least */
  double lost;          /* of the session, at the last frame */
};

// ---- messages ----

static void drop_reference(view_message* message) {
  if (!message || --message->references > 0) return;
  free(message->bytes);
  free(message);
}

void view_runner_release(view_runner* runner, view_message* message) {
  pthread_mutex_lock(&runner->lock);
  drop_reference(message);
  pthread_mutex_unlock(&runner->lock);
}

static view_message* new_message(const view_runner* runner, bool is_text) {
  view_message* message = calloc(1, sizeof *message);
  if (!message) return NULL;
  message->references = 1;
  message->is_text = is_text;
  message->size = runner->bytes.size;
  message->bytes = malloc(runner->margin + message->size + 1);
  if (!message->bytes) {
    free(message);
    return NULL;
  }
  memcpy(message->bytes + runner->margin, runner->bytes.data, message->size);
  return message;
}

/* Takes the place of the last one of its kind. */
static void publish(view_runner* runner, bool is_text, view_message** kind) {
  view_message* message = new_message(runner, is_text);
  if (!message) return;
  pthread_mutex_lock(&runner->lock);
  message->serial = ++runner->serial;
  drop_reference(*kind);
  *kind = message;
  pthread_mutex_unlock(&runner->lock);
}

static void answer(view_runner* runner, uint32_t page, const char* kind, const char* text) {
  runner->bytes.size = 0;
  if (!view_print(&runner->bytes, "{\"kind\":\"%s\",\"text\":", kind) ||
      !view_print_text(&runner->bytes, text) || !view_print(&runner->bytes, "}")) {
    return;
  }
  view_message* message = new_message(runner, true);
  if (!message) return;
  message->page = page;
  pthread_mutex_lock(&runner->lock);
  view_message** last = &runner->answers;
  while (*last) last = &(*last)->next;
  if (runner->answer_count < MOST_ANSWERS) {
    *last = message;
    ++runner->answer_count;
  } else {
    drop_reference(message);
  }
  pthread_mutex_unlock(&runner->lock);
}

static view_message* take(view_runner* runner, view_message* const* kind, uint64_t serial) {
  pthread_mutex_lock(&runner->lock);
  view_message* message = *kind && (*kind)->serial > serial ? *kind : NULL;
  if (message) ++message->references;
  pthread_mutex_unlock(&runner->lock);
  return message;
}

view_message* view_runner_take_info(view_runner* runner, uint64_t serial) {
  return take(runner, &runner->info, serial);
}

view_message* view_runner_take_topology(view_runner* runner, uint64_t serial) {
  return take(runner, &runner->topology, serial);
}

view_message* view_runner_take_frame(view_runner* runner, uint64_t serial) {
  return take(runner, &runner->frame, serial);
}

view_message* view_runner_take_answer(view_runner* runner, uint32_t page) {
  pthread_mutex_lock(&runner->lock);
  view_message** at = &runner->answers;
  while (*at && (*at)->page != page && (*at)->page != 0) at = &(*at)->next;
  view_message* message = *at;
  if (message) {
    *at = message->next;
    --runner->answer_count;
  }
  pthread_mutex_unlock(&runner->lock);
  return message;
}

// ---- lines ----

bool view_runner_post(view_runner* runner, uint32_t page, bool is_recording, const void* bytes,
                      size_t size) {
  posted* line = malloc(sizeof *line + size);
  if (!line) return false;
  *line = (posted){.page = page, .is_recording = is_recording, .size = size};
  if (size > 0) memcpy(line->bytes, bytes, size);
  pthread_mutex_lock(&runner->lock);
  const bool fits = runner->waiting < MOST_WAITING && runner->waiting_bytes + size <= MOST_BYTES;
  if (fits) {
    *(runner->last ? &runner->last->next : &runner->first) = line;
    runner->last = line;
    ++runner->waiting;
    runner->waiting_bytes += size;
    pthread_cond_signal(&runner->changed);
  }
  pthread_mutex_unlock(&runner->lock);
  if (!fits) free(line);
  return fits;
}

void view_runner_want_frame(view_runner* runner) {
  pthread_mutex_lock(&runner->lock);
  runner->wants_frame = true;
  pthread_cond_signal(&runner->changed);
  pthread_mutex_unlock(&runner->lock);
}

static void send_recording(view_runner* runner, uint32_t page) {
  size_t length = 0;
  const char* text = view_session_recording(runner->session, &length);
  char* copy = text ? malloc(length + 1) : NULL;
  if (!copy) {
    answer(runner, page, "error", "the recording has grown too long");
    return;
  }
  memcpy(copy, text, length);
  copy[length] = '\0';
  answer(runner, page, "recording", copy);
  free(copy);
}

static bool asks_for_recording(const posted* line) {
  static const char question[] = "{\"do\":\"recording\"}";
  return line->size == sizeof question - 1 && memcmp(line->bytes, question, line->size) == 0;
}

static void run_lines(view_runner* runner, posted* line) {
  while (line) {
    posted* next = line->next;
    tool_message why;
    if (asks_for_recording(line)) {
      send_recording(runner, line->page);
    } else {
      const bool ok = line->is_recording
                          ? view_session_replay(runner->session, line->bytes, line->size, &why)
                          : view_session_command(runner->session, line->bytes, line->size, &why);
      if (!ok) answer(runner, line->page, "error", why.text);
    }
    runner->is_dirty = true;
    free(line);
    line = next;
  }
}

// ---- the thread ----

/* Info and topology where they are new, and a frame. */
static void write_messages(view_runner* runner) {
  view_session* session = runner->session;
  if (runner->generation != view_session_generation(session) &&
      view_write_info(session, &runner->bytes)) {
    runner->generation = view_session_generation(session);
    publish(runner, true, &runner->info);
  }
  if (runner->topology_version != view_session_topology(session) &&
      view_write_topology(session, &runner->bytes)) {
    runner->topology_version = view_session_topology(session);
    publish(runner, false, &runner->topology);
  }
  if (view_write_frame(session, &runner->bytes)) publish(runner, false, &runner->frame);
}

/* Waits for a line, for a page that wants a frame when there is one, or for the next step. Returns
 * all lines. */
static posted* wait_for_work(view_runner* runner, double last_frame, bool* wants_frame,
                             bool* is_stopped) {
  pthread_mutex_lock(&runner->lock);
  for (double waited = 0.0; !runner->first && !runner->is_stopped && waited < IDLE_SECONDS;) {
    const double due = view_session_due(runner->session);
    const bool moves = runner->is_dirty || isfinite(due);
    const double frame = last_frame + runner->frame_seconds - tool_clock_ns() * 1e-9;
    const double left =
        fmin(fmin(due, IDLE_SECONDS), runner->wants_frame && moves ? frame : IDLE_SECONDS);
    if (left <= 0.0) break;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    const double seconds = (double)until.tv_nsec * 1e-9 + left;
    until.tv_sec += (time_t)seconds;
    until.tv_nsec = (long)((seconds - floor(seconds)) * 1e9);
    const int result = pthread_cond_timedwait(&runner->changed, &runner->lock, &until);
    waited = result == 0 ? waited : IDLE_SECONDS;
  }
  posted* lines = runner->first;
  runner->first = runner->last = NULL;
  runner->waiting = 0;
  runner->waiting_bytes = 0;
  *wants_frame = runner->wants_frame;
  *is_stopped = runner->is_stopped;
  pthread_mutex_unlock(&runner->lock);
  return lines;
}

/* Frames leave their share of the CPUs to steps that are late: half as many where time was lost,
 * and a tenth more where none was. */
static void pace_frames(view_runner* runner) {
  const double lost = view_session_lost(runner->session);
  const double seconds = runner->frame_seconds * (lost > runner->lost ? 2.0 : 0.9);
  runner->frame_seconds = fmin(fmax(seconds, FRAME_SECONDS), LATE_FRAME_SECONDS);
  runner->lost = lost;
}

static void* run(void* target) {
  view_runner* runner = target;
  double last = tool_clock_ns() * 1e-9, last_frame = 0.0;
  for (;;) {
    bool wants_frame = false, is_stopped = false;
    posted* lines = wait_for_work(runner, last_frame, &wants_frame, &is_stopped);
    const bool has_lines = lines != NULL;
    run_lines(runner, lines);
    if (is_stopped) return NULL;
    const double now = tool_clock_ns() * 1e-9;
    uint32_t steps = 0;
    tool_message why;
    if (!view_session_advance(runner->session, now - last, STEP_SECONDS, &steps, &why)) {
      answer(runner, 0, "error", why.text);
      runner->is_dirty = true;
    }
    last = now;
    const bool moves = steps > 0 || isfinite(view_session_due(runner->session));
    if (moves) runner->is_dirty = true;
    const double after = tool_clock_ns() * 1e-9;
    if (wants_frame && runner->is_dirty && after >= last_frame + runner->frame_seconds) {
      pthread_mutex_lock(&runner->lock);
      runner->wants_frame = false;
      pthread_mutex_unlock(&runner->lock);
      write_messages(runner);
      pace_frames(runner);
      runner->is_dirty = false;
      last_frame = after;
      runner->wake(runner->owner);
    } else if (has_lines || !moves) {
      // also now and then, so that Ctrl-C is heard
      runner->wake(runner->owner);
    }
  }
}

static void free_runner(view_runner* runner) {
  drop_reference(runner->info);
  drop_reference(runner->topology);
  drop_reference(runner->frame);
  while (runner->answers) {
    view_message* next = runner->answers->next;
    drop_reference(runner->answers);
    runner->answers = next;
  }
  view_bytes_free(&runner->bytes);
  pthread_mutex_destroy(&runner->lock);
  pthread_cond_destroy(&runner->changed);
  free(runner);
}

bool view_runner_start(view_session* session, size_t margin, void (*wake)(void* owner), void* owner,
                       view_runner** runner, tool_message* why) {
  view_runner* made = calloc(1, sizeof *made);
  *runner = NULL;
  if (!made) return tool_because(why, "no memory for the thread that steps");
  made->session = session;
  made->margin = margin;
  made->frame_seconds = FRAME_SECONDS;
  made->wake = wake;
  made->owner = owner;
  pthread_mutex_init(&made->lock, NULL);
  pthread_cond_init(&made->changed, NULL);
  // a page that comes finds the first state
  write_messages(made);
  *runner = made;
  // signals are for the thread that serves
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const int result = pthread_create(&made->thread, NULL, run, made);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (result == 0) return true;
  free_runner(made);
  *runner = NULL;
  return tool_because(why, "the system grants no thread");
}

void view_runner_stop(view_runner** runner) {
  view_runner* gone = *runner;
  if (!gone) return;
  pthread_mutex_lock(&gone->lock);
  gone->is_stopped = true;
  pthread_cond_signal(&gone->changed);
  pthread_mutex_unlock(&gone->lock);
  pthread_join(gone->thread, NULL);
  free_runner(gone);
  *runner = NULL;
}
