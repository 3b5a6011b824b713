#ifndef WEFT_PARALLEL_ATOMIC_MAX_H
#define WEFT_PARALLEL_ATOMIC_MAX_H

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

/* Maximum of non-negative floats over workers, by their bits, which have the values' order; -0 and
 * NaN are above all others. Relaxed: read between jobs. */
static inline void weft__atomic_max(_Atomic uint32_t* shared, float value) {
  uint32_t bits = 0;
  memcpy(&bits, &value, sizeof(bits));
  uint32_t current = atomic_load_explicit(shared, memory_order_relaxed);
  while (bits > current &&
         !atomic_compare_exchange_weak_explicit(shared, &current, bits, memory_order_relaxed,
                                                memory_order_relaxed)) {
  }
}

static inline float weft__float_from_bits(uint32_t bits) {
  float value = 0.0f;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

#endif
