#include "base/pose.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

void weft__rotation_normalise(double rotation[4]) {
  const double length = sqrt(rotation[0] * rotation[0] + rotation[1] * rotation[1] +
                             rotation[2] * rotation[2] + rotation[3] * rotation[3]);
  if (!(length > 0.0)) {
    memcpy(rotation, (double[4]){0.0, 0.0, 0.0, 1.0}, sizeof(double[4]));
    return;
  }
  for (int k = 0; k < 4; ++k) rotation[k] /= length;
}

void weft__rotation_multiply(const double a[4], const double b[4], double product[4]) {
  const double made[4] = {
      b[3] * a[0] + b[0] * a[3] + b[1] * a[2] - b[2] * a[1],
      b[3] * a[1] - b[0] * a[2] + b[1] * a[3] + b[2] * a[0],
      b[3] * a[2] + b[0] * a[1] - b[1] * a[0] + b[2] * a[3],
      b[3] * a[3] - b[0] * a[0] - b[1] * a[1] - b[2] * a[2],
  };
  memcpy(product, made, sizeof(made));
}

weft__pose weft__pose_of(const float* position, const float* rotation) {
  weft__pose pose = {.rotation = {0.0, 0.0, 0.0, 1.0}};
  if (position != NULL) pose.position = weft__vec3_of(position);
  for (int k = 0; k < 4 && rotation != NULL; ++k) pose.rotation[k] = (double)rotation[k];
  weft__rotation_normalise(pose.rotation);
  return pose;
}

// Halves the angle until short series of sine and cosine are exact, then squares as often.
// builders/turn.h takes any angle, with other bits.
static void quaternion_of(weft__vec3 turn, double rotation[4]) {
  double half_angle = 0.5 * sqrt(weft__dot(turn, turn));
  double part = 0.5;
  int doublings = 0;
  while (half_angle > 0.125) {
    half_angle *= 0.5;
    part *= 0.5;
    ++doublings;
  }
  const double sq = half_angle * half_angle;
  const double sine = 1.0 - sq / 6.0 * (1.0 - sq / 20.0 * (1.0 - sq / 42.0 * (1.0 - sq / 72.0)));
  const double cosine = 1.0 - sq / 2.0 * (1.0 - sq / 12.0 * (1.0 - sq / 30.0 * (1.0 - sq / 56.0)));
  rotation[0] = part * turn.x * sine;
  rotation[1] = part * turn.y * sine;
  rotation[2] = part * turn.z * sine;
  rotation[3] = cosine;
  for (; doublings > 0; --doublings) weft__rotation_multiply(rotation, rotation, rotation);
  weft__rotation_normalise(rotation);
}

weft__pose weft__pose_after(const weft__pose* pose, weft__vec3 velocity, weft__vec3 spin,
                            double h) {
  weft__pose after = *pose;
  after.position = weft__plus(pose->position, weft__scaled(h, velocity));
  if (!(weft__dot(spin, spin) > 0.0)) return after;
  double turn[4];
  quaternion_of(weft__scaled(h, spin), turn);
  weft__rotation_multiply(pose->rotation, turn, after.rotation);
  weft__rotation_normalise(after.rotation);
  return after;
}

// Half a rotation is its normalised sum with the identity; after these halvings a short series of
// the arc sine suffices.
#define HALVINGS 6
// Smaller sines are rounding.
#define MIN_SINE 1e-15

// Half a turn: the one whose first component is positive.
static void choose_shorter(double turn[4]) {
  bool is_longer = turn[3] < 0.0;
  for (int k = 0; k < 3 && turn[3] == 0.0; ++k) {
    if (turn[k] == 0.0) continue;
    is_longer = turn[k] < 0.0;
    break;
  }
  for (int k = 0; k < 4 && is_longer; ++k) turn[k] = -turn[k];
}

weft__vec3 weft__rotation_between(const double from[4], const double to[4]) {
  const double back[4] = {-from[0], -from[1], -from[2], from[3]};
  double turn[4];
  weft__rotation_multiply(back, to, turn);
  choose_shorter(turn);
  for (int k = 0; k < HALVINGS; ++k) {
    turn[3] += 1.0;
    weft__rotation_normalise(turn);
  }
  const weft__vec3 part = {turn[0], turn[1], turn[2]};
  const double sq = weft__dot(part, part);
  if (!(sq > MIN_SINE * MIN_SINE)) return (weft__vec3){0.0, 0.0, 0.0};
  // asin(x) / x
  const double ratio = 1.0 + sq * (1.0 / 6.0 + sq * (3.0 / 40.0 + sq * (5.0 / 112.0)));
  return weft__scaled((double)(2u << HALVINGS) * ratio, part);
}

weft__pose weft__pose_between(const weft__pose* from, const weft__pose* to, double share) {
  if (share >= 1.0) return *to;
  const weft__vec3 translation = weft__minus(to->position, from->position);
  const weft__vec3 turn = weft__rotation_between(from->rotation, to->rotation);
  return weft__pose_after(from, translation, turn, share);
}

weft__pose_slice weft__pose_slice_of(weft__vec3 translation, weft__vec3 turn, uint32_t count) {
  const double share = 1.0 / (double)count;
  weft__pose_slice slice = {.translation = weft__scaled(share, translation)};
  quaternion_of(weft__scaled(share, turn), slice.rotation);
  return slice;
}

weft__pose weft__pose_advance(const weft__pose* pose, const weft__pose_slice* slice) {
  weft__pose after = {.position = weft__plus(pose->position, slice->translation)};
  weft__rotation_multiply(pose->rotation, slice->rotation, after.rotation);
  return after;
}

weft__frame weft__frame_of(const weft__pose* pose) {
  const double x = pose->rotation[0];
  const double y = pose->rotation[1];
  const double z = pose->rotation[2];
  const double w = pose->rotation[3];
  return (weft__frame){
      .position = pose->position,
      .turns = x != 0.0 || y != 0.0 || z != 0.0,
      .axis = {{1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)},
               {2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)},
               {2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)}},
  };
}
