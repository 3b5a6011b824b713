/* Recordings: commands with the step that they preceded. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "view/parts.h"

static bool append(view_recording* recording, const void* text, size_t size) {
  if (recording->is_full || recording->size + size + 128 > VIEW_MOST_RECORDING) {
    recording->is_full = true;
    return false;
  }
  if (recording->size + size > recording->capacity) {
    const size_t capacity = 2 * (recording->size + size) + 1024;
    char* grown = realloc(recording->text, capacity);
    if (!grown) return false;
    recording->text = grown;
    recording->capacity = capacity;
  }
  memcpy(recording->text + recording->size, text, size);
  recording->size += size;
  return true;
}

bool view_record_scene(view_session* session) {
  view_bytes line = {NULL, 0, 0};
  const view_setup* setup = &session->setup;
  bool ok =
      view_print(&line, "{\"step\":0,\"do\":\"scene\",\"plain\":true,\"rate\":%.17g,\"name\":",
                 setup->rate) &&
      view_print_text(&line, setup->name) && view_print(&line, ",\"set\":[");
  for (uint32_t i = 0; i < setup->set_count && ok; ++i) {
    ok = (i == 0 || view_print(&line, ",")) && view_print_text(&line, setup->sets[i]);
  }
  view_recording* recording = &session->recording;
  recording->size = 0;
  recording->is_full = false;
  ok = ok && view_print(&line, "]}\n") && append(recording, line.data, line.size);
  recording->first_line = recording->size;
  view_bytes_free(&line);
  return ok;
}

void view_record_reset(view_recording* recording) {
  recording->size = recording->first_line;
  recording->is_full = false;
}

/* The command as received but for its first brace, on one line. */
void view_record(view_session* session, const char* line, size_t length) {
  char head[64];
  view_recording* recording = &session->recording;
  const char* brace = memchr(line, '{', length);
  const size_t rest = length - (size_t)(brace + 1 - line);
  const int size =
      snprintf(head, sizeof head, "{\"step\":%" PRIu64 ",", view_session_step_count(session));
  bool ok = append(recording, head, (size_t)size);
  const size_t from = recording->size;
  ok = ok && append(recording, brace + 1, rest) && append(recording, "\n", 1);
  if (!ok) recording->is_full = true;
  for (size_t i = from; ok && i + 1 < recording->size; ++i) {
    if (recording->text[i] == '\n' || recording->text[i] == '\r') recording->text[i] = ' ';
  }
}

const char* view_session_recording(view_session* session, size_t* length) {
  char line[96];
  view_recording* recording = &session->recording;
  if (recording->is_full || session->is_dead) return NULL;
  const size_t size = recording->size;
  const int written = snprintf(
      line, sizeof line, "{\"step\":%" PRIu64 ",\"do\":\"end\",\"hash\":\"%016" PRIx64 "\"}\n",
      view_session_step_count(session), view_session_hash(session));
  if (!append(recording, line, (size_t)written)) return NULL;
  *length = recording->size;
  recording->size = size;
  return recording->text;
}

static size_t line_length(const view_replay* replay) {
  const char* from = replay->text + replay->at;
  const char* end = memchr(from, '\n', replay->size - replay->at);
  return end ? (size_t)(end - from) : replay->size - replay->at;
}

static bool read_step(const view_json_line* line, uint64_t* step) {
  const view_json_member* member = view_json_find(line, "step");
  if (!member || member->kind != VIEW_JSON_NUMBERS || member->is_array) return false;
  *step = member->numbers[0] >= 0.0 && member->numbers[0] < 9e15 ? (uint64_t)member->numbers[0] : 0;
  return true;
}

static bool is_end(const view_json_line* line) {
  const view_json_member* member = view_json_find(line, "do");
  return member && member->kind == VIEW_JSON_TEXTS && strcmp(member->texts[0], "end") == 0;
}

static void finish(view_session* session, const view_json_line* line) {
  char hash[20];
  const view_json_member* wanted = view_json_find(line, "hash");
  snprintf(hash, sizeof hash, "%016" PRIx64, view_session_hash(session));
  const bool is_same = wanted && wanted->kind == VIEW_JSON_TEXTS && !wanted->is_array &&
                       strcmp(wanted->texts[0], hash) == 0;
  session->replay.state = is_same ? VIEW_REPLAY_SAME : VIEW_REPLAY_DIFFERS;
  session->is_paused = true;
}

/* Runs the next line if it is due; else *is_due is false. */
static bool run_line(view_session* session, const view_json_line* line, const char* text,
                     size_t length, bool* is_due, tool_message* why) {
  uint64_t step = 0;
  bool is_recorded = false;
  if (!read_step(line, &step)) return tool_because(why, "a line without a step");
  *is_due = step <= view_session_step_count(session);
  if (!*is_due) return true;
  if (is_end(line)) return finish(session, line), true;
  if (!view_run_command(session, line, true, &is_recorded, why)) return false;
  // without "step", the first member of written lines, which is written anew
  const char* comma = memchr(text, ',', length);
  if (is_recorded && comma) {
    char* copy = malloc(length);
    if (!copy) return tool_because(why, "no memory for a recording");
    const size_t rest = length - (size_t)(comma + 1 - text);
    copy[0] = '{';
    memcpy(copy + 1, comma + 1, rest);
    view_record(session, copy, rest + 1);
    free(copy);
  }
  return true;
}

bool view_replay_due(view_session* session, tool_message* why) {
  view_replay* replay = &session->replay;
  bool is_due = true;
  while (replay->state == VIEW_REPLAY_RUNS && is_due) {
    if (replay->at >= replay->size) {
      replay->state = VIEW_REPLAY_FAILED;
      session->is_paused = true;
      return tool_because(why, "replay: the recording has no end");
    }
    const size_t length = line_length(replay);
    const char* text = replay->text + replay->at;
    view_json_line line;
    tool_message reason;
    const bool ok = view_json_read(text, length, &line, &reason) &&
                    run_line(session, &line, text, length, &is_due, &reason);
    view_json_free(&line);
    if (is_due) replay->at += length + 1;
    if (ok) continue;
    replay->state = VIEW_REPLAY_FAILED;
    session->is_paused = true;
    return tool_because(why, "replay: step %" PRIu64 ": %.900s", view_session_step_count(session),
                        reason.text);
  }
  return true;
}

bool view_session_replay(view_session* session, const char* text, size_t length,
                         tool_message* why) {
  if (length > VIEW_MOST_RECORDING)
    return tool_because(why, "replay: a recording that is too long");
  char* copy = malloc(length + 1);
  if (!copy) return tool_because(why, "no memory for a recording");
  memcpy(copy, text, length);
  free(session->replay.text);
  session->replay = (view_replay){.text = copy, .size = length, .state = VIEW_REPLAY_RUNS};
  session->is_paused = false;
  session->debt = 0.0;
  // the first line begins the scene
  const size_t first = line_length(&session->replay);
  view_json_line line;
  bool is_due = false;
  bool ok = view_json_read(copy, first, &line, why) &&
            run_line(session, &line, copy, first, &is_due, why);
  const view_json_member* name = view_json_find(&line, "do");
  const bool begins = ok && name && name->count > 0 && strcmp(name->texts[0], "scene") == 0;
  view_json_free(&line);
  session->replay.at = first + 1;
  session->replay.state = ok && begins ? VIEW_REPLAY_RUNS : VIEW_REPLAY_FAILED;
  if (ok && !begins) return tool_because(why, "replay: a recording begins with its scene");
  return ok;
}

view_replay_state view_session_replay_state(const view_session* session) {
  return session->replay.state;
}
