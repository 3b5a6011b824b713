/* Contacts in a scene file: bodies' particle shapes, and colliders. One table of common keys, one
 * of each shape. */
#ifndef TOOLS_SIM_FILE_CONTACTS_H
#define TOOLS_SIM_FILE_CONTACTS_H

#include "sim/file/formula.h"
#include "sim/file/tables.h"

/* Formulas of the time at the end of a step. */
typedef struct sim_collider_motion {
  sim_formula position[3], rotation[4]; /* rotation: none without operations */
  double until;                         /* seconds */
} sim_collider_motion;

typedef struct sim_collider {
  // read
  const char* shape_name;
  const char* mesh_path; /* relative to the scene file; NULL = the mesh is in lists */
  weft_collider_def def;
  float half_length;              /* metres, of a capsule */
  uint32_t columns, layers, rows; /* samples along x, y, z */
  const tool_tree *points, *triangles, *samples;
  const tool_tree *grid, *motion_text;
  sim_collider_motion* motion; /* NULL = at rest */
  weft_collider made;
  // lists, used as the def's arrays
  float *point_list, *sample_list;
  uint32_t* triangle_list;
} sim_collider;

typedef struct sim_colliders {
  sim_collider* items; /* [count] */
  size_t count;
} sim_colliders;

/* Reads and checks all; the caller frees them either way. The list may be NULL. */
bool sim_read_colliders(const sim_source* source, const tool_tree* list, sim_colliders* colliders);

bool sim_start_colliders(const sim_source* source, const sim_colliders* colliders,
                         weft_world* world);

/* Moves colliders with a motion, before a step that begins at a time. */
bool sim_move_colliders(const sim_source* source, double time, const sim_colliders* colliders,
                        weft_world* world);

void sim_free_colliders(sim_colliders* colliders);

/* The `contact` of the body at `place`. */
bool sim_read_contact(const sim_source* source, const sim_place* place, const tool_tree* object,
                      weft_particle_shape_def* contact);

/* Sets the shape of the body's particles. */
bool sim_start_contact(const sim_source* source, const sim_place* place,
                       const weft_particle_shape_def* contact, const weft_body* body,
                       weft_world* world);

void sim_print_contacts(FILE* out);

#endif
