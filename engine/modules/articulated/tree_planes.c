#include "modules/articulated/tree_planes.h"

#include "collision/colliders/loads.h"
#include "collision/colliders/solve.h"
#include "modules/articulated/tree_solve.h"

// Nodes whose colliders are culled together.
#define RUN 64u

typedef struct tree_node {
  const weft__material* material;
  weft__vec3 position, start; /* metres: predicted, and at the start of the substep */
  double radius, reach;       /* metres: of the particle; from its centre */
  uint32_t environment;
} tree_node;

// False for nodes that only the collider stage handles: boxes, ellipsoids, spheres that turn.
static bool load_node(const weft__step_context* step, uint32_t i, const weft__tree_joint* j,
                      tree_node* node) {
  const weft__particles* p = step->particles;
  const weft__material* material = weft__material_of(step->materials, i);
  if (step->materials->of[i] == 0 || !(j->inv_mass > 0.0) || !weft__is_sphere(material))
    return false;
  const weft__vec3 start = weft__vec3_at(p->prev, i);
  const double radius = (double)material->half_size[0];
  const double motion = weft__length(weft__minus(j->position, start));
  *node = (tree_node){material,
                      j->position,
                      start,
                      radius,
                      radius + motion + 0.25 * j->rest_length,
                      weft__environment_of(step->schedule, i)};
  return true;
}

static void grow(weft__collider_block* b, const tree_node* node) {
  const weft__vec3 reach = {node->reach, node->reach, node->reach};
  const weft__vec3 lower = weft__minus(node->position, reach);
  const weft__vec3 upper = weft__plus(node->position, reach);
  if (b->is_empty) {
    *b = (weft__collider_block){
        .environments = {node->environment, node->environment + 1}, .lower = lower, .upper = upper};
    return;
  }
  b->lower = weft__lower_of(b->lower, lower);
  b->upper = weft__upper_of(b->upper, upper);
}

// Plane that touches a collider at the point nearest to a node, if within reach.
static bool find_plane(const weft__collider* c, const weft__pair_rule* between,
                       const tree_node* node, weft__tree_plane* plane) {
  weft__surface_point nearest;
  const weft__vec3 local = weft__frame_in(&c->end, node->position);
  if (!c->row->find_nearest(&c->shape, local, node->reach, &nearest)) return false;
  weft__vec3 normal = nearest.normal;
  // a thin shape's side is taken at the start
  const weft__vec3 before = weft__frame_in(&c->begin, node->start);
  if (c->row->is_thin && weft__dot(weft__minus(before, nearest.point), normal) < 0.0)
    normal = weft__scaled(-1.0, normal);
  const weft__surface surface =
      weft__surface_between(between, &node->material->surface, &c->surface);
  const weft__vec3 point = weft__frame_out(&c->end, nearest.point);
  plane->normal = weft__frame_rotate_out(&c->end, normal);
  plane->offset = weft__dot(plane->normal, point) + node->radius;
  plane->surface_move = weft__minus(point, weft__frame_out(&c->begin, nearest.point));
  plane->static_friction = (double)surface.static_friction;
  plane->dynamic_friction = (double)surface.dynamic_friction;
  return true;
}

static double distance_to(const weft__tree_plane* plane, weft__vec3 position) {
  return weft__dot(plane->normal, position) - plane->offset;
}

// Keeps the nearest planes; of equal ones the first.
static void keep(weft__tree_node_contacts* contacts, const weft__tree_plane* plane,
                 weft__vec3 position) {
  uint32_t k = contacts->near_count;
  if (k < WEFT__TREE_NEAR) {
    ++contacts->near_count;
  } else {
    k = 0;
    for (uint32_t other = 1; other < WEFT__TREE_NEAR; ++other) {
      if (distance_to(&contacts->near[other], position) > distance_to(&contacts->near[k], position))
        k = other;
    }
    if (distance_to(plane, position) >= distance_to(&contacts->near[k], position)) return;
  }
  contacts->near[k] = *plane;
  contacts->near[k].source = WEFT__TREE_WALLS + k;
}

static void find_planes_of(const weft__collider_task* task, uint32_t near_count,
                           const tree_node* node, weft__tree_node_contacts* contacts) {
  for (uint32_t k = 0; k < near_count; ++k) {
    const uint32_t number = task->chunk_colliders[k].number;
    const weft__collider* c = &task->colliders->list[number];
    weft__tree_plane plane = {.collider = number};
    if (c->slice_count > 1 || c->shape.moving != NULL) continue;
    if (!weft__surfaces_collide(&c->surface, &node->material->surface)) continue;
    if (find_plane(c, &task->step->materials->between, node, &plane))
      keep(contacts, &plane, node->position);
  }
}

void weft__colliders_find_tree_planes(weft__step_context* step, uint32_t worker,
                                      const uint32_t* particle, uint32_t count,
                                      const weft__tree_joint* joints,
                                      weft__tree_node_contacts* nodes) {
  const weft__colliders* colliders = step->colliders;
  const weft__collider_task task = {
      .colliders = colliders,
      .step = step,
      .chunk_colliders = colliders->scratch + 2 * colliders->capacity * worker,
  };
  for (uint32_t begin = 0; begin < count; begin += RUN) {
    const uint32_t end = count - begin > RUN ? begin + RUN : count;
    tree_node node;
    weft__collider_block b = {.is_empty = true};
    for (uint32_t n = begin; n < end; ++n) {
      if (load_node(step, particle[n], &joints[n], &node)) grow(&b, &node);
    }
    const uint32_t near_count = b.is_empty ? 0 : weft__collider_cull_chunk(&task, &b);
    for (uint32_t n = begin; near_count > 0 && n < end; ++n) {
      if (load_node(step, particle[n], &joints[n], &node))
        find_planes_of(&task, near_count, &node, &nodes[n]);
    }
  }
}

void weft__colliders_record_tree_contact(const weft__step_context* step, uint32_t worker,
                                         uint32_t particle, const weft__tree_plane* plane,
                                         weft__vec3 impulse) {
  const double radius = (double)weft__material_of(step->materials, particle)->half_size[0];
  const weft__collider_contact contact = {
      .particle = particle,
      .number = plane->collider,
      .impulse = impulse,
      .normal = plane->normal,
      .point = weft__minus(weft__vec3_at(step->particles->pos, particle),
                           weft__scaled(radius, plane->normal)),
  };
  weft__collider_contact_record(step, worker, &contact);
}
