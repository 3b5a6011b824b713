#include <string.h>

#include "base/float_mode.h"
#include "world/attributes.h"
#include "world/world.h"

weft_result weft_world_get_def(const weft_world* world, weft_world_def* def) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(def == NULL, WEFT_ERROR_NULL, "def");
  const weft__stepper* stepper = &world->stepper;
  *def = world->def;
  memcpy(def->gravity, stepper->physics.gravity, sizeof(def->gravity));
  memcpy(def->max_speed, stepper->physics.max_speed, sizeof(def->max_speed));
  def->damping = (float)stepper->physics.damping;
  // numbers are of all bodies
  const bool differ = world->bodies_differ;
  if (!differ || stepper->substep_count.set != weft__most_demanding(&stepper->settings.groups))
    def->solver.substeps = stepper->substep_count.set;
  def->solver.max_substeps = stepper->substep_count.most;
  if (!differ) def->solver.iterations = stepper->settings.iterations;
  if (!differ) def->solver.coarse_iterations = stepper->settings.coarse_iterations;
  if (!differ) def->solver.attachments = stepper->settings.max_attachments;
  def->solver.direct_bends = stepper->settings.direct_bends;
  def->step_ns = world->fixed_step.step_ns;
  return weft__ok();
}

weft_result weft_world_get_bounds(const weft_world* world, weft_bounds_def* bounds, bool* is_set) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(bounds == NULL, WEFT_ERROR_NULL, "bounds");
  WEFT__FAIL_IF(is_set == NULL, WEFT_ERROR_NULL, "is_set");
  const weft__bounds* from = &world->stepper.bounds;
  *is_set = from->on;
  *bounds = weft_default_bounds_def();
  if (!from->on) return weft__ok();
  memcpy(bounds->lower, from->lower, sizeof(bounds->lower));
  memcpy(bounds->upper, from->upper, sizeof(bounds->upper));
  bounds->surface.restitution = from->restitution;
  bounds->surface.static_friction = from->static_friction;
  bounds->surface.dynamic_friction = from->dynamic_friction;
  return weft__ok();
}

weft_result weft_world_get_particle_shapes(const weft_world* world, weft_selection particles,
                                           weft_particle_shape_def* shapes) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(shapes == NULL && particles.count > 0, WEFT_ERROR_NULL, "shapes");
  weft__selection at;
  WEFT__TRY(weft__check_selected(world, WEFT__OF_PARTICLES, &particles, &at));
  const weft__materials* materials = &world->stepper.contacts.materials;
  for (uint32_t n = 0; n < at.count; ++n) {
    weft_particle_shape_def* def = &shapes[n];
    if (!weft__selects(&at, n)) continue;
    *def = weft_default_particle_shape_def();
    def->mask = 0;
    def->collision = WEFT_COLLISION_NONE;
    if (!materials->on) continue;
    const weft__material* row = weft__material_of(materials, weft__selected(&at, n));
    def->shape = row->shape;
    memcpy(def->half_size, row->half_size, sizeof(def->half_size));
    def->surface.restitution = row->surface.restitution;
    def->surface.static_friction = row->surface.static_friction;
    def->surface.dynamic_friction = row->surface.dynamic_friction;
    def->category = row->surface.category;
    def->mask = row->surface.mask;
    def->material = row->surface.material;
    if (row != materials->rows)
      def->collision = row->is_exact ? WEFT_COLLISION_EXACT : WEFT_COLLISION_SOFT;
    def->turns = row->turns;
  }
  return weft__ok();
}

static weft_result shape_mass(const weft_particle_shape_def* shape, float density, float* mass) {
  WEFT__FAIL_IF(shape == NULL, WEFT_ERROR_NULL, "shape");
  WEFT__FAIL_IF(mass == NULL, WEFT_ERROR_NULL, "mass");
  WEFT__TRY(weft__check_contact(shape));
  WEFT__TRY(weft__check_range(density, 1e-9f, 1e9f, "density"));
  const double pi = 3.14159265358979323846;
  const double size[3] = {(double)shape->half_size[0], (double)shape->half_size[1],
                          (double)shape->half_size[2]};
  double volume = 0.0;
  switch (shape->shape) {
    case WEFT_PARTICLE_SHAPE_SPHERE:
      volume = 4.0 / 3.0 * pi * size[0] * size[0] * size[0];
      break;
    case WEFT_PARTICLE_SHAPE_BOX:
      volume = 8.0 * size[0] * size[1] * size[2];
      break;
    case WEFT_PARTICLE_SHAPE_ELLIPSOID:
      volume = 4.0 / 3.0 * pi * size[0] * size[1] * size[2];
      break;
    default:
      return weft__fail(WEFT_ERROR_RANGE, "weft_particle_shape_def.shape");
  }
  const double kilograms = (double)density * volume;
  WEFT__FAIL_IF(kilograms < 1.0 / (double)WEFT_MAX_INVERSE_MASS ||
                    kilograms > 1.0 / (double)WEFT_MIN_INVERSE_MASS,
                WEFT_ERROR_RANGE, "density");
  *mass = (float)kilograms;
  return weft__ok();
}

weft_result weft_particle_shape_get_mass(const weft_particle_shape_def* shape, float density,
                                         float* mass) {
  WEFT__RETURN_COMPUTED(shape_mass, shape, density, mass);
}
