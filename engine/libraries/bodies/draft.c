#include "libraries/bodies/draft.h"

#include <math.h>
#include <string.h>

#include "base/host.h"
#include "base/memory.h"

weft_result weft__draft_open(weft__draft* draft, const weft_scene* scene, uint64_t particles,
                             uint64_t links) {
  *draft = (weft__draft){0};
  WEFT__FAIL_IF(weft_scene_particle_count(scene) + particles > WEFT_MAX_PARTICLES,
                WEFT_ERROR_TOO_MANY, "particles");
  WEFT__FAIL_IF(weft_scene_link_count(scene) + links > WEFT_MAX_LINKS, WEFT_ERROR_TOO_MANY,
                "links");
  draft->local_positions = weft__alloc(particles, sizeof(*draft->local_positions));
  draft->positions = weft__alloc(particles, sizeof(float[3]));
  draft->inverse_masses = weft__alloc(particles, sizeof(*draft->inverse_masses));
  draft->links = weft__alloc(links, sizeof(*draft->links));
  if (draft->local_positions == NULL || draft->positions == NULL || draft->inverse_masses == NULL ||
      draft->links == NULL) {
    weft__draft_discard(draft);
    return weft__fail(WEFT_ERROR_OUT_OF_MEMORY, "scene");
  }
  draft->particle_capacity = (uint32_t)particles;
  draft->link_capacity = (uint32_t)links;
  return weft__ok();
}

uint32_t weft__draft_add_particle(weft__draft* draft, double x, double y, double z, double mass) {
  WEFT__ASSERT(draft->particle_count < draft->particle_capacity);
  const uint32_t i = draft->particle_count++;
  draft->local_positions[i][0] = x;
  draft->local_positions[i][1] = y;
  draft->local_positions[i][2] = z;
  draft->inverse_masses[i] = mass > 0.0 ? (float)(1.0 / mass) : 0.0f;
  return i;
}

double weft__draft_distance(const weft__draft* draft, uint32_t a, uint32_t b) {
  double squared = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double difference = draft->local_positions[b][axis] - draft->local_positions[a][axis];
    squared += difference * difference;
  }
  return sqrt(squared);
}

void weft__draft_link_with_length(weft__draft* draft, const weft_link_def* kind, uint32_t a,
                                  uint32_t b, double length) {
  WEFT__ASSERT(draft->link_count < draft->link_capacity);
  weft_link_def* link = &draft->links[draft->link_count++];
  *link = *kind;
  link->a = a;
  link->b = b;
  link->rest_length = (float)length;
}

void weft__draft_link(weft__draft* draft, const weft_link_def* kind, uint32_t a, uint32_t b) {
  weft__draft_link_with_length(draft, kind, a, b, weft__draft_distance(draft, a, b));
}

static void set_positions(weft__draft* draft, const weft__draft_frame* frame) {
  const float* x = frame->across;
  const float* y = frame->up;
  for (int axis = 0; axis < 3; ++axis) {
    const int next = (axis + 1) % 3;
    const int last = (axis + 2) % 3;
    const double across = (double)x[axis];
    const double up = (double)y[axis];
    const double normal = (double)x[next] * (double)y[last] - (double)x[last] * (double)y[next];
    for (uint32_t i = 0; i < draft->particle_count; ++i) {
      const double* position = draft->local_positions[i];
      draft->positions[3 * (size_t)i + (size_t)axis] =
          (float)((double)frame->origin[axis] +
                  (position[0] * across + position[1] * up + position[2] * normal));
    }
  }
}

// Field of the def for a field of the scene.
static weft_result translate_error(weft_result result, const weft__draft_frame* frame,
                                   const char* mass_name, const char* size_name) {
  const bool by_value =
      result.error != WEFT_ERROR_OUT_OF_MEMORY && result.error != WEFT_ERROR_TOO_MANY;
  if (!by_value) return result;
  if (strcmp(result.field, "positions") == 0) {
    return weft__fail(result.error, frame->origin_name);
  }
  if (strcmp(result.field, "inverse_masses") == 0) {
    return weft__fail(WEFT_ERROR_RANGE, mass_name);
  }
  if (strcmp(result.field, "links") == 0) result.field = size_name;
  return result;
}

static weft_result add_to_scene(weft__draft* draft, weft_scene* scene, weft_body* body) {
  const weft__scene_mark before = weft__scene_get_mark(scene);
  weft_body made;
  WEFT__TRY(weft_scene_add_particles(scene, draft->positions, draft->inverse_masses,
                                     draft->particle_count, &made));
  for (uint32_t i = 0; i < draft->link_count; ++i) {
    draft->links[i].a += made.first_particle;
    draft->links[i].b += made.first_particle;
  }
  if (draft->link_count > 0) {
    weft_body linked;
    const weft_result result =
        weft_scene_add_links(scene, draft->links, draft->link_count, &linked);
    if (result.error != WEFT_OK) {
      weft__scene_roll_back(scene, &before);
      return result;
    }
    made.first_link = linked.first_link;
    made.link_count = linked.link_count;
  }
  if (body != NULL) *body = made;
  return weft__ok();
}

weft_result weft__draft_close(weft__draft* draft, weft_scene* scene, const weft__draft_frame* frame,
                              const char* mass_name, const char* size_name, weft_body* body) {
  WEFT__ASSERT(draft->particle_count == draft->particle_capacity);
  WEFT__ASSERT(draft->link_count == draft->link_capacity);
  set_positions(draft, frame);
  const weft_result result = add_to_scene(draft, scene, body);
  weft__draft_discard(draft);
  return translate_error(result, frame, mass_name, size_name);
}

void weft__draft_discard(weft__draft* draft) {
  weft__free(draft->local_positions);
  weft__free(draft->positions);
  weft__free(draft->inverse_masses);
  weft__free(draft->links);
  *draft = (weft__draft){0};
}
