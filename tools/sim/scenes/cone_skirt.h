/* Skirt in the shape of a cone, about a vertical axis, and capsules inside it. */
#ifndef TOOLS_SIM_SCENES_CONE_SKIRT_H
#define TOOLS_SIM_SCENES_CONE_SKIRT_H

#include "sim/scene.h"

typedef struct sim_skirt {
  uint32_t around, rows;           /* particles around the waist, and from waist to hem */
  double length;                   /* metres from waist to hem */
  double waist, hem, waist_height; /* metres: radii, and height above the ground */
} sim_skirt;

/* Reads "around", "rows" and "length". Fails if the length is less than the radii need. */
bool sim_read_skirt(sim_skirt* skirt, const sim_values* values, tool_message* why);

/* Metres between neighbouring particles, where they are nearest. */
double sim_skirt_spacing(const sim_skirt* skirt);

uint32_t sim_skirt_particle_count(const sim_skirt* skirt);
uint32_t sim_skirt_face_count(const sim_skirt* skirt);

/* Position of particle i, row by row from the waist: metres from the axis and from the ground. */
void sim_skirt_place(const sim_skirt* skirt, uint32_t i, double place[3]);

/* Corners of a face, two for each cell of the rows. */
void sim_skirt_corners(const sim_skirt* skirt, uint32_t face, uint32_t corner[3]);

/* Adds the mesh with its particles at these positions, and pins the waist. */
bool sim_add_skirt(const sim_skirt* skirt, float (*positions)[3], weft_scene* scene,
                   tool_message* why);

/* Calls `note` with the depth in a capsule, metres, of each particle at these positions, and of the
 * centroid of each face. The capsule is a collider with its axis along y. */
bool sim_skirt_depths(const sim_skirt* skirt, float (*positions)[3], const weft_world* world,
                      weft_collider capsule, double radius, double half_length,
                      void (*note)(void* state, bool is_face, double depth), void* state);

#endif
