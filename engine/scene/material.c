#include "scene/material.h"

#include <math.h>

#include "scene/scene.h"
#include "tables/membranes.h"

static double weft_stiffness_of(const weft_material_def* material) {
  return (double)(material->weft_stiffness > 0.0f ? material->weft_stiffness
                                                  : material->stretch_stiffness);
}

// The compliance matrix must be positive definite, or 0.
static weft_result check_membrane(const weft_material_def* material) {
  const double warp = (double)material->stretch_stiffness;
  const double ratio = (double)material->poisson_ratio;
  const double ratio_limit = isinf(warp) ? 1.0 : warp / weft_stiffness_of(material);
  WEFT__FAIL_IF(ratio != 0.0 && !(ratio * ratio < 0.99 * ratio_limit), WEFT_ERROR_RANGE,
                "weft_material_def.poisson_ratio");
  return material->membrane ? weft__ok() : weft__check_spring_material(material);
}

weft_result weft__check_spring_material(const weft_material_def* material) {
  WEFT__FAIL_IF(material->membrane, WEFT_ERROR_RANGE, "weft_material_def.membrane");
  WEFT__FAIL_IF(material->weft_stiffness != 0.0f, WEFT_ERROR_RANGE,
                "weft_material_def.weft_stiffness");
  WEFT__FAIL_IF(material->poisson_ratio != 0.0f, WEFT_ERROR_RANGE,
                "weft_material_def.poisson_ratio");
  WEFT__FAIL_IF(material->max_stretch != 0.0f, WEFT_ERROR_RANGE, "weft_material_def.max_stretch");
  return weft__ok();
}

void weft__membrane_compliance(const weft_material_def* material, double compliance[4]) {
  compliance[WEFT__WARP] = 1.0 / (double)material->stretch_stiffness;
  compliance[WEFT__WEFT] = 1.0 / weft_stiffness_of(material);
  compliance[WEFT__POISSON] =
      -(double)material->poisson_ratio / (double)material->stretch_stiffness;
  compliance[WEFT__SHEAR] = 1.0 / (double)material->shear_stiffness;
}

double weft__membrane_stiffness(const weft_material_def* material, double cosine) {
  double c[4];
  weft__membrane_compliance(material, c);
  const double along = cosine * cosine;
  const double across = 1.0 - along;
  return 1.0 / (along * along * c[WEFT__WARP] + across * across * c[WEFT__WEFT] +
                along * across * (c[WEFT__SHEAR] + 2.0 * c[WEFT__POISSON]));
}

bool weft__material_is_isotropic(const weft_material_def* material) {
  double c[4];
  weft__membrane_compliance(material, c);
  const double shear = 2.0 * (c[WEFT__WARP] - c[WEFT__POISSON]);
  return c[WEFT__WARP] == c[WEFT__WEFT] && fabs(c[WEFT__SHEAR] - shear) <= 1e-5 * shear;
}

weft_result weft__check_material(const weft_material_def* material, const char* field) {
  if (material == NULL) return weft__ok();
  const weft_result result = weft__check_def(&weft__material_fields, material);
  if (result.error == WEFT_ERROR_DEF) return weft__fail(WEFT_ERROR_DEF, field);
  WEFT__TRY(result);
  WEFT__FAIL_IF(material->crease_angle > 0.0f && material->bend_stiffness == 0.0f, WEFT_ERROR_RANGE,
                "weft_material_def.crease_angle");
  return check_membrane(material);
}

float weft__compliance_of(double stiffness) {
  const double compliance = 1.0 / stiffness;
  return compliance < (double)WEFT__MAX_COMPLIANCE ? (float)compliance : WEFT__MAX_COMPLIANCE;
}

double weft__structural_stiffness(double stretch, double shear) {
  if (isinf(stretch)) return stretch;
  if (isinf(shear)) return 0.5 * stretch;
  // positive root of the formula in material.h, without cancellation
  const double root = sqrt(stretch * stretch + 4.0 * shear * shear);
  const double difference = stretch - 2.0 * shear;
  if (difference >= 0.0) return 0.5 * (difference + root);
  return 2.0 * stretch * shear / (root - difference);
}
