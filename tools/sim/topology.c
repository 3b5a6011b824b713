#include "sim/topology.h"

#include <stdlib.h>
#include <string.h>

#include "sim/scene.h"

const char* const sim_cell_names[SIM_CELL_KINDS] = {"faces", "lines", "points"};

static bool allocate_cells(sim_topology* topology, sim_cell_kind kind, uint32_t count,
                           tool_message* why) {
  sim_cells* cells = &topology->cells[kind];
  cells->corners = calloc((size_t)count + 1, sim_corner_counts[kind] * sizeof *cells->corners);
  cells->present = calloc((size_t)count + 1, sizeof *cells->present);
  if (!cells->corners || !cells->present) {
    return tool_because(why, "no memory for %u %s", count, sim_cell_names[kind]);
  }
  for (uint32_t i = 0; i < count; ++i) cells->present[i] = true;
  cells->count = cells->present_count = count;
  return true;
}

bool sim_get_faces(const weft_world* world, uint32_t capacity, uint32_t* triangles, uint32_t* count,
                   tool_message* why) {
  const weft_result result = weft_world_get_faces(world, capacity, triangles, count);
  if (result.error == WEFT_ERROR_DISABLED) *count = 0;
  return result.error == WEFT_ERROR_DISABLED || sim_check(result, why);
}

static bool list_faces(sim_topology* topology, const weft_world* world, tool_message* why) {
  uint32_t count = 0;
  if (!sim_get_faces(world, 0, NULL, &count, why) ||
      !allocate_cells(topology, SIM_FACES, count, why)) {
    return false;
  }
  topology->faces = calloc((size_t)count + 1, 3 * sizeof *topology->faces);
  if (!topology->faces) return tool_because(why, "no memory for %u faces", count);
  uint32_t* corners = topology->cells[SIM_FACES].corners;
  return sim_get_faces(world, count, corners, &count, why);
}

/* Flags of a particle. */
enum { ON_FACE = 1, LINKED = 2 };

static void flag_faces(const sim_cells* faces, uint8_t* flags) {
  for (size_t i = 0; i < 3 * (size_t)faces->count; ++i) flags[faces->corners[i]] |= ON_FACE;
}

static bool is_line(const weft_link_def* link, const uint8_t* flags) {
  return link->kind == WEFT_LINK_STRUCTURAL && !(flags[link->a] & flags[link->b] & ON_FACE);
}

/* Counts the lines and flags the ends of all links; lists the lines if there is room for them. */
static bool scan_links(const weft_scene* scene, uint8_t* flags, sim_topology* room, uint32_t* count,
                       tool_message* why) {
  const uint32_t link_count = weft_scene_link_count(scene);
  *count = 0;
  for (uint32_t i = 0; i < link_count; ++i) {
    weft_link_def link;
    if (!sim_check(weft_scene_get_links(scene, i, 1, &link), why)) return false;
    flags[link.a] |= LINKED;
    flags[link.b] |= LINKED;
    if (!is_line(&link, flags)) continue;
    if (room) {
      uint32_t* corners = room->cells[SIM_LINES].corners + 2 * (size_t)*count;
      corners[0] = link.a;
      corners[1] = link.b;
      room->links[*count] = i;
    }
    ++*count;
  }
  return true;
}

static bool list_lines(sim_topology* topology, const weft_scene* scene, uint8_t* flags,
                       tool_message* why) {
  uint32_t count = 0;
  if (!scan_links(scene, flags, NULL, &count, why) ||
      !allocate_cells(topology, SIM_LINES, count, why)) {
    return false;
  }
  topology->links = calloc((size_t)count + 1, sizeof *topology->links);
  if (!topology->links) return tool_because(why, "no memory for %u lines", count);
  return scan_links(scene, flags, topology, &count, why);
}

static bool list_points(sim_topology* topology, const uint8_t* flags, tool_message* why) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < topology->particle_count; ++i) count += flags[i] == 0;
  if (!allocate_cells(topology, SIM_POINTS, count, why)) return false;
  uint32_t* corner = topology->cells[SIM_POINTS].corners;
  for (uint32_t i = 0; i < topology->particle_count; ++i) {
    if (flags[i] == 0) *corner++ = i;
  }
  return true;
}

static bool list_cells(sim_topology* topology, const weft_scene* scene, const weft_world* world,
                       tool_message* why) {
  uint8_t* flags = calloc((size_t)topology->particle_count + 1, sizeof *flags);
  if (!flags) return tool_because(why, "no memory for %u particles", topology->particle_count);
  bool ok = list_faces(topology, world, why);
  if (ok) flag_faces(&topology->cells[SIM_FACES], flags);
  ok = ok && list_lines(topology, scene, flags, why) && list_points(topology, flags, why);
  free(flags);
  return ok;
}

bool sim_topology_create(const weft_scene* scene, const weft_world* world, sim_topology** topology,
                         tool_message* why) {
  *topology = calloc(1, sizeof **topology);
  if (!*topology) return tool_because(why, "no memory for the faces");
  (*topology)->particle_count = weft_scene_particle_count(scene);
  if (list_cells(*topology, scene, world, why)) return true;
  sim_topology_destroy(topology);
  return false;
}

void sim_topology_destroy(sim_topology** topology) {
  if (!*topology) return;
  for (int kind = 0; kind < SIM_CELL_KINDS; ++kind) {
    free((*topology)->cells[kind].corners);
    free((*topology)->cells[kind].present);
  }
  free((*topology)->links);
  free((*topology)->faces);
  free(*topology);
  *topology = NULL;
}

/* Faces keep their order, so that the world's faces are a subsequence of all. */
static bool update_faces(sim_topology* topology, const weft_world* world, tool_message* why) {
  sim_cells* cells = &topology->cells[SIM_FACES];
  uint32_t count = 0;
  if (!sim_get_faces(world, cells->count, topology->faces, &count, why)) return false;
  uint32_t next = 0;
  for (uint32_t i = 0; i < cells->count; ++i) {
    const uint32_t *corners = cells->corners + 3 * (size_t)i,
                   *left = topology->faces + 3 * (size_t)next;
    cells->present[i] = next < count && memcmp(corners, left, 3 * sizeof *corners) == 0;
    next += cells->present[i];
  }
  cells->present_count = next;
  return true;
}

static bool update_lines(sim_topology* topology, const weft_world* world, tool_message* why) {
  sim_cells* cells = &topology->cells[SIM_LINES];
  cells->present_count = 0;
  for (uint32_t i = 0; i < cells->count; ++i) {
    bool acts = false;
    if (!sim_get(world, WEFT_ATTRIBUTE_LINK_ENABLED, topology->links[i], 1, &acts, why)) {
      return false;
    }
    cells->present[i] = acts;
    cells->present_count += acts;
  }
  return true;
}

bool sim_topology_update(sim_topology* topology, const weft_world* world, tool_message* why) {
  return update_faces(topology, world, why) && update_lines(topology, world, why);
}
