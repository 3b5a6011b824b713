#include "memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void* or_end(void* array) {
  if (!array) {
    fprintf(stderr, "weft-make-mesh: out of memory\n");
    exit(EXIT_FAILURE);
  }
  return array;
}

void* resize_array(void* array, size_t count, size_t size) {
  if (count == 0) count = 1;
  return or_end(count > SIZE_MAX / size ? NULL : realloc(array, count * size));
}

void* zeroed_array(size_t count, size_t size) {
  return or_end(calloc(count > 0 ? count : 1, size));
}
