/* Memory for a program that ends when there is none. */
#ifndef WEFT_TOOLS_MESH_MEMORY_H
#define WEFT_TOOLS_MESH_MEMORY_H

#include <stddef.h>

/* As realloc() for `count` elements of `size` bytes, but ends the program instead of failing. */
void* resize_array(void* array, size_t count, size_t size);

/* As calloc(), likewise. */
void* zeroed_array(size_t count, size_t size);

#endif
