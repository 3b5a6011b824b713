#include "collision/colliders/planes.h"

#include <stdatomic.h>

// Displacement of the surface at a point.
static weft__vec3 carried_by(const weft__collider* c, weft__vec3 point) {
  if (!c->moves) return (weft__vec3){0.0, 0.0, 0.0};
  return weft__minus(point, weft__frame_out(&c->begin, weft__frame_in(&c->end, point)));
}

typedef struct plane_of_lane {
  uint32_t number;
  weft__vec3 normal, at, carried;
  float static_friction, dynamic_friction;
} plane_of_lane;

static void set_lane(float to[3][WEFT__TILE], uint32_t lane, weft__vec3 v) {
  to[0][lane] = (float)v.x;
  to[1][lane] = (float)v.y;
  to[2][lane] = (float)v.z;
}

// Impulses begin at 0.
static void set_plane(weft__tile_planes* planes, uint32_t lane, const plane_of_lane* plane) {
  set_lane(planes->normal, lane, plane->normal);
  set_lane(planes->at, lane, plane->at);
  set_lane(planes->carried, lane, plane->carried);
  set_lane(planes->friction, lane, (weft__vec3){0.0, 0.0, 0.0});
  planes->push[lane] = 0.0f;
  planes->static_friction[lane] = plane->static_friction;
  planes->dynamic_friction[lane] = plane->dynamic_friction;
  planes->number[lane] = plane->number;
}

static void keep_plane(const weft__step_context* step, const weft__collider_contact* contact) {
  const weft__collider* c = &step->colliders->list[contact->number];
  const weft__material* material = weft__material_of(step->materials, contact->particle);
  const weft__surface between =
      weft__surface_between(&step->materials->between, &material->surface, &c->surface);
  if (between.restitution > 0.0f) return;
  const double reach = weft__material_support(material, contact->normal);
  const weft__vec3 at = weft__plus(contact->point, weft__scaled(reach, contact->normal));
  const weft__self* cloth = step->colliders->cloth;
  const uint32_t place = cloth->place_of[contact->particle];
  const plane_of_lane plane = {.number = contact->number,
                               .normal = contact->normal,
                               .at = at,
                               .carried = carried_by(c, contact->point),
                               .static_friction = between.static_friction,
                               .dynamic_friction = between.dynamic_friction};
  set_plane(&cloth->planes[place / WEFT__TILE], place % WEFT__TILE, &plane);
  // lanes of a tile may be found by several workers
  atomic_fetch_or_explicit(&cloth->plane_lanes[place / WEFT__TILE], 1u << place % WEFT__TILE,
                           memory_order_relaxed);
}

void weft__collider_contact_take(const weft__step_context* step, uint32_t worker,
                                 const weft__collider_contact* contact) {
  if (step->colliders->keeps_planes) {
    keep_plane(step, contact);
  } else {
    weft__collider_contact_record(step, worker, contact);
  }
}

static bool find_wall(const weft__bounds* bounds, uint32_t particle, const float now[3],
                      plane_of_lane* plane) {
  float most = 0.0f;
  for (int axis = 0; axis < 3; ++axis) {
    float walls[2];
    weft__bounds_around(bounds, particle, axis, &walls[0], &walls[1]);
    for (int side = 0; side < 2; ++side) {
      const float outwards = side == 0 ? -1.0f : 1.0f;
      const float depth = outwards * (now[axis] - walls[side]);
      if (!(depth > most)) continue;
      most = depth;
      double normal[3] = {0.0, 0.0, 0.0}, at[3] = {0.0, 0.0, 0.0};
      normal[axis] = -(double)outwards;
      at[axis] = (double)walls[side];
      plane->normal = (weft__vec3){normal[0], normal[1], normal[2]};
      plane->at = (weft__vec3){at[0], at[1], at[2]};
    }
  }
  return most > 0.0f;
}

void weft__add_bounds_planes(const weft__self* cloth, const weft__bounds* bounds, uint32_t tile) {
  if (!bounds->on || bounds->restitution > 0.0f) return;
  uint32_t lanes = cloth->plane_lanes[tile];
  for (uint32_t lane = 0; lane < WEFT__TILE; ++lane) {
    const uint32_t place = tile * WEFT__TILE + lane;
    const uint32_t particle = cloth->particle[place];
    plane_of_lane plane = {.number = WEFT__BOUNDS_PLANE,
                           .static_friction = bounds->static_friction,
                           .dynamic_friction = bounds->dynamic_friction};
    if ((lanes >> lane & 1u) != 0 || particle == WEFT__NONE || !cloth->touching[particle] ||
        !(cloth->tiles.start[(size_t)place * 4 + 3] > 0.0f) ||
        !find_wall(bounds, particle, cloth->tiles.now + (size_t)place * 4, &plane))
      continue;
    set_plane(&cloth->planes[tile], lane, &plane);
    lanes |= 1u << lane;
  }
  cloth->plane_lanes[tile] = lanes;
}

void weft__record_planes(const weft__step_context* step, uint32_t worker, uint32_t tile,
                         const weft__tile_changes* changes) {
  const weft__self* cloth = step->colliders->cloth;
  const weft__tile_planes* planes = &cloth->planes[tile];
  for (uint32_t lanes = cloth->plane_lanes[tile]; lanes != 0; lanes &= lanes - 1) {
    const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
    const uint32_t place = tile * WEFT__TILE + lane;
    if (planes->number[lane] == WEFT__BOUNDS_PLANE) continue;
    const uint32_t particle = cloth->particle[place];
    const weft__vec3 normal = {(double)planes->normal[0][lane], (double)planes->normal[1][lane],
                               (double)planes->normal[2][lane]};
    const weft__vec3 change = {(double)changes->by[0][lane], (double)changes->by[1][lane],
                               (double)changes->by[2][lane]};
    const double reach =
        weft__material_support(weft__material_of(step->materials, particle), normal);
    const weft__vec3 now = weft__vec3_of(cloth->tiles.now + (size_t)place * 4);
    const weft__collider_contact contact = {
        .particle = particle,
        .number = planes->number[lane],
        .impulse = weft__impulse_of_change(step, particle, change),
        .normal = normal,
        .point = weft__minus(now, weft__scaled(reach, normal)),
    };
    weft__collider_contact_record(step, worker, &contact);
  }
}
