/* Appends lane groups to a schedule under construction. */
#ifndef WEFT_COLOR_EMIT_H
#define WEFT_COLOR_EMIT_H

#include <stdbool.h>

#include "scene/scene.h"
#include "tables/schedule.h"

#define WEFT__NO_LINK UINT32_MAX

/* A lane group that is not placed yet. */
typedef struct weft__group {
  uint32_t kind;              /* weft__run_kind */
  uint32_t a, b;              /* contiguous: particles of lane 0 */
  uint32_t link[WEFT__LANES]; /* the caller's numbers, WEFT__NO_LINK in an empty lane */
} weft__group;

/* Growing columns of a schedule. */
typedef struct weft__emitter {
  weft__schedule* schedule;
  const weft__links* links;
  size_t run_capacity, batch_capacity, group_capacity;
  size_t index_a_capacity, index_b_capacity, rest_capacity, stiffness_capacity;
  size_t index_count, rest_count, stiffness_count;
  uint32_t batch_first_group; /* runs do not reach across batches */
} weft__emitter;

/* All of these return false when memory cannot be had. */
bool weft__emit_batch_begin(weft__emitter* emitter);
bool weft__emit_group(weft__emitter* emitter, const weft__group* group);

/* Moves the columns to aligned memory of the size that they have reached. */
bool weft__emit_finish(weft__emitter* emitter);

#endif
