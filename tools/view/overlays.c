/* Overlays: a byte for each particle, a share of a full scale or a class. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/must.h"
#include "view/parts.h"

const char* const view_overlays[] = {"none",   "strain", "speed",   "contacts", "patches",
                                     "colors", "levels", "workers", NULL};

/* Particles of worlds searched for contacts; particles read at a time. */
enum { MOST_SEARCHED = 20000, CHUNK = 1024 };

/* Classes of contacts: a later one hides an earlier one. */
enum { TOUCHES_BOUNDS = 1, TOUCHES_COLLIDER = 2, TOUCHES_PARTICLE = 3 };

static weft_world* world_of(const view_session* session) {
  return sim_run_world(session->run);
}

static void raise(uint8_t* value, double share) {
  const double scaled = 255.0 * fmin(share, 1.0);
  // also for NaN
  const uint8_t rounded = scaled >= 0.0 ? (uint8_t)scaled : 255;
  if (rounded > *value) *value = rounded;
}

static void fill_strain(view_session* session, uint8_t* values) {
  const view_model* model = &session->model;
  for (uint32_t i = 0; i < model->link_count; ++i) {
    const view_link* link = &model->links[i];
    const float *a = model->positions + 3 * (size_t)link->a,
                *b = model->positions + 3 * (size_t)link->b;
    const double x = (double)(b[0] - a[0]), y = (double)(b[1] - a[1]), z = (double)(b[2] - a[2]);
    if (!model->enabled[link->number]) continue;
    const double strain = fabs(sqrt(x * x + y * y + z * z) / (double)link->rest_length - 1.0);
    raise(&values[link->a], strain / model->tear_strain);
    raise(&values[link->b], strain / model->tear_strain);
  }
}

/* Full scale: 5 metres per second. */
static void fill_speed(view_session* session, uint8_t* values) {
  view_model* model = &session->model;
  const float* v = model->vectors;
  tool_get(world_of(session), WEFT_ATTRIBUTE_VELOCITY, 0, model->particle_count, model->vectors);
  for (uint32_t i = 0; i < model->particle_count; ++i, v += 3) {
    raise(&values[i], (double)sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 5.0);
  }
}

static float inner_radius(const weft_particle_shape_def* shape) {
  const bool is_round =
      shape->shape != WEFT_PARTICLE_SHAPE_BOX && shape->shape != WEFT_PARTICLE_SHAPE_ELLIPSOID;
  const float* half = shape->half_size;
  return is_round ? half[0] : fminf(half[0], fminf(half[1], half[2]));
}

/* Neighbours in the initial cloth are not in contact. */
static bool are_neighbours(const view_model* model, uint32_t a, uint32_t b, float distance) {
  const float *p = model->drawn + 3 * (size_t)a, *q = model->drawn + 3 * (size_t)b;
  const float x = p[0] - q[0], y = p[1] - q[1], z = p[2] - q[2];
  return x * x + y * y + z * z < distance * distance;
}

static uint8_t search_contacts(const view_session* session, uint32_t particle,
                               const weft_particle_shape_def* shape) {
  enum { MOST = 32 };
  const weft_world* world = world_of(session);
  const float* place = session->model.vectors + 3 * (size_t)particle;
  const float radius = inner_radius(shape), reach = 1.05f * radius + 1e-4f;
  const bool is_cloth = shape->shape == WEFT_PARTICLE_SHAPE_CLOTH;
  weft_query_def query = weft_default_query_def();
  weft_query_hit hits[MOST];
  uint32_t count = 0;
  query.kind = WEFT_QUERY_SPHERE;
  memcpy(query.point, place, sizeof(query.point));
  query.radius = reach;
  query.links = query.faces = query.colliders = false;
  query.particles = shape->shape != WEFT_PARTICLE_SHAPE_POINT;
  query.mask = shape->mask;
  tool_must(weft_world_query(world, &query, MOST, hits, &count));
  for (uint32_t i = 0; i < count && i < MOST; ++i) {
    if (hits[i].index == particle) continue;
    if (!is_cloth || !are_neighbours(&session->model, particle, hits[i].index, 3.0f * radius)) {
      return TOUCHES_PARTICLE;
    }
  }
  query.particles = false;
  query.colliders = true;
  tool_must(weft_world_query(world, &query, 0, NULL, &count));
  return count > 0 ? TOUCHES_COLLIDER : 0;
}

static void fill_touches(view_session* session, uint8_t* values) {
  view_model* model = &session->model;
  const int8_t* touch = model->touches;
  tool_get(world_of(session), WEFT_ATTRIBUTE_BOUNDS_CONTACT, 0, model->particle_count,
           model->touches);
  for (uint32_t i = 0; i < model->particle_count; ++i, touch += 3) {
    if (touch[0] || touch[1] || touch[2]) values[i] = TOUCHES_BOUNDS;
  }
}

/* The engine keeps no list of contacts: they are found again from the shapes. */
static void fill_contacts(view_session* session, uint8_t* values) {
  view_model* model = &session->model;
  weft_world* world = world_of(session);
  weft_particle_shape_def shapes[CHUNK];
  fill_touches(session, values);
  if (model->particle_count > MOST_SEARCHED) return;
  // without memory for the index only contacts with bounds are shown
  if (weft_world_build_index(world).error != WEFT_OK) return;
  tool_get(world, WEFT_ATTRIBUTE_POSITION, 0, model->particle_count, model->vectors);
  for (uint32_t i = 0; i < model->particle_count; ++i) {
    const uint32_t left = model->particle_count - i;
    if (i % CHUNK == 0) {
      tool_must(weft_world_get_particle_shapes(world, weft_range(i, left < CHUNK ? left : CHUNK),
                                               shapes));
    }
    const weft_particle_shape_def* shape = &shapes[i % CHUNK];
    const uint8_t found = shape->mask != 0 ? search_contacts(session, i, shape) : 0;
    if (found > values[i]) values[i] = found;
  }
}

/* Class of a number: 1 to 255, again from 1 after these. */
static uint8_t class_of(uint32_t number) {
  return (uint8_t)(1 + number % 255);
}

/* From patches to their particles. */
static void spread(const view_model* model, uint8_t* values) {
  for (uint32_t i = 0; i < model->particle_count; ++i) {
    values[i] = model->patch_values[model->patch_of[i]];
  }
}

static void fill_patches(view_session* session, uint8_t* values) {
  const view_model* model = &session->model;
  for (uint32_t i = 0; i < model->particle_count; ++i) values[i] = class_of(model->patch_of[i]);
}

static void fill_colors(view_session* session, uint8_t* values) {
  const view_model* model = &session->model;
  for (uint32_t p = 0; p < model->patch_count; ++p) {
    uint32_t color = 0;
    tool_must(weft_world_get_patch_colors(world_of(session), 0, p, 1, &color));
    model->patch_values[p] = class_of(color);
  }
  spread(model, values);
}

static void fill_levels(view_session* session, uint8_t* values) {
  const view_model* model = &session->model;
  for (uint32_t i = 0; i < model->particle_count; ++i) values[i] = model->level_of[i];
}

void view_record_spans(const view_session* session) {
  const bool is_shown = session->overlay == VIEW_OVERLAY_WORKERS;
  // without memory for spans the overlay shows none
  const weft_result result =
      weft_world_set_span_capacity(world_of(session), is_shown ? VIEW_SPANS : 0);
  (void)result;
}

/* Workers of the patches' last phases. */
static void fill_workers(view_session* session, uint8_t* values) {
  const view_model* model = &session->model;
  weft_world_stats stats;
  tool_must(weft_world_get_stats(world_of(session), &stats));
  memset(model->patch_values, 0, model->patch_count);
  memset(model->patch_ends, 0, model->patch_count * sizeof *model->patch_ends);
  for (uint32_t worker = 0; worker < stats.worker_count; ++worker) {
    weft_spans spans;
    if (weft_world_get_spans(world_of(session), worker, &spans).error != WEFT_OK) break;
    for (uint32_t i = 0; i < spans.count; ++i) {
      const weft_span* span = &spans.items[i];
      if (span->kind != WEFT_SPAN_PHASE || span->level > 0) continue;
      if (span->end_ns < model->patch_ends[span->patch]) continue;
      model->patch_ends[span->patch] = span->end_ns;
      model->patch_values[span->patch] = class_of(worker);
    }
  }
  spread(model, values);
}

bool view_put_overlay(view_session* session, view_bytes* out) {
  static void (*const fill[])(view_session*, uint8_t*) = {NULL,          fill_strain,  fill_speed,
                                                          fill_contacts, fill_patches, fill_colors,
                                                          fill_levels,   fill_workers};
  const view_model* model = &session->model;
  const size_t size = ((size_t)model->point_count + 3) / 4 * 4;
  const uint32_t points = view_point_count(model);
  uint8_t* values = view_put_room(out, size);
  if (!values) return false;
  memset(values, 0, size);
  if (fill[session->overlay]) fill[session->overlay](session, values);
  // particles of points ascend
  for (uint32_t i = 0; i < points; ++i) values[i] = values[view_particle_of(model, i)];
  out->size -= size - ((size_t)points + 3) / 4 * 4;
  return true;
}
