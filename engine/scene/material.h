/* Materials in SI units, converted to masses of particles and compliances of links.
 *
 * A sheet's structural links are springs along its two directions, its shear links springs along
 * the diagonals of its cells. With stiffnesses k_s and k_d in newtons per metre and square cells, a
 * strip of the sheet that is free to narrow has, per metre of width, the stretch stiffness
 *
 *     Y = (k_s^2 + 2 k_s k_d) / (k_s + k_d)       and the shear stiffness       G = k_d
 *
 * at any spacing; links on a border stand for half a cell's width and have half the stiffness.
 *
 * A cell folded along one diagonal brings the ends of the other closer: edges keep their lengths,
 * and nothing is sheared. A shear link that pushed would oppose the fold, the more the wider the
 * cell: (1 - cos(t / 2))^2 for an angle t. So the elastic shear links of a sheet that resists
 * bending pull only, with k_d = 2 G, as shear lengthens one of the two. (Choi, Ko 2002, "Stable but
 * responsive cloth": cloth gives way to compression by buckling)
 *
 * A mesh's edge e has k_e = Y (area of its triangles) / |e|^2 (van Gelder 1998, "Approximate
 * simulation of elastic membranes by triangulated spring meshes"): exact for equilateral triangles.
 *
 * Bending. A sheet's element on three particles of spacing s stands for the area A = s^2 around the
 * middle one (half of that on a border). With bend stiffness B and curvature k = |x0 - 2 x1 + x2| /
 * s^2 its energy is B k^2 A / 2 = |d|^2 / (2 compliance) for d = x0 - 2 x1 + x2 and
 *
 *     compliance = s^4 / (A B)
 *
 * For meshes see mesh_hinges.c. The default, 1e-5 newton metres, is cotton of a shirt: 0.1 gf
 * cm^2/cm on Kawabata's scale. */
#ifndef WEFT_SCENE_MATERIAL_H
#define WEFT_SCENE_MATERIAL_H

#include "base/result.h"
#include "weft/weft.h"

/* `field`: the def's that points to it. NULL is valid. */
weft_result weft__check_material(const weft_material_def* material, const char* field);

/* Cloth with hinges; NULL is valid. */
static inline bool weft__material_bends(const weft_material_def* material) {
  return material != NULL && material->bend_stiffness > 0.0f;
}

/* Metres per newton; newtons per metre, may be infinite. */
float weft__compliance_of(double stiffness);

/* Nothing that only a membrane has. */
weft_result weft__check_spring_material(const weft_material_def* material);

/* Metres per newton: tables/membranes.h. */
void weft__membrane_compliance(const weft_material_def* material, double compliance[4]);

/* Strip that is free to narrow, newtons per metre, at this cosine to the warp. */
double weft__membrane_stiffness(const weft_material_def* material, double cosine);

/* To rounding. */
bool weft__material_is_isotropic(const weft_material_def* material);

/* k_s of an inner structural link, newtons per metre; shear: k_d, or 0 if there are no shear
 * links */
double weft__structural_stiffness(double stretch, double shear);

#endif
