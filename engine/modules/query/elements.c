#include "modules/query/elements.h"

#include <math.h>

#include "base/min_max.h"

// relative and absolute margin, in metres, by which extents exceed their elements
#define MARGIN 0x1p-50
#define MIN_MARGIN 0x1p-200

uint32_t weft__element_count(const weft__elements* elements, weft_element_kind kind) {
  switch (kind) {
    case WEFT_ELEMENT_PARTICLE:
      return elements->particles->count;
    case WEFT_ELEMENT_LINK:
      return elements->schedule->links.link_count;
    case WEFT_ELEMENT_FACE:
      return elements->faces->count;
    case WEFT_ELEMENT_COLLIDER:
      return elements->colliders->end;
  }
  return 0;
}

void weft__element_ends(const weft__schedule* schedule, uint32_t link, uint32_t ends[2]) {
  const weft__lane lane = weft__schedule_lane(schedule, schedule->links.slot_of_link[link]);
  const bool turned = schedule->user_of[lane.a] > schedule->user_of[lane.b];
  ends[0] = turned ? lane.b : lane.a;
  ends[1] = turned ? lane.a : lane.b;
}

static bool is_finite(weft__vec3 v) {
  return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

// Position of a particle in solver order; false if it is not finite.
static bool load_position(const weft__elements* elements, uint32_t particle, weft__vec3* corner) {
  *corner = weft__vec3_at(elements->particles->pos, particle);
  return is_finite(*corner);
}

// Material of the particle, in solver order, that represents the element; NULL if it has none.
static const weft__material* set_material(const weft__elements* elements, uint32_t particle,
                                          weft__element* element) {
  const weft__materials* materials = elements->materials;
  element->has_contact = materials->on && materials->of[particle] != 0;
  if (!element->has_contact) return NULL;
  const weft__material* material = weft__material_of(materials, particle);
  element->category = material->surface.category;
  return material;
}

static double grow(double value, double sign) {
  return value + sign * (fabs(value) * MARGIN + MIN_MARGIN);
}

static void bound(weft__element* element, int corners) {
  for (int axis = 0; axis < 3; ++axis) {
    double lower = INFINITY;
    double upper = -INFINITY;
    for (int k = 0; k < corners; ++k) {
      const weft__vec3 v = element->corner[k];
      const double here = axis == 0 ? v.x : axis == 1 ? v.y : v.z;
      lower = weft__min(lower, here);
      upper = weft__max(upper, here);
    }
    element->extent.lower[axis] = grow(lower - element->half_size[axis], -1.0);
    element->extent.upper[axis] = grow(upper + element->half_size[axis], 1.0);
  }
}

static void set_sphere(weft__element* element, double radius) {
  element->form = WEFT__FORM_SPHERE;
  for (int axis = 0; axis < 3; ++axis) element->half_size[axis] = radius;
}

static void set_particle_shape(weft__element* element, const weft__material* material) {
  const weft_particle_shape shape = material->shape;
  if (shape != WEFT_PARTICLE_SHAPE_BOX && shape != WEFT_PARTICLE_SHAPE_ELLIPSOID) {
    set_sphere(element, (double)material->half_size[0]);
    return;
  }
  element->form = shape == WEFT_PARTICLE_SHAPE_BOX ? WEFT__FORM_BOX : WEFT__FORM_ELLIPSOID;
  for (int axis = 0; axis < 3; ++axis) {
    element->half_size[axis] = (double)material->half_size[axis];
  }
}

static bool get_particle(const weft__elements* elements, uint32_t index, weft__element* element) {
  const uint32_t particle = elements->schedule->solver_of[index];
  if (weft__particles_is_removed(elements->particles, particle)) return false;
  if (!load_position(elements, particle, &element->corner[0])) return false;
  const weft__material* material = set_material(elements, particle, element);
  if (material == NULL) {
    set_sphere(element, 0.0);
  } else {
    set_particle_shape(element, material);
  }
  bound(element, 1);
  return true;
}

static bool get_link(const weft__elements* elements, uint32_t index, weft__element* element) {
  if (weft__link_is_gone(&elements->schedule->links, index)) return false;
  uint32_t found[2];
  if (elements->ends == NULL) weft__element_ends(elements->schedule, index, found);
  const uint32_t* ends = elements->ends == NULL ? found : elements->ends[index];
  for (int k = 0; k < 2; ++k) {
    if (!load_position(elements, ends[k], &element->corner[k])) return false;
  }
  element->form = WEFT__FORM_SEGMENT;
  (void)set_material(elements, ends[0], element);
  bound(element, 2);
  return true;
}

static bool get_face(const weft__elements* elements, uint32_t index, weft__element* element) {
  if (weft__face_is_torn(elements->faces, elements->schedule, index)) return false;
  const uint32_t* corner = elements->faces->corner[index];
  for (int k = 0; k < 3; ++k) {
    if (!load_position(elements, corner[k], &element->corner[k])) return false;
  }
  element->form = WEFT__FORM_TRIANGLE;
  (void)set_material(elements, corner[0], element);
  bound(element, 3);
  return true;
}

// Shapes unbounded along one of their axes get an extent unbounded along all.
static void bound_collider(const weft__collider* collider, weft__element* element) {
  const weft__vec3 lower = collider->lower;
  const weft__vec3 upper = collider->upper;
  const bool ends = is_finite(lower) && is_finite(upper);
  const weft__frame frame = weft__frame_of(&collider->pose);
  const weft__vec3 half = weft__scaled(0.5, weft__minus(upper, lower));
  element->corner[0] = weft__frame_out(&frame, weft__scaled(0.5, weft__plus(lower, upper)));
  for (int axis = 0; axis < 3; ++axis) {
    double size = 0.0;
    for (int k = 0; k < 3; ++k) {
      const double along[3] = {frame.axis[k].x, frame.axis[k].y, frame.axis[k].z};
      const double of[3] = {half.x, half.y, half.z};
      size += fabs(along[axis]) * of[k];
    }
    // margin for the rounding of the rotation
    element->half_size[axis] = size * (1.0 + MARGIN);
  }
  bound(element, 1);
  if (ends) return;
  element->extent =
      (weft__extent){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
}

static bool get_collider(const weft__elements* elements, uint32_t index, weft__element* element) {
  const weft__collider* collider = &elements->colliders->list[index];
  if (collider->row == NULL) return false;
  element->form = WEFT__FORM_COLLIDER;
  element->collider = collider;
  element->has_contact = true;
  element->category = collider->surface.category;
  bound_collider(collider, element);
  return true;
}

bool weft__element_load(const weft__elements* elements, weft_element_kind kind, uint32_t index,
                        weft__element* element) {
  *element = (weft__element){.kind = kind, .index = index};
  switch (kind) {
    case WEFT_ELEMENT_PARTICLE:
      return get_particle(elements, index, element);
    case WEFT_ELEMENT_LINK:
      return get_link(elements, index, element);
    case WEFT_ELEMENT_FACE:
      return get_face(elements, index, element);
    case WEFT_ELEMENT_COLLIDER:
      return get_collider(elements, index, element);
  }
  return false;
}
