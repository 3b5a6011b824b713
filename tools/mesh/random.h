/* Random numbers that are equal on every machine for a seed. */
#ifndef WEFT_TOOLS_MESH_RANDOM_H
#define WEFT_TOOLS_MESH_RANDOM_H

#include <stdint.h>

typedef struct random_source {
  uint64_t state;
} random_source;

/* Below `limit`, which is at least 1. */
uint32_t random_below(random_source* source, uint32_t limit);

/* In [low, high). */
double random_between(random_source* source, double low, double high);

#endif
