/* Balls, and what balls on their way have to do with other forms. */
#include <math.h>

#include "query/forms.h"

// ---- what all forms have in common ----

bool weft__answer_near(weft__vec3 nearest, weft__vec3 point, double reach, weft__answer* answer) {
  const weft__vec3 away = weft__minus(point, nearest);
  const double distance = sqrt(weft__dot(away, away));
  if (!(distance <= reach)) return false;
  *answer = (weft__answer){.distance = distance, .point = nearest};
  if (distance > 0.0) answer->normal = weft__scaled(1.0 / distance, away);
  return true;
}

void weft__answer_met(const weft__query_path* way, double distance, weft__vec3 nearest,
                      weft__answer* answer) {
  const weft__vec3 away = weft__minus(weft__way_at(way, distance), nearest);
  const double size = sqrt(weft__dot(away, away));
  *answer = (weft__answer){.distance = distance, .point = nearest};
  if (size > 0.0) answer->normal = weft__scaled(1.0 / size, away);
}

// The nearest point of the way's line tells hit from miss without the cancellation that b b - c has far away.
// (Haines et al. 2019, "Precision improvements for ray/sphere intersection", Ray Tracing Gems, chapter 7)
double weft__cast_at_ball(const weft__query_path* way, weft__vec3 center, double radius) {
  const weft__vec3 apart = weft__minus(way->from, center);
  const double ahead = -weft__dot(apart, way->direction);
  if (!(ahead > 0.0)) return INFINITY;
  const weft__vec3 beside = weft__plus(apart, weft__scaled(ahead, way->direction));
  const double half_sq = radius * radius - weft__dot(beside, beside);
  if (!(half_sq >= 0.0)) return INFINITY;
  const double far = ahead + sqrt(half_sq);
  return fmax((weft__dot(apart, apart) - radius * radius) / far, 0.0);
}

// ---- balls ----

static bool find_nearest(const weft__element* element, weft__vec3 point, double reach,
                         weft__answer* answer) {
  const double radius = element->half_size[0];
  const weft__vec3 away = weft__minus(point, element->corner[0]);
  const double apart = sqrt(weft__dot(away, away));
  if (apart <= radius) {
    *answer = weft__inside(point);
    return true;
  }
  if (!(apart - radius <= reach)) return false;
  *answer = (weft__answer){.distance = apart - radius, .normal = weft__scaled(1.0 / apart, away)};
  answer->point = weft__plus(element->corner[0], weft__scaled(radius, answer->normal));
  return true;
}

static bool cast(const weft__element* element, const weft__query_path* way, double enter,
                 double leave, weft__answer* answer) {
  (void)enter;
  (void)leave;
  const double radius = element->half_size[0];
  const double both = radius + way->radius;
  if (!(both > 0.0)) return false;
  const weft__vec3 center = element->corner[0];
  const weft__vec3 apart = weft__minus(way->from, center);
  if (weft__dot(apart, apart) <= both * both) {
    *answer = weft__inside(way->from);
    return true;
  }
  const double distance = weft__cast_at_ball(way, center, both);
  if (!(distance <= way->length) || distance == INFINITY) return false;
  weft__answer_met(way, distance, center, answer);
  answer->point = weft__plus(center, weft__scaled(radius, answer->normal));
  return true;
}

static double beyond(double value, double least, double most) {
  if (value < least) return least - value;
  return value > most ? value - most : 0.0;
}

// how far the box is from the middle, along each axis in units of this
static bool reaches(weft__vec3 center, const double unit[3], const weft__extent* box) {
  const double x = beyond(center.x, box->least[0], box->most[0]) / unit[0];
  const double y = beyond(center.y, box->least[1], box->most[1]) / unit[1];
  const double z = beyond(center.z, box->least[2], box->most[2]) / unit[2];
  return x * x + y * y + z * z <= 1.0;
}

bool weft__round_meets_box(const weft__element* element, const weft__extent* box) {
  const weft__vec3 center = element->corner[0];
  if (element->half_size[0] > 0.0) return reaches(center, element->half_size, box);
  return beyond(center.x, box->least[0], box->most[0]) == 0.0 &&
         beyond(center.y, box->least[1], box->most[1]) == 0.0 &&
         beyond(center.z, box->least[2], box->most[2]) == 0.0;
}

const weft__form_row weft__ball_row = {
    .find_nearest = find_nearest,
    .cast = cast,
    .meets_box = weft__round_meets_box,
};
