#include "modules/multirate/clearance.h"

#include "base/aabb.h"
#include "modules/multirate/adaption.h"
#include "modules/multirate/strand_clearance.h"
#include "step/step.h"

// Lists know all that is near but strands: cloth by thickness, and bodies.
static bool lists_are_whole(const weft__stepper* s) {
  const weft__contacts* contacts = &s->contacts;
  return s->domain == NULL && contacts->cloth.on && contacts->cloth.lists.is_listed &&
         contacts->cloth.lists.lost == 0 &&
         contacts->materials.shape_count[WEFT_PARTICLE_SHAPE_POINT] == 0;
}

static uint32_t component_of(const weft__multirate* m, uint32_t place) {
  const weft__schedule* schedule = &m->stepper->schedule;
  const uint32_t particle = m->stepper->contacts.cloth.particle[place];
  if (particle == WEFT__NONE) return WEFT__NONE;
  return schedule->component[weft__patch_of_particle(schedule, particle)];
}

static void crowd(const weft__multirate* m, uint32_t place, uint32_t* clear_count) {
  const uint32_t c = component_of(m, place);
  if (c == WEFT__NONE || !m->is_clear[c]) return;
  m->is_clear[c] = false;
  --*clear_count;
}

// Ends with the last clear component: crowded cloth has long lists.
static void crowd_listed(const weft__multirate* m, uint32_t* clear_count) {
  const weft__self* cloth = &m->stepper->contacts.cloth;
  for (uint32_t tile = 0; tile<cloth->tiles.tile_count&& * clear_count> 0; ++tile) {
    if (!weft__self_is_active(cloth, tile)) continue;
    for (uint32_t lane = 0; lane < WEFT__TILE; ++lane)
      crowd(m, tile * WEFT__TILE + lane, clear_count);
    const weft__tile_row* rows = cloth->tiles.rows + cloth->tiles.row_first[tile];
    for (uint32_t r = 0; r < cloth->tiles.row_count[tile] && *clear_count > 0; ++r)
      crowd(m, rows[r].place, clear_count);
  }
}

float weft__reach_in_step(const weft__step_context* step, float moved) {
  const double seconds = step->physics->h * (double)step->substeps;
  const double falls =
      0.5 * weft__length(weft__vec3_of(step->physics->gravity)) * seconds * seconds;
  return 2.0f * moved * (float)step->substeps + (float)falls;
}

static void bound_components(const weft__multirate* m, const weft__step_context* step) {
  const weft__schedule* schedule = step->schedule;
  for (uint32_t c = 0; c < m->component_count; ++c) m->boxes[c] = weft__aabb_empty();
  for (uint32_t patch = 0; patch < schedule->patch_count; ++patch) {
    const uint32_t c = schedule->component[patch];
    if (m->contacts[c] == WEFT__NO_CONTACTS) continue;
    const uint32_t begin = schedule->patch_first[patch], end = schedule->patch_first[patch + 1];
    if (begin == end) continue;
    weft__aabb box;
    step->kernels->measure_extent(step->particles, begin, end, box.lower, box.upper);
    const float moved = step->kernels->measure_displacement(step->particles, begin, end);
    const float radius = m->stepper->contacts.cloth.shapes.max_radius;
    weft__aabb_inflate(&box, weft__reach_in_step(step, moved) + 2.0f * radius);
    weft__aabb_add(&m->boxes[c], &box);
  }
}

// Lowest corner of a box above a plane at rest, metres.
static double height_above(const weft__collider* plane, const weft__aabb* box) {
  const weft__frame frame = weft__frame_of(&plane->pose);
  const weft__vec3 up = weft__frame_rotate_out(&frame, (weft__vec3){0.0, 1.0, 0.0});
  const double along[3] = {up.x, up.y, up.z};
  double height = -weft__dot(up, plane->pose.position);
  for (int axis = 0; axis < 3; ++axis)
    height += along[axis] * (double)(along[axis] > 0.0 ? box->lower[axis] : box->upper[axis]);
  return height;
}

static bool comes_near(const weft__collider* collider, const weft__aabb* path,
                       const weft__aabb* box) {
  if (weft__collider_is_curved(collider)) return weft__aabb_overlaps(path, box);
  return weft__collider_moves(collider) || !(height_above(collider, box) > 0.0);
}

static void crowd_at_colliders(const weft__multirate* m, const weft__step_context* step) {
  const weft__colliders* colliders = &m->stepper->contacts.colliders;
  const double seconds = step->physics->h * (double)step->substeps;
  for (uint32_t n = 0; n < colliders->end; ++n) {
    const weft__collider* collider = &colliders->list[n];
    if (collider->row == NULL) continue;
    const weft__aabb path = weft__collider_box(collider, seconds);
    for (uint32_t c = 0; c < m->component_count; ++c) {
      if (m->is_clear[c] && comes_near(collider, &path, &m->boxes[c])) m->is_clear[c] = false;
    }
  }
}

void weft__clearance_find(const weft__multirate* m, const weft__step_context* step) {
  const bool are_whole = lists_are_whole(m->stepper);
  uint32_t clear_count = 0;
  for (uint32_t c = 0; c < m->component_count; ++c) {
    m->is_clear[c] =
        are_whole && m->contacts[c] == WEFT__CLOTH_CONTACTS && weft__adaption_has_strides(m, c);
    clear_count += m->is_clear[c];
  }
  crowd_listed(m, &clear_count);
  const weft__contacts* contacts = &m->stepper->contacts;
  if (clear_count == 0 || (contacts->colliders.count == 0 && !contacts->strands.on)) return;
  bound_components(m, step);
  crowd_at_colliders(m, step);
  if (contacts->strands.on) weft__strand_clearance_find(m, step);
}
