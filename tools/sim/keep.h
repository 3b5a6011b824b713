/* A scene's own state in a file, written or read back by the same calls in the same order. */
#ifndef TOOLS_SIM_KEEP_H
#define TOOLS_SIM_KEEP_H

#include <stdbool.h>
#include <stddef.h>

typedef struct sim_keep {
  unsigned char* bytes; /* freed by the caller after writing */
  size_t size;          /* bytes written, or of the file */
  size_t at;            /* bytes read so far */
  size_t capacity;
  bool is_reading;
  bool is_short; /* memory when writing, bytes when reading */
} sim_keep;

/* Writes or reads bytes, zeros once is_short. No pointers. */
void sim_keep_bytes(sim_keep* keep, void* bytes, size_t size);

#define SIM_KEEP(keep, value) sim_keep_bytes(keep, &(value), sizeof(value))

#endif
