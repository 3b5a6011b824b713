#include "random.h"

/* SplitMix64: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014. */
static uint64_t next_bits(random_source* source) {
  source->state += 0x9e3779b97f4a7c15u;
  uint64_t bits = source->state;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
  return bits ^ (bits >> 31);
}

uint32_t random_below(random_source* source, uint32_t limit) {
  return (uint32_t)(((next_bits(source) >> 32) * limit) >> 32);
}

double random_between(random_source* source, double low, double high) {
  double unit = (double)(next_bits(source) >> 11) * 0x1p-53;
  return low + (high - low) * unit;
}
