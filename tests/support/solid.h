/* Checks of a shape's row against an oracle of distances. */
#ifndef TESTS_SUPPORT_SOLID_H
#define TESTS_SUPPORT_SOLID_H

#include <math.h>

#include "geometry/shape.h"
#include "support/random.h"
#include "support/suite.h"

/* Signed distance from a point to a shape in metres, negative inside. */
typedef double distance_oracle(const void* scene, weft__vec3 point);

typedef struct tested_solid {
  const weft__shape_row* row;
  weft__shape shape;
  distance_oracle* oracle;
  const void* scene;
  double tolerance; /* metres */
} tested_solid;

static inline weft__vec3 random_place(random_source* random, weft__vec3 lower, weft__vec3 upper) {
  return (weft__vec3){
      lower.x + (upper.x - lower.x) * (double)random_float(random, 0.0f, 1.0f),
      lower.y + (upper.y - lower.y) * (double)random_float(random, 0.0f, 1.0f),
      lower.z + (upper.z - lower.z) * (double)random_float(random, 0.0f, 1.0f),
  };
}

static inline tested_solid new_solid(const weft__shape_row* row, const weft_collider_def* def,
                                     distance_oracle* oracle, const void* scene) {
  expect_ok(row->check(def));
  tested_solid made = {.row = row, .oracle = oracle, .scene = scene, .tolerance = 1e-9};
  require(row->build(&made.shape, def));
  require(made.shape.bytes > 0);
  return made;
}

static inline void check_nearest(const tested_solid* solid, weft__vec3 point, double reach) {
  const double expected = solid->oracle(solid->scene, point);
  weft__surface_point nearest;
  const bool found = solid->row->find_nearest(&solid->shape, point, reach, &nearest);
  if (fabs(expected - reach) < solid->tolerance) return;
  require(found == (expected <= reach));
  if (!found) return;
  require(fabs(nearest.distance - expected) < solid->tolerance);
  require(fabs(weft__length(nearest.normal) - 1.0) < 1e-9);
  const double on_surface = solid->oracle(solid->scene, nearest.point);
  require(fabs(on_surface) < solid->tolerance);
  const weft__vec3 back = weft__plus(nearest.point, weft__scaled(nearest.distance, nearest.normal));
  require(weft__length(weft__minus(back, point)) < solid->tolerance);
}

/* Checks one sphere cast; returns true on a hit. */
static inline bool check_cast(const tested_solid* solid, weft__vec3 from, weft__vec3 to,
                              double radius) {
  const weft__vec3 way = weft__minus(to, from);
  weft__cast cast;
  const bool met = solid->row->cast(&solid->shape, from, to, radius, &cast);
  const double until = met ? cast.fraction : 1.0;
  require(until >= 0.0 && until <= 1.0);
  for (int step = 0; step < 50; ++step) {
    const weft__vec3 at = weft__plus(from, weft__scaled(until * step / 50.0, way));
    require((met && until == 0.0) || solid->oracle(solid->scene, at) > radius - solid->tolerance);
  }
  if (!met) return false;
  const weft__vec3 at = weft__plus(from, weft__scaled(until, way));
  const double distance = solid->oracle(solid->scene, at);
  require(until == 0.0 ? distance <= radius + solid->tolerance
                       : fabs(distance - radius) < 10.0 * solid->tolerance);
  require(fabs(weft__length(cast.normal) - 1.0) < 1e-9);
  require(fabs(solid->oracle(solid->scene, cast.point)) < 10.0 * solid->tolerance);
  if (until == 0.0) {
    weft__surface_point nearest;
    require(solid->row->find_nearest(&solid->shape, from, radius, &nearest));
    require(memcmp(&nearest.normal, &cast.normal, sizeof(cast.normal)) == 0);
  } else {
    const weft__vec3 center = weft__plus(cast.point, weft__scaled(radius, cast.normal));
    require(weft__length(weft__minus(center, at)) < 100.0 * solid->tolerance);
  }
  return true;
}

/* Checks overlap with a random box: it must overlap if it contains a point of the shape, and must
 * not if its centre is farther from the shape than its half diagonal. */
static inline void check_box(const tested_solid* solid, random_source* random, weft__vec3 center) {
  const weft__vec3 unit = {1.0, 1.0, 1.0};
  weft__vec3 half_edges[3];
  half_edges[0] = random_place(random, weft__scaled(-0.3, unit), weft__scaled(0.3, unit));
  half_edges[1] = random_place(random, weft__scaled(-0.5, unit), weft__scaled(0.5, unit));
  half_edges[2] = weft__cross(half_edges[0], half_edges[1]);
  half_edges[1] = weft__cross(half_edges[2], half_edges[0]);
  const bool meets = solid->row->overlaps_box(&solid->shape, center, half_edges);
  double reach = 0.0;
  for (int k = 0; k < 3; ++k) reach += weft__dot(half_edges[k], half_edges[k]);
  reach = sqrt(reach);
  for (int i = 0; i < 20; ++i) {
    weft__vec3 at = center;
    for (int k = 0; k < 3; ++k) {
      const double share = (double)random_float(random, -1.0f, 1.0f);
      at = weft__plus(at, weft__scaled(share, half_edges[k]));
    }
    const double distance = solid->oracle(solid->scene, at);
    if (distance < -1e-9) require(meets || solid->row->is_thin);
    // nearest surface point, if within 1 cm of the sample; it must lie inside the box
    weft__surface_point nearest;
    if (!solid->row->find_nearest(&solid->shape, at, 1e-2, &nearest)) continue;
    const weft__vec3 to = weft__minus(nearest.point, center);
    bool holds = true;
    for (int k = 0; k < 3; ++k) {
      const double length_sq = weft__dot(half_edges[k], half_edges[k]);
      if (fabs(weft__dot(to, half_edges[k])) > length_sq * (1.0 - 1e-9)) holds = false;
    }
    if (holds) require(meets);
  }
  if (solid->oracle(solid->scene, center) > reach + solid->tolerance) require(!meets);
}

/* Runs all checks at random positions in a box. */
static inline void check_solid(const tested_solid* solid, random_source* random, weft__vec3 lower,
                               weft__vec3 upper, int rounds) {
  int hits = 0;
  for (int round = 0; round < rounds; ++round) {
    const weft__vec3 point = random_place(random, lower, upper);
    const weft__vec3 other = random_place(random, lower, upper);
    const double reach = random_chance(random, 2) ? INFINITY : (double)random_float(random, 0, 1);
    const double radius = random_chance(random, 3) ? 0.0 : (double)random_float(random, 0, 0.5f);
    check_nearest(solid, point, reach);
    if (check_cast(solid, point, other, radius)) hits += 1;
    check_box(solid, random, point);
  }
  require(hits > rounds / 20);
}

#endif
