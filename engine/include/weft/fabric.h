/* weft, chapter 17: measured fabrics. Include <weft/weft.h>, which includes this.
 *
 * Materials of ten fabrics by the measurements of one source, so that they compare:
 *
 *   Wang, O'Brien, Ramamoorthi 2011, "Data-driven elastic models for cloth: modeling and
 *   measurement", ACM Transactions on Graphics 30(4), 71; the data as the authors publish them for
 *   ARCSim.
 *
 * docs/materials.md has the numbers of the source and their conversion. The source gives neither
 * thickness nor friction. */
#ifndef WEFT_FABRIC_H
#define WEFT_FABRIC_H

#include "weft/weft.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum weft_fabric {
  WEFT_FABRIC_BLANKET = 0,
  WEFT_FABRIC_DENIM = 1,
  WEFT_FABRIC_INTERLOCK = 2,
  WEFT_FABRIC_JET_SET = 3,
  WEFT_FABRIC_POLYCOTTON = 4,
  WEFT_FABRIC_PONTE = 5,
  WEFT_FABRIC_RIB_KNIT = 6,
  WEFT_FABRIC_SWEATER = 7,
  WEFT_FABRIC_SWIMSUIT = 8,
  WEFT_FABRIC_TABLECLOTH = 9,
} weft_fabric;
#define WEFT_FABRIC_COUNT 10

/* Measurements of a fabric, as moduli of small strains. The warp is the first direction of the
 * source, which names neither. */
typedef struct weft_fabric_data {
  const char* name;        /* "denim" */
  const char* composition; /* "99 % cotton, 1 % spandex; jeans" */
  const char* source;      /* name of the sample in the source, "11oz-black-denim" */
  float density;           /* kilograms per square metre */
  /* newtons per metre along warp and weft, of a strip that is free to narrow */
  float warp_stiffness, weft_stiffness;
  float shear_stiffness; /* newtons per metre */
  float poisson_ratio;   /* contraction along the weft over stretch along the warp */
  float warp_bend;       /* newton metres, of a strip that is cut along the warp */
  float weft_bend;       /* the same along the weft */
} weft_fabric_data;

/* Measurements of a fabric. Fails with WEFT_ERROR_RANGE at "fabric". */
WEFT_RESULT weft_get_fabric_data(weft_fabric fabric, weft_fabric_data* data);

/* Number of the fabric of a name, such as "denim". Fails with WEFT_ERROR_INDEX at "name". */
WEFT_RESULT weft_find_fabric(const char* name, weft_fabric* fabric);

/* Material of a fabric, for weft_sheet_def.material and weft_mesh_def.material. As a membrane it is
 * orthotropic, and the mesh needs uvs or a warp. Otherwise it is for sheets, which are alike along
 * rows and columns: stretch stiffness is the mean of warp and weft, and there is no Poisson ratio.
 * Bend stiffness is the mean in both. Fails with WEFT_ERROR_RANGE at "fabric". */
WEFT_RESULT weft_fabric_material(weft_fabric fabric, bool membrane, weft_material_def* material);

#ifdef __cplusplus
}
#endif

#endif
