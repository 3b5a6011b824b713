#include "libraries/cluster/state.h"

#include <string.h>

void weft__copy_bytes(weft__copier* c, void* state, size_t size) {
  if (c->to != NULL && size > 0) memcpy(c->to + c->at, state, size);
  if (c->from != NULL && size > 0) memcpy(state, c->from + c->at, size);
  c->at += size;
}

void weft__copy_columns(weft__copier* c, const void* table, const weft__table* of, uint32_t group,
                        weft__range range) {
  const size_t count = range.end - range.begin;
  for (uint32_t k = 0; k < of->count; ++k) {
    const weft__column* column = &of->columns[k];
    if ((column->kind & WEFT__HALO) == 0 || !weft__is_of_group(column, group)) continue;
    const size_t size = (size_t)column->size * column->used.times;
    for (uint32_t part = 0; part < column->parts; ++part) {
      char* array = weft__column_array(table, column, part);
      if (array != NULL) weft__copy_bytes(c, array + range.begin * size, count * size);
    }
  }
}

// Multipliers, which measures read, and rest lengths of plastic bend elements.
static void copy_elements(weft__copier* c, const weft__schedule* s, weft__range patches) {
  const weft__range groups = {weft__patch_first_group(s, patches.begin),
                              weft__patch_first_group(s, patches.end)};
  weft__copy_columns(c, s, &weft__schedule_table, WEFT__LINK_MULTIPLIERS, groups);
  if (s->hinges.hinge_count > 0) {
    const uint32_t* first = s->hinges.patch_first_lanes;
    const weft__range lanes = {first[patches.begin], first[patches.end]};
    weft__copy_columns(c, s, &weft__schedule_table, WEFT__HINGE_MULTIPLIERS, lanes);
    const size_t bytes = (lanes.end - lanes.begin) * sizeof(*s->hinges.lanes);
    if (s->hinges.is_plastic) weft__copy_bytes(c, s->hinges.lanes + lanes.begin, bytes);
  }
  if (s->membranes.membrane_count > 0) {
    const uint32_t* first = s->membranes.patch_first_lanes;
    const weft__range lanes = {first[patches.begin], first[patches.end]};
    weft__copy_columns(c, s, &weft__schedule_table, WEFT__MEMBRANE_MULTIPLIERS, lanes);
  }
}

static uint16_t merge(uint16_t old, uint16_t given, uint32_t lanes) {
  return (uint16_t)((old & ~lanes) | (given & lanes));
}

// Lane groups at the ends of a range belong to two ranks.
static void copy_touches(weft__copier* c, const weft__bounds* bounds, weft__range range) {
  if (bounds->touch == NULL || range.begin == range.end) return;
  for (uint32_t g = range.begin / WEFT__LANES; g <= (range.end - 1) / WEFT__LANES; ++g) {
    weft__wall_contact given = bounds->touch[g];
    uint32_t lanes = 0;
    for (uint32_t lane = 0; lane < WEFT__LANES; ++lane) {
      const uint32_t i = g * WEFT__LANES + lane;
      if (weft__range_has(range, i)) lanes |= 1u << lane;
    }
    weft__copy_bytes(c, &given, sizeof(given));
    for (int axis = 0; axis < 3; ++axis) {
      weft__wall_contact* touch = &bounds->touch[g];
      touch->lower[axis] = merge(touch->lower[axis], given.lower[axis], lanes);
      touch->upper[axis] = merge(touch->upper[axis], given.upper[axis], lanes);
    }
  }
}

void weft__copy_patches(weft_cluster* cluster, weft__copier* c, weft__range patches) {
  weft__stepper* stepper = &cluster->world->stepper;
  const uint32_t* first = stepper->schedule.patch_first;
  const weft__range particles = {first[patches.begin], first[patches.end]};
  weft__copy_columns(c, &stepper->particles, &weft__particle_table, 0, particles);
  copy_elements(c, &stepper->schedule, patches);
  copy_touches(c, &stepper->bounds, particles);
}

void weft__copy_tree(weft_cluster* cluster, weft__copier* c, uint32_t tree) {
  const weft__trees* trees = weft__trees_of(&cluster->world->stepper);
  const uint32_t first = trees->first_node[tree];
  weft__copy_bytes(c, trees->multiplier + first,
                   (trees->first_node[tree + 1] - first) * sizeof(*trees->multiplier));
}

// Rest jumps of a mesh's creases.
void weft__copy_mesh(weft_cluster* cluster, weft__copier* c, uint32_t mesh) {
  const weft__mesh_bends* bends = weft__mesh_bends_of(&cluster->world->stepper.stages);
  const weft__bend_mesh* m = &bends->meshes[mesh];
  if (bends->crease_group_count == 0) return;
  weft__copy_bytes(c, bends->rest_jump + m->first_hinge,
                   m->hinge_count * sizeof(*bends->rest_jump));
}

void weft__copy_body(weft_cluster* cluster, weft__copier* c, uint32_t body) {
  weft__pressure* pressure = &cluster->world->stepper.forces.pressures.pressures[body];
  weft__copy_bytes(c, pressure, sizeof(*pressure));
}
