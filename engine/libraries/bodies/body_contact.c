#include "libraries/bodies/body_contact.h"

#include "base/min_max.h"
#include "step/stage.h"

// the smallest size of a shape
#define MIN_THICKNESS 1e-6

// Soft in a library without CCD.
static weft_collision available(weft_collision collision) {
  const bool has_ccd = weft__stages_check(true, WEFT__SERVES_CCD, "").error == WEFT_OK;
  return collision == WEFT_COLLISION_EXACT && !has_ccd ? WEFT_COLLISION_SOFT : collision;
}

static weft_result set_shape(weft_scene* scene, const weft_body* body,
                             const weft__body_contact* contact) {
  const double usual = weft__max(contact->usual, MIN_THICKNESS);
  weft_particle_shape_def shape = weft_default_particle_shape_def();
  shape.shape = WEFT_PARTICLE_SHAPE_CLOTH;
  shape.collision = available(contact->collision);
  shape.half_size[0] = contact->thickness > 0.0f ? contact->thickness : (float)usual;
  shape.surface.static_friction = shape.surface.dynamic_friction = contact->friction;
  return weft_scene_set_particle_shape(
      scene, weft_range(body->first_particle, body->particle_count), &shape);
}

weft_result weft__set_body_contact(weft_scene* scene, const weft_body* body,
                                   const weft__body_contact* contact) {
  if (contact->collision != WEFT_COLLISION_NONE) WEFT__TRY(set_shape(scene, body, contact));
  const weft_wind_def still = weft_default_wind_def();
  return contact->in_air && !scene->has_wind ? weft_scene_set_wind(scene, &still) : weft__ok();
}
