/* Random numbers that are the same in every run: SplitMix64 (Steele, Lea, Flood 2014). */
#ifndef TESTS_SUPPORT_RANDOM_H
#define TESTS_SUPPORT_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct random_source {
  uint64_t state;
} random_source;

static inline uint64_t random_bits(random_source* source) {
  uint64_t z = source->state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* 0 to bound - 1. */
static inline uint32_t random_below(random_source* source, uint32_t bound) {
  return (uint32_t)(random_bits(source) >> 32) % bound;
}

/* low to high, both included. */
static inline uint32_t random_from(random_source* source, uint32_t low, uint32_t high) {
  return low + random_below(source, high - low + 1);
}

static inline float random_float(random_source* source, float low, float high) {
  return low + (high - low) * ((float)(random_bits(source) >> 40) * 0x1p-24f);
}

/* True once in `one_in` times. */
static inline bool random_chance(random_source* source, uint32_t one_in) {
  return random_below(source, one_in) == 0;
}

#endif
