#include "scene/scene.h"

#include <math.h>
#include <string.h>

#include "base/float_mode.h"
#include "base/host.h"
#include "base/memory.h"
#include "base/selection.h"
#include "base/sort.h"
#include "base/vec3.h"

weft_result weft_scene_create(weft_scene** scene) {
  WEFT__FAIL_IF(scene == NULL, WEFT_ERROR_NULL, "scene");
  weft_scene* made = weft__alloc_zeroed(1, sizeof(*made));
  WEFT__FAIL_IF(made == NULL, WEFT_ERROR_OUT_OF_MEMORY, "scene");
  *scene = made;
  return weft__ok();
}

void weft_scene_destroy(weft_scene** scene) {
  if (scene == NULL || *scene == NULL) return;
  weft__free((*scene)->positions);
  weft__free((*scene)->inverse_masses);
  weft__free((*scene)->parts);
  weft__free((*scene)->triangles);
  weft__free((*scene)->pressures);
  weft__free((*scene)->rods);
  weft__free((*scene)->shape_runs);
  weft__links_destroy(&(*scene)->links);
  weft__force_curves_destroy(&(*scene)->curves);
  weft__hinges_destroy(&(*scene)->hinges);
  weft__free((*scene)->membranes.list);
  weft__pair_set_destroy(&(*scene)->linked);
  weft__free(*scene);
  *scene = NULL;
}

weft_result weft__scene_reserve(weft_scene* scene, uint64_t more_particles, uint64_t more_links) {
  const uint64_t particles = scene->particle_count + more_particles;
  const uint64_t links = scene->links.count + more_links;
  WEFT__FAIL_IF(particles > WEFT_MAX_PARTICLES, WEFT_ERROR_TOO_MANY, "particles");
  WEFT__FAIL_IF(links > WEFT_MAX_LINKS, WEFT_ERROR_TOO_MANY, "links");
  const bool grown = weft__grow((void**)&scene->positions, &scene->position_capacity, 3 * particles,
                                sizeof(*scene->positions)) &&
                     weft__grow((void**)&scene->inverse_masses, &scene->mass_capacity, particles,
                                sizeof(*scene->inverse_masses)) &&
                     weft__grow((void**)&scene->parts, &scene->part_capacity, scene->part_count + 1,
                                sizeof(*scene->parts)) &&
                     weft__links_reserve(&scene->links, (uint32_t)links);
  WEFT__FAIL_IF(!grown, WEFT_ERROR_OUT_OF_MEMORY, "scene");
  return weft__ok();
}

weft_result weft__scene_reserve_hinges(weft_scene* scene, uint64_t more) {
  const uint64_t hinges = scene->hinges.count + more;
  WEFT__FAIL_IF(hinges > WEFT_MAX_LINKS, WEFT_ERROR_TOO_MANY, "bend elements");
  WEFT__FAIL_IF(!weft__hinges_reserve(&scene->hinges, (uint32_t)hinges), WEFT_ERROR_OUT_OF_MEMORY,
                "scene");
  return weft__ok();
}

weft_result weft__scene_reserve_membranes(weft_scene* scene, uint64_t more) {
  weft__membranes* membranes = &scene->membranes;
  const uint64_t count = membranes->count + more;
  WEFT__FAIL_IF(count > WEFT__MAX_TRIANGLES, WEFT_ERROR_TOO_MANY, "membrane elements");
  WEFT__FAIL_IF(
      !weft__grow((void**)&membranes->list, &membranes->capacity, count, sizeof(*membranes->list)),
      WEFT_ERROR_OUT_OF_MEMORY, "scene");
  return weft__ok();
}

weft_result weft__scene_reserve_triangles(weft_scene* scene, uint64_t more) {
  const uint64_t triangles = scene->triangle_count + more;
  WEFT__FAIL_IF(triangles > WEFT__MAX_TRIANGLES, WEFT_ERROR_TOO_MANY, "triangles");
  WEFT__FAIL_IF(!weft__grow((void**)&scene->triangles, &scene->triangle_capacity, 3 * triangles,
                            sizeof(*scene->triangles)),
                WEFT_ERROR_OUT_OF_MEMORY, "scene");
  return weft__ok();
}

uint32_t weft__scene_push_part(weft_scene* scene, uint32_t particle_count, uint32_t columns) {
  WEFT__ASSERT(scene->part_count < scene->part_capacity);
  const uint32_t first = scene->particle_count;
  scene->parts[scene->part_count++] =
      (weft__part){.first_particle = first, .particle_count = particle_count, .columns = columns};
  scene->particle_count += particle_count;
  return first;
}

weft__scene_mark weft__scene_get_mark(const weft_scene* scene) {
  return (weft__scene_mark){
      .part_count = scene->part_count,
      .particle_count = scene->particle_count,
      .link_count = scene->links.count,
      .hinge_count = scene->hinges.count,
      .membrane_count = scene->membranes.count,
      .triangle_count = scene->triangle_count,
      .rod_count = scene->rod_count,
  };
}

void weft__scene_roll_back(weft_scene* scene, const weft__scene_mark* mark) {
  scene->part_count = mark->part_count;
  scene->particle_count = mark->particle_count;
  scene->links.count = mark->link_count;
  scene->hinges.count = mark->hinge_count;
  scene->membranes.count = mark->membrane_count;
  scene->triangle_count = mark->triangle_count;
  scene->rod_count = mark->rod_count;
  weft__scene_clip_shapes(scene);
  // linked pairs may contain removed ones
  if (scene->linked_count <= scene->links.count) return;
  weft__pair_set_destroy(&scene->linked);
  scene->linked_count = 0;
}

weft_body weft__scene_body_since(const weft_scene* scene, uint32_t first_particle,
                                 uint32_t first_link) {
  return (weft_body){
      .first_particle = first_particle,
      .particle_count = scene->particle_count - first_particle,
      .first_link = first_link,
      .link_count = scene->links.count - first_link,
  };
}

void weft__scene_list_parts(const weft_scene* scene, uint32_t* part_of) {
  for (size_t p = 0; p < scene->part_count; ++p) {
    const weft__part* part = &scene->parts[p];
    for (uint32_t i = 0; i < part->particle_count; ++i) {
      part_of[part->first_particle + i] = (uint32_t)p;
    }
  }
}

size_t weft__scene_part_of(const weft_scene* scene, uint32_t particle) {
  return weft__find_last_of(&scene->parts->first_particle, sizeof(*scene->parts),
                            (uint32_t)scene->part_count, particle);
}

weft_result weft__scene_find_parts(const weft_scene* scene, const weft_body* body, size_t* first,
                                   size_t* end) {
  const uint64_t beyond = (uint64_t)body->first_particle + body->particle_count;
  WEFT__FAIL_IF(beyond > scene->particle_count, WEFT_ERROR_INDEX, "body");
  WEFT__FAIL_IF(body->particle_count == 0, WEFT_ERROR_EMPTY, "body");
  *first = weft__scene_part_of(scene, body->first_particle);
  *end = weft__scene_part_of(scene, (uint32_t)(beyond - 1)) + 1;
  const weft__part* last = &scene->parts[*end - 1];
  WEFT__FAIL_IF(scene->parts[*first].first_particle != body->first_particle ||
                    last->first_particle + last->particle_count != beyond,
                WEFT_ERROR_RANGE, "body");
  return weft__ok();
}

float weft__scene_distance(const weft_scene* scene, uint32_t a, uint32_t b) {
  const float* from = scene->positions + (size_t)3 * a;
  const float* to = scene->positions + (size_t)3 * b;
  const float d[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
  return sqrtf(weft__dot3(d, d));
}

static weft_result add_particles(weft_scene* scene, const float* positions,
                                 const float* inverse_masses, uint32_t count, weft_body* body) {
  WEFT__FAIL_IF(scene == NULL, WEFT_ERROR_NULL, "scene");
  WEFT__FAIL_IF(positions == NULL, WEFT_ERROR_NULL, "positions");
  WEFT__FAIL_IF(inverse_masses == NULL, WEFT_ERROR_NULL, "inverse_masses");
  WEFT__FAIL_IF(count == 0, WEFT_ERROR_EMPTY, "count");
  // before the arrays are read: no array is so long
  WEFT__FAIL_IF(count > WEFT_MAX_PARTICLES, WEFT_ERROR_TOO_MANY, "particles");
  WEFT__TRY(weft__check_magnitude(positions, (size_t)3 * count, 3, "positions"));
  for (uint32_t i = 0; i < count; ++i) {
    const weft_error error = weft__check_inverse_mass(inverse_masses[i]);
    if (error != WEFT_OK) return weft__fail_at(error, "inverse_masses", i);
  }
  WEFT__TRY(weft__scene_reserve(scene, count, 0));

  const uint32_t first = weft__scene_push_part(scene, count, 0);
  memcpy(scene->positions + (size_t)3 * first, positions, (size_t)3 * count * sizeof(float));
  memcpy(scene->inverse_masses + first, inverse_masses, count * sizeof(float));
  if (body != NULL) *body = weft__scene_body_since(scene, first, scene->links.count);
  return weft__ok();
}

weft_result weft_scene_add_particles(weft_scene* scene, const float* positions,
                                     const float* inverse_masses, uint32_t count, weft_body* body) {
  WEFT__RETURN_COMPUTED(add_particles, scene, positions, inverse_masses, count, body);
}

weft_result weft_scene_reserve_particles(weft_scene* scene, uint32_t count, weft_body* body) {
  WEFT__FAIL_IF(scene == NULL, WEFT_ERROR_NULL, "scene");
  WEFT__FAIL_IF(count == 0, WEFT_ERROR_EMPTY, "count");
  WEFT__TRY(weft__scene_reserve(scene, count, 0));
  const uint32_t first = weft__scene_push_part(scene, count, 0);
  weft__part* part = &scene->parts[scene->part_count - 1];
  part->is_reserved = part->fine_only = true;
  memset(scene->positions + (size_t)3 * first, 0, (size_t)3 * count * sizeof(float));
  memset(scene->inverse_masses + first, 0, count * sizeof(float));
  if (body != NULL) *body = weft__scene_body_since(scene, first, scene->links.count);
  return weft__ok();
}

weft_result weft_scene_pin(weft_scene* scene, weft_selection particles) {
  WEFT__FAIL_IF(scene == NULL, WEFT_ERROR_NULL, "scene");
  weft__selection at;
  WEFT__TRY(weft__check_selection(&particles, scene->particle_count, NULL, &at));
  for (uint32_t n = 0; n < at.count; ++n) {
    if (weft__selects(&at, n)) scene->inverse_masses[weft__selected_number(&at, n)] = 0.0f;
  }
  return weft__ok();
}

weft_result weft_scene_set_coarse(weft_scene* scene, uint32_t particle, bool coarse) {
  WEFT__FAIL_IF(scene == NULL, WEFT_ERROR_NULL, "scene");
  WEFT__FAIL_IF(particle >= scene->particle_count, WEFT_ERROR_INDEX, "particle");
  scene->parts[weft__scene_part_of(scene, particle)].fine_only = !coarse;
  return weft__ok();
}

weft_result weft_scene_set_user_data(weft_scene* scene, uint32_t particle, void* user_data) {
  WEFT__FAIL_IF(scene == NULL, WEFT_ERROR_NULL, "scene");
  WEFT__FAIL_IF(particle >= scene->particle_count, WEFT_ERROR_INDEX, "particle");
  scene->parts[weft__scene_part_of(scene, particle)].user_data = user_data;
  return weft__ok();
}

uint32_t weft_scene_particle_count(const weft_scene* scene) {
  return scene == NULL ? 0 : scene->particle_count;
}

uint32_t weft_scene_link_count(const weft_scene* scene) {
  return scene == NULL ? 0 : scene->links.count;
}

weft_result weft_scene_get_particles(const weft_scene* scene, uint32_t first, uint32_t count,
                                     float* positions, float* inverse_masses) {
  WEFT__FAIL_IF(scene == NULL, WEFT_ERROR_NULL, "scene");
  WEFT__FAIL_IF((uint64_t)first + count > scene->particle_count, WEFT_ERROR_INDEX, "first + count");
  if (positions != NULL && count > 0) {
    memcpy(positions, scene->positions + (size_t)3 * first, (size_t)3 * count * sizeof(float));
  }
  if (inverse_masses != NULL && count > 0) {
    memcpy(inverse_masses, scene->inverse_masses + first, count * sizeof(float));
  }
  return weft__ok();
}

weft_result weft_scene_get_links(const weft_scene* scene, uint32_t first, uint32_t count,
                                 weft_link_def* links) {
  WEFT__FAIL_IF(scene == NULL, WEFT_ERROR_NULL, "scene");
  WEFT__FAIL_IF(links == NULL && count > 0, WEFT_ERROR_NULL, "links");
  WEFT__FAIL_IF((uint64_t)first + count > scene->links.count, WEFT_ERROR_INDEX, "first + count");
  for (uint32_t i = 0; i < count; ++i) links[i] = weft__links_get(&scene->links, first + i);
  return weft__ok();
}
