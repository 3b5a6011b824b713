#include "scene/material.h"

#include <float.h>
#include <math.h>

#include "scene/scene.h"

#define COOKIE 0xc10cafeu
#define MIN_STIFFNESS 1e-6f

weft_material_def weft_default_material_def(void) {
  return (weft_material_def){
      .density = 0.2f, .stretch_stiffness = 2000.0f, .shear_stiffness = 200.0f, .cookie = COOKIE};
}

// infinite is allowed: inextensible cloth
static weft_result check_stiffness(float value, float lower, const char* field) {
  WEFT__FAIL_IF(isnan(value), WEFT_ERROR_NOT_FINITE, field);
  WEFT__FAIL_IF(value < lower, WEFT_ERROR_RANGE, field);
  return weft__ok();
}

weft_result weft__check_material(const weft_material_def* material, const char* field) {
  if (material == NULL) return weft__ok();
  WEFT__FAIL_IF(material->cookie != COOKIE, WEFT_ERROR_DEF, field);
  WEFT__TRY(weft__check_range(material->density, 1e-6f, 1e6f, "weft_material_def.density"));
  WEFT__TRY(check_stiffness(material->stretch_stiffness, MIN_STIFFNESS,
                            "weft_material_def.stretch_stiffness"));
  WEFT__TRY(check_stiffness(material->shear_stiffness, MIN_STIFFNESS,
                            "weft_material_def.shear_stiffness"));
  // infinite bend stiffness would be a board: no number of iterations gets there
  return weft__check_range(material->bend_stiffness, 0.0f, FLT_MAX,
                           "weft_material_def.bend_stiffness");
}

float weft__compliance_of(double stiffness) {
  const double compliance = 1.0 / stiffness;
  return compliance < (double)WEFT__MAX_COMPLIANCE ? (float)compliance : WEFT__MAX_COMPLIANCE;
}

double weft__structural_stiffness(const weft_material_def* material, bool has_shear) {
  const double stretch = (double)material->stretch_stiffness;
  const double shear = (double)material->shear_stiffness;
  if (!has_shear || isinf(stretch)) return stretch;
  if (isinf(shear)) return 0.5 * stretch;
  // positive root of the formula in material.h, in a form without cancellation
  const double root = sqrt(stretch * stretch + 4.0 * shear * shear);
  const double difference = stretch - 2.0 * shear;
  if (difference >= 0.0) return 0.5 * (difference + root);
  return 2.0 * stretch * shear / (root - difference);
}
