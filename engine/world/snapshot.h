/* Head and foot of snapshots, of a world and of a range: see docs/snapshots.md. */
#ifndef WEFT_WORLD_SNAPSHOT_H
#define WEFT_WORLD_SNAPSHOT_H

#include "base/archive.h"
#include "world/world.h"

typedef enum weft__snapshot_kind {
  WEFT__SNAPSHOT_WORLD = 0,
  WEFT__SNAPSHOT_RANGE = 1,
} weft__snapshot_kind;

typedef struct weft__snapshot_head {
  char magic[8]; /* "weftsnap" */
  uint32_t version;
  uint32_t kind; /* weft__snapshot_kind */
  uint64_t size; /* bytes, head and foot included */
  uint64_t fingerprint;
  uint64_t particle_count;
  uint64_t reserved[3]; /* 0 */
} weft__snapshot_head;

/* Bytes of the checksum of all bytes before it. */
#define WEFT__SNAPSHOT_FOOT sizeof(uint64_t)

/* Visits all that is in a snapshot but head and foot. */
typedef void weft__snapshot_visit(const weft_world* world, weft__archive* archive, const void* of);

size_t weft__snapshot_measure(const weft_world* world, weft__snapshot_visit* visit, const void* of);

/* Writes a snapshot to memory of the caller. */
weft_result weft__snapshot_save(const weft_world* world, weft__snapshot_kind kind, void* memory,
                                size_t capacity, size_t* size, weft__snapshot_visit* visit,
                                const void* of);

/* Checks head, checksum and fingerprint, and begins a check of the content between. */
weft_result weft__snapshot_open(const weft_world* world, weft__snapshot_kind kind,
                                const void* memory, size_t size, weft__archive* archive);

/* State of a world: a table in struct weft_world, which `visit`, if it is not NULL, saves in a way
 * of its own. New state is a line of a table, or a row here. */
typedef struct weft__state_row {
  const char* name;         /* the first eight letters are in the snapshot */
  const weft__table* table; /* NULL: it is in several */
  size_t offset;
  void (*visit)(weft__archive* archive, weft_world* world);
  bool has_pairs; /* lists and caches of contacts, in memory by the order of the workers */
} weft__state_row;

extern const weft__state_row weft__world_state[];
extern const size_t weft__world_state_count;

/* Table of a row, or NULL, and its struct; rows of modules' stages follow weft__world_state. */
size_t weft__state_table_count(void);
const weft__table* weft__state_table(size_t row);
const void* weft__state_struct(const weft_world* world, size_t row);

/* Visits only the rows that have pairs. A load needs tables of the same size. */
void weft__snapshot_visit_pairs(weft__archive* archive, weft_world* world);

#endif
