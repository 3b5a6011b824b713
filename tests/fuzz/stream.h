/* A finite stream of bytes that a fuzz target reads its choices from. At its end each choice is its
 * first option, so any input is valid, and a prefix of an input does the same as the beginning of
 * the input. */
#ifndef TESTS_FUZZ_STREAM_H
#define TESTS_FUZZ_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct input_stream {
  const uint8_t* next;
  const uint8_t* end;
} input_stream;

static inline input_stream stream_of(const uint8_t* data, size_t size) {
  return (input_stream){data, data + size};
}

static inline bool stream_is_empty(const input_stream* in) {
  return in->next == in->end;
}

static inline uint32_t stream_byte(input_stream* in) {
  return stream_is_empty(in) ? 0 : *in->next++;
}

/* Number from 0 to bound - 1, of one byte, or of two if the bound needs it; bound is up to 65,536.
 */
static inline uint32_t stream_below(input_stream* in, uint32_t bound) {
  if (bound <= 1) return 0;
  uint32_t drawn = stream_byte(in);
  if (bound > 256) drawn = drawn << 8 | stream_byte(in);
  return drawn % bound;
}

/* True with probability 1 / one_in. Never true at the end of the stream. */
static inline bool stream_chance(input_stream* in, uint32_t one_in) {
  return stream_below(in, one_in) == one_in - 1 && one_in > 1;
}

/* Float from low to high, both included, in 65,536 steps. */
static inline float stream_float(input_stream* in, float low, float high) {
  const uint32_t drawn = stream_byte(in) << 8;
  return low + (high - low) * (float)(drawn | stream_byte(in)) * (1.0f / 65535.0f);
}

#endif
