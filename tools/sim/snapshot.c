#include "sim/snapshot.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/file_bytes.h"
#include "common/output_file.h"
#include "sim/keep.h"

enum { VERSION = 1 };

static const char magic[8] = {'w', 'e', 'f', 't', '-', 's', 'i', 'm'};

/* Then come the name of the scene, its state, and the snapshot of the world. */
typedef struct file_head {
  char magic[8];
  uint64_t version;
  uint64_t name_size, state_size, world_size; /* bytes */
  uint64_t sum;                               /* hash of name and state */
} file_head;

/* FNV-1a, 64 bits. */
static uint64_t hash_bytes(uint64_t hash, const void* bytes, uint64_t size) {
  const unsigned char* byte = bytes;
  for (uint64_t i = 0; i < size; ++i) hash = (hash ^ byte[i]) * 1099511628211u;
  return hash;
}

static uint64_t sum_of(const char* name, uint64_t name_size, const void* state, uint64_t size) {
  return hash_bytes(hash_bytes(14695981039346656037u, name, name_size), state, size);
}

// ---- save ----

static bool write_piece(void* context, const void* bytes, size_t size) {
  return fwrite(bytes, 1, size, context) == size;
}

static bool write_file(sim_run* run, const sim_keep* state, FILE* out) {
  const char* name = sim_run_name(run);
  file_head head = {.version = VERSION, .name_size = strlen(name), .state_size = state->size};
  size_t world_size = 0;
  if (weft_world_get_snapshot_size(sim_run_world(run), &world_size).error != WEFT_OK) return false;
  memcpy(head.magic, magic, sizeof magic);
  head.world_size = world_size;
  head.sum = sum_of(name, head.name_size, state->bytes, state->size);
  return write_piece(out, &head, sizeof head) && write_piece(out, name, strlen(name)) &&
         write_piece(out, state->bytes, state->size) &&
         weft_world_save_to(sim_run_world(run), write_piece, out).error == WEFT_OK;
}

bool sim_run_save(sim_run* run, const char* path, tool_message* why) {
  sim_keep state = {.is_reading = false};
  tool_output output;
  sim_run_keep(run, &state);
  bool ok = !state.is_short || tool_because(why, "%s: no memory", path);
  if (ok && tool_output_open(path, &output, why)) {
    ok = tool_output_close(&output, write_file(run, &state, output.stream), why);
  } else {
    ok = false;
  }
  free(state.bytes);
  return ok;
}

// ---- restore ----

static bool check_head(const file_head* head, const tool_bytes* file, const char* path,
                       tool_message* why) {
  if (file->length < sizeof magic || memcmp(file->text, magic, sizeof magic) != 0) {
    return tool_because(why, "%s: not a snapshot of weft-sim", path);
  }
  if (file->length < sizeof *head) return tool_because(why, "%s: truncated", path);
  if (head->version != VERSION) {
    return tool_because(why, "%s: version %llu of snapshots, and this weft-sim reads %d", path,
                        (unsigned long long)head->version, VERSION);
  }
  const uint64_t left = file->length - sizeof *head;
  if (head->name_size > left || head->state_size > left - head->name_size ||
      head->world_size > left - head->name_size - head->state_size) {
    return tool_because(why, "%s: truncated", path);
  }
  return true;
}

static bool check_state(const sim_run* run, const file_head* head, const char* name,
                        const char* path, tool_message* why) {
  const char* own = sim_run_name(run);
  if (sum_of(name, head->name_size, name + head->name_size, head->state_size) != head->sum) {
    return tool_because(why, "%s: altered since it was saved", path);
  }
  if (strlen(own) == head->name_size && memcmp(own, name, strlen(own)) == 0) return true;
  return tool_because(why, "%s: of the scene %.*s, not %s", path, (int)head->name_size, name, own);
}

static bool restore(sim_run* run, const tool_bytes* file, const char* path, tool_message* why) {
  file_head head = {.version = 0};
  memcpy(&head, file->text, file->length < sizeof head ? file->length : sizeof head);
  if (!check_head(&head, file, path, why)) return false;
  const char* name = file->text + sizeof head;
  if (!check_state(run, &head, name, path, why)) return false;
  const char* state = name + head.name_size;
  const weft_result result =
      weft_world_restore(sim_run_world(run), state + head.state_size, (size_t)head.world_size);
  if (result.error != WEFT_OK) {
    return tool_because(why, "%s: %s: %s", path, result.field, weft_error_text(result.error));
  }
  sim_keep keep = {.is_reading = true, .size = (size_t)head.state_size};
  // read alone
  keep.bytes = (unsigned char*)file->text + sizeof head + head.name_size;
  sim_run_keep(run, &keep);
  return (!keep.is_short && keep.at == keep.size) ||
         tool_because(why, "%s: of other parameters of the scene", path);
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
