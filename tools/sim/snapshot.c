#include "sim/snapshot.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/file_bytes.h"
#include "common/must.h"
#include "common/output_file.h"
#include "sim/keep.h"

enum { VERSION = 3, MOST_NAME = 64, MOST_TEXT = SIM_MOST_PARAMS * SIM_TEXT_SIZE };

static const char magic[8] = {'w', 'e', 'f', 't', '-', 's', 'i', 'm'};

/* Settings as in sim_settings, some left to the scene, and their values. */
typedef struct saved_settings {
  double rate, iterations, substeps, sleep;
  double used_rate, used_iterations, used_sleep;
} saved_settings;

/* The name of the scene and "name=value" of its parameters follow, each with a '\0', then the
 * scene's state and the world's snapshot. */
typedef struct file_head {
  char magic[8];
  uint64_t version;
  uint64_t name_size, sets_size, state_size, world_size; /* bytes */
  saved_settings settings;
  uint64_t sum; /* hash of settings, name and parameters */
  uint64_t state_sum;
} file_head;

/* FNV-1a, 64 bits. */
static uint64_t hash_bytes(uint64_t hash, const void* bytes, uint64_t size) {
  const unsigned char* byte = bytes;
  for (uint64_t i = 0; i < size; ++i) hash = (hash ^ byte[i]) * 1099511628211u;
  return hash;
}

static const uint64_t hash_basis = 14695981039346656037u;

/* `texts`: name and parameters. */
static uint64_t sum_of(const file_head* head, const void* texts) {
  const uint64_t sum = hash_bytes(hash_basis, &head->settings, sizeof head->settings);
  return hash_bytes(sum, texts, head->name_size + head->sets_size);
}

static saved_settings settings_of(const sim_run* run) {
  const sim_settings* asked = sim_run_asked(run);
  weft_world_def used;
  tool_must(weft_world_get_def(sim_run_world(run), &used));
  const double iterations = (double)asked->iterations;
  return (saved_settings){
      .rate = asked->rate,
      .iterations = iterations,
      .substeps = (double)asked->substeps,
      .sleep = asked->sleep,
      .used_rate = sim_run_rate(run),
      .used_iterations = iterations >= 0.0 ? iterations : used.solver.iterations,
      .used_sleep = (double)used.sleep_speed};
}

static void keep_texts(const sim_run* run, sim_keep* texts, uint64_t* name_size) {
  const sim_values* values = sim_run_values(run);
  char value[SIM_TEXT_SIZE], set[MOST_NAME + SIM_TEXT_SIZE];
  const size_t length = strlen(sim_run_name(run));
  *name_size = length;
  sim_keep_bytes(texts, (void*)sim_run_name(run), length);  // only written
  for (size_t i = 0; values->params && values->params[i].name; ++i) {
    sim_format_value(values, i, value);
    snprintf(set, sizeof set, "%.*s=%s", MOST_NAME - 2, values->params[i].name, value);
    sim_keep_bytes(texts, set, strlen(set) + 1);
  }
}

static bool write_piece(void* context, const void* bytes, size_t size) {
  return fwrite(bytes, 1, size, context) == size;
}

static bool write_file(const sim_run* run, file_head* head, const sim_keep* texts,
                       const sim_keep* state, FILE* out) {
  size_t world_size = 0;
  if (weft_world_get_snapshot_size(sim_run_world(run), &world_size).error != WEFT_OK) return false;
  memcpy(head->magic, magic, sizeof magic);
  head->version = VERSION;
  head->sets_size = texts->size - head->name_size;
  head->state_size = state->size;
  head->world_size = world_size;
  head->settings = settings_of(run);
  head->sum = sum_of(head, texts->bytes);
  head->state_sum = hash_bytes(hash_basis, state->bytes, state->size);
  return write_piece(out, head, sizeof *head) && write_piece(out, texts->bytes, texts->size) &&
         write_piece(out, state->bytes, state->size) &&
         weft_world_save_to(sim_run_world(run), write_piece, out).error == WEFT_OK;
}

bool sim_run_save(sim_run* run, const char* path, tool_message* why) {
  sim_keep texts = {.is_reading = false}, state = {.is_reading = false};
  file_head head = {.version = 0};
  tool_output output;
  keep_texts(run, &texts, &head.name_size);
  sim_run_keep(run, &state);
  bool ok = !(texts.is_short || state.is_short) || tool_because(why, "%s: no memory", path);
  if (ok && tool_output_open(path, &output, why)) {
    ok = tool_output_close(&output, write_file(run, &head, &texts, &state, output.stream), why);
  } else {
    ok = false;
  }
  free(texts.bytes);
  free(state.bytes);
  return ok;
}

/* `bytes`: of the file, or of its beginning. */
static bool read_head(const tool_bytes* bytes, file_head* head, const char* path,
                      tool_message* why) {
  *head = (file_head){.version = 0};
  memcpy(head, bytes->text, bytes->length < sizeof *head ? bytes->length : sizeof *head);
  if (bytes->length < sizeof magic || memcmp(head->magic, magic, sizeof magic) != 0) {
    return tool_because(why, "%s: not a snapshot of weft-sim", path);
  }
  if (bytes->length < sizeof magic + sizeof head->version) {
    return tool_because(why, "%s: truncated", path);
  }
  if (head->version != VERSION) {
    return tool_because(why, "%s: version %llu of snapshots, and this weft-sim reads %d", path,
                        (unsigned long long)head->version, VERSION);
  }
  return bytes->length >= sizeof *head || tool_because(why, "%s: truncated", path);
}

/* Takes a part's size off the bytes left. */
static bool take_size(uint64_t* left, uint64_t size) {
  if (size > *left) return false;
  *left -= size;
  return true;
}

static bool check_texts(const file_head* head, const char* texts, const char* own, const char* path,
                        tool_message* why) {
  if (sum_of(head, texts) != head->sum) {
    return tool_because(why, "%s: altered since it was saved", path);
  }
  if (strlen(own) == head->name_size && memcmp(own, texts, strlen(own)) == 0) return true;
  return tool_because(why, "%s: of the scene %.*s, not %s", path, (int)head->name_size, texts, own);
}

static bool restore(sim_run* run, const tool_bytes* file, const char* path, tool_message* why) {
  file_head head;
  if (!read_head(file, &head, path, why)) return false;
  const char* texts = file->text + sizeof head;
  uint64_t left = file->length - sizeof head;
  if (!take_size(&left, head.name_size) || !take_size(&left, head.sets_size) ||
      !take_size(&left, head.state_size) || !take_size(&left, head.world_size)) {
    return tool_because(why, "%s: truncated", path);
  }
  if (!check_texts(&head, texts, sim_run_name(run), path, why)) return false;
  char* state = file->text + sizeof head + head.name_size + head.sets_size;
  if (hash_bytes(hash_basis, state, head.state_size) != head.state_sum) {
    return tool_because(why, "%s: altered since it was saved", path);
  }
  const weft_result result =
      weft_world_restore(sim_run_world(run), state + head.state_size, (size_t)head.world_size);
  if (result.error != WEFT_OK) {
    return tool_because(why, "%s: %s: %s", path, result.field, weft_error_text(result.error));
  }
  sim_keep keep = {.is_reading = true, .size = (size_t)head.state_size};
  keep.bytes = (unsigned char*)state;  // only read
  sim_run_keep(run, &keep);
  if (keep.is_short || keep.at != keep.size) {
    return tool_because(why, "%s: of other parameters of the scene", path);
  }
  tool_message reason;
  return sim_run_resume(run, &reason) || tool_because(why, "%s: %.900s", path, reason.text);
}

bool sim_run_restore(sim_run* run, const char* path, tool_message* why) {
  tool_bytes file;
  tool_message reason;
  if (!tool_read_file(path, SIZE_MAX / 2, &file, &reason)) {
    return tool_because(why, "%s: %s", path, reason.text);
  }
  const bool ok = restore(run, &file, path, why);
  free(file.text);
  return ok;
}

/* Reads the head and the texts behind it. */
static bool read_beginning(FILE* file, const char* path, file_head* head, char** texts,
                           tool_message* why) {
  char bytes[sizeof *head];
  const tool_bytes beginning = {bytes, fread(bytes, 1, sizeof bytes, file)};
  if (!read_head(&beginning, head, path, why)) return false;
  // texts of a valid file are short
  if (head->name_size > MOST_TEXT || head->sets_size > MOST_TEXT) {
    return tool_because(why, "%s: altered since it was saved", path);
  }
  const size_t size = (size_t)(head->name_size + head->sets_size);
  *texts = calloc(1, size + 1);
  if (!*texts) return tool_because(why, "%s: no memory", path);
  return fread(*texts, 1, size, file) == size || tool_because(why, "%s: truncated", path);
}

static void list_sets(sim_origin* origin, const file_head* head) {
  const char* end = origin->texts + head->name_size + head->sets_size;
  const char* item = origin->texts + head->name_size;
  for (; item < end && origin->set_count < SIM_MOST_PARAMS; item += strlen(item) + 1) {
    origin->sets[origin->set_count++] = item;
  }
}

/* A given setting must be the saved one, which a world keeps. */
static bool check_setting(const char* option, bool is_given, double given, double used,
                          tool_message* why) {
  return !is_given || (float)given == (float)used ||
         tool_because(why, "%s: the snapshot has %.9g, which stays as it is", option, used);
}

static bool check_settings(const sim_settings* given, const saved_settings* saved,
                           tool_message* why) {
  return check_setting("--rate", given->rate > 0.0, given->rate, saved->used_rate, why) &&
         check_setting("--iterations", given->iterations >= 0, (double)given->iterations,
                       saved->used_iterations, why) &&
         check_setting("--sleep", given->sleep >= 0.0, given->sleep, saved->used_sleep, why);
}

static void impose(const sim_origin* origin, const saved_settings* saved, sim_settings* settings) {
  settings->later_substeps = settings->substeps;
  settings->rate = saved->rate;
  settings->iterations = (int64_t)saved->iterations;
  settings->substeps = (int64_t)saved->substeps;
  settings->sleep = saved->sleep;
  settings->saved = origin->sets;
  settings->saved_count = origin->set_count;
}

sim_outcome sim_origin_read(const char* path, const char* name, sim_settings* settings,
                            sim_origin* origin, tool_message* why) {
  file_head head;
  *origin = (sim_origin){.texts = NULL};
  tool_message reason;
  FILE* file = tool_open_regular(path, &reason);
  if (!file) return tool_because(why, "%.300s: %.600s", path, reason.text), SIM_FAILED;
  const bool ok = read_beginning(file, path, &head, &origin->texts, why) &&
                  check_texts(&head, origin->texts, name, path, why);
  fclose(file);
  if (!ok) return SIM_FAILED;
  if (!check_settings(settings, &head.settings, why)) return SIM_MISUSED;
  list_sets(origin, &head);
  impose(origin, &head.settings, settings);
  return SIM_OK;
}

void sim_origin_free(sim_origin* origin) {
  free(origin->texts);
  origin->texts = NULL;
}
