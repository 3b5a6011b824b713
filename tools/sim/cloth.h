/* Parts of scenes with self-colliding cloth. */
#ifndef TOOLS_SIM_CLOTH_H
#define TOOLS_SIM_CLOTH_H

#include "sim/scene.h"

/* "none", "soft", "exact", as weft_collision; ended by NULL. */
extern const char* const sim_collisions[];

/* clang-format off */
#define SIM_COLLISION_PARAM(usual) \
  {"collision", "soft: may pass when it is forced or fast; exact: nothing passes", SIM_CHOICE, \
   usual, 0, 0, sim_collisions}

/* Rows of a parameter list, read by sim_cloth_shape(). */
#define SIM_CLOTH_PARAMS                                                                       \
  {"thickness", "thickness of the cloth on either side, as a share of the particles' spacing", \
   SIM_NUMBER, 0.55, 1e-3, 1, NULL},                                                           \
  {"friction", "coefficient of the cloth", SIM_NUMBER, 0.3, 0, 100, NULL},                     \
  SIM_COLLISION_PARAM(WEFT_COLLISION_EXACT)
/* clang-format on */

/* Row of a parameter list, read by sim_fabric(): `--fabric` sets it. */
#define SIM_FABRIC_PARAM(instead)                                                                \
  {                                                                                              \
    "fabric", "measured fabric, see docs/materials.md, in the place of " instead, SIM_CHOICE, 0, \
        0, 0, sim_fabrics                                                                        \
  }

/* "none", then the names of all weft_fabric; ended by NULL. */
extern const char* const sim_fabrics[];

/* Takes the material of the fabric chosen; leaves it unchanged if that is none. */
void sim_fabric(const sim_values* values, bool membrane, weft_material_def* material);

#define SIM_END_OF_PARAMS \
  { NULL, NULL, SIM_FLAG, 0, 0, 0, NULL }

/* Collision shape by SIM_CLOTH_PARAMS of a cloth with this spacing, metres. */
weft_particle_shape_def sim_cloth_shape(const sim_values* values, double spacing);

/* Solver of cloth in contact: this many substeps, 4 iterations, 4 on each coarse level, faces. */
void sim_cloth_solver(weft_world_def* def, uint32_t substeps);

/* Gives all particles of the world the shape. */
bool sim_set_cloth_shape(weft_world* world, const weft_particle_shape_def* shape,
                         tool_message* why);

/* Adds the half space y < 0. */
bool sim_add_floor(weft_world* world, double friction, tool_message* why);

#endif
