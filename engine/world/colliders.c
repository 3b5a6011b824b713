/* Colliders: obstacles of prescribed motion. */
#include <math.h>
#include <string.h>

#include "base/float_mode.h"
#include "world/world.h"

#define COOKIE 0xc011cafeu
#define MAX_SPIN 1e6f
#define MAX_COLLIDERS (1u << 24)
// tolerance of a quaternion's length
#define LENGTH_TOLERANCE 1e-3

weft_collider_def weft_default_collider_def(void) {
  return (weft_collider_def){
      .shape = WEFT_COLLIDER_SHAPE_SPHERE,
      .rotation = {0.0f, 0.0f, 0.0f, 1.0f},
      .radius = 1.0f,
      .half_size = {0.5f, 0.5f, 0.5f},
      .spacing = 1.0f,
      .support_level = 32,
      .category = 1,
      .mask = UINT32_MAX,
      .cookie = COOKIE,
  };
}

// ---- checks ----

static weft_result check_vector(const float* values, float bound, const char* field) {
  for (uint64_t axis = 0; axis < 3; ++axis) {
    const weft_result result = weft__check_range(values[axis], -bound, bound, field);
    if (result.error != WEFT_OK) return weft__fail_at(result.error, field, axis);
  }
  return weft__ok();
}

static weft_result check_rotation(const float* rotation, const char* field) {
  WEFT__TRY(weft__check_finite(rotation, 4, 1, field));
  double sum = 0.0;
  for (int k = 0; k < 4; ++k) sum += (double)rotation[k] * (double)rotation[k];
  WEFT__FAIL_IF(!(fabs(sqrt(sum) - 1.0) <= LENGTH_TOLERANCE), WEFT_ERROR_RANGE, field);
  return weft__ok();
}

static weft_result check_surface(const weft_collider_def* def) {
  WEFT__FAIL_IF(def->material >= WEFT_MAX_MATERIALS, WEFT_ERROR_RANGE,
                "weft_collider_def.material");
  return weft__check_surface(
      def->restitution, def->static_friction, def->dynamic_friction,
      (const char* const[]){"weft_collider_def.restitution", "weft_collider_def.static_friction",
                            "weft_collider_def.dynamic_friction"});
}

static weft_result check_def(const weft_collider_def* def) {
  WEFT__FAIL_IF(def->cookie != COOKIE, WEFT_ERROR_DEF, "weft_collider_def");
  WEFT__FAIL_IF((int)def->shape < 0 || (int)def->shape >= WEFT__SHAPE_COUNT, WEFT_ERROR_RANGE,
                "weft_collider_def.shape");
  const weft__shape_row* row = weft__shape_rows[def->shape];
  WEFT__TRY(check_vector(def->position, WEFT_MAX_MAGNITUDE, "weft_collider_def.position"));
  WEFT__TRY(check_rotation(def->rotation, "weft_collider_def.rotation"));
  WEFT__TRY(row->check(def));
  WEFT__TRY(check_vector(def->velocity, WEFT_MAX_MAGNITUDE, "weft_collider_def.velocity"));
  WEFT__TRY(check_vector(def->spin, MAX_SPIN, "weft_collider_def.spin"));
  return check_surface(def);
}

// ---- plane ----

static weft_result check_in_plane(const float* values, int axis, const char* field) {
  if (values[axis] != 0.0f) return weft__fail_at(WEFT_ERROR_RANGE, field, (uint64_t)axis);
  return weft__ok();
}

// Rotations about z alone: of the quaternion or the rotation vector, x and y are 0.
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

// ---- adding and removing ----

static weft_result add_collider(weft_world* world, const weft_collider_def* def,
                                weft_collider* collider) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(def == NULL, WEFT_ERROR_NULL, "def");
  WEFT__FAIL_IF(collider == NULL, WEFT_ERROR_NULL, "collider");
  WEFT__TRY(check_def(def));
  if (world->def.plane) WEFT__TRY(check_plane_collider(def));
  const weft_collider_def made = world->def.plane ? extruded(def) : *def;
  weft__colliders* colliders = &world->stepper.contacts.colliders;
  WEFT__FAIL_IF(colliders->count >= MAX_COLLIDERS, WEFT_ERROR_TOO_MANY, "world");
  const uint32_t workers = weft__worker_pool_count(world->stepper.pool);
  WEFT__FAIL_IF(!weft__colliders_add(colliders, &made, workers, collider), WEFT_ERROR_OUT_OF_MEMORY,
                "world");
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

weft_result weft_world_remove_collider(weft_world* world, weft_collider collider) {
  weft__collider* found = NULL;
  WEFT__TRY(find(world, collider, &found));
  weft__colliders_remove(&world->stepper.contacts.colliders, collider.index);
  return weft__ok();
}

// ---- moving ----

static weft_result move_collider(weft_world* world, weft_collider collider, const float* position,
                                 const float* rotation) {
  weft__collider* c = NULL;
  WEFT__TRY(find(world, collider, &c));
  if (position != NULL) WEFT__TRY(check_vector(position, WEFT_MAX_MAGNITUDE, "position"));
  if (rotation != NULL) WEFT__TRY(check_rotation(rotation, "rotation"));
  const bool is_plane = world->def.plane;
  if (is_plane && position != NULL) WEFT__TRY(check_in_plane(position, 2, "position"));
  if (is_plane && rotation != NULL) WEFT__TRY(check_turn_in_plane(rotation, "rotation"));
  // a second call before the step keeps what it does not set
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

static weft_result set_velocity(weft_world* world, weft_collider collider, const float* velocity,
                                const float* spin) {
  weft__collider* c = NULL;
  WEFT__TRY(find(world, collider, &c));
  if (velocity != NULL) WEFT__TRY(check_vector(velocity, WEFT_MAX_MAGNITUDE, "velocity"));
  if (spin != NULL) WEFT__TRY(check_vector(spin, MAX_SPIN, "spin"));
  const bool is_plane = world->def.plane;
  if (is_plane && velocity != NULL) WEFT__TRY(check_in_plane(velocity, 2, "velocity"));
  if (is_plane && spin != NULL) WEFT__TRY(check_turn_in_plane(spin, "spin"));
  if (velocity != NULL) {
    c->velocity = weft__vec3_of(velocity);
  }
  if (spin != NULL) c->spin = weft__vec3_of(spin);
  c->has_target = false;
  return weft__ok();
}

weft_result weft_world_set_collider_velocity(weft_world* world, weft_collider collider,
                                             const float* velocity, const float* spin) {
  WEFT__RETURN_COMPUTED(set_velocity, world, collider, velocity, spin);
}

// ---- reading ----

static void read_pose(const weft__pose* pose, float* position, float* rotation) {
  if (position != NULL) {
    position[0] = (float)pose->position.x;
    position[1] = (float)pose->position.y;
    position[2] = (float)pose->position.z;
  }
  for (int k = 0; k < 4 && rotation != NULL; ++k) rotation[k] = (float)pose->rotation[k];
}

static weft_result get_collider(const weft_world* world, weft_collider collider, float* position,
                                float* rotation) {
  weft__collider* c = NULL;
  WEFT__TRY(find(world, collider, &c));
  read_pose(&c->pose, position, rotation);
  return weft__ok();
}

weft_result weft_world_get_collider(const weft_world* world, weft_collider collider,
                                    float* position, float* rotation) {
  WEFT__RETURN_COMPUTED(get_collider, world, collider, position, rotation);
}

static weft_result get_target(const weft_world* world, weft_collider collider, float* position,
                              float* rotation, bool* is_moved) {
  weft__collider* c = NULL;
  WEFT__TRY(find(world, collider, &c));
  WEFT__FAIL_IF(is_moved == NULL, WEFT_ERROR_NULL, "is_moved");
  *is_moved = c->has_target;
  read_pose(c->has_target ? &c->target : &c->pose, position, rotation);
  return weft__ok();
}

weft_result weft_world_get_collider_target(const weft_world* world, weft_collider collider,
                                           float* position, float* rotation, bool* is_moved) {
  WEFT__RETURN_COMPUTED(get_target, world, collider, position, rotation, is_moved);
}

static void read_vector(weft__vec3 from, float to[3]) {
  to[0] = (float)from.x;
  to[1] = (float)from.y;
  to[2] = (float)from.z;
}

static weft_result get_def(const weft_world* world, weft_collider collider,
                           weft_collider_def* def) {
  weft__collider* c = NULL;
  WEFT__TRY(find(world, collider, &c));
  WEFT__FAIL_IF(def == NULL, WEFT_ERROR_NULL, "def");
  *def = weft_default_collider_def();
  def->shape = c->shape.kind;
  def->radius = (float)c->shape.radius;
  def->spacing = (float)c->shape.spacing;
  for (int axis = 0; axis < 3; ++axis) {
    def->half_size[axis] = (float)c->shape.half_size[axis];
    def->size[axis] = c->shape.size[axis];
  }
  read_pose(&c->pose, def->position, def->rotation);
  read_vector(c->velocity, def->velocity);
  read_vector(c->spin, def->spin);
  def->restitution = c->surface.restitution;
  def->static_friction = c->surface.static_friction;
  def->dynamic_friction = c->surface.dynamic_friction;
  def->category = c->surface.category;
  def->mask = c->surface.mask;
  def->material = c->surface.material;
  def->user_data = c->user_data;
  return weft__ok();
}

weft_result weft_world_get_collider_def(const weft_world* world, weft_collider collider,
                                        weft_collider_def* def) {
  WEFT__RETURN_COMPUTED(get_def, world, collider, def);
}
