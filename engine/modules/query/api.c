#include "base/float_mode.h"
#include "modules/query/index.h"
#include "step/stage.h"
#include "world/world.h"

static weft__query_index* index_of(const weft_world* world) {
  return world->stepper.stages.of[WEFT__STAGE_INDEX];
}

static void destroy(void* state) {
  weft__query_index_destroy(state);
}

const weft__stage weft__index_stage = {.name = "index",
                                       .size = sizeof(weft__query_index),
                                       .bytes = offsetof(weft__query_index, bytes),
                                       .destroy = destroy};

static weft__elements elements_of(const weft_world* world) {
  const weft__stepper* stepper = &world->stepper;
  return (weft__elements){
      .particles = &stepper->particles,
      .schedule = &stepper->schedule,
      .materials = &stepper->contacts.materials,
      .faces = &stepper->forces.faces,
      .colliders = &stepper->contacts.colliders,
      .ends = (const uint32_t(*)[2])index_of(world)->ends,
  };
}

static bool is_indexed(const weft_world* world) {
  const weft__query_index* index = index_of(world);
  return index->is_built && index->changes == world->changes &&
         index->materials == world->stepper.contacts.materials.version;
}

static weft_result index_world(weft_world* world) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  const weft__elements elements = elements_of(world);
  for (int kind = 0; kind < WEFT__TREE_KINDS; ++kind) {
    WEFT__FAIL_IF(weft__element_count(&elements, (weft_element_kind)kind) > WEFT__BVH_ITEMS,
                  WEFT_ERROR_TOO_MANY, "world");
  }
  weft__query_index* index = index_of(world);
  WEFT__FAIL_IF(!index->is_made && !weft__query_index_create(index, &elements),
                WEFT_ERROR_OUT_OF_MEMORY, "world");
  if (!is_indexed(world)) weft__query_index_update(index, &elements, world->stepper.pool);
  index->changes = world->changes;
  index->materials = world->stepper.contacts.materials.version;
  return weft__ok();
}

weft_result weft_world_build_index(weft_world* world) {
  WEFT__RETURN_COMPUTED(index_world, world);
}

// ---- queries ----

typedef struct ask {
  weft__query_scope scope;
  weft__vec3 from, to;
  const weft_query_def* def;
  uint32_t capacity;
  weft_query_hit* hits;
} ask;

// Casts along a path, and writes the hit if there is room.
static uint32_t cast(const ask* a, const weft__query_path* path) {
  weft_query_hit hit;
  if (!weft__query_cast(&a->scope, path, &hit)) return 0;
  if (a->capacity > 0) a->hits[0] = hit;
  return 1;
}

static uint32_t cast_ray(const ask* a) {
  const weft__vec3 direction = weft__scaled(1.0 / weft__length(a->to), a->to);
  return cast(a, &(weft__query_path){
                     .from = a->from, .direction = direction, .length = (double)a->def->length});
}

static uint32_t cast_sphere(const ask* a) {
  const weft__vec3 along = weft__minus(a->to, a->from);
  weft__query_path path = {
      .from = a->from, .length = weft__length(along), .radius = (double)a->def->radius};
  if (path.length > 0.0) path.direction = weft__scaled(1.0 / path.length, along);
  return cast(a, &path);
}

static uint32_t find_in_sphere(const ask* a) {
  return weft__query_within_radius(&a->scope, a->from, (double)a->def->radius, a->capacity,
                                   a->hits);
}

static uint32_t find_in_box(const ask* a) {
  const weft__extent box = {{a->from.x, a->from.y, a->from.z}, {a->to.x, a->to.y, a->to.z}};
  return weft__query_in_box(&a->scope, &box, a->capacity, a->hits);
}

static uint32_t find_closest(const ask* a) {
  weft_query_hit hit;
  if (!weft__query_closest(&a->scope, a->from, (double)a->def->length, &hit)) return 0;
  if (a->capacity > 0) a->hits[0] = hit;
  return 1;
}

static uint32_t find_nearest(const ask* a) {
  return weft__query_nearest_particles(&a->scope, a->from, (double)a->def->length, a->capacity,
                                       a->hits);
}

// Conditions between the fields of a def.
static weft_result check_kind(const weft_query_def* def) {
  const bool is_still = def->to[0] == 0.0f && def->to[1] == 0.0f && def->to[2] == 0.0f;
  const bool is_ray = def->kind == WEFT_QUERY_RAY;
  WEFT__FAIL_IF(is_ray && is_still, WEFT_ERROR_RANGE, "weft_query_def.to");
  WEFT__FAIL_IF(is_ray && def->length == 0.0f, WEFT_ERROR_RANGE, "weft_query_def.length");
  for (uint64_t axis = 0; axis < 3 && def->kind == WEFT_QUERY_BOX; ++axis) {
    if (def->point[axis] > def->to[axis])
      return weft__fail_at(WEFT_ERROR_RANGE, "weft_query_def.point", axis);
  }
  return weft__ok();
}

static weft_result query(const weft_world* world, const weft_query_def* def, uint32_t capacity,
                         weft_query_hit* hits, uint32_t* count) {
  static uint32_t (*const find[])(const ask*) = {
      [WEFT_QUERY_RAY] = cast_ray,          [WEFT_QUERY_CAST] = cast_sphere,
      [WEFT_QUERY_SPHERE] = find_in_sphere, [WEFT_QUERY_BOX] = find_in_box,
      [WEFT_QUERY_CLOSEST] = find_closest,  [WEFT_QUERY_NEAREST] = find_nearest,
  };
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(def == NULL, WEFT_ERROR_NULL, "def");
  WEFT__TRY(weft__check_def(&weft__query_fields, def));
  WEFT__TRY(check_kind(def));
  WEFT__FAIL_IF(hits == NULL && capacity > 0, WEFT_ERROR_NULL, "hits");
  WEFT__FAIL_IF(count == NULL, WEFT_ERROR_NULL, "count");
  const ask a = {
      .scope = {.elements = elements_of(world),
                .trees = is_indexed(world) ? index_of(world)->trees : NULL,
                .filter = *def},
      .from = weft__vec3_of(def->point),
      .to = weft__vec3_of(def->to),
      .def = def,
      .capacity = capacity,
      .hits = hits,
  };
  *count = find[def->kind](&a);
  return weft__ok();
}

weft_result weft_world_query(const weft_world* world, const weft_query_def* def, uint32_t capacity,
                             weft_query_hit* hits, uint32_t* count) {
  WEFT__RETURN_COMPUTED(query, world, def, capacity, hits, count);
}
