/* Ragdoll from a skeleton's joints: limits are measured on a standing figure with the given bones'
 * lengths, then particles move. Markers are placed as on that figure: in front of a trunk, and
 * across a limb on the side away from which it bends. */

#include "base/vec3.h"
#include "libraries/bodies/ragdoll.h"

// Smaller sines give no direction.
#define MIN_SINE 0.05

static weft__vec3 given(const weft_ragdoll_def* def, weft_ragdoll_part part) {
  return weft__vec3_of(def->joints + (size_t)3 * part);
}

static weft__vec3 between(const weft_ragdoll_def* def, weft_ragdoll_part from,
                          weft_ragdoll_part to) {
  return weft__minus(given(def, to), given(def, from));
}

static weft__vec3 normalized(weft__vec3 a) {
  return weft__scaled(1.0 / weft__length(a), a);
}

static weft__vec3 across(weft__vec3 a, weft__vec3 unit) {
  return weft__minus(a, weft__scaled(weft__dot(a, unit), unit));
}

static weft__vec3 trunk_up(const weft_ragdoll_def* def) {
  return normalized(between(def, WEFT_RAGDOLL_PELVIS, WEFT_RAGDOLL_NECK));
}

// Not normalized; a flat figure faces along its plane.
static weft__vec3 trunk_forward(const weft_ragdoll_def* def) {
  const weft__vec3 up = trunk_up(def);
  if (def->flat) return (weft__vec3){up.y, -up.x, 0.0};
  return weft__cross(
      normalized(between(def, WEFT_RAGDOLL_SHOULDER_RIGHT, WEFT_RAGDOLL_SHOULDER_LEFT)), up);
}

weft_result weft__ragdoll_check_joints(const weft_ragdoll_def* def) {
  static const char field[] = "weft_ragdoll_def.joints";
  WEFT__TRY(weft__check_magnitude(def->joints, 3 * WEFT_RAGDOLL_PART_COUNT, 3, field));
  for (uint32_t i = 0; def->flat && i < WEFT_RAGDOLL_PART_COUNT; ++i) {
    if (def->joints[3 * i + 2] != 0.0f) return weft__fail_at(WEFT_ERROR_RANGE, field, i);
  }
  for (uint32_t i = 0; i < WEFT_RAGDOLL_BONE_COUNT; ++i) {
    const weft__ragdoll_pair* bone = &weft__ragdoll_bones[i];
    if (weft__length(between(def, bone->a, bone->b)) > 0.0) continue;
    return weft__fail_at(WEFT_ERROR_DEGENERATE, field, bone->b);
  }
  if (!def->flat &&
      weft__length(between(def, WEFT_RAGDOLL_SHOULDER_LEFT, WEFT_RAGDOLL_SHOULDER_RIGHT)) == 0.0) {
    return weft__fail_at(WEFT_ERROR_DEGENERATE, field, WEFT_RAGDOLL_SHOULDER_RIGHT);
  }
  if (weft__length(trunk_forward(def)) < MIN_SINE) {
    return weft__fail_at(WEFT_ERROR_DEGENERATE, field, WEFT_RAGDOLL_SHOULDER_LEFT);
  }
  return weft__ok();
}

// Other parts are on their own.
static uint32_t owner_of(uint32_t part) {
  static const uint8_t owners[] = {WEFT_RAGDOLL_KNEE_LEFT,  WEFT_RAGDOLL_KNEE_RIGHT,
                                   WEFT_RAGDOLL_ELBOW_LEFT, WEFT_RAGDOLL_ELBOW_RIGHT,
                                   WEFT_RAGDOLL_PELVIS,     WEFT_RAGDOLL_NECK};
  return part < WEFT_RAGDOLL_PART_COUNT ? part : owners[part - WEFT_RAGDOLL_PART_COUNT];
}

void weft__ragdoll_take_lengths(weft__draft* draft, const weft_ragdoll_def* def) {
  double offset[WEFT_RAGDOLL_PARTICLE_COUNT][3] = {{0.0}};
  for (uint32_t i = 0; i < WEFT_RAGDOLL_BONE_COUNT; ++i) {
    const weft__ragdoll_pair* bone = &weft__ragdoll_bones[i];
    const double share = weft__length(between(def, bone->a, bone->b)) /
                         weft__draft_distance(draft, bone->a, bone->b);
    for (int axis = 0; axis < 3; ++axis) {
      const double span =
          draft->local_positions[bone->b][axis] - draft->local_positions[bone->a][axis];
      offset[bone->b][axis] = offset[bone->a][axis] + (share - 1.0) * span;
    }
  }
  for (uint32_t i = 0; i < WEFT_RAGDOLL_PARTICLE_COUNT; ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      draft->local_positions[i][axis] += offset[owner_of(i)][axis];
    }
  }
}

// Forward of a leg, behind an arm.
static weft__vec3 limb_marker(const weft_ragdoll_def* def, weft_ragdoll_part near,
                              weft_ragdoll_part middle, weft_ragdoll_part far, double forward) {
  const weft__vec3 along = normalized(between(def, near, middle));
  const weft__vec3 bend = across(normalized(between(def, middle, far)), along);
  if (def->flat) return weft__scaled(forward, (weft__vec3){-along.y, along.x, 0.0});
  if (weft__length(bend) > MIN_SINE) return normalized(weft__scaled(-1.0, bend));
  const weft__vec3 front = across(normalized(trunk_forward(def)), along);
  const weft__vec3 side = weft__length(front) > MIN_SINE ? front : across(trunk_up(def), along);
  return normalized(weft__scaled(forward, side));
}

static weft__vec3 marker_direction(const weft_ragdoll_def* def, uint32_t marker) {
  switch (marker) {
    case WEFT_RAGDOLL_KNEECAP_LEFT:
      return limb_marker(def, WEFT_RAGDOLL_HIP_LEFT, WEFT_RAGDOLL_KNEE_LEFT, WEFT_RAGDOLL_FOOT_LEFT,
                         1.0);
    case WEFT_RAGDOLL_KNEECAP_RIGHT:
      return limb_marker(def, WEFT_RAGDOLL_HIP_RIGHT, WEFT_RAGDOLL_KNEE_RIGHT,
                         WEFT_RAGDOLL_FOOT_RIGHT, 1.0);
    case WEFT_RAGDOLL_ELBOW_TIP_LEFT:
      return limb_marker(def, WEFT_RAGDOLL_SHOULDER_LEFT, WEFT_RAGDOLL_ELBOW_LEFT,
                         WEFT_RAGDOLL_HAND_LEFT, -1.0);
    case WEFT_RAGDOLL_ELBOW_TIP_RIGHT:
      return limb_marker(def, WEFT_RAGDOLL_SHOULDER_RIGHT, WEFT_RAGDOLL_ELBOW_RIGHT,
                         WEFT_RAGDOLL_HAND_RIGHT, -1.0);
    default:
      return weft__scaled(marker == WEFT_RAGDOLL_BELLY ? 1.0 : -1.0,
                          normalized(trunk_forward(def)));
  }
}

static bool is_of_trunk(uint32_t part) {
  switch (owner_of(part)) {
    case WEFT_RAGDOLL_NECK:
    case WEFT_RAGDOLL_SHOULDER_LEFT:
    case WEFT_RAGDOLL_SHOULDER_RIGHT:
    case WEFT_RAGDOLL_PELVIS:
    case WEFT_RAGDOLL_HIP_LEFT:
    case WEFT_RAGDOLL_HIP_RIGHT:
      return true;
    default:
      return false;
  }
}

void weft__ragdoll_pose(weft__draft* draft, const weft_ragdoll_def* def) {
  // markers first: they keep their depth on the standing figure
  for (uint32_t i = WEFT_RAGDOLL_PARTICLE_COUNT; i-- > 0;) {
    weft__vec3 at = given(def, (weft_ragdoll_part)owner_of(i));
    if (i >= WEFT_RAGDOLL_PART_COUNT) {
      const double depth = weft__draft_distance(draft, i, owner_of(i));
      at = weft__plus(at, weft__scaled(depth, marker_direction(def, i)));
    }
    draft->local_positions[i][0] = at.x;
    draft->local_positions[i][1] = at.y;
    draft->local_positions[i][2] = at.z;
  }
  for (uint32_t i = 0; i < WEFT__RAGDOLL_SUPPORT_COUNT; ++i) {
    weft_link_def* support = &draft->links[WEFT_RAGDOLL_BONE_COUNT + i];
    if (!is_of_trunk(support->a) || !is_of_trunk(support->b)) continue;
    support->rest_length = (float)weft__draft_distance(draft, support->a, support->b);
  }
}
