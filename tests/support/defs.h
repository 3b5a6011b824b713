/* Defs by fields that differ from the default: plain_def(.substeps = 4, .undamped = true). A field
 * left out, or 0, is the default's. */
#ifndef TESTS_SUPPORT_DEFS_H
#define TESTS_SUPPORT_DEFS_H

#include <string.h>

#include "support/bare.h"
#include "weft/weft.h"

#define CHANGE(field) \
  if (changes.field != 0) def.field = changes.field
#define CHANGE_IN(inner, field) \
  if (changes.field != 0) def.inner.field = changes.field
#define CHANGE_3(field)                                                  \
  for (int axis = 0; axis < 3; ++axis) {                                 \
    if (changes.field[axis] != 0) def.field[axis] = changes.field[axis]; \
  }

typedef struct world_changes {
  bool undamped, weightless;
  float damping;
  int64_t step_ns;
  uint32_t substeps, iterations, coarse_iterations, direct_iterations, attachments;
  weft_integrator integrator;
  weft_sweeps sweeps;
  bool springs, loads;
  uint32_t worker_count, max_joints;
  weft_isa isa;
} world_changes;

static inline weft_world_def changed_world_def(weft_world_def def, world_changes changes) {
  if (changes.undamped) def.damping = 0.0f;
  if (changes.weightless) memset(def.gravity, 0, sizeof(def.gravity));
  CHANGE(damping);
  CHANGE(step_ns);
  CHANGE_IN(solver, substeps);
  CHANGE_IN(solver, iterations);
  CHANGE_IN(solver, coarse_iterations);
  CHANGE_IN(solver, direct_iterations);
  CHANGE_IN(solver, attachments);
  CHANGE_IN(solver, integrator);
  CHANGE_IN(solver, sweeps);
  CHANGE_IN(solver, springs);
  CHANGE(loads);
  CHANGE(worker_count);
  CHANGE(max_joints);
  CHANGE(isa);
  return def;
}

#define plain_def(...) changed_world_def(weft_plain_world_def(), (world_changes){__VA_ARGS__})
#define default_def(...) changed_world_def(weft_default_world_def(), (world_changes){__VA_ARGS__})

typedef struct sheet_changes {
  uint32_t side; /* columns and rows */
  uint32_t columns, rows;
  float spacing, tear_ratio, particle_mass;
  float origin[3];
  bool is_level; /* down is z */
  bool bend;
  const weft_material_def* material;
} sheet_changes;

static inline weft_sheet_def changed_sheet_def(sheet_changes changes) {
  weft_sheet_def def = weft_default_sheet_def();
  if (changes.side > 0) def.columns = def.rows = changes.side;
  CHANGE(columns);
  CHANGE(rows);
  CHANGE(spacing);
  CHANGE(tear_ratio);
  CHANGE(particle_mass);
  CHANGE_3(origin);
  if (changes.is_level) {
    def.down[1] = 0.0f;
    def.down[2] = 1.0f;
  }
  CHANGE(bend);
  CHANGE(material);
  return def;
}

#define sheet_def(...) changed_sheet_def((sheet_changes){__VA_ARGS__})

typedef struct mesh_changes {
  const float* positions;
  uint32_t vertex_count;
  const uint32_t* triangles;
  uint32_t triangle_count;
  const weft_material_def* material;
} mesh_changes;

static inline weft_mesh_def changed_mesh_def(mesh_changes changes) {
  weft_mesh_def def = weft_default_mesh_def();
  CHANGE(positions);
  CHANGE(vertex_count);
  CHANGE(triangles);
  CHANGE(triangle_count);
  CHANGE(material);
  return def;
}

#define mesh_def(...) changed_mesh_def((mesh_changes){__VA_ARGS__})

typedef struct shape_changes {
  weft_particle_shape shape;
  float radius; /* half_size[0] */
  float half_size[3];
  float friction; /* static and dynamic */
  float restitution;
  weft_collision collision;
  bool turns;
} shape_changes;

static inline weft_particle_shape_def changed_shape_def(shape_changes changes) {
  weft_particle_shape_def def = weft_default_particle_shape_def();
  def.half_size[0] = changes.radius;
  def.surface.static_friction = def.surface.dynamic_friction = changes.friction;
  CHANGE(shape);
  CHANGE_3(half_size);
  CHANGE_IN(surface, restitution);
  CHANGE(turns);
  CHANGE(collision);
  return def;
}

#define shape_def(...) changed_shape_def((shape_changes){__VA_ARGS__})

typedef struct material_changes {
  float density, stretch_stiffness, weft_stiffness, shear_stiffness, bend_stiffness;
  bool membrane;
} material_changes;

static inline weft_material_def changed_material_def(material_changes changes) {
  weft_material_def def = weft_default_material_def();
  CHANGE(density);
  CHANGE(stretch_stiffness);
  CHANGE(weft_stiffness);
  CHANGE(shear_stiffness);
  CHANGE(bend_stiffness);
  CHANGE(membrane);
  return def;
}

#define material_def(...) changed_material_def((material_changes){__VA_ARGS__})

typedef struct collider_changes {
  weft_collider_shape shape; /* left out: a plane */
  float position[3], velocity[3], half_size[3];
  float radius, friction, restitution;
} collider_changes;

static inline weft_collider_def changed_collider_def(collider_changes changes) {
  weft_collider_def def = weft_default_collider_def();
  def.shape = changes.shape;
  def.surface.static_friction = def.surface.dynamic_friction = changes.friction;
  CHANGE_3(position);
  CHANGE_3(velocity);
  CHANGE_3(half_size);
  CHANGE(radius);
  CHANGE_IN(surface, restitution);
  return def;
}

#define collider_def(...) changed_collider_def((collider_changes){__VA_ARGS__})

/* Bounds of a floor at a height. */
static inline weft_bounds_def floor_bounds(float height, float friction) {
  weft_bounds_def def = weft_default_bounds_def();
  def.lower[1] = height;
  def.surface.static_friction = def.surface.dynamic_friction = friction;
  return def;
}

static inline weft_contact_limits_def event_limits(uint32_t max_events) {
  weft_contact_limits_def def = weft_default_contact_limits_def();
  def.max_events = max_events;
  return def;
}

#undef CHANGE
#undef CHANGE_IN
#undef CHANGE_3

#endif
