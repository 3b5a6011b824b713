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
/* Bytes of waiting lines. */
#define MOST_BYTES (128u << 20)
/* Least seconds between frames, where steps keep their time, and where they do not. */
#define FRAME_SECONDS (1.0 / 61.0)
#define LATE_FRAME_SECONDS 0.14
/* Seconds of a step from which another thread writes frames while it runs; seconds without a
 * request after which frames stop. */
#define LONG_STEP_SECONDS 0.025
#define WATCHED_SECONDS 1.0
/* Seconds of an idle turn; of steps in a turn. */
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
  pthread_t thread, drawer;
  pthread_mutex_t capture_lock; /* guards the capture; never held together with `lock` */
  view_capture capture;
  double captured_at;
  pthread_mutex_t lock; /* guards the next paragraph, and the references of messages */
  pthread_cond_t changed, drawable;
  bool is_stopped, wants_frame;
  bool has_long_steps;         /* the drawing thread writes the frames */
  uint32_t captured, finished; /* captures; capture whose last frame was written */
  double wanted_at, last_frame;
  double frame_seconds; /* least time between frames */
  posted *first, *last;
  uint32_t waiting, answer_count;
  size_t waiting_bytes;
  view_message* newest[VIEW_MESSAGE_KINDS];
  view_message* answers; /* oldest first */
  uint64_t serial;
  // stepping thread only
  view_bytes bytes;
  uint32_t generation, topology_version;
  bool is_dirty;       /* changed since the last frame or capture */
  double step_seconds; /* duration in the last turn with steps */
  double last_turn;    /* time of the last turn */
  double lag;          /* session's lag at the last frame */
  // drawing thread only
  view_bytes frame_bytes;
};

static double now_seconds(void) {
  return tool_clock_ns() * 1e-9;
}

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

static view_message* new_message(const view_runner* runner, const view_bytes* bytes, bool is_text) {
  view_message* message = calloc(1, sizeof *message);
  if (!message) return NULL;
  message->references = 1;
  message->is_text = is_text;
  message->size = bytes->size;
  message->bytes = malloc(runner->margin + message->size + 1);
  if (!message->bytes) {
    free(message);
    return NULL;
  }
  memcpy(message->bytes + runner->margin, bytes->data, message->size);
  return message;
}

/* Replaces the last message of its kind. */
static void publish(view_runner* runner, const view_bytes* bytes, view_message_kind kind) {
  view_message* message = new_message(runner, bytes, kind == VIEW_INFO);
  if (!message) return;
  pthread_mutex_lock(&runner->lock);
  message->serial = ++runner->serial;
  drop_reference(runner->newest[kind]);
  runner->newest[kind] = message;
  pthread_mutex_unlock(&runner->lock);
}

static void answer(view_runner* runner, uint32_t page, const char* kind, const char* text) {
  runner->bytes.size = 0;
  if (!view_print(&runner->bytes, "{\"kind\":\"%s\",\"text\":", kind) ||
      !view_print_text(&runner->bytes, text) || !view_print(&runner->bytes, "}")) {
    return;
  }
  view_message* message = new_message(runner, &runner->bytes, true);
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

view_message* view_runner_take(view_runner* runner, view_message_kind kind, uint64_t serial) {
  pthread_mutex_lock(&runner->lock);
  view_message* message = runner->newest[kind];
  if (message && message->serial <= serial) message = NULL;
  if (message) ++message->references;
  pthread_mutex_unlock(&runner->lock);
  return message;
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
  runner->wanted_at = now_seconds();
  pthread_cond_signal(&runner->changed);
  pthread_cond_signal(&runner->drawable);
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

// ---- frames ----

/* Writes info and topology if they are new. */
static void write_facts(view_runner* runner) {
  view_session* session = runner->session;
  if (runner->generation != view_session_generation(session) &&
      view_write_info(session, &runner->bytes)) {
    runner->generation = view_session_generation(session);
    publish(runner, &runner->bytes, VIEW_INFO);
  }
  if (runner->topology_version != view_session_topology(session) &&
      view_write_topology(session, &runner->bytes)) {
    runner->topology_version = view_session_topology(session);
    publish(runner, &runner->bytes, VIEW_TOPOLOGY);
  }
}

static void write_messages(view_runner* runner) {
  write_facts(runner);
  if (view_write_frame(runner->session, &runner->bytes)) {
    publish(runner, &runner->bytes, VIEW_FRAME);
  }
  runner->is_dirty = false;
}

/* Copies the state for the drawing thread. */
static void capture(view_runner* runner) {
  write_facts(runner);
  pthread_mutex_lock(&runner->capture_lock);
  const bool ok = view_capture_take(runner->session, runner->step_seconds, &runner->capture);
  runner->captured_at = now_seconds();
  pthread_mutex_unlock(&runner->capture_lock);
  pthread_mutex_lock(&runner->lock);
  runner->captured += ok;
  pthread_cond_signal(&runner->drawable);
  pthread_mutex_unlock(&runner->lock);
  runner->is_dirty = false;
}

/* Frames leave CPU time to late steps: half as many when steps fall behind, a tenth more when they
 * do not. */
static void pace_frames(view_runner* runner) {
  const double lag = view_session_lag(runner->session);
  pthread_mutex_lock(&runner->lock);
  const double seconds = runner->frame_seconds * (lag > runner->lag ? 2.0 : 0.9);
  runner->frame_seconds = fmin(fmax(seconds, FRAME_SECONDS), LATE_FRAME_SECONDS);
  pthread_mutex_unlock(&runner->lock);
  runner->lag = lag;
}

// ---- the drawing thread ----

/* Waits up to `seconds`, which may be infinite. The lock is held. */
static void wait_until(view_runner* runner, pthread_cond_t* condition, double seconds) {
  struct timespec until;
  if (!isfinite(seconds)) {
    pthread_cond_wait(condition, &runner->lock);
    return;
  }
  clock_gettime(CLOCK_REALTIME, &until);
  const double end = (double)until.tv_nsec * 1e-9 + seconds;
  until.tv_sec += (time_t)end;
  until.tv_nsec = (long)((end - floor(end)) * 1e9);
  pthread_cond_timedwait(condition, &runner->lock, &until);
}

/* Waits until a page wants a frame of the capture and it is due; false = the runner ends. *number
 * is the capture's. */
static bool wait_for_frame(view_runner* runner, uint32_t* number) {
  pthread_mutex_lock(&runner->lock);
  while (!runner->is_stopped) {
    const bool is_wanted =
        runner->has_long_steps && runner->wants_frame && runner->captured != runner->finished;
    const double left = runner->last_frame + runner->frame_seconds - now_seconds();
    if (is_wanted && left <= 0.0) break;
    wait_until(runner, &runner->drawable, is_wanted ? left : INFINITY);
  }
  *number = runner->captured;
  runner->wants_frame = false;
  runner->last_frame = now_seconds();
  const bool goes_on = !runner->is_stopped;
  pthread_mutex_unlock(&runner->lock);
  return goes_on;
}

/* Writes frames of the capture during long steps, interpolated between the last two states. */
static void* draw(void* target) {
  view_runner* runner = target;
  uint32_t number = 0;
  while (wait_for_frame(runner, &number)) {
    pthread_mutex_lock(&runner->capture_lock);
    const double elapsed = now_seconds() - runner->captured_at;
    const bool ok = view_capture_write(&runner->capture, elapsed, &runner->frame_bytes);
    const bool is_last = view_capture_share(&runner->capture, elapsed) >= 1.0;
    pthread_mutex_unlock(&runner->capture_lock);
    if (ok) publish(runner, &runner->frame_bytes, VIEW_FRAME);
    pthread_mutex_lock(&runner->lock);
    if (is_last) runner->finished = number;
    pthread_mutex_unlock(&runner->lock);
    runner->wake(runner->owner);
  }
  return NULL;
}

// ---- the stepping thread ----

/* Waits for a line, a wanted frame, or the next step. Hands over all lines. False when the runner
 * ends. */
static bool wait_for_work(view_runner* runner, posted** lines) {
  const double start = now_seconds();
  pthread_mutex_lock(&runner->lock);
  while (!runner->first && !runner->is_stopped) {
    const double now = now_seconds();
    const double due = runner->last_turn + view_session_due(runner->session) - now;
    // the drawing thread interpolates captures
    const bool is_drawn_here = !runner->has_long_steps;
    const bool is_wanted =
        runner->wants_frame && (runner->is_dirty || (is_drawn_here && isfinite(due)));
    const double frame = is_drawn_here ? runner->last_frame + runner->frame_seconds - now : 0.0;
    const double left = fmin(fmin(due, start + IDLE_SECONDS - now), is_wanted ? frame : INFINITY);
    if (left <= 0.0) break;
    wait_until(runner, &runner->changed, left);
  }
  *lines = runner->first;
  const bool goes_on = !runner->is_stopped;
  runner->first = runner->last = NULL;
  runner->waiting = 0;
  runner->waiting_bytes = 0;
  pthread_mutex_unlock(&runner->lock);
  return goes_on;
}

/* Takes the steps that are due; long ones one at a time. Returns their number. */
static uint32_t take_steps(view_runner* runner, double elapsed) {
  const double start = now_seconds();
  const bool has_long_steps = runner->step_seconds > LONG_STEP_SECONDS;
  uint32_t steps = 0;
  tool_message why;
  if (!view_session_advance(runner->session, elapsed, has_long_steps ? 0.0 : STEP_SECONDS, &steps,
                            &why)) {
    answer(runner, 0, "error", why.text);
    runner->is_dirty = true;
  }
  if (steps > 0) {
    runner->step_seconds = (now_seconds() - start) / steps;
    runner->is_dirty = true;
  }
  return steps;
}

/* Writes a frame if one is due, or leaves it to the other thread. True if written. */
static bool show(view_runner* runner) {
  const double now = now_seconds();
  pthread_mutex_lock(&runner->lock);
  const bool has_long_steps = runner->step_seconds > LONG_STEP_SECONDS;
  const bool is_watched = runner->wants_frame || now - runner->wanted_at < WATCHED_SECONDS;
  const bool is_due = runner->wants_frame && now >= runner->last_frame + runner->frame_seconds;
  runner->has_long_steps = has_long_steps;
  if (!has_long_steps && is_due && runner->is_dirty) {
    runner->wants_frame = false;
    runner->last_frame = now;
  }
  pthread_mutex_unlock(&runner->lock);
  if (!runner->is_dirty || !(has_long_steps ? is_watched : is_due)) return false;
  if (has_long_steps) {
    capture(runner);
  } else {
    write_messages(runner);
  }
  pace_frames(runner);
  return !has_long_steps;
}

static void* run(void* target) {
  view_runner* runner = target;
  posted* lines = NULL;
  runner->last_turn = now_seconds();
  while (wait_for_work(runner, &lines)) {
    const bool has_lines = lines != NULL;
    run_lines(runner, lines);
    const double now = now_seconds();
    const uint32_t steps = take_steps(runner, now - runner->last_turn);
    runner->last_turn = now;
    const bool moves = steps > 0 || isfinite(view_session_due(runner->session));
    // positions lie between two steps by the clock
    if (moves && runner->step_seconds <= LONG_STEP_SECONDS) runner->is_dirty = true;
    // also now and then, for Ctrl-C
    if (show(runner) || has_lines || !moves) runner->wake(runner->owner);
  }
  run_lines(runner, lines);
  return NULL;
}

static void free_runner(view_runner* runner) {
  for (int kind = 0; kind < VIEW_MESSAGE_KINDS; ++kind) drop_reference(runner->newest[kind]);
  while (runner->answers) {
    view_message* next = runner->answers->next;
    drop_reference(runner->answers);
    runner->answers = next;
  }
  view_bytes_free(&runner->bytes);
  view_bytes_free(&runner->frame_bytes);
  view_capture_free(&runner->capture);
  pthread_mutex_destroy(&runner->lock);
  pthread_mutex_destroy(&runner->capture_lock);
  pthread_cond_destroy(&runner->changed);
  pthread_cond_destroy(&runner->drawable);
  free(runner);
}

static void request_stop(view_runner* runner) {
  pthread_mutex_lock(&runner->lock);
  runner->is_stopped = true;
  pthread_cond_signal(&runner->changed);
  pthread_cond_signal(&runner->drawable);
  pthread_mutex_unlock(&runner->lock);
}

static bool start_threads(view_runner* runner) {
  // signals are for the serving thread
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool ok = pthread_create(&runner->thread, NULL, run, runner) == 0;
  if (ok && pthread_create(&runner->drawer, NULL, draw, runner) != 0) {
    request_stop(runner);
    pthread_join(runner->thread, NULL);
    ok = false;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return ok;
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
  pthread_mutex_init(&made->capture_lock, NULL);
  pthread_cond_init(&made->changed, NULL);
  pthread_cond_init(&made->drawable, NULL);
  // a new page finds the first state
  write_messages(made);
  if (start_threads(made)) {
    *runner = made;
    return true;
  }
  free_runner(made);
  return tool_because(why, "the system grants no thread");
}

void view_runner_stop(view_runner** runner) {
  view_runner* gone = *runner;
  if (!gone) return;
  request_stop(gone);
  pthread_join(gone->thread, NULL);
  pthread_join(gone->drawer, NULL);
  free_runner(gone);
  *runner = NULL;
}
