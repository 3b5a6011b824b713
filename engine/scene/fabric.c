/* Measured fabrics, in the numbers of the source, and their conversion.
 *
 * Stretch. With the source's four numbers c its authors' simulator has the energy c11 uu^2 + 2 c12
 * uu vv + c22 vv^2 + 2 c33 uv^2 a square metre, of the Green strain at small strains; negative
 * numbers count as 0. A strip that is free to narrow has the modulus 2 (c11 - c12^2 / c22), shear
 * by an angle 2 uv has c33.
 *
 * Bending. A hinge of edge length l between triangles of area A in all, folded by theta, stores k
 * l^2 theta^2 / (8 A) (Bridson, Marino, Fedkiw 2003, "Simulation of clothing with folds and
 * wrinkles"). On equilateral triangles that are bent to a cylinder of curvature q these sum to k
 * q^2 / 8 a square metre along any direction: a plate of B = k / 4. k is the mean of five measured
 * curvatures, 0 to 20 per metre. Edges along one direction fold as strips along the other do. */
#include <string.h>

#include "base/result.h"
#include "scene/material.h"
#include "weft/weft.h"

/* edge_bend: edges along warp and weft, 1e-6 newton metres */
typedef struct fabric_sample {
  const char *name, *composition, *source;
  double density, c11, c12, c22, c33;
  double edge_bend[2];
} fabric_sample;

// clang-format off
static const fabric_sample samples[WEFT_FABRIC_COUNT] = {
    [WEFT_FABRIC_BLANKET] = {"blanket", "100 % polyester; blanket", "pink-ribbon-brown",
        0.228, 151.503906, 106.028160, 244.830673, 30.250183, {220.281, 59.495}},
    [WEFT_FABRIC_DENIM] = {"denim", "99 % cotton, 1 % spandex; jeans", "11oz-black-denim",
        0.324, 205.352005, 10.234077, 1013.88629, 53.387184, {53.537, 103.642}},
    [WEFT_FABRIC_INTERLOCK] = {"interlock", "60 % cotton, 40 % polyester; t-shirt",
        "gray-interlock", 0.187, 16.593832, -14.695990, 34.477123, 36.860302, {30.586, 15.977}},
    [WEFT_FABRIC_JET_SET] = {"jet_set", "100 % polyester; jacket", "tango-red-jet-set",
        0.113, 43.067627, 54.373299, 171.424835, 14.314700, {21.540, 15.953}},
    [WEFT_FABRIC_POLYCOTTON] = {"polycotton", "65 % cotton, 35 % polyester; pants", "royal-target",
        0.220, 2016.55456, 9.170511, 2034.97644, 104.759674, {189.412, 190.212}},
    [WEFT_FABRIC_PONTE] = {"ponte", "60 % polyester, 40 % rayon; jacket", "camel-ponte-roma",
        0.284, 31.146198, -12.802702, 44.028667, 31.896357, {39.964, 29.924}},
    [WEFT_FABRIC_RIB_KNIT] = {"rib_knit", "95 % cotton, 5 % spandex; underwear", "ivory-rib-knit",
        0.276, 42.871021, -0.234556, 65.166023, 83.175644, {74.164, 35.731}},
    [WEFT_FABRIC_SWEATER] = {"sweater", "96 % polyester, 4 % spandex; sweater",
        "navy-sparkle-sweat", 0.224, 12.486332, -19.875324, 3.272434, 17.616289, {37.906, 30.444}},
    [WEFT_FABRIC_SWIMSUIT] = {"swimsuit", "87 % nylon, 13 % spandex; swimsuit", "white-swim-solid",
        0.204, 47.971176, 6.834521, 104.615456, 60.773663, {55.261, 45.379}},
    [WEFT_FABRIC_TABLECLOTH] = {"tablecloth", "100 % polyester; tablecloth", "white-dots-on-blk",
        0.128, 2002.08618, 0.345588, 2027.48559, 19.189022, {44.507, 25.582}},
};
// clang-format on

weft_result weft_get_fabric_data(weft_fabric fabric, weft_fabric_data* data) {
  WEFT__FAIL_IF((unsigned)fabric >= WEFT_FABRIC_COUNT, WEFT_ERROR_RANGE, "fabric");
  WEFT__FAIL_IF(data == NULL, WEFT_ERROR_NULL, "data");
  const fabric_sample* sample = &samples[fabric];
  const double c12 = sample->c12 > 0.0 ? sample->c12 : 0.0;
  *data = (weft_fabric_data){
      .name = sample->name,
      .composition = sample->composition,
      .source = sample->source,
      .density = (float)sample->density,
      .warp_stiffness = (float)(2.0 * (sample->c11 - c12 * c12 / sample->c22)),
      .weft_stiffness = (float)(2.0 * (sample->c22 - c12 * c12 / sample->c11)),
      .shear_stiffness = (float)sample->c33,
      .poisson_ratio = (float)(c12 / sample->c22),
      .warp_bend = (float)(0.25e-6 * sample->edge_bend[1]),
      .weft_bend = (float)(0.25e-6 * sample->edge_bend[0]),
  };
  return weft__ok();
}

weft_result weft_find_fabric(const char* name, weft_fabric* fabric) {
  WEFT__FAIL_IF(name == NULL, WEFT_ERROR_NULL, "name");
  WEFT__FAIL_IF(fabric == NULL, WEFT_ERROR_NULL, "fabric");
  for (int i = 0; i < WEFT_FABRIC_COUNT; ++i) {
    if (strcmp(samples[i].name, name) != 0) continue;
    *fabric = (weft_fabric)i;
    return weft__ok();
  }
  return weft__fail(WEFT_ERROR_INDEX, "name");
}

weft_result weft_fabric_material(weft_fabric fabric, bool membrane, weft_material_def* material) {
  weft_fabric_data data;
  WEFT__FAIL_IF(material == NULL, WEFT_ERROR_NULL, "material");
  WEFT__TRY(weft_get_fabric_data(fabric, &data));
  *material = weft_default_material_def();
  material->density = data.density;
  material->stretch_stiffness =
      membrane ? data.warp_stiffness : 0.5f * (data.warp_stiffness + data.weft_stiffness);
  material->shear_stiffness = data.shear_stiffness;
  material->bend_stiffness = 0.5f * (data.warp_bend + data.weft_bend);
  if (membrane) {
    material->membrane = true;
    material->weft_stiffness = data.weft_stiffness;
    material->poisson_ratio = data.poisson_ratio;
  }
  return weft__ok();
}
