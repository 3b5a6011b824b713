/* Body proportions of a person and the ranges of its joints. Lengths: Drillis and Contini 1966;
 * masses and their centres: Dempster 1955; both as in Winter, "Biomechanics and motor control of
 * human movement", chapter 4.
 *
 * Distances cannot distinguish a bent knee from one bent backwards. A marker does, the kneecap K'
 * in front of the knee, which is fixed to the thigh:
 *
 *        H           a straight leg, K-K' perpendicular to it. As the foot F goes back, its
 *       / \          distance to K' grows; going forward it would shrink, which a compression-only
 *      /   \         link prevents. Another link from H to F limits the flexion of the knee. Elbows
 *     /     \        are mirrored: the tip is behind.
 *    K ----- K'
 *    |               A flat figure has its shoulders and hips in its plane: for a thigh, the other
 *    |               hip is in front or behind, and its shoulder above. Other figures have a marker
 *    F               in the belly and one in the spine instead.
 *
 * Markers are at the depth of the flesh, so that a figure lying on the ground does not float. */
#include "libraries/bodies/ragdoll.h"

#define L(part) WEFT_RAGDOLL_##part##_LEFT
#define R(part) WEFT_RAGDOLL_##part##_RIGHT
#define M(part) WEFT_RAGDOLL_##part

const weft__ragdoll_position weft__ragdoll_positions[WEFT_RAGDOLL_PARTICLE_COUNT] = {
    [M(HEAD)] = {0.0, 0.935, 0.0},
    [M(NECK)] = {0.0, 0.818, 0.0},
    [L(SHOULDER)] = {0.0, 0.818, 0.1295},
    [R(SHOULDER)] = {0.0, 0.818, -0.1295},
    [L(ELBOW)] = {0.0, 0.632, 0.1295},
    [R(ELBOW)] = {0.0, 0.632, -0.1295},
    [L(HAND)] = {0.0, 0.486, 0.1295},
    [R(HAND)] = {0.0, 0.486, -0.1295},
    [M(PELVIS)] = {0.0, 0.530, 0.0},
    [L(HIP)] = {0.0, 0.530, 0.0955},
    [R(HIP)] = {0.0, 0.530, -0.0955},
    [L(KNEE)] = {0.0, 0.285, 0.0955},
    [R(KNEE)] = {0.0, 0.285, -0.0955},
    [L(FOOT)] = {0.0, 0.039, 0.0955},
    [R(FOOT)] = {0.0, 0.039, -0.0955},
    [L(KNEECAP)] = {0.05, 0.285, 0.0955},
    [R(KNEECAP)] = {0.05, 0.285, -0.0955},
    [L(ELBOW_TIP)] = {-0.05, 0.632, 0.1295},
    [R(ELBOW_TIP)] = {-0.05, 0.632, -0.1295},
    [M(BELLY)] = {0.06, 0.530, 0.0},
    [M(SPINE)] = {-0.06, 0.818, 0.0},
};

// Centres of mass stay: a limb's at the share c of its length puts 1 - c at the near end, c at the
// far one. Markers have half of their joint's mass; the trunk's is half above, half below.
double weft__ragdoll_mass(weft_ragdoll_part part) {
  const double upper_arm = 0.028, forearm = 0.022, thigh = 0.100, shank = 0.061;
  const double elbow = 0.436 * upper_arm + (1.0 - 0.682) * forearm;
  const double knee = 0.433 * thigh + (1.0 - 0.606) * shank;
  switch (part) {
    case M(HEAD):
      return 0.081;
    case M(NECK):
    case M(PELVIS):
      return 0.0685;
    case M(BELLY):
    case M(SPINE):
      return 0.04;
    case L(SHOULDER):
    case R(SHOULDER):
      return 0.07 + (1.0 - 0.436) * upper_arm;
    case L(ELBOW):
    case R(ELBOW):
    case L(ELBOW_TIP):
    case R(ELBOW_TIP):
      return 0.5 * elbow;
    case L(HAND):
    case R(HAND):
      return 0.682 * forearm;
    case L(HIP):
    case R(HIP):
      return 0.07 + (1.0 - 0.433) * thigh;
    case L(KNEE):
    case R(KNEE):
    case L(KNEECAP):
    case R(KNEECAP):
      return 0.5 * knee;
    case L(FOOT):
    case R(FOOT):
      return 0.606 * shank;
    default:
      return 0.0;
  }
}

const weft__ragdoll_pair weft__ragdoll_bones[WEFT_RAGDOLL_BONE_COUNT] = {
    {M(NECK), M(HEAD)},     {M(NECK), M(PELVIS)},    {M(NECK), L(SHOULDER)},
    {M(NECK), R(SHOULDER)}, {L(SHOULDER), L(ELBOW)}, {R(SHOULDER), R(ELBOW)},
    {L(ELBOW), L(HAND)},    {R(ELBOW), R(HAND)},     {M(PELVIS), L(HIP)},
    {M(PELVIS), R(HIP)},    {L(HIP), L(KNEE)},       {R(HIP), R(KNEE)},
    {L(KNEE), L(FOOT)},     {R(KNEE), R(FOOT)},
};

const weft__ragdoll_pair weft__ragdoll_supports[WEFT__RAGDOLL_SUPPORT_COUNT] = {
    {L(SHOULDER), R(SHOULDER)},  {L(HIP), R(HIP)},         {L(SHOULDER), L(HIP)},
    {R(SHOULDER), R(HIP)},       {L(SHOULDER), R(HIP)},    {R(SHOULDER), L(HIP)},
    {L(SHOULDER), M(PELVIS)},    {R(SHOULDER), M(PELVIS)}, {M(NECK), L(HIP)},
    {M(NECK), R(HIP)},           {M(BELLY), M(PELVIS)},    {M(BELLY), M(NECK)},
    {M(BELLY), L(HIP)},          {M(BELLY), R(HIP)},       {M(BELLY), L(SHOULDER)},
    {M(BELLY), R(SHOULDER)},     {M(SPINE), M(PELVIS)},    {M(SPINE), M(NECK)},
    {M(SPINE), L(HIP)},          {M(SPINE), R(HIP)},       {M(SPINE), L(SHOULDER)},
    {M(SPINE), R(SHOULDER)},     {M(BELLY), M(SPINE)},     {L(KNEE), L(KNEECAP)},
    {R(KNEE), R(KNEECAP)},       {L(HIP), L(KNEECAP)},     {R(HIP), R(KNEECAP)},
    {L(ELBOW), L(ELBOW_TIP)},    {R(ELBOW), R(ELBOW_TIP)}, {L(SHOULDER), L(ELBOW_TIP)},
    {R(SHOULDER), R(ELBOW_TIP)},
};

#define PUSH WEFT_LINK_MODE_COMPRESS
#define PULL WEFT_LINK_MODE_STRETCH
#define FORWARD WEFT__SWING_FORWARD
#define LEFT WEFT__SWING_LEFT

// a straight limb is one degree off its limit, which exerts no force on a standing figure
static const weft__ragdoll_limit common_limits[] = {
    {L(KNEECAP), L(FOOT), L(KNEE), PUSH, FORWARD, {1.0}},
    {R(KNEECAP), R(FOOT), R(KNEE), PUSH, FORWARD, {1.0}},
    {L(HIP), L(FOOT), L(KNEE), PUSH, FORWARD, {-140.0}},
    {R(HIP), R(FOOT), R(KNEE), PUSH, FORWARD, {-140.0}},
    {L(ELBOW_TIP), L(HAND), L(ELBOW), PUSH, FORWARD, {-1.0}},
    {R(ELBOW_TIP), R(HAND), R(ELBOW), PUSH, FORWARD, {-1.0}},
    {L(SHOULDER), L(HAND), L(ELBOW), PUSH, FORWARD, {145.0}},
    {R(SHOULDER), R(HAND), R(ELBOW), PUSH, FORWARD, {145.0}},
    {M(PELVIS), M(HEAD), M(NECK), PUSH, FORWARD, {50.0}},
    {L(SHOULDER), L(KNEE), L(HIP), PUSH, FORWARD, {120.0}},
    {R(SHOULDER), R(KNEE), R(HIP), PUSH, FORWARD, {120.0}},
};

// the right hip is in front of the left one, which is behind it
static const weft__ragdoll_limit flat_limits[] = {
    {R(HIP), L(KNEE), L(HIP), PULL, FORWARD, {-20.0}},
    {L(HIP), R(KNEE), R(HIP), PUSH, FORWARD, {-20.0}},
    {R(SHOULDER), L(ELBOW), L(SHOULDER), PULL, FORWARD, {-60.0}},
    {L(SHOULDER), R(ELBOW), R(SHOULDER), PUSH, FORWARD, {-60.0}},
};

static const weft__ragdoll_limit round_limits[] = {
    {R(HIP), L(KNEE), L(HIP), WEFT_LINK_MODE_RANGE, LEFT, {-20.0, 50.0}},
    {L(HIP), R(KNEE), R(HIP), WEFT_LINK_MODE_RANGE, LEFT, {20.0, -50.0}},
    {M(BELLY), L(KNEE), L(HIP), PULL, FORWARD, {-20.0}},
    {M(BELLY), R(KNEE), R(HIP), PULL, FORWARD, {-20.0}},
    {M(BELLY), L(KNEECAP), L(HIP), PULL, FORWARD, {-20.0}},
    {M(BELLY), R(KNEECAP), R(HIP), PULL, FORWARD, {-20.0}},
    {M(SPINE), L(ELBOW), L(SHOULDER), PUSH, FORWARD, {-60.0}},
    {M(SPINE), R(ELBOW), R(SHOULDER), PUSH, FORWARD, {-60.0}},
};

#define LIMITS(table) \
  ((weft__ragdoll_limits){(table), (uint32_t)(sizeof(table) / sizeof(*(table)))})

weft__ragdoll_limits weft__ragdoll_common_limits(void) {
  return LIMITS(common_limits);
}

weft__ragdoll_limits weft__ragdoll_limits_of(bool flat) {
  return flat ? LIMITS(flat_limits) : LIMITS(round_limits);
}
