/* Memory for a program that ends without it. */
#ifndef WEFT_TOOLS_MESH_MEMORY_H
#define WEFT_TOOLS_MESH_MEMORY_H

#include <stddef.h>

/* realloc() for `count` elements of `size` bytes; ends the program instead of failing. */
void* resize_array(void* array, size_t count, size_t size);

/* calloc(); ends the program instead of failing. */
void* zeroed_array(size_t count, size_t size);

#endif
