/* Cells drawn of a world: faces of cloth, lines of ropes and bones, single particles.
 *
 *     faces    triangles of sheets and meshes, as weft_world_get_faces() numbers them
 *     lines    structural links with an end on no face: ropes, bones, threads
 *     points   particles of no face and no link; except supports
 *
 * All are listed before the first step; afterwards cells are present or absent. A line is absent
 * while its link is torn or switched off, a face while one of its links is. */
#ifndef TOOLS_SIM_TOPOLOGY_H
#define TOOLS_SIM_TOPOLOGY_H

#include "common/message.h"
#include "weft/weft.h"

typedef enum sim_cell_kind { SIM_FACES, SIM_LINES, SIM_POINTS, SIM_CELL_KINDS } sim_cell_kind;

static const uint32_t sim_corner_counts[SIM_CELL_KINDS] = {3, 2, 1};

/* Plural nouns: "faces", "lines", "points". */
extern const char* const sim_cell_names[SIM_CELL_KINDS];

typedef struct sim_cells {
  uint32_t* corners; /* particles, [count][sim_corner_counts[kind]] */
  bool* present;     /* [count] */
  uint32_t count;
  uint32_t present_count;
} sim_cells;

typedef struct sim_topology {
  sim_cells cells[SIM_CELL_KINDS];
  uint32_t particle_count;
  uint32_t* links; /* links of the lines [count] */
  uint32_t* faces; /* faces of the world at the last update, [count][3] */
} sim_topology;

/* Lists the cells of a new world with faces (weft_world_def.faces), made from `scene`. Free with
 * sim_topology_destroy(). */
bool sim_topology_create(const weft_scene* scene, const weft_world* world, sim_topology** topology,
                         tool_message* why);

bool sim_topology_update(sim_topology* topology, const weft_world* world, tool_message* why);

/* Frees all and sets the pointer to NULL. */
void sim_topology_destroy(sim_topology** topology);

/* weft_world_get_faces(), but none for a world without faces. */
bool sim_get_faces(const weft_world* world, uint32_t capacity, uint32_t* triangles, uint32_t* count,
                   tool_message* why);

#endif
