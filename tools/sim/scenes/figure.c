#include "sim/scenes/figure.h"

#include <math.h>

#define DEGREES 57.29577951308232

double figure_roll(figure_dice* dice, double lower, double upper) {
  uint64_t bits = dice->state += 0x9e3779b97f4a7c15u;
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
  bits ^= bits >> 31;
  return lower + (upper - lower) * ((double)(bits >> 11) * 0x1p-53);
}

typedef struct turn {
  double cosine, sine;
} turn;

// A random direction within some degrees, without cos() and sin(), which differ between machines:
// tan of half the angle is near to the angle at the ends.
static turn roll_turn(figure_dice* dice, double lower, double upper) {
  const double half = figure_roll(dice, lower, upper) / (2.0 * DEGREES);
  const double t = half + half * half * half / 3.0 + 2.0 * half * half * half * half * half / 15.0;
  return (turn){(1.0 - t * t) / (1.0 + t * t), 2.0 * t / (1.0 + t * t)};
}

// turns a part about another in the plane of the figure, from up to back: forwards where it hangs
// down
static void swing(figure_places places, const weft_ragdoll_def* def, int part, int pivot, turn by) {
  double out = 0.0, up = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double arm = (double)places[part][axis] - (double)places[pivot][axis];
    out += arm * (double)def->across[axis];
    up += arm * (double)def->up[axis];
  }
  const double more_out = out * by.cosine - up * by.sine - out;
  const double more_up = out * by.sine + up * by.cosine - up;
  for (int axis = 0; axis < 3; ++axis) {
    places[part][axis] +=
        (float)(more_out * (double)def->across[axis] + more_up * (double)def->up[axis]);
  }
}

void figure_face(weft_ragdoll_def* def, figure_dice* dice) {
  double x, y, squared;
  do {
    x = figure_roll(dice, -1.0, 1.0);
    y = figure_roll(dice, -1.0, 1.0);
    squared = x * x + y * y;
  } while (squared > 1.0 || squared < 0.01);
  const double side = figure_roll(dice, 0.0, 1.0) < 0.5 ? -1.0 : 1.0;
  const double length = sqrt(squared);
  def->up[0] = (float)(x / length);
  def->up[1] = (float)(y / length);
  def->across[0] = (float)(side * y / length);
  def->across[1] = (float)(-side * x / length);
}

void figure_pose(figure_places places, const weft_ragdoll_def* def, figure_dice* dice) {
  for (int side = 0; side < 2; ++side) {
    const int hip = WEFT_RAGDOLL_HIP_LEFT + side, knee = WEFT_RAGDOLL_KNEE_LEFT + side;
    const int foot = WEFT_RAGDOLL_FOOT_LEFT + side, cap = WEFT_RAGDOLL_KNEECAP_LEFT + side;
    const turn thigh = roll_turn(dice, -10.0, 90.0), shank = roll_turn(dice, -100.0, -5.0);
    swing(places, def, foot, knee, shank);
    swing(places, def, foot, hip, thigh);
    swing(places, def, cap, hip, thigh);
    swing(places, def, knee, hip, thigh);
    const int shoulder = WEFT_RAGDOLL_SHOULDER_LEFT + side, elbow = WEFT_RAGDOLL_ELBOW_LEFT + side;
    const int hand = WEFT_RAGDOLL_HAND_LEFT + side, tip = WEFT_RAGDOLL_ELBOW_TIP_LEFT + side;
    const turn upper = roll_turn(dice, -40.0, 110.0), forearm = roll_turn(dice, 5.0, 110.0);
    swing(places, def, hand, elbow, forearm);
    swing(places, def, hand, shoulder, upper);
    swing(places, def, tip, shoulder, upper);
    swing(places, def, elbow, shoulder, upper);
  }
  swing(places, def, WEFT_RAGDOLL_HEAD, WEFT_RAGDOLL_NECK, roll_turn(dice, -30.0, 30.0));
}

static double distance(figure_places places, uint32_t a, uint32_t b) {
  double squared = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double way = (double)places[a][axis] - (double)places[b][axis];
    squared += way * way;
  }
  return sqrt(squared);
}

double figure_strain(figure_places places, const weft_link_def bones[WEFT_RAGDOLL_BONE_COUNT]) {
  double upper = 0.0;
  for (uint32_t i = 0; i < WEFT_RAGDOLL_BONE_COUNT; ++i) {
    const double length = distance(places, bones[i].a, bones[i].b);
    upper = fmax(upper, fabs(length / (double)bones[i].rest_length - 1.0));
  }
  return upper;
}

// degrees of the angle at `joint`
static double angle_at(figure_places places, const int* limb) {
  double along = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    along += ((double)places[limb[0]][axis] - (double)places[limb[1]][axis]) *
             ((double)places[limb[2]][axis] - (double)places[limb[1]][axis]);
  }
  const double lengths = distance(places, (uint32_t)limb[0], (uint32_t)limb[1]) *
                         distance(places, (uint32_t)limb[2], (uint32_t)limb[1]);
  return lengths > 0.0 ? acos(fmax(-1.0, fmin(1.0, along / lengths))) * DEGREES : 0.0;
}

// degrees by which a limb is bent forwards, in the plane of the figure
static double bend_of(figure_places places, const weft_ragdoll_def* def, const int* limb) {
  double out[2] = {0.0, 0.0}, up[2] = {0.0, 0.0};
  for (int part = 0; part < 2; ++part) {
    for (int axis = 0; axis < 3; ++axis) {
      const double way = (double)places[limb[part + 1]][axis] - (double)places[limb[part]][axis];
      out[part] += way * (double)def->across[axis];
      up[part] += way * (double)def->up[axis];
    }
  }
  return atan2(out[0] * up[1] - up[0] * out[1], out[0] * out[1] + up[0] * up[1]) * DEGREES;
}

typedef struct hinge {
  int limb[3], marked[3];
  double forward;  // 1 = must not bend forwards, -1 = not back
} hinge;

#define KNEE(side)                                                                             \
  {                                                                                            \
    {WEFT_RAGDOLL_HIP_##side, WEFT_RAGDOLL_KNEE_##side, WEFT_RAGDOLL_FOOT_##side},             \
        {WEFT_RAGDOLL_KNEECAP_##side, WEFT_RAGDOLL_KNEE_##side, WEFT_RAGDOLL_FOOT_##side}, 1.0 \
  }
#define ELBOW(side)                                                                                \
  {                                                                                                \
    {WEFT_RAGDOLL_SHOULDER_##side, WEFT_RAGDOLL_ELBOW_##side, WEFT_RAGDOLL_HAND_##side},           \
        {WEFT_RAGDOLL_ELBOW_TIP_##side, WEFT_RAGDOLL_ELBOW_##side, WEFT_RAGDOLL_HAND_##side}, -1.0 \
  }

void figure_count_bends(figure_places places, const weft_ragdoll_def* def, figure_bends* bends) {
  static const hinge hinges[] = {KNEE(LEFT), KNEE(RIGHT), ELBOW(LEFT), ELBOW(RIGHT)};
  for (size_t i = 0; i < sizeof hinges / sizeof *hinges; ++i) {
    const hinge* h = &hinges[i];
    const double wrong =
        def->flat ? h->forward * bend_of(places, def, h->limb) : 90.0 - angle_at(places, h->marked);
    if (wrong > FIGURE_PLAY) ++bends->wrong;
    bends->worst = fmax(bends->worst, wrong);
  }
}
