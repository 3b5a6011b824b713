/* Bones are a tree, solved directly, so that limbs keep their lengths; joint limits are swept. */
#include "libraries/bodies/ragdoll.h"

#include "base/float_mode.h"
#include "libraries/bodies/draft.h"
#include "libraries/bodies/turn.h"

// chin to crown as a share of the height: 0.870 to 1
#define HEAD_HEIGHT 0.130

static float head_radius(const weft_ragdoll_def* def) {
  return def == NULL ? 0.0f : (float)(0.5 * HEAD_HEIGHT * (double)def->height);
}

float weft_ragdoll_get_head_radius(const weft_ragdoll_def* def) {
  WEFT__RETURN_COMPUTED(head_radius, def);
}

static weft_result check_def(const weft_ragdoll_def* def) {
  WEFT__TRY(weft__check_def(&weft__ragdoll_fields, def));
  return def->joints != NULL ? weft__ragdoll_check_joints(def) : weft__ok();
}

static void place_particles(weft__draft* draft, const weft_ragdoll_def* def) {
  const double height = (double)def->height;
  for (uint32_t i = 0; i < WEFT_RAGDOLL_PARTICLE_COUNT; ++i) {
    const weft__ragdoll_position* at = &weft__ragdoll_positions[i];
    const double x = def->flat ? at->forward - at->left : at->forward;
    const double z = def->flat ? 0.0 : -at->left;
    const double mass = weft__ragdoll_mass((weft_ragdoll_part)i) * (double)def->mass;
    (void)weft__draft_add_particle(draft, height * x, height * at->up, height * z, mass);
  }
}

// Metres between a limit's particles after the second has swung by some degrees.
static double length_at(weft__draft* draft, const weft__ragdoll_limit* limit, double degrees) {
  const weft__turn turn = weft__turn_of(degrees, 360.0);
  const bool forward = limit->swing == WEFT__SWING_FORWARD;
  const int axis = forward ? 0 : 2;
  // the figure's left is -z
  const double sine = forward ? turn.sine : -turn.sine;
  const double* pivot = draft->local_positions[limit->pivot];
  double* position = draft->local_positions[limit->b];
  const double rest_position[2] = {position[axis], position[1]};
  const double out = rest_position[0] - pivot[axis];
  const double up = rest_position[1] - pivot[1];
  position[axis] = pivot[axis] + out * turn.cosine - up * sine;
  position[1] = pivot[1] + out * sine + up * turn.cosine;
  const double length = weft__draft_distance(draft, limit->a, limit->b);
  position[axis] = rest_position[0];
  position[1] = rest_position[1];
  return length;
}

static void link_limits(weft__draft* draft, weft__ragdoll_limits limits) {
  for (uint32_t i = 0; i < limits.count; ++i) {
    const weft__ragdoll_limit* limit = &limits.limits[i];
    weft_link_def link = {.relaxation = 1.0f, .kind = WEFT_LINK_SUPPORT, .mode = limit->mode};
    if (limit->mode == WEFT_LINK_MODE_RANGE) {
      link.max_length = (float)length_at(draft, limit, limit->degrees[1]);
    }
    weft__draft_link_with_length(draft, &link, limit->a, limit->b,
                                 length_at(draft, limit, limit->degrees[0]));
  }
}

static void draw(weft__draft* draft, const weft_ragdoll_def* def) {
  const weft_link_def bone = {.relaxation = 1.0f, .tear_ratio = def->tear_ratio};
  const weft_link_def support = {.relaxation = 1.0f, .kind = WEFT_LINK_SUPPORT};
  place_particles(draft, def);
  if (def->joints != NULL) weft__ragdoll_take_lengths(draft, def);
  for (uint32_t i = 0; i < WEFT_RAGDOLL_BONE_COUNT; ++i) {
    weft__draft_link(draft, &bone, weft__ragdoll_bones[i].a, weft__ragdoll_bones[i].b);
  }
  for (uint32_t i = 0; i < WEFT__RAGDOLL_SUPPORT_COUNT; ++i) {
    weft__draft_link(draft, &support, weft__ragdoll_supports[i].a, weft__ragdoll_supports[i].b);
  }
  link_limits(draft, weft__ragdoll_common_limits());
  link_limits(draft, weft__ragdoll_limits_of(def->flat));
  if (def->joints != NULL) weft__ragdoll_pose(draft, def);
}

static weft_result add_ragdoll(weft_scene* scene, const weft_ragdoll_def* def, weft_body* body) {
  WEFT__FAIL_IF(scene == NULL, WEFT_ERROR_NULL, "scene");
  WEFT__FAIL_IF(def == NULL, WEFT_ERROR_NULL, "def");
  const weft__draft_frame frame = WEFT__FRAME(def, "weft_ragdoll_def");
  WEFT__TRY(check_def(def));
  const uint32_t limits =
      weft__ragdoll_common_limits().count + weft__ragdoll_limits_of(def->flat).count;
  weft__draft draft;
  WEFT__TRY(weft__draft_open(&draft, scene, WEFT_RAGDOLL_PARTICLE_COUNT,
                             WEFT_RAGDOLL_BONE_COUNT + WEFT__RAGDOLL_SUPPORT_COUNT + limits));
  draw(&draft, def);
  return weft__draft_close(&draft, scene, &frame, "weft_ragdoll_def.mass",
                           "weft_ragdoll_def.height", body);
}

weft_result weft_scene_add_ragdoll(weft_scene* scene, const weft_ragdoll_def* def,
                                   weft_body* body) {
  WEFT__RETURN_COMPUTED(add_ragdoll, scene, def, body);
}
