/* Self-colliding cloth, and flat sheets of it. */
#ifndef TESTS_SUPPORT_CLOTHS_H
#define TESTS_SUPPORT_CLOTHS_H

#include <math.h>

#include "support/one_particle.h"
#include "support/worlds.h"
#include "world/world.h"

static inline const weft__self* cloth_of(const weft_world* world) {
  return &world->stepper.contacts.cloth;
}

static inline weft_particle_shape_def cloth_contact(float radius) {
  return shape_def(.shape = WEFT_PARTICLE_SHAPE_CLOTH, .radius = radius);
}

/* Gives a range of particles the cloth shape. */
static inline void make_cloth(weft_world* world, uint32_t first, uint32_t count, float radius,
                              float friction) {
  weft_particle_shape_def contact = cloth_contact(radius);
  contact.surface.static_friction = friction;
  contact.surface.dynamic_friction = friction;
  expect_ok(weft_world_set_particle_shape(world, weft_range(first, count), &contact));
}

static inline weft_world_def free_flight(uint32_t worker_count) {
  weft_world_def def = weft_plain_world_def();
  for (int axis = 0; axis < 3; ++axis) def.gravity[axis] = 0.0f;
  def.damping = 0.0f;
  def.worker_count = worker_count;
  return def;
}

static inline double distance_between(const float* positions, uint32_t a, uint32_t b) {
  double sum = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double way =
        (double)positions[3 * a + (uint32_t)axis] - (double)positions[3 * b + (uint32_t)axis];
    sum += way * way;
  }
  return sqrt(sum);
}

/* Distance of neighbouring particles of a sheet, metres. */
#define SPACING 0.05f

typedef struct placed_sheet {
  uint32_t columns, rows;
  float origin[3];
  float spacing;
} placed_sheet;

static inline weft_body add_flat(weft_scene* scene, const placed_sheet* sheet) {
  return add_cloth(scene, .columns = sheet->columns, .rows = sheet->rows,
                   .spacing = sheet->spacing);
}

/* Moves a flat sheet to its origin, normal along y, and rotates it about z by an angle given by its
 * cosine and sine. */
static inline void lay_out(weft_world* world, const weft_body* body, const placed_sheet* sheet,
                           float cosine, float sine) {
  for (uint32_t i = 0; i < body->particle_count; ++i) {
    const float x = sheet->origin[0] + sheet->spacing * (float)(i % sheet->columns);
    const float y = sheet->origin[1];
    const float z = sheet->origin[2] + sheet->spacing * (float)(i / sheet->columns);
    const float position[3] = {cosine * x - sine * y, sine * x + cosine * y, z};
    place_particle(world, body->first_particle + i, position, NULL);
  }
}

static inline void add_floor(weft_world* world, float friction) {
  put_floor(world, 0.0f, friction);
}

#endif
