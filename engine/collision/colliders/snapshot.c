// Snapshots of colliders: a flat record each, and the arrays of shapes. All else is computed when
// the collider next moves.
#include <string.h>

#include "base/memory.h"
#include "collision/colliders/loads.h"

#define FREE_SLOT UINT32_MAX
#define MAX_SLOTS (1u << 24)

typedef struct record {
  uint32_t shape; /* or FREE_SLOT */
  uint32_t generation;
  uint32_t size[3];
  uint32_t has_target;
  double radius, half_size[3], spacing;
  weft__pose pose, target;
  weft__vec3 velocity, spin;
  float restitution, static_friction, dynamic_friction;
  uint32_t category, mask, material;
  uint32_t deforms, one_sided;
  uint32_t environment, unused; /* unused: 0, see weft__archive_value() */
  /* arrays that follow; targets: points of a mesh at the end of the next step */
  uint64_t point_count, triangle_count, sample_count, target_count, unused_count;
  weft__collider_sums sums; /* over all workers; 0 without loads */
} record;

static uint64_t count_samples(const weft__shape* shape, const weft_collider_def* arrays) {
  if (arrays->samples == NULL) return 0;
  const uint64_t plane = (uint64_t)shape->size[0] * shape->size[2];
  return shape->kind == WEFT_COLLIDER_SHAPE_HEIGHTFIELD ? plane : plane * shape->size[1];
}

static weft_collider_def arrays_of(const weft__collider* c) {
  weft_collider_def def = {0};
  if (c->row != NULL && c->row->describe != NULL) c->row->describe(&c->shape, &def);
  return def;
}

static record record_of(const weft__collider* c) {
  record made = {.shape = FREE_SLOT, .generation = c->generation};
  if (c->row == NULL) return made;
  const weft_collider_def arrays = arrays_of(c);
  made.shape = (uint32_t)c->shape.kind;
  memcpy(made.size, c->shape.size, sizeof(made.size));
  memcpy(made.half_size, c->shape.half_size, sizeof(made.half_size));
  made.radius = c->shape.radius;
  made.spacing = c->shape.spacing;
  made.has_target = c->has_target;
  made.pose = c->pose;
  made.target = c->target;
  made.velocity = c->velocity;
  made.spin = c->spin;
  made.restitution = c->surface.restitution;
  made.static_friction = c->surface.static_friction;
  made.dynamic_friction = c->surface.dynamic_friction;
  made.category = c->surface.category;
  made.mask = c->surface.mask;
  made.material = c->surface.material;
  made.environment = c->surface.environment;
  made.point_count = arrays.point_count;
  made.triangle_count = arrays.triangle_count;
  made.sample_count = count_samples(&c->shape, &arrays);
  made.deforms = c->deforms;
  const weft__moving_points* moving = c->shape.moving;
  made.one_sided = moving != NULL && moving->one_sided;
  made.target_count = moving != NULL && moving->has_target ? moving->count : 0;
  return made;
}

// Without the data of its shape.
static weft__collider collider_of(const record* r) {
  weft__collider made = {.generation = r->generation};
  if (r->shape == FREE_SLOT) return made;
  made.row = weft__shape_rows[r->shape];
  made.shape = (weft__shape){
      .kind = (weft_collider_shape)r->shape, .radius = r->radius, .spacing = r->spacing};
  memcpy(made.shape.size, r->size, sizeof(r->size));
  memcpy(made.shape.half_size, r->half_size, sizeof(r->half_size));
  made.surface = (weft__surface){.restitution = r->restitution,
                                 .static_friction = r->static_friction,
                                 .dynamic_friction = r->dynamic_friction,
                                 .category = r->category,
                                 .mask = r->mask,
                                 .material = r->material,
                                 .environment = r->environment};
  made.has_target = r->has_target != 0;
  made.pose = r->pose;
  made.target = r->target;
  made.velocity = r->velocity;
  made.spin = r->spin;
  made.begin = made.end = weft__frame_of(&made.pose);
  made.deforms = r->deforms != 0;
  made.slice_of_time = (weft__slice_of_time){0.0, 1.0};
  return made;
}

typedef struct arrays {
  float* points;
  uint32_t* triangles;
  float* samples;
  float* targets;
} arrays;

static bool allocate_arrays(arrays* a, const record* r) {
  a->points = weft__alloc(3 * r->point_count, sizeof(*a->points));
  a->triangles = weft__alloc(3 * r->triangle_count, sizeof(*a->triangles));
  a->samples = weft__alloc(r->sample_count, sizeof(*a->samples));
  a->targets = weft__alloc(3 * r->target_count, sizeof(*a->targets));
  return a->points != NULL && a->triangles != NULL && a->samples != NULL && a->targets != NULL;
}

static void free_arrays(arrays* a) {
  weft__free(a->points);
  weft__free(a->triangles);
  weft__free(a->samples);
  weft__free(a->targets);
}

static bool are_equal(const void* a, const void* b, uint64_t count, size_t size) {
  return count == 0 || memcmp(a, b, (size_t)count * size) == 0;
}

static bool has_data(const weft__collider* c, const record* r, const arrays* a) {
  if (c->row == NULL || (uint32_t)c->shape.kind != r->shape) return false;
  // moving points have a mesh of their own
  if (c->shape.moving != NULL || r->deforms != 0 || r->one_sided != 0) return false;
  const record own = record_of(c);
  const weft_collider_def def = arrays_of(c);
  return own.point_count == r->point_count && own.triangle_count == r->triangle_count &&
         own.sample_count == r->sample_count && own.spacing == r->spacing &&
         memcmp(own.size, r->size, sizeof(own.size)) == 0 &&
         are_equal(def.points, a->points, 3 * r->point_count, sizeof(float)) &&
         are_equal(def.triangles, a->triangles, 3 * r->triangle_count, sizeof(uint32_t)) &&
         are_equal(def.samples, a->samples, r->sample_count, sizeof(float));
}

static bool build_data(weft__collider* c, const record* r, const arrays* a) {
  const weft_collider_def def = {
      .shape = (weft_collider_shape)r->shape,
      .points = a->points,
      .point_count = (uint32_t)r->point_count,
      .triangles = a->triangles,
      .triangle_count = (uint32_t)r->triangle_count,
      .samples = a->samples,
      .size = {r->size[0], r->size[1], r->size[2]},
      .spacing = (float)r->spacing,
      .deforms = r->deforms != 0,
      .one_sided = r->one_sided != 0,
  };
  return c->row->rebuild != NULL ? c->row->rebuild(&c->shape, &def)
                                 : c->row->build(&c->shape, &def);
}

static bool are_corners(const arrays* a, const record* r) {
  for (uint64_t i = 0; i < 3 * r->triangle_count; ++i) {
    if (a->triangles[i] >= r->point_count) return false;
  }
  return true;
}

static void read_arrays(weft__archive* archive, const record* r, const arrays* a) {
  weft__archive_array_aside(archive, a->points, 3 * r->point_count, sizeof(*a->points));
  weft__archive_array_aside(archive, a->triangles, 3 * r->triangle_count, sizeof(*a->triangles));
  weft__archive_array_aside(archive, a->samples, r->sample_count, sizeof(*a->samples));
  weft__archive_array_aside(archive, a->targets, 3 * r->target_count, sizeof(*a->targets));
}

// Gives a collider its data: `former`'s if it is the same, else new.
static void take_data(weft__archive* archive, weft__collider* c, const record* r,
                      const weft__collider* former) {
  arrays a = {0};
  if (!weft__archive_can_hold(archive, r->point_count, sizeof(float[3])) ||
      !weft__archive_can_hold(archive, r->triangle_count, sizeof(uint32_t[3])) ||
      !weft__archive_can_hold(archive, r->sample_count, sizeof(float)) ||
      !weft__archive_can_hold(archive, r->target_count, sizeof(float[3]))) {
    return;
  }
  if (weft__archive_allocated(archive, allocate_arrays(&a, r))) read_arrays(archive, r, &a);
  if (weft__archive_expect(archive, weft__archive_is_good(archive) && are_corners(&a, r))) {
    if (former != NULL && has_data(former, r, &a)) {
      c->shape = former->shape;
    } else if (weft__archive_allocated(archive, build_data(c, r, &a)) && r->target_count > 0) {
      memcpy(c->shape.moving->target, a.targets, (size_t)r->target_count * sizeof(float[3]));
      c->shape.moving->has_target = true;
    }
  }
  free_arrays(&a);
}

static bool is_record(const record* r) {
  if (r->shape == FREE_SLOT) return true;
  if (r->shape >= WEFT__SHAPE_COUNT || !(r->material < WEFT_MAX_MATERIALS)) return false;
  const bool has_arrays = r->point_count + r->triangle_count + r->sample_count > 0;
  const bool has_targets = r->target_count > 0;
  return has_arrays == (weft__shape_rows[r->shape]->describe != NULL) &&
         (r->shape == WEFT_COLLIDER_SHAPE_MESH || (r->deforms == 0 && r->one_sided == 0)) &&
         (!has_targets || (r->deforms != 0 && r->target_count == r->point_count));
}

void weft__colliders_discard(weft__colliders* colliders, const weft__colliders* kept) {
  for (uint32_t n = 0; n < colliders->end; ++n) {
    weft__collider* c = &colliders->list[n];
    const bool is_shared = n < kept->end && kept->list[n].shape.data == c->shape.data;
    if (is_shared) c->row = NULL;
  }
  weft__colliders_destroy(colliders);
}

static void add_record(weft__colliders* made, weft__archive* archive, const weft__colliders* former,
                       uint32_t particle_count) {
  record r;
  WEFT__ARCHIVE_VALUE(archive, r);
  if (!weft__archive_is_good(archive) || !weft__archive_expect(archive, is_record(&r))) return;
  const uint32_t n = made->end++;
  weft__collider* c = &made->list[n];
  *c = collider_of(&r);
  if (made->with_loads) made->sums[n] = r.sums;
  if (c->row == NULL) return;
  ++made->count;
  // the host's data: snapshots have no pointers
  const weft__collider* own = n < former->end ? &former->list[n] : NULL;
  if (own != NULL && own->generation == c->generation) c->user_data = own->user_data;
  if (c->row->describe != NULL) {
    take_data(archive, c, &r, own);
  }
  if (!weft__archive_is_good(archive)) {
    c->row = NULL;
    return;
  }
  c->row->bound(&c->shape, &c->lower, &c->upper);
  made->bytes += c->shape.bytes;
  if (c->row->listed != NULL)
    (void)weft__archive_allocated(archive, weft__colliders_reserve_lists(made, particle_count));
}

static void replace_list(weft__colliders* colliders, weft__archive* archive, uint32_t end,
                         uint32_t worker_count, uint32_t particle_count) {
  weft__colliders made = {.contact_count = colliders->contact_count,
                          .first_free = colliders->first_free,
                          .with_loads = colliders->with_loads};
  const size_t capacity = end > colliders->capacity ? end : colliders->capacity;
  if (weft__archive_can_hold(archive, end, sizeof(record))) {
    (void)weft__archive_allocated(archive, weft__colliders_reserve(&made, capacity, worker_count));
  }
  for (uint32_t n = 0; n < end && weft__archive_is_good(archive); ++n) {
    add_record(&made, archive, colliders, particle_count);
  }
  if (weft__archive_is_good(archive)) {
    *colliders = made;
  } else {
    weft__colliders_discard(&made, colliders);
  }
}

static void visit_records(const weft__colliders* colliders, weft__archive* archive) {
  for (uint32_t n = 0; n < colliders->end; ++n) {
    const weft__collider* c = &colliders->list[n];
    record r = record_of(c);
    r.sums = weft__collider_loads_sum(colliders, n);
    WEFT__ARCHIVE_VALUE(archive, r);
    if (c->row == NULL || c->row->describe == NULL) continue;
    const weft_collider_def def = arrays_of(c);
    const arrays a = {(float*)def.points, (uint32_t*)def.triangles, (float*)def.samples,
                      c->shape.moving != NULL ? c->shape.moving->target[0] : NULL};
    read_arrays(archive, &r, &a);
  }
}

void weft__colliders_visit(weft__colliders* colliders, weft__archive* archive,
                           uint32_t worker_count, uint32_t particle_count) {
  uint32_t end = colliders->end;
  WEFT__ARCHIVE_VALUE(archive, end);
  WEFT__ARCHIVE_VALUE(archive, colliders->first_free);
  WEFT__ARCHIVE_VALUE(archive, colliders->contact_count);
  if (!weft__archive_expect(archive, end <= MAX_SLOTS && colliders->first_free <= end)) return;
  if (weft__archive_is_checking(archive)) {
    replace_list(colliders, archive, end, worker_count, particle_count);
  } else {
    visit_records(colliders, archive);
  }
}
