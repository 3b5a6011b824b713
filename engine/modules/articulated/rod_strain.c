#include "modules/articulated/rod_strain.h"

#include <math.h>

#include "base/min_max.h"
#include "base/pose.h"

// radians, below which the coefficient c is a series
#define SMALL_ANGLE 0.1
// sine of half an angle beyond half a turn: at a full turn c is infinite
#define MIN_SINE 1e-3
// argument of the series of the arc tangent
#define MAX_TANGENT 0.2

typedef struct relative_rotation {
  weft__vec3 part;      // axis times the sine of half the angle
  double sine, cosine;  // half the angle's
} relative_rotation;

static relative_rotation rotation_of(const double from[4], const double to[4]) {
  const double inverse[4] = {-from[0], -from[1], -from[2], from[3]};
  double q[4];
  weft__rotation_multiply(to, inverse, q);
  const weft__vec3 part = {q[0], q[1], q[2]};
  return (relative_rotation){part, weft__length(part), q[3]};
}

// Series exact to 1e-13 after halving t >= 0; libm's last bits differ.
static double arc_tangent(double t) {
  double doublings = 1.0;
  while (t > MAX_TANGENT) {
    t /= 1.0 + sqrt(1.0 + t * t);
    doublings *= 2.0;
  }
  const double sq = t * t;
  double sum = 0.0;
  for (int n = 15; n >= 1; n -= 2) sum = 1.0 / (double)n - sq * sum;
  return doublings * t * sum;
}

static weft__vec3 strain_of(const relative_rotation* r) {
  if (!(r->sine > 0.0)) return (weft__vec3){0.0, 0.0, 0.0};
  const double tangent = r->sine / weft__max(1.0 + r->cosine, MIN_SINE * MIN_SINE);
  return weft__scaled(4.0 * arc_tangent(tangent) / r->sine, r->part);
}

weft__vec3 weft__rod_strain(const double from[4], const double to[4]) {
  const relative_rotation r = rotation_of(from, to);
  return strain_of(&r);
}

weft__frame weft__rod_axes(const double frame[4]) {
  const weft__pose pose = {.rotation = {frame[0], frame[1], frame[2], frame[3]}};
  return weft__frame_of(&pose);
}

void weft__rod_turn(double frame[4], weft__vec3 rotation) {
  const weft__vec3 still = {0.0, 0.0, 0.0};
  const weft__pose pose = {.rotation = {frame[0], frame[1], frame[2], frame[3]}};
  const weft__pose after = weft__pose_after(&pose, still, rotation, 1.0);
  for (int k = 0; k < 4; ++k) frame[k] = after.rotation[k];
}

// c of G.
static double second_coefficient(const relative_rotation* r, double angle_sq) {
  if (angle_sq < SMALL_ANGLE * SMALL_ANGLE) {
    return 1.0 / 12.0 + angle_sq * (1.0 / 720.0 + angle_sq / 30240.0);
  }
  const double cotangent = r->cosine / weft__max(r->sine, MIN_SINE);
  return (1.0 - 0.5 * sqrt(angle_sq) * cotangent) / angle_sq;
}

weft__rod_bend weft__rod_bend_of(const double from[4], const double to[4], weft__vec3 rest,
                                 weft__vec3 rigidity) {
  const relative_rotation r = rotation_of(from, to);
  const weft__vec3 strain = strain_of(&r);
  const double angle_sq = weft__dot(strain, strain);
  const double c = second_coefficient(&r, angle_sq);
  const weft__frame axes = weft__rod_axes(from);
  const weft__vec3 turn = weft__frame_rotate_out(&axes, strain);
  const double strains[3] = {strain.x, strain.y, strain.z};
  const double excess[3] = {strain.x - rest.x, strain.y - rest.y, strain.z - rest.z};
  const double rigidities[3] = {rigidity.x, rigidity.y, rigidity.z};
  weft__rod_bend bend = {0};
  for (int k = 0; k < 3; ++k) {
    // row k of G in the world: ((1 - c t^2) I + c W W^T - [W]/2) has -(e_k x W)/2 from [W]
    const weft__vec3 along = weft__plus(weft__scaled(1.0 - c * angle_sq, axes.axis[k]),
                                        weft__scaled(c * strains[k], turn));
    const weft__vec3 row = weft__minus(along, weft__scaled(0.5, weft__cross(axes.axis[k], turn)));
    bend.moment = weft__plus(bend.moment, weft__scaled(rigidities[k] * excess[k], row));
    weft__add_square(&bend.stiffness, rigidities[k], row);
    bend.energy += 0.5 * rigidities[k] * excess[k] * excess[k];
  }
  return bend;
}
