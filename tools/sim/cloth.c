#include "sim/cloth.h"

#include "common/must.h"

const char* const sim_fabrics[] = {"none",    "blanket",    "denim",      "interlock",
                                   "jet_set", "polycotton", "ponte",      "rib_knit",
                                   "sweater", "swimsuit",   "tablecloth", NULL};
_Static_assert(sizeof sim_fabrics / sizeof sim_fabrics[0] == WEFT_FABRIC_COUNT + 2, "all of them");

void sim_fabric(const sim_values* values, bool membrane, weft_material_def* material) {
  weft_fabric fabric;
  const uint32_t choice = sim_choice(values, "fabric");
  if (choice == 0) return;
  tool_must(weft_find_fabric(sim_fabrics[choice], &fabric));
  tool_must(weft_fabric_material(fabric, membrane, material));
}

weft_particle_shape_def sim_cloth_shape(const sim_values* values, double spacing) {
  weft_particle_shape_def shape = weft_default_particle_shape_def();
  shape.shape = WEFT_PARTICLE_SHAPE_CLOTH;
  shape.half_size[0] = (float)(sim_number(values, "thickness") * spacing);
  shape.surface.static_friction = shape.surface.dynamic_friction =
      (float)sim_number(values, "friction");
  shape.collision = (weft_collision)sim_choice(values, "collision");
  return shape;
}

void sim_cloth_solver(weft_world_def* def, uint32_t substeps) {
  def->solver.substeps = substeps;
  def->solver.iterations = 4;
  def->solver.coarse_iterations = 4;
  def->damping = 0.5f;
}

bool sim_set_cloth_shape(weft_world* world, const weft_particle_shape_def* shape,
                         tool_message* why) {
  weft_world_stats stats;
  return sim_check(weft_world_get_stats(world, &stats), why) &&
         sim_check(weft_world_set_particle_shape(world, weft_range(0, stats.particle_count), shape),
                   why);
}

bool sim_add_floor(weft_world* world, double friction, tool_message* why) {
  weft_collider_def floor = weft_default_collider_def();
  weft_collider collider;
  floor.shape = WEFT_COLLIDER_SHAPE_HALF_SPACE;
  floor.surface.static_friction = floor.surface.dynamic_friction = (float)friction;
  return sim_check(weft_world_add_collider(world, &floor, &collider), why);
}
