#include <string.h>

#include "base/float_mode.h"
#include "base/memory.h"
#include "base/pose.h"
#include "scene/scene.h"

typedef struct merge {
  weft_scene* scene;
  const weft_scene* other;
  weft__frame frame;
  uint32_t environment;
  uint32_t* curve_of; /* force curves in the scene [curve count + 1] */
  weft__scene_mark at;
} merge;

static weft__vec3 placed_at(const merge* m, uint32_t particle) {
  return weft__frame_out(&m->frame, weft__vec3_of(m->other->positions + (size_t)3 * particle));
}

static weft_result check_places(const merge* m) {
  for (uint32_t i = 0; i < m->other->particle_count; ++i) {
    WEFT__FAIL_IF(!(weft__largest_component(placed_at(m, i)) <= (double)WEFT_MAX_MAGNITUDE),
                  WEFT_ERROR_RANGE, "position");
  }
  return weft__ok();
}

static weft_result reserve(const merge* m) {
  weft_scene* scene = m->scene;
  const weft_scene* other = m->other;
  WEFT__TRY(weft__scene_reserve(scene, other->particle_count, other->links.count));
  WEFT__TRY(weft__scene_reserve_hinges(scene, other->hinges.count));
  WEFT__TRY(weft__scene_reserve_membranes(scene, other->membranes.count));
  WEFT__TRY(weft__scene_reserve_triangles(scene, other->triangle_count));
  const bool grown =
      weft__grow((void**)&scene->parts, &scene->part_capacity,
                 scene->part_count + other->part_count, sizeof(*scene->parts)) &&
      weft__grow((void**)&scene->pressures, &scene->pressure_capacity,
                 scene->pressure_count + other->pressure_count, sizeof(*scene->pressures)) &&
      weft__grow((void**)&scene->rods, &scene->rod_capacity,
                 (size_t)scene->rod_count + other->rod_count, sizeof(*scene->rods));
  WEFT__FAIL_IF(!grown, WEFT_ERROR_OUT_OF_MEMORY, "scene");
  return weft__ok();
}

static void copy_particles(const merge* m) {
  weft_scene* scene = m->scene;
  for (uint32_t i = 0; i < m->other->particle_count; ++i) {
    const weft__vec3 at = placed_at(m, i);
    float* to = scene->positions + (size_t)3 * (m->at.particle_count + i);
    to[0] = (float)at.x;
    to[1] = (float)at.y;
    to[2] = (float)at.z;
  }
  memcpy(scene->inverse_masses + m->at.particle_count, m->other->inverse_masses,
         m->other->particle_count * sizeof(float));
  for (size_t p = 0; p < m->other->part_count; ++p) {
    weft__part part = m->other->parts[p];
    part.first_particle += m->at.particle_count;
    part.first_triangle += m->at.triangle_count;
    part.environment += m->environment;
    scene->parts[scene->part_count++] = part;
  }
  for (uint32_t c = 0; c < 3 * m->other->triangle_count; ++c) {
    scene->triangles[3 * (size_t)m->at.triangle_count + c] =
        m->other->triangles[c] + m->at.particle_count;
  }
  scene->particle_count += m->other->particle_count;
  scene->triangle_count += m->other->triangle_count;
}

static void copy_hinges(const merge* m) {
  for (uint32_t h = 0; h < m->other->hinges.count; ++h) {
    weft__hinge hinge = weft__hinges_get(&m->other->hinges, h);
    for (int k = 0; k < 4; ++k) {
      if (hinge.particle[k] != WEFT__NO_PARTICLE) hinge.particle[k] += m->at.particle_count;
    }
    weft__hinges_push(&m->scene->hinges, &hinge);
  }
}

static void copy_membranes(const merge* m) {
  for (uint32_t t = 0; t < m->other->membranes.count; ++t) {
    weft__membrane membrane = m->other->membranes.list[t];
    for (int k = 0; k < 3; ++k) membrane.particle[k] += m->at.particle_count;
    m->scene->membranes.list[m->scene->membranes.count++] = membrane;
  }
}

static void copy_pressures(const merge* m) {
  for (size_t f = 0; f < m->other->pressure_count; ++f) {
    weft__pressure_body closed = m->other->pressures[f];
    closed.first_part += m->at.part_count;
    closed.end_part += m->at.part_count;
    m->scene->pressures[m->scene->pressure_count++] = closed;
  }
}

static void copy_rods(const merge* m) {
  for (uint32_t r = 0; r < m->other->rod_count; ++r) {
    weft__rod rod = m->other->rods[r];
    const weft__vec3 normal = weft__frame_rotate_out(
        &m->frame, (weft__vec3){rod.normal[0], rod.normal[1], rod.normal[2]});
    rod.first_particle += m->at.particle_count;
    rod.first_link += m->at.link_count;
    memcpy(rod.normal, (double[3]){normal.x, normal.y, normal.z}, sizeof(rod.normal));
    m->scene->rods[m->scene->rod_count++] = rod;
  }
}

// In pieces, as columns that the scene has not had yet are added by lists.
static bool copy_links(const merge* m) {
  enum { PIECE = 256 };
  weft_link_def list[PIECE];
  const weft__links* from = &m->other->links;
  for (uint32_t first = 0; first < from->count; first += PIECE) {
    const uint32_t count = from->count - first < PIECE ? from->count - first : PIECE;
    for (uint32_t i = 0; i < count; ++i) {
      list[i] = weft__links_get(from, first + i);
      list[i].a += m->at.particle_count;
      list[i].b += m->at.particle_count;
      if (list[i].force_curve > 0) list[i].force_curve = m->curve_of[list[i].force_curve];
    }
    if (!weft__links_add_columns(&m->scene->links, list, count)) return false;
    for (uint32_t i = 0; i < count; ++i) weft__links_push(&m->scene->links, list[i]);
  }
  return true;
}

// The scene's own wind stays.
static weft_result copy_outset(const merge* m) {
  for (uint32_t r = 0; r < m->other->shape_run_count; ++r) {
    const weft__shape_run* run = &m->other->shape_runs[r];
    WEFT__TRY(weft__scene_push_shape(m->scene, run->first + m->at.particle_count, run->count,
                                     &run->shape));
  }
  if (m->scene->has_wind || !m->other->has_wind) return weft__ok();
  m->scene->has_wind = true;
  m->scene->wind = m->other->wind;
  return weft__ok();
}

static weft_result copy_all(const merge* m) {
  WEFT__TRY(reserve(m));
  if (!weft__force_curves_merge(&m->scene->curves, &m->other->curves, m->curve_of)) {
    return weft__fail(WEFT_ERROR_OUT_OF_MEMORY, "scene");
  }
  WEFT__FAIL_IF(m->scene->curves.count > WEFT_MAX_FORCE_CURVES, WEFT_ERROR_TOO_MANY, "curves");
  copy_particles(m);
  copy_hinges(m);
  copy_membranes(m);
  WEFT__FAIL_IF(!copy_links(m), WEFT_ERROR_OUT_OF_MEMORY, "scene");
  copy_pressures(m);
  copy_rods(m);
  return copy_outset(m);
}

static weft_result check_merge(const weft_scene* scene, const weft_scene* other,
                               const float* position, const float* rotation, uint32_t environment) {
  WEFT__FAIL_IF(scene == NULL, WEFT_ERROR_NULL, "scene");
  WEFT__FAIL_IF(other == NULL, WEFT_ERROR_NULL, "other");
  WEFT__FAIL_IF(other == scene, WEFT_ERROR_DUPLICATE, "other");
  WEFT__FAIL_IF(other->particle_count == 0, WEFT_ERROR_EMPTY, "other");
  WEFT__FAIL_IF(
      (uint64_t)environment + weft__scene_environment_count(other) > WEFT_MAX_ENVIRONMENTS,
      WEFT_ERROR_RANGE, "environment");
  if (position != NULL) WEFT__TRY(weft__check_magnitude(position, 3, 1, "position"));
  if (rotation != NULL) WEFT__TRY(weft__check_rotation(rotation, "rotation"));
  return weft__ok();
}

static weft_result add_scene(weft_scene* scene, const weft_scene* other, const float* position,
                             const float* rotation, uint32_t environment, weft_body* body) {
  WEFT__TRY(check_merge(scene, other, position, rotation, environment));
  const weft__pose pose = weft__pose_of(position, rotation);
  merge m = {.scene = scene,
             .other = other,
             .frame = weft__frame_of(&pose),
             .environment = environment,
             .at = weft__scene_get_mark(scene)};
  WEFT__TRY(check_places(&m));
  m.curve_of = weft__alloc((size_t)other->curves.count + 1, sizeof(*m.curve_of));
  WEFT__FAIL_IF(m.curve_of == NULL, WEFT_ERROR_OUT_OF_MEMORY, "scene");
  const uint32_t curve_count = scene->curves.count;
  const weft_result result = copy_all(&m);
  weft__free(m.curve_of);
  if (result.error != WEFT_OK) {
    weft__scene_roll_back(scene, &m.at);
    scene->curves.count = curve_count;
    return result;
  }
  if (body != NULL) *body = weft__scene_body_since(scene, m.at.particle_count, m.at.link_count);
  return weft__ok();
}

weft_result weft_scene_add_scene(weft_scene* scene, const weft_scene* other, const float* position,
                                 const float* rotation, uint32_t environment, weft_body* body) {
  WEFT__RETURN_COMPUTED(add_scene, scene, other, position, rotation, environment, body);
}

uint32_t weft__scene_environment_count(const weft_scene* scene) {
  uint32_t last = 0;
  for (size_t p = 0; p < scene->part_count; ++p) {
    if (scene->parts[p].environment > last) last = scene->parts[p].environment;
  }
  return last + 1;
}

weft_result weft_scene_set_environment(weft_scene* scene, const weft_body* body,
                                       uint32_t environment) {
  WEFT__FAIL_IF(scene == NULL, WEFT_ERROR_NULL, "scene");
  WEFT__FAIL_IF(body == NULL, WEFT_ERROR_NULL, "body");
  WEFT__FAIL_IF(environment >= WEFT_MAX_ENVIRONMENTS, WEFT_ERROR_RANGE, "environment");
  size_t first = 0;
  size_t end = 0;
  WEFT__TRY(weft__scene_find_parts(scene, body, &first, &end));
  for (size_t p = first; p < end; ++p) scene->parts[p].environment = environment;
  return weft__ok();
}

weft_result weft__scene_check_environments(const weft_scene* scene) {
  if (weft__scene_environment_count(scene) == 1) return weft__ok();
  uint32_t* part_of = weft__alloc(scene->particle_count, sizeof(*part_of));
  WEFT__FAIL_IF(part_of == NULL, WEFT_ERROR_OUT_OF_MEMORY, "world");
  weft__scene_list_parts(scene, part_of);
  const weft__part* parts = scene->parts;
  weft_result result = weft__ok();
  for (uint32_t i = 0; i < scene->links.count && result.error == WEFT_OK; ++i) {
    const uint32_t a = part_of[scene->links.end_a[i]];
    const uint32_t b = part_of[scene->links.end_b[i]];
    if (parts[a].environment != parts[b].environment) {
      result = weft__fail_at(WEFT_ERROR_RANGE, "scene", i);
    }
  }
  for (size_t f = 0; f < scene->pressure_count && result.error == WEFT_OK; ++f) {
    const weft__part* first = &parts[scene->pressures[f].first_part];
    for (size_t p = scene->pressures[f].first_part; p < scene->pressures[f].end_part; ++p) {
      if (parts[p].environment == first->environment) continue;
      result = weft__fail_at(WEFT_ERROR_RANGE, "scene", first->first_particle);
    }
  }
  weft__free(part_of);
  return result;
}
