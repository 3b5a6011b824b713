#include <math.h>

#include "base/float_mode.h"
#include "scene/scene.h"

// Checks max_length, which only ranges have.
static weft_error check_max_length(const weft_link_def* link) {
  const bool good = link->mode == WEFT_LINK_MODE_RANGE ? link->max_length >= link->rest_length
                                                       : link->max_length == 0.0f;
  return good ? WEFT_OK : WEFT_ERROR_RANGE;
}

// A curve needs a spring that acts both ways.
static weft_error check_curve(const weft_scene* scene, const weft_link_def* link) {
  if (link->force_curve == 0) return WEFT_OK;
  if (link->force_curve > scene->curves.count) return WEFT_ERROR_INDEX;
  const bool is_spring = link->compliance > 0.0f && link->relaxation >= 1.0f;
  return is_spring && link->mode == WEFT_LINK_MODE_BOTH ? WEFT_OK : WEFT_ERROR_RANGE;
}

static weft_error check_link(const weft_scene* scene, const weft_link_def* link) {
  if (link->a >= scene->particle_count || link->b >= scene->particle_count) return WEFT_ERROR_INDEX;
  if (link->a == link->b) return WEFT_ERROR_SELF_LINK;
  if (scene->parts[weft__scene_part_of(scene, link->a)].is_reserved ||
      scene->parts[weft__scene_part_of(scene, link->b)].is_reserved) {
    return WEFT_ERROR_STALE;
  }
  if (link->rest_length <= 0.0f && isfinite(link->rest_length)) return WEFT_ERROR_DEGENERATE;
  const weft_result values = weft__check_def(&weft__link_fields, link);
  if (values.error != WEFT_OK) return values.error;
  const weft_error length = check_max_length(link);
  return length == WEFT_OK ? check_curve(scene, link) : length;
}

static weft_result update_linked(weft_scene* scene, uint32_t more) {
  const bool reserved = weft__pair_set_reserve(&scene->linked, (size_t)scene->links.count + more);
  WEFT__FAIL_IF(!reserved, WEFT_ERROR_OUT_OF_MEMORY, "links");
  for (; scene->linked_count < scene->links.count; ++scene->linked_count) {
    const uint32_t i = scene->linked_count;
    (void)weft__pair_set_insert(&scene->linked, scene->links.end_a[i], scene->links.end_b[i]);
  }
  return weft__ok();
}

// Rebuilding the set is cheaper than removing pairs one by one.
static weft_result fail_duplicate(weft_scene* scene, uint32_t index) {
  weft__pair_set_destroy(&scene->linked);
  scene->linked_count = 0;
  return weft__fail_at(WEFT_ERROR_DUPLICATE, "links", index);
}

static weft_result add_links(weft_scene* scene, const weft_link_def* links, uint32_t count,
                             weft_body* body) {
  WEFT__FAIL_IF(scene == NULL, WEFT_ERROR_NULL, "scene");
  WEFT__FAIL_IF(links == NULL, WEFT_ERROR_NULL, "links");
  WEFT__FAIL_IF(count == 0, WEFT_ERROR_EMPTY, "count");
  // before the array is read: no array is so long
  WEFT__FAIL_IF(count > WEFT_MAX_LINKS, WEFT_ERROR_TOO_MANY, "links");
  for (uint32_t i = 0; i < count; ++i) {
    const weft_error error = check_link(scene, &links[i]);
    if (error != WEFT_OK) return weft__fail_at(error, "links", i);
  }
  WEFT__TRY(weft__scene_reserve(scene, 0, count));
  WEFT__FAIL_IF(!weft__links_add_columns(&scene->links, links, count), WEFT_ERROR_OUT_OF_MEMORY,
                "links");
  WEFT__TRY(update_linked(scene, count));
  for (uint32_t i = 0; i < count; ++i) {
    const bool added = weft__pair_set_insert(&scene->linked, links[i].a, links[i].b);
    if (!added) return fail_duplicate(scene, i);
  }

  const uint32_t first_link = scene->links.count;
  for (uint32_t i = 0; i < count; ++i) weft__links_push(&scene->links, links[i]);
  scene->linked_count = scene->links.count;
  if (body != NULL) *body = weft__scene_body_since(scene, scene->particle_count, first_link);
  return weft__ok();
}

weft_result weft_scene_add_links(weft_scene* scene, const weft_link_def* links, uint32_t count,
                                 weft_body* body) {
  WEFT__RETURN_COMPUTED(add_links, scene, links, count, body);
}
