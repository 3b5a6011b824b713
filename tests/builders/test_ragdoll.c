/* Ragdolls: human proportions and joints. */
#include "support/snapshot.h"
#include "support/test.h"

#define DEGREES 57.29577951308232
enum { PARTICLES = WEFT_RAGDOLL_PARTICLE_COUNT, BONES = WEFT_RAGDOLL_BONE_COUNT };

// ---- construction ----

static double distance(const float* positions, int a, int b) {
  double squared = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double d = (double)positions[3 * b + axis] - positions[3 * a + axis];
    squared += d * d;
  }
  return sqrt(squared);
}

static scene_snapshot snapshot_of(const weft_ragdoll_def* def) {
  weft_scene* scene = new_scene();
  weft_body body;
  expect_ok(weft_scene_add_ragdoll(scene, def, &body));
  ck_assert_uint_eq(body.particle_count, PARTICLES);
  return take_snapshot(scene);
}

LOOP_TEST(segments_have_human_proportions, 0, 4) {
  weft_ragdoll_def def = weft_default_ragdoll_def();
  def.flat = _i % 2 == 0;
  def.height = _i < 2 ? 1.0f : 2.1f;
  scene_snapshot s = snapshot_of(&def);
  // lengths relative to the height: Winter, figure 4.1
  const struct {
    int a, b;
    double share;
  } segments[] = {
      {WEFT_RAGDOLL_SHOULDER_LEFT, WEFT_RAGDOLL_ELBOW_LEFT, 0.186},
      {WEFT_RAGDOLL_ELBOW_RIGHT, WEFT_RAGDOLL_HAND_RIGHT, 0.146},
      {WEFT_RAGDOLL_HIP_RIGHT, WEFT_RAGDOLL_KNEE_RIGHT, 0.245},
      {WEFT_RAGDOLL_KNEE_LEFT, WEFT_RAGDOLL_FOOT_LEFT, 0.246},
      {WEFT_RAGDOLL_SHOULDER_LEFT, WEFT_RAGDOLL_SHOULDER_RIGHT, 0.259},
      {WEFT_RAGDOLL_HIP_LEFT, WEFT_RAGDOLL_HIP_RIGHT, 0.191},
      {WEFT_RAGDOLL_NECK, WEFT_RAGDOLL_PELVIS, 0.818 - 0.530},
  };
  for (size_t i = 0; i < sizeof(segments) / sizeof(*segments); ++i) {
    const double length = distance(s.positions, segments[i].a, segments[i].b);
    ck_assert(fabs(length / (double)def.height - segments[i].share) < 1e-6);
  }
  const float crown = s.positions[1] + weft_ragdoll_get_head_radius(&def);
  ck_assert(fabsf(crown - def.height) < 1e-6f);
}

TEST(masses_sum_to_the_mass_and_segments_weigh_what_they_do_in_people) {
  weft_ragdoll_def def = weft_default_ragdoll_def();
  def.mass = 60.0f;
  scene_snapshot s = snapshot_of(&def);
  double mass[PARTICLES];
  double sum = 0.0;
  for (int i = 0; i < PARTICLES; ++i) sum += mass[i] = 1.0 / (double)s.inverse_masses[i];
  ck_assert(fabs(sum - 60.0) < 1e-4);
  // mass shares: leg 0.100 + 0.061, arm 0.028 + 0.022, less the parts at hips and shoulders
  const double leg =
      mass[WEFT_RAGDOLL_KNEE_LEFT] + mass[WEFT_RAGDOLL_KNEECAP_LEFT] + mass[WEFT_RAGDOLL_FOOT_LEFT];
  const double arm = mass[WEFT_RAGDOLL_ELBOW_LEFT] + mass[WEFT_RAGDOLL_ELBOW_TIP_LEFT] +
                     mass[WEFT_RAGDOLL_HAND_LEFT];
  ck_assert(fabs(leg / 60.0 - (0.100 * 0.433 + 0.061)) < 1e-6);
  ck_assert(fabs(arm / 60.0 - (0.028 * 0.436 + 0.022)) < 1e-6);
  ck_assert(fabs(mass[WEFT_RAGDOLL_HEAD] / 60.0 - 0.081) < 1e-6);
  // left and right have equal masses
  for (int i = WEFT_RAGDOLL_SHOULDER_LEFT; i < WEFT_RAGDOLL_BELLY; ++i) {
    const bool is_left = i < WEFT_RAGDOLL_PELVIS ? i % 2 == 0 : i % 2 == 1;
    if (i != WEFT_RAGDOLL_PELVIS && is_left) ck_assert(mass[i] == mass[i + 1]);
  }
}

LOOP_TEST(bones_come_first_and_what_ends_a_range_does_nothing_as_it_stands, 0, 2) {
  weft_ragdoll_def def = weft_default_ragdoll_def();
  def.flat = _i == 0;
  scene_snapshot s = snapshot_of(&def);
  for (uint32_t i = 0; i < s.link_count; ++i) {
    const weft_link_def* link = &s.links[i];
    require((link->kind == WEFT_LINK_STRUCTURAL) == (i < BONES));
    if (i >= BONES) require(link->kind == WEFT_LINK_SUPPORT);
    const double length = distance(s.positions, (int)link->a, (int)link->b);
    if (link->mode == WEFT_LINK_MODE_BOTH) require(fabs(length - (double)link->rest_length) < 1e-6);
    if (link->mode == WEFT_LINK_MODE_COMPRESS) require(length > (double)link->rest_length);
    if (link->mode == WEFT_LINK_MODE_STRETCH) require(length < (double)link->rest_length);
    if (link->mode != WEFT_LINK_MODE_RANGE) continue;
    require(length > (double)link->rest_length && length < (double)link->max_length);
  }
}

TEST(head_radius_is_half_of_the_way_from_chin_to_crown) {
  weft_ragdoll_def def = weft_default_ragdoll_def();
  def.height = 2.0f;
  ck_assert(fabsf(weft_ragdoll_get_head_radius(&def) - 0.13f) < 1e-6f);
  ck_assert(weft_ragdoll_get_head_radius(NULL) == 0.0f);
}

// ---- from a skeleton ----

// joints of a ragdoll as it stands, each bone longer by its own share
static void draw_skeleton(const weft_ragdoll_def* def, float joints[WEFT_RAGDOLL_PART_COUNT][3]) {
  weft_ragdoll_def standing = *def;
  standing.joints = NULL;
  scene_snapshot s = snapshot_of(&standing);
  for (uint32_t part = 0; part < WEFT_RAGDOLL_PART_COUNT; ++part) {
    memcpy(joints[part], s.positions + (size_t)3 * part, sizeof(float[3]));
  }
  // longer legs, shorter arms; the left knee is bent by 90 degrees, the right arm raised
  joints[WEFT_RAGDOLL_KNEE_LEFT][1] -= 0.1f;
  joints[WEFT_RAGDOLL_FOOT_LEFT][0] = joints[WEFT_RAGDOLL_KNEE_LEFT][0] - 0.5f;
  joints[WEFT_RAGDOLL_FOOT_LEFT][1] = joints[WEFT_RAGDOLL_KNEE_LEFT][1];
  joints[WEFT_RAGDOLL_HAND_LEFT][1] += 0.05f;
  joints[WEFT_RAGDOLL_ELBOW_RIGHT][0] = joints[WEFT_RAGDOLL_SHOULDER_RIGHT][0] + 0.3f;
  joints[WEFT_RAGDOLL_ELBOW_RIGHT][1] = joints[WEFT_RAGDOLL_SHOULDER_RIGHT][1];
  joints[WEFT_RAGDOLL_HAND_RIGHT][0] = joints[WEFT_RAGDOLL_SHOULDER_RIGHT][0] + 0.6f;
  joints[WEFT_RAGDOLL_HAND_RIGHT][1] = joints[WEFT_RAGDOLL_SHOULDER_RIGHT][1];
}

LOOP_TEST(a_ragdoll_has_the_joints_of_its_skeleton_and_rests_in_its_pose, 0, 2) {
  weft_ragdoll_def def = weft_default_ragdoll_def();
  float joints[WEFT_RAGDOLL_PART_COUNT][3];
  def.flat = _i == 0;
  draw_skeleton(&def, joints);
  def.joints = joints[0];
  scene_snapshot s = snapshot_of(&def);
  for (uint32_t i = 0; i < 3 * WEFT_RAGDOLL_PART_COUNT; ++i) {
    require(fabsf(s.positions[i] - def.joints[i]) < 1e-6f);
  }
  // no bone, support or limit exerts a force
  for (uint32_t i = 0; i < s.link_count; ++i) {
    const weft_link_def* link = &s.links[i];
    const double length = distance(s.positions, (int)link->a, (int)link->b);
    if (link->mode == WEFT_LINK_MODE_BOTH) require(fabs(length - (double)link->rest_length) < 1e-6);
    if (link->mode == WEFT_LINK_MODE_COMPRESS) require(length > (double)link->rest_length - 1e-6);
    if (link->mode == WEFT_LINK_MODE_STRETCH) require(length < (double)link->rest_length + 1e-6);
  }
  // the kneecap is in front of the knee: opposite to the foot
  const float* cap = s.positions + 3 * WEFT_RAGDOLL_KNEECAP_LEFT;
  ck_assert(fabsf(cap[0] - joints[WEFT_RAGDOLL_KNEE_LEFT][0] - 0.05f * def.height) < 1e-6f);
  ck_assert(fabsf(cap[1] - joints[WEFT_RAGDOLL_KNEE_LEFT][1]) < 1e-6f);
  // the elbow's tip is below the arm that points forward
  const float* tip = s.positions + 3 * WEFT_RAGDOLL_ELBOW_TIP_RIGHT;
  ck_assert(fabsf(tip[1] - joints[WEFT_RAGDOLL_ELBOW_RIGHT][1] + 0.05f * def.height) < 1e-6f);
}

LOOP_TEST(a_ragdoll_from_the_joints_of_a_standing_one_is_the_standing_one, 0, 2) {
  weft_ragdoll_def def = weft_default_ragdoll_def();
  float joints[WEFT_RAGDOLL_PART_COUNT][3];
  def.flat = _i == 0;
  scene_snapshot standing = snapshot_of(&def);
  memcpy(joints, standing.positions, sizeof joints);
  def.joints = joints[0];
  scene_snapshot s = snapshot_of(&def);
  for (uint32_t i = 0; i < 3 * PARTICLES; ++i) {
    require(fabsf(s.positions[i] - standing.positions[i]) < 1e-6f);
  }
  for (uint32_t i = 0; i < s.link_count; ++i) {
    require(fabsf(s.links[i].rest_length - standing.links[i].rest_length) < 1e-6f);
    require(s.links[i].mode == standing.links[i].mode);
  }
}

static void expect_bad_joint(const weft_ragdoll_def* def, weft_error error, uint64_t index) {
  expect_not_added(weft_scene_add_ragdoll(scene, def, &body), error, "weft_ragdoll_def.joints",
                   index);
}

TEST(joints_that_make_no_figure_are_refused) {
  weft_ragdoll_def def = weft_default_ragdoll_def();
  float joints[WEFT_RAGDOLL_PART_COUNT][3];
  draw_skeleton(&def, joints);
  def.joints = joints[0];
  joints[3][2] = 0.1f;
  expect_bad_joint(&def, WEFT_ERROR_RANGE, 3);
  joints[3][2] = NAN;
  expect_bad_joint(&def, WEFT_ERROR_NOT_FINITE, 3);
  def.flat = false;
  draw_skeleton(&def, joints);
  memcpy(joints[WEFT_RAGDOLL_HAND_LEFT], joints[WEFT_RAGDOLL_ELBOW_LEFT], sizeof(float[3]));
  expect_bad_joint(&def, WEFT_ERROR_DEGENERATE, WEFT_RAGDOLL_HAND_LEFT);
  // shoulders above each other
  draw_skeleton(&def, joints);
  for (int side = 0; side < 2; ++side) {
    memcpy(joints[WEFT_RAGDOLL_SHOULDER_LEFT + side], joints[WEFT_RAGDOLL_NECK], sizeof(float[3]));
    joints[WEFT_RAGDOLL_SHOULDER_LEFT + side][1] += side == 0 ? 0.2f : -0.2f;
  }
  expect_bad_joint(&def, WEFT_ERROR_DEGENERATE, WEFT_RAGDOLL_SHOULDER_LEFT);
}

// ---- motion ----

#define FLOOR (-1.0f)
