#include "base/checksum.h"

#include <string.h>

#include "base/hash.h"

#define WORD sizeof(uint64_t)
#define BLOCK (WEFT__CHECKSUM_LANES * WORD)
#define CHUNK ((size_t)8192)

static uint64_t step(uint64_t lane, uint64_t word) {
  return ((lane << 29 | lane >> 35) ^ word) * WEFT__SPLITMIX_STEP;
}

static uint64_t word_at(const unsigned char* bytes) {
  uint64_t word = 0;
  memcpy(&word, bytes, WORD);
  return word;
}

static size_t add_to_first_lane(weft__checksum* sum, const unsigned char* bytes, size_t size) {
  size_t at = 0;
  for (; at < size && sum->words % WEFT__CHECKSUM_LANES != 0; at += WORD) {
    uint64_t* lane = &sum->lane[sum->words++ % WEFT__CHECKSUM_LANES];
    *lane = step(*lane, word_at(bytes + at));
  }
  return at;
}

void weft__checksum_add(weft__checksum* sum, const void* bytes, size_t size) {
  const unsigned char* from = bytes;
  size_t at = add_to_first_lane(sum, from, size);
  // a copy that compilers keep in registers
  uint64_t lane[WEFT__CHECKSUM_LANES];
  memcpy(lane, sum->lane, sizeof(lane));
  for (; size - at >= BLOCK; at += BLOCK) {
    for (size_t k = 0; k < WEFT__CHECKSUM_LANES; ++k) {
      lane[k] = step(lane[k], word_at(from + at + k * WORD));
    }
    sum->words += WEFT__CHECKSUM_LANES;
  }
  memcpy(sum->lane, lane, sizeof(lane));
  for (; at < size; at += WORD) {
    uint64_t* last = &sum->lane[sum->words++ % WEFT__CHECKSUM_LANES];
    *last = step(*last, word_at(from + at));
  }
}

void weft__checksum_add_array(weft__checksum* sum, const void* array, size_t count, size_t size) {
  const size_t bytes = array == NULL ? 0 : count * size;
  const uint64_t length = bytes;
  weft__checksum_add(sum, &length, sizeof(length));
  const size_t whole = bytes - bytes % WORD;
  if (whole > 0) weft__checksum_add(sum, array, whole);
  if (bytes == whole) return;
  uint64_t last = 0;
  memcpy(&last, (const char*)array + whole, bytes - whole);
  weft__checksum_add(sum, &last, sizeof(last));
}

void weft__checksum_copy(weft__checksum* sum, void* to, const void* from, size_t size) {
  for (size_t at = 0; at < size; at += CHUNK) {
    const size_t bytes = size - at < CHUNK ? size - at : CHUNK;
    memcpy((char*)to + at, (const char*)from + at, bytes);
    weft__checksum_add(sum, (const char*)from + at, bytes);
  }
}

uint64_t weft__checksum_value(const weft__checksum* sum) {
  uint64_t value = weft__mix64(sum->words);
  for (size_t k = 0; k < WEFT__CHECKSUM_LANES; ++k) {
    value = weft__mix64((value + WEFT__SPLITMIX_STEP) ^ sum->lane[k]);
  }
  return value;
}
