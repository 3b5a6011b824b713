#include <string.h>

#include "base/float_mode.h"
#include "world/ranges.h"
#include "world/world.h"

#define MAX_COLLIDERS (1u << 24)

// Moving points and a single side are for meshes.
static weft_result check_mesh_options(const weft_collider_def* def) {
  const bool is_mesh = def->shape == WEFT_COLLIDER_SHAPE_MESH;
  WEFT__FAIL_IF(def->deforms && !is_mesh, WEFT_ERROR_RANGE, "weft_collider_def.deforms");
  WEFT__FAIL_IF(def->one_sided && !is_mesh, WEFT_ERROR_RANGE, "weft_collider_def.one_sided");
  return weft__ok();
}

weft_result weft__check_collider(const weft_collider_def* def) {
  WEFT__TRY(weft__check_def(&weft__collider_fields, def));
  WEFT__TRY(check_mesh_options(def));
  return weft__shape_rows[def->shape]->check(def);
}

static weft_result check_in_plane(const float* values, int axis, const char* field) {
  if (values[axis] != 0.0f) return weft__fail_at(WEFT_ERROR_RANGE, field, (uint64_t)axis);
  return weft__ok();
}

// Checks for a rotation about z: x and y of the quaternion or the rotation vector are 0.
static weft_result check_turn_in_plane(const float* turn, const char* field) {
  WEFT__TRY(check_in_plane(turn, 0, field));
  return check_in_plane(turn, 1, field);
}

// Colliders of a plane are symmetric about it, so that all their normals lie in it.
static weft_result check_plane_collider(const weft_collider_def* def) {
  WEFT__FAIL_IF(def->shape > WEFT_COLLIDER_SHAPE_ELLIPSOID, WEFT_ERROR_RANGE,
                "weft_collider_def.shape");
  WEFT__TRY(check_in_plane(def->position, 2, "weft_collider_def.position"));
  WEFT__TRY(check_turn_in_plane(def->rotation, "weft_collider_def.rotation"));
  WEFT__TRY(check_in_plane(def->velocity, 2, "weft_collider_def.velocity"));
  return check_turn_in_plane(def->spin, "weft_collider_def.spin");
}

// Half size across the plane so large that no point in it is nearest to a face across it.
static weft_collider_def extruded(const weft_collider_def* def) {
  weft_collider_def made = *def;
  made.half_size[2] = def->half_size[0] + def->half_size[1];
  return made;
}

// Wakes the sleepers that rest on a collider, or overlap it when it appears.
static void wake_near(weft_world* world, const weft__collider* collider) {
  const weft__aabb box = weft__collider_box(collider, 0.0);
  weft__wake_near(&world->stepper.stages, &box);
}

static weft_result check_environment(const weft_world* world, const weft_collider_def* def) {
  WEFT__FAIL_IF(def->environment != WEFT_ALL_ENVIRONMENTS &&
                    def->environment >= world->stepper.schedule.environment_count,
                WEFT_ERROR_INDEX, "weft_collider_def.environment");
  return weft__ok();
}

static weft_result add_collider(weft_world* world, const weft_collider_def* def,
                                weft_collider* collider) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(def == NULL, WEFT_ERROR_NULL, "def");
  WEFT__FAIL_IF(collider == NULL, WEFT_ERROR_NULL, "collider");
  WEFT__TRY(weft__check_collider(def));
  WEFT__TRY(check_environment(world, def));
  if (world->def.plane) WEFT__TRY(check_plane_collider(def));
  const weft_collider_def made = world->def.plane ? extruded(def) : *def;
  weft__colliders* colliders = &world->stepper.contacts.colliders;
  WEFT__FAIL_IF(colliders->count >= MAX_COLLIDERS, WEFT_ERROR_TOO_MANY, "world");
  const uint32_t workers = weft__worker_pool_count(world->stepper.pool);
  const uint32_t particles = world->stepper.particles.count;
  WEFT__FAIL_IF(!weft__colliders_add(colliders, &made, workers, particles, collider),
                WEFT_ERROR_OUT_OF_MEMORY, "world");
  const weft__contact_setup setup = weft__contact_setup_of(world);
  if (!weft__face_contacts_prepare(&world->stepper.contacts.faces, &setup)) {
    weft__colliders_remove(colliders, collider->index);
    return weft__fail(WEFT_ERROR_OUT_OF_MEMORY, "world");
  }
  wake_near(world, weft__colliders_find(colliders, *collider));
  return weft__ok();
}

weft_result weft_world_add_collider(weft_world* world, const weft_collider_def* def,
                                    weft_collider* collider) {
  WEFT__RETURN_COMPUTED(add_collider, world, def, collider);
}

static weft_result find(const weft_world* world, weft_collider handle, weft__collider** collider) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  *collider = weft__colliders_find(&world->stepper.contacts.colliders, handle);
  WEFT__FAIL_IF(*collider == NULL, WEFT_ERROR_STALE, "collider");
  return weft__ok();
}

static weft_result remove_collider(weft_world* world, weft_collider collider) {
  weft__collider* found = NULL;
  WEFT__TRY(find(world, collider, &found));
  wake_near(world, found);
  weft__colliders_remove(&world->stepper.contacts.colliders, collider.index);
  return weft__ok();
}

weft_result weft_world_remove_collider(weft_world* world, weft_collider collider) {
  WEFT__RETURN_COMPUTED(remove_collider, world, collider);
}

static weft_result move_collider(weft_world* world, weft_collider collider, const float* position,
                                 const float* rotation) {
  weft__collider* c = NULL;
  WEFT__TRY(find(world, collider, &c));
  if (position != NULL) WEFT__TRY(WEFT__CHECK_AS(collider, position, position, "position"));
  if (rotation != NULL) WEFT__TRY(WEFT__CHECK_AS(collider, rotation, rotation, "rotation"));
  const bool is_plane = world->def.plane;
  if (is_plane && position != NULL) WEFT__TRY(check_in_plane(position, 2, "position"));
  if (is_plane && rotation != NULL) WEFT__TRY(check_turn_in_plane(rotation, "rotation"));
  // a second call before the step keeps the values that it does not set
  if (!c->has_target) c->target = c->pose;
  if (position != NULL) {
    c->target.position = weft__vec3_of(position);
  }
  for (int k = 0; k < 4 && rotation != NULL; ++k) c->target.rotation[k] = (double)rotation[k];
  weft__rotation_normalise(c->target.rotation);
  c->has_target = true;
  c->velocity = c->spin = (weft__vec3){0.0, 0.0, 0.0};
  return weft__ok();
}

weft_result weft_world_move_collider(weft_world* world, weft_collider collider,
                                     const float* position, const float* rotation) {
  WEFT__RETURN_COMPUTED(move_collider, world, collider, position, rotation);
}

static weft_result check_target(const weft__array* points, uint32_t count) {
  WEFT__FAIL_IF(points->data == NULL, WEFT_ERROR_NULL, points->field);
  const bool is_apart = points->stride % sizeof(float) == 0 && points->stride >= 3 * sizeof(float);
  WEFT__FAIL_IF(!is_apart, WEFT_ERROR_RANGE, "stride");
  return weft__check_array_magnitude(points, count);
}

static weft_result move_points(weft_world* world, weft_collider collider, uint32_t count,
                               const float* points, size_t stride) {
  weft__collider* c = NULL;
  WEFT__TRY(find(world, collider, &c));
  WEFT__FAIL_IF(!c->deforms, WEFT_ERROR_DISABLED, "weft_collider_def.deforms");
  weft__moving_points* moving = c->shape.moving;
  WEFT__FAIL_IF(count != moving->count, WEFT_ERROR_RANGE, "count");
  const weft__array array = weft__array_of(points, stride, 3, "points");
  WEFT__TRY(check_target(&array, count));
  for (uint32_t i = 0; i < count; ++i) {
    memcpy(moving->target[i], weft__array_at(&array, i), sizeof(moving->target[i]));
  }
  moving->has_target = true;
  return weft__ok();
}

weft_result weft_world_move_collider_points(weft_world* world, weft_collider collider,
                                            uint32_t count, const float* points, size_t stride) {
  WEFT__RETURN_COMPUTED(move_points, world, collider, count, points, stride);
}

static void read_pose(const weft__pose* pose, float position[3], float rotation[4]) {
  weft__vec3_store(pose->position, position);
  for (int k = 0; k < 4; ++k) rotation[k] = (float)pose->rotation[k];
}

static weft_result get_def(const weft_world* world, weft_collider collider,
                           weft_collider_def* def) {
  weft__collider* c = NULL;
  WEFT__TRY(find(world, collider, &c));
  WEFT__FAIL_IF(def == NULL, WEFT_ERROR_NULL, "def");
  *def = weft_default_collider_def();
  def->shape = c->shape.kind;
  def->deforms = c->deforms;
  def->one_sided = c->shape.moving != NULL && c->shape.moving->one_sided;
  def->radius = (float)c->shape.radius;
  def->spacing = (float)c->shape.spacing;
  for (int axis = 0; axis < 3; ++axis) {
    def->half_size[axis] = (float)c->shape.half_size[axis];
    def->size[axis] = c->shape.size[axis];
  }
  read_pose(&c->pose, def->position, def->rotation);
  weft__vec3_store(c->velocity, def->velocity);
  weft__vec3_store(c->spin, def->spin);
  def->surface.restitution = c->surface.restitution;
  def->surface.static_friction = c->surface.static_friction;
  def->surface.dynamic_friction = c->surface.dynamic_friction;
  def->category = c->surface.category;
  def->mask = c->surface.mask;
  def->material = c->surface.material;
  def->environment = c->surface.environment;
  def->user_data = c->user_data;
  return weft__ok();
}

weft_result weft_world_get_collider(const weft_world* world, weft_collider collider,
                                    weft_collider_def* def) {
  WEFT__RETURN_COMPUTED(get_def, world, collider, def);
}

// True if a pose rounds to the one of a def.
static bool is_at(const weft__collider* c, const weft_collider_def* def) {
  float position[3], rotation[4];
  read_pose(&c->pose, position, rotation);
  return memcmp(position, def->position, sizeof(position)) == 0 &&
         memcmp(rotation, def->rotation, sizeof(rotation)) == 0;
}

static weft_result set_collider(weft_world* world, weft_collider collider,
                                const weft_collider_def* def) {
  weft__collider* c = NULL;
  WEFT__TRY(find(world, collider, &c));
  WEFT__FAIL_IF(def == NULL, WEFT_ERROR_NULL, "def");
  WEFT__TRY(weft__check_def(&weft__collider_fields, def));
  WEFT__FAIL_IF(def->shape != c->shape.kind, WEFT_ERROR_RANGE, "weft_collider_def.shape");
  WEFT__TRY(check_environment(world, def));
  if (c->row->build == NULL) WEFT__TRY(weft__check_collider(def));
  if (world->def.plane) WEFT__TRY(check_plane_collider(def));
  const weft_collider_def made = world->def.plane ? extruded(def) : *def;
  const weft__pose former = c->pose;
  const bool stays = is_at(c, def);
  wake_near(world, c);
  weft__collider_set(c, &made);
  if (stays) c->pose = former;
  wake_near(world, c);
  return weft__ok();
}

weft_result weft_world_set_collider(weft_world* world, weft_collider collider,
                                    const weft_collider_def* def) {
  WEFT__RETURN_COMPUTED(set_collider, world, collider, def);
}
