#include "scene/curves.h"

#include <math.h>
#include <string.h>

#include "base/float_mode.h"
#include "base/memory.h"
#include "scene/scene.h"

// strains of a curve
#define MIN_STRAIN (-1.0f)
#define MAX_STRAIN 1e6f
// newtons
#define MAX_FORCE 1e12f

static weft__force_point* append(weft__force_curves* curves, uint32_t count) {
  const uint32_t begin = curves->count == 0 ? 0 : curves->first[curves->count];
  if (!weft__grow((void**)&curves->first, &curves->first_capacity, (size_t)curves->count + 2,
                  sizeof(*curves->first)) ||
      !weft__grow((void**)&curves->points, &curves->point_capacity, (size_t)begin + count,
                  sizeof(*curves->points))) {
    return NULL;
  }
  curves->first[curves->count] = begin;
  curves->first[++curves->count] = begin + count;
  return curves->points + begin;
}

bool weft__force_curves_push(weft__force_curves* curves, const float* strains, const float* forces,
                             uint32_t count) {
  weft__force_point* points = append(curves, count);
  if (points == NULL) return false;
  double work = 0.0;
  for (uint32_t i = 0; i < count; ++i) {
    const double strain = (double)strains[i], force = (double)forces[i];
    if (i > 0) work += 0.5 * (points[i - 1].force + force) * (strain - points[i - 1].strain);
    points[i] = (weft__force_point){strain, force, work};
  }
  return true;
}

bool weft__force_curves_copy(weft__force_curves* copy, const weft__force_curves* curves) {
  *copy = (weft__force_curves){0};
  if (curves->count == 0) return true;
  const size_t firsts = (size_t)curves->count + 1, points = curves->first[curves->count];
  copy->first = weft__alloc(firsts, sizeof(*copy->first));
  copy->points = weft__alloc(points, sizeof(*copy->points));
  if (copy->first == NULL || copy->points == NULL) return false;
  copy->count = curves->count;
  copy->first_capacity = firsts;
  copy->point_capacity = points;
  memcpy(copy->first, curves->first, firsts * sizeof(*copy->first));
  memcpy(copy->points, curves->points, points * sizeof(*copy->points));
  return true;
}

// From 1; 0: none.
static uint32_t find_equal(const weft__force_curves* curves, const weft__force_point* points,
                           uint32_t count) {
  for (uint32_t c = 0; c < curves->count; ++c) {
    if (curves->first[c + 1] - curves->first[c] != count) continue;
    const weft__force_point* own = curves->points + curves->first[c];
    uint32_t equal = 0;
    while (equal < count && own[equal].strain == points[equal].strain &&
           own[equal].force == points[equal].force) {
      ++equal;
    }
    if (equal == count) return c + 1;
  }
  return 0;
}

bool weft__force_curves_merge(weft__force_curves* curves, const weft__force_curves* other,
                              uint32_t* curve_of) {
  curve_of[0] = 0;
  for (uint32_t c = 0; c < other->count; ++c) {
    const weft__force_point* points = other->points + other->first[c];
    const uint32_t count = other->first[c + 1] - other->first[c];
    curve_of[c + 1] = find_equal(curves, points, count);
    if (curve_of[c + 1] > 0) continue;
    weft__force_point* added = append(curves, count);
    if (added == NULL) return false;
    memcpy(added, points, count * sizeof(*points));
    curve_of[c + 1] = curves->count;
  }
  return true;
}

size_t weft__force_curves_bytes(const weft__force_curves* curves) {
  return curves->first_capacity * sizeof(*curves->first) +
         curves->point_capacity * sizeof(*curves->points);
}

void weft__force_curves_destroy(weft__force_curves* curves) {
  weft__free(curves->first);
  weft__free(curves->points);
  *curves = (weft__force_curves){0};
}

static weft_result check_point(const weft_force_curve_def* def, uint32_t i) {
  const float strain = def->strains[i], force = def->forces[i];
  if (!isfinite(strain)) return weft__fail_at(WEFT_ERROR_NOT_FINITE, "strains", i);
  if (!isfinite(force)) return weft__fail_at(WEFT_ERROR_NOT_FINITE, "forces", i);
  if (!(strain >= MIN_STRAIN && strain <= MAX_STRAIN)) {
    return weft__fail_at(WEFT_ERROR_RANGE, "strains", i);
  }
  if (!(force >= -MAX_FORCE && force <= MAX_FORCE)) {
    return weft__fail_at(WEFT_ERROR_RANGE, "forces", i);
  }
  if (i > 0 && !(strain > def->strains[i - 1])) {
    return weft__fail_at(WEFT_ERROR_RANGE, "strains", i);
  }
  if (def->is_monotone && i > 0 && force < def->forces[i - 1]) {
    return weft__fail_at(WEFT_ERROR_RANGE, "forces", i);
  }
  return weft__ok();
}

static weft_result add_curve(weft_scene* scene, const weft_force_curve_def* def, uint32_t* curve) {
  WEFT__FAIL_IF(scene == NULL, WEFT_ERROR_NULL, "scene");
  WEFT__FAIL_IF(def == NULL, WEFT_ERROR_NULL, "def");
  WEFT__FAIL_IF(def->strains == NULL, WEFT_ERROR_NULL, "strains");
  WEFT__FAIL_IF(def->forces == NULL, WEFT_ERROR_NULL, "forces");
  WEFT__FAIL_IF(curve == NULL, WEFT_ERROR_NULL, "curve");
  WEFT__TRY(WEFT__CHECK_AS(force_curve, count, &def->count, "count"));
  WEFT__FAIL_IF(scene->curves.count >= WEFT_MAX_FORCE_CURVES, WEFT_ERROR_TOO_MANY, "curves");
  for (uint32_t i = 0; i < def->count; ++i) WEFT__TRY(check_point(def, i));
  WEFT__FAIL_IF(!weft__force_curves_push(&scene->curves, def->strains, def->forces, def->count),
                WEFT_ERROR_OUT_OF_MEMORY, "scene");
  *curve = scene->curves.count;
  return weft__ok();
}

weft_result weft_scene_add_force_curve(weft_scene* scene, const weft_force_curve_def* def,
                                       uint32_t* curve) {
  WEFT__RETURN_COMPUTED(add_curve, scene, def, curve);
}
