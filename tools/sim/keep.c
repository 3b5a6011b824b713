#include "sim/keep.h"

#include <stdlib.h>
#include <string.h>

static bool grow(sim_keep* keep, size_t needed) {
  if (needed <= keep->capacity) return true;
  const size_t capacity = 2 * needed;
  unsigned char* bytes = realloc(keep->bytes, capacity);
  if (!bytes) return false;
  keep->bytes = bytes;
  keep->capacity = capacity;
  return true;
}

static void write_bytes(sim_keep* keep, const void* bytes, size_t size) {
  if (!grow(keep, keep->size + size)) {
    keep->is_short = true;
    return;
  }
  memcpy(keep->bytes + keep->size, bytes, size);
  keep->size += size;
}

void sim_keep_bytes(sim_keep* keep, void* bytes, size_t size) {
  if (keep->is_short || size == 0) return;
  if (!keep->is_reading) {
    write_bytes(keep, bytes, size);
    return;
  }
  if (size > keep->size - keep->at) {
    keep->is_short = true;
    return;
  }
  memcpy(bytes, keep->bytes + keep->at, size);
  keep->at += size;
}
